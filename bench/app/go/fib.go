// SPDX-License-Identifier: MIT

package main

// #include "fib/fib.h"
import "C"
import "unsafe"

func fibSerially(n int, first uint64) uint64 {
	if n < 2 {
		return first + uint64(n)
	}
	return fibSerially(n-1, first) + fibSerially(n-2, first)
}

func fib(n, cutoff int, first uint64) uint64 {
	if n < cutoff {
		return fibSerially(n, first)
	}
	var one, two uint64
	both(func() { one = fib(n-1, cutoff, first) }, func() { two = fib(n-2, cutoff, first) })
	return one + two
}

//export go_solve_fib
func go_solve_fib(at unsafe.Pointer) {
	job := (*C.struct_fib)(at)
	run(func() { job.number = C.uint64_t(fib(int(job.n), int(job.cutoff), uint64(job.first))) })
}
