// SPDX-License-Identifier: MIT

package main

// #include "quicksort/quicksort.h"
import "C"
import "unsafe"

const quicksortCutoff = 32

func insertionSortInPlace(a []int64) {
	for i := 1; i < len(a); i++ {
		x, at := a[i], i
		for ; at > 0 && a[at-1] > x; at-- {
			a[at] = a[at-1]
		}
		a[at] = x
	}
}

func order(a, b *int64) {
	if *b < *a {
		*a, *b = *b, *a
	}
}

// partition is Hoare's, by the median of three.
func partition(a []int64) int {
	middle, last := len(a)/2, len(a)-1
	order(&a[0], &a[middle])
	order(&a[middle], &a[last])
	order(&a[0], &a[middle])
	pivot := a[middle]
	for i, j := 0, last; ; i, j = i+1, j-1 {
		for a[i] < pivot {
			i++
		}
		for a[j] > pivot {
			j--
		}
		if i >= j {
			return i
		}
		a[i], a[j] = a[j], a[i]
	}
}

func quicksort(a []int64) {
	if len(a) <= quicksortCutoff {
		insertionSortInPlace(a)
		return
	}
	middle := partition(a)
	both(func() { quicksort(a[:middle]) }, func() { quicksort(a[middle:]) })
}

//export go_solve_quicksort
func go_solve_quicksort(at unsafe.Pointer) {
	job := (*C.struct_quicksort)(at)
	numbers := view[int64](unsafe.Pointer(job.numbers), int(job.n))
	sorted := allocate[int64](len(numbers))
	run(func() {
		parFor(len(numbers), 1<<14, func(from, to int) { copy(sorted[from:to], numbers[from:to]) })
		quicksort(sorted)
	})
	job.sorted = (*C.int64_t)(first(sorted))
}
