/* SPDX-License-Identifier: MIT */
/*
 * The slow paths of fork and join for callers compiled by clang, which count on all general
 * registers but r11 and the result's (preserve_most). gcc has no word for that: so by hand.
 */
#include <heist/fork.h>

#ifdef __x86_64__

#define SAVE(reg) "push %" #reg "\n.cfi_adjust_cfa_offset 8\n"
#define RESTORE(reg) "pop %" #reg "\n.cfi_adjust_cfa_offset -8\n"

/* The stack is 8 off a multiple of 16 on entry, and on one at the call: FIRST saves none or two. */
#define KEEPER(name, callee, FIRST, LAST)                                                        \
    __asm__(".pushsection .text\n"                                                               \
            ".type " #name ", @function\n" #name ":\n"                                           \
            ".cfi_startproc\nendbr64\n" FIRST SAVE(rcx) SAVE(rdx) SAVE(rsi) SAVE(rdi) SAVE(r8)   \
                SAVE(r9) SAVE(r10) "call " #callee "@PLT\n" RESTORE(r10) RESTORE(r9) RESTORE(r8) \
                    RESTORE(rdi) RESTORE(rsi) RESTORE(rdx) RESTORE(rcx) LAST                     \
            "ret\n.cfi_endproc\n"                                                                \
            ".size " #name ", . - " #name "\n.popsection\n")

heist_fork_keeper_ heist_keep_at_fork_ __attribute__((visibility("hidden")));
heist_join_keeper_ heist_keep_at_join_ __attribute__((visibility("hidden")));
KEEPER(heist_keep_at_fork_, heist_fork_slow_, SAVE(rax) SAVE(rax), RESTORE(rax) RESTORE(rax));
KEEPER(heist_keep_at_join_, heist_join_slow_, "", "");

heist_fork_keeper_ *const heist_fork_keep_ = heist_keep_at_fork_;
heist_join_keeper_ *const heist_join_keep_ = heist_keep_at_join_;

#else
typedef int heist_no_keepers_; /* ISO C wants something in a file */
#endif
