// SPDX-License-Identifier: MIT

package main

// #include "comparison_sort/comparison_sort.h"
import "C"
import "unsafe"

const (
	sortAlone  = 2048
	mergeAlone = 8192
	insertion  = 24
)

func mergeRuns(a, b, to []float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		if y < x {
			to[i+j] = y
			j++
		} else {
			to[i+j] = x
			i++
		}
	}
	copy(to[i+j:], a[i:])
	copy(to[len(a)+j:], b[j:])
}

// rankOf is how many are below the bound, or, with `equal`, not above it.
func rankOf(at []float64, bound float64, equal bool) (low int) {
	for n := len(at); n > 0; {
		half := n / 2
		if x := at[low+half]; x < bound || equal && x == bound {
			low += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return low
}

func merge(a, b, to []float64) {
	if len(to) <= mergeAlone {
		mergeRuns(a, b, to)
		return
	}
	i, j := len(a)/2, len(b)/2
	if len(a) >= len(b) {
		j = rankOf(b, a[i], false)
	} else {
		i = rankOf(a, b[j], true)
	}
	both(func() { merge(a[:i], b[:j], to[:i+j]) }, func() { merge(a[i:], b[j:], to[i+j:]) })
}

func insertionSort(from, to []float64) {
	for i, number := range from {
		at := i
		for ; at > 0 && number < to[at-1]; at-- {
			to[at] = to[at-1]
		}
		to[at] = number
	}
}

// mergeSort sorts the halves into `other`, and merges them into `to`.
func mergeSort(from, to, other []float64) {
	if len(from) <= insertion {
		insertionSort(from, to)
		return
	}
	half := len(from) / 2
	low := func() { mergeSort(from[:half], other[:half], to[:half]) }
	high := func() { mergeSort(from[half:], other[half:], to[half:]) }
	if len(from) <= sortAlone {
		low()
		high()
		mergeRuns(other[:half], other[half:], to)
	} else {
		both(low, high)
		merge(other[:half], other[half:], to)
	}
}

//export go_solve_comparison_sort
func go_solve_comparison_sort(at unsafe.Pointer) {
	job := (*C.struct_comparison_sort)(at)
	numbers := view[float64](unsafe.Pointer(job.numbers), int(job.n))
	sorted := allocate[float64](len(numbers))
	run(func() { mergeSort(numbers, sorted, make([]float64, len(numbers))) })
	job.sorted = (*C.double)(first(sorted))
}
