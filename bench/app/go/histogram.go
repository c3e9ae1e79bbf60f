// SPDX-License-Identifier: MIT

package main

// #include "histogram/histogram.h"
import "C"
import "unsafe"

//export go_solve_histogram
func go_solve_histogram(at unsafe.Pointer) {
	job := (*C.struct_histogram)(at)
	keys, buckets := view[uint32](unsafe.Pointer(job.keys), int(job.n)), int(job.buckets)
	result := allocate[uint32](buckets)
	run(func() {
		count := func(from, to int, counts []uint32) {
			for _, key := range keys[from:to] {
				counts[key]++
			}
		}
		parCount(len(keys), buckets, count, result)
	})
	job.counts = (*C.uint32_t)(first(result))
}
