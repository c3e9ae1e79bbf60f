/* SPDX-License-Identifier: MIT */
#include "switch.h"

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl check_switch\n"
        ".type check_switch, @function\n"
        "check_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size check_switch, .-check_switch\n");

void *check_coroutine(void *top, void (*run)(void))
{
    /* As if `run` had been called: the stack pointer is 8 below a multiple of 16 when it begins. */
    uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = 0;
    *--sp = (uint64_t)(uintptr_t)run;
    return sp - 6;
}
#else
__asm__(".text\n"
        ".globl check_switch\n"
        ".type check_switch, %function\n"
        "check_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x2, sp\n  str x2, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n  ret\n"
        ".size check_switch, .-check_switch\n");

void *check_coroutine(void *top, void (*run)(void))
{
    uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15) - 20;
    sp[11] = (uint64_t)(uintptr_t)run; /* x30, to which the switch returns */
    return sp;
}
#endif
