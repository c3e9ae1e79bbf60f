// SPDX-License-Identifier: MIT

package main

// #include "knapsack/knapsack.h"
// #include <stdlib.h>
// #pragma weak branch // only knapsack-go is linked with these, not what else is in Go
// #pragma weak diagram_init
// #pragma weak diagram_fini
import "C"
import "unsafe"

func solveOne(search *C.struct_search, state C.struct_state, item C.uint) {
	d := (*C.struct_diagram)(C.malloc(C.sizeof_struct_diagram))
	if !C.diagram_init(d, C.KNAPSACK_WIDTH) {
		panic("out of memory")
	}
	if C.branch(search, d, state, item) == C.CUT {
		states := view[C.struct_state](unsafe.Pointer(d.cut), int(d.cut_number))
		solveSome(search, states, d.cut_item)
	}
	C.diagram_fini(d)
	C.free(unsafe.Pointer(d))
}

// solveSome solves subproblems, all of the same items, the last first.
func solveSome(search *C.struct_search, states []C.struct_state, item C.uint) {
	if len(states) == 1 {
		solveOne(search, states[0], item)
		return
	}
	half := len(states) / 2
	both(func() { solveSome(search, states[half:], item) },
		func() { solveSome(search, states[:half], item) })
}

//export go_solve_knapsack
func go_solve_knapsack(at unsafe.Pointer) {
	job := (*C.struct_knapsack)(at)
	instances := view[*C.struct_instance](unsafe.Pointer(job.instance), int(job.instances))
	profits := allocate[C.int64_t](len(instances))
	search := (*C.struct_search)(C.malloc(C.sizeof_struct_search))
	run(func() {
		for i, instance := range instances {
			search.instance = instance
			C.heist_master_bound_init(&search.best, 0)
			solveOne(search, C.struct_state{instance.capacity, 0}, 0)
			profits[i] = C.heist_master_bound_get(&search.best)
		}
	})
	C.free(unsafe.Pointer(search))
	job.profit = (*C.int64_t)(first(profits))
}
