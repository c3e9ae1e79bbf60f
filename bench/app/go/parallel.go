// SPDX-License-Identifier: MIT

package main

// ../common/parallel.h by goroutines.

import (
	"sync"
	"sync/atomic"
)

// As in ../common/layer_openmp.h.
const (
	partsPerWorker = 16
	partsMost      = 256
)

// partsOf is into how many parts a loop is cut.
func partsOf(n, grain int) int {
	parts, most := n/grain, workers*partsPerWorker
	if most > partsMost {
		most = partsMost
	}
	if parts > most {
		parts = most
	}
	if parts < 1 {
		parts = 1
	}
	return parts
}

// parFor calls the body for parts of 0 <= i < n: as many goroutines as there are workers take the
// next part, and the next.
func parFor(n, grain int, body func(from, to int)) {
	parts := partsOf(n, grain)
	if parts == 1 {
		if n > 0 {
			body(0, n)
		}
		return
	}
	var next int64
	var group sync.WaitGroup
	work := func() {
		for i := int(atomic.AddInt64(&next, 1)); i <= parts; i = int(atomic.AddInt64(&next, 1)) {
			body(n*(i-1)/parts, n*i/parts)
		}
		group.Done()
	}
	helpers := workers
	if helpers > parts {
		helpers = parts
	}
	group.Add(helpers)
	for i := 1; i < helpers; i++ {
		go work()
	}
	work()
	group.Wait()
}

// parReduce puts the results of parts together, in order.
func parReduce[T any](n, grain int, identity T, body func(from, to int, partial T) T,
	combine func(left, right T) T) T {
	parts := partsOf(n, grain)
	partials := make([]T, parts)
	parFor(parts, 1, func(from, to int) {
		for i := from; i < to; i++ {
			partials[i] = body(n*i/parts, n*(i+1)/parts, identity)
		}
	})
	result := partials[0]
	for _, partial := range partials[1:] {
		result = combine(result, partial)
	}
	return result
}

// both calls both, the second perhaps elsewhere.
func both(first, second func()) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		second()
		group.Done()
	}()
	first()
	group.Wait()
}

// atomicMin leaves the least of all that is written to a place.
func atomicMin(place *uint32, value uint32) {
	for there := atomic.LoadUint32(place); value < there; there = atomic.LoadUint32(place) {
		if atomic.CompareAndSwapUint32(place, there, value) {
			return
		}
	}
}
