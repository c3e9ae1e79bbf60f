// SPDX-License-Identifier: MIT

package main

// #include "json/json.h"
// void json_sum_block(const struct json *job, size_t block, struct totals *totals)
//     __attribute__((weak)); // only json-go is linked with it, not what else is in Go
import "C"
import "unsafe"

//export go_solve_json
func go_solve_json(at unsafe.Pointer) {
	job := (*C.struct_json)(at)
	blocks := (int(job.length) + C.JSON_BLOCK - 1) / C.JSON_BLOCK
	sum := func(from, to int, partial C.struct_totals) C.struct_totals {
		for i := from; i < to; i++ {
			C.json_sum_block(job, C.size_t(i), &partial)
		}
		return partial
	}
	add := func(left, right C.struct_totals) C.struct_totals {
		left.records += right.records
		left.broken += right.broken
		left.sum += right.sum
		return left
	}
	run(func() { job.totals = parReduce(blocks, 1, C.struct_totals{}, sum, add) })
}
