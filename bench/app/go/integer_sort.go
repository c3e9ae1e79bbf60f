// SPDX-License-Identifier: MIT

package main

// #include "integer_sort/integer_sort.h"
// #include <stdlib.h>
import "C"
import "unsafe"

const (
	digitBits = 8
	digits    = 1 << digitBits
)

func largestOf(keys []uint32) uint32 {
	larger := func(a, b uint32) uint32 {
		if b > a {
			return b
		}
		return a
	}
	return parReduce(len(keys), 1<<14, 0, func(from, to int, largest uint32) uint32 {
		for _, key := range keys[from:to] {
			largest = larger(largest, key)
		}
		return largest
	}, larger)
}

// radixSort sorts into `to` or `other`, and returns where it is, and which one is free.
func radixSort(keys, to, other []uint32) (sorted, unused []uint32) {
	starts := make([]uint32, digits+1)
	largest, from := largestOf(keys), keys
	for shift := 0; ; {
		count := func(first, last int, counts []uint32) {
			counts = counts[:digits]
			for _, key := range from[first:last] {
				counts[key>>shift&(digits-1)]++
			}
		}
		move := func(first, last int, place []uint32) {
			place = place[:digits]
			for _, key := range from[first:last] {
				digit := key >> shift & (digits - 1)
				to[place[digit]] = key
				place[digit]++
			}
		}
		parPartition(len(from), digits, count, move, starts)
		from, to, other = to, other, to
		shift += digitBits
		if shift >= 32 || largest>>shift == 0 {
			return from, to
		}
	}
}

//export go_solve_integer_sort
func go_solve_integer_sort(at unsafe.Pointer) {
	job := (*C.struct_integer_sort)(at)
	keys := view[uint32](unsafe.Pointer(job.keys), int(job.n))
	sorted, other := allocate[uint32](len(keys)), allocate[uint32](len(keys))
	run(func() { sorted, other = radixSort(keys, sorted, other) })
	C.free(first(other))
	job.sorted = (*C.uint32_t)(first(sorted))
}
