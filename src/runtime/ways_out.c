/* SPDX-License-Identifier: MIT */
/*
 * Where the fast paths of fork and join jump to on x86-64 when they have more to do: to the same
 * functions as elsewhere, but with all general registers kept. The caller's stack is as it was in
 * the middle of the caller, with something in the 128 bytes below it, and not aligned; r11 holds
 * where to go on.
 */
#include <heist/fork.h>

#if defined(__x86_64__) && !defined(__ILP32__)

/* The frame that debuggers know: where to return to, and the caller's rbp, which rbp points to. */
#define ENTER                                                                \
    ".cfi_startproc\n.cfi_def_cfa rsp, 0\n.cfi_register rip, r11\nendbr64\n" \
    "lea -128(%rsp), %rsp\n.cfi_adjust_cfa_offset 128\n"                     \
    "push %r11\n.cfi_adjust_cfa_offset 8\n.cfi_offset rip, -136\n"           \
    "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset rbp, -144\n"           \
    "mov %rsp, %rbp\n.cfi_def_cfa_register rbp\n"
/* By a move, since the stack is aligned after the pushes. */
#define KEEP(reg, at) "push %" #reg "\n.cfi_offset " #reg ", -144 - " #at "\n"
#define RESTORE(reg, at) "mov -" #at "(%rbp), %" #reg "\n"
#define EACH(X) X(rax, 8) X(rcx, 16) X(rdx, 24) X(rsi, 32) X(rdi, 40) X(r8, 48) X(r9, 56) X(r10, 64)
#define LEAVE                                                              \
    "mov 8(%rbp), %r11\nmov %rbp, %rsp\npop %rbp\n.cfi_def_cfa rsp, 136\n" \
    ".cfi_same_value rbp\n.cfi_register rip, r11\nlea 136(%rsp), %rsp\n"   \
    ".cfi_def_cfa_offset 0\nnotrack jmp *%r11\n.cfi_endproc\n"

#define WAY_OUT(name, function)                                                                   \
    __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", @function\n" #name            \
            ":\n" ENTER EACH(KEEP) "and $-16, %rsp\ncall " #function "@PLT\n" EACH(RESTORE) LEAVE \
            ".size " #name ", . - " #name "\n.popsection\n")

WAY_OUT(heist_fork_out_, heist_fork_slow_);
WAY_OUT(heist_join_out_, heist_join_slow_);

#else
typedef int heist_no_ways_out_; /* ISO C wants something in a file */
#endif
