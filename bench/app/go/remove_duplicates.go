// SPDX-License-Identifier: MIT

package main

// #include "remove_duplicates/remove_duplicates.h"
import "C"
import (
	"sync/atomic"
	"unsafe"
)

// putItem: along the way from a key's slot a larger item takes the place of a smaller one, which
// goes on.
func putItem(slots []uint32, item uint32) {
	mask := len(slots) - 1
	for at := int(randomAt(0, uint64(item))) & mask; ; {
		there := atomic.LoadUint32(&slots[at])
		switch {
		case there == item:
			return
		case there > item:
			at = (at + 1) & mask
		case atomic.CompareAndSwapUint32(&slots[at], there, item):
			if there == 0 {
				return
			}
			item = there
			at = (at + 1) & mask
		}
	}
}

// distinctOf writes each key once.
func distinctOf(keys, distinct []uint32) int {
	size := 2
	for size-1 < len(keys)+len(keys)/2 {
		size *= 2
	}
	slots := make([]uint32, size) // a key plus 1; 0: free
	parFor(len(keys), 1<<12, func(from, to int) {
		for _, key := range keys[from:to] {
			putItem(slots, key+1)
		}
	})
	count := func(from, to int) (number int) {
		for _, item := range slots[from:to] {
			if item != 0 {
				number++
			}
		}
		return number
	}
	write := func(from, to, at int) int {
		next := at
		for _, item := range slots[from:to] {
			if item != 0 {
				distinct[next] = item - 1
				next++
			}
		}
		return next - at
	}
	return parFilter(size, count, write)
}

//export go_solve_remove_duplicates
func go_solve_remove_duplicates(at unsafe.Pointer) {
	job := (*C.struct_remove_duplicates)(at)
	keys := view[uint32](unsafe.Pointer(job.keys), int(job.n))
	distinct := allocate[uint32](len(keys))
	run(func() { job.number = C.size_t(distinctOf(keys, distinct)) })
	job.distinct = (*C.uint32_t)(first(distinct))
}
