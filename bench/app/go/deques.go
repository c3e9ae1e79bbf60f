// SPDX-License-Identifier: MIT

package main

// #include "deques/deques.h"
import "C"
import "unsafe"

//export go_solve_deques
func go_solve_deques(at unsafe.Pointer) {
	job := (*C.struct_deques)(at)
	first := uint64(job.first)
	run(func() {
		parFor(C.DEQUES_LISTS, 1, func(from, to int) {
			for list := from; list < to; list++ {
				parFor(C.DEQUES_TASKS, 1, func(from, to int) {
					for i := list*C.DEQUES_TASKS + from; i < list*C.DEQUES_TASKS+to; i++ {
						job.number[i] = C.uint64_t(fibSerially(int(job.which[i]), first))
					}
				})
			}
		})
	})
}
