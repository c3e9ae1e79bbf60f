// SPDX-License-Identifier: MIT

package main

// #include "matching/matching.h"
import "C"
import (
	"sync/atomic"
	"unsafe"
)

const (
	nobody        = ^uint32(0)
	windows       = 24
	windowLeast   = 4096
	matchingGrain = 1024
)

type edge struct{ a, b uint32 }

// rounds: of the edges that are left, the first ones reserve both their ends; the least edge wins a
// vertex, and an edge that has won both is taken.
type rounds struct {
	edges        []edge
	reserved     []uint32 // by vertex: by which edge
	matched      []uint8  // by vertex
	taken        []uint8  // by edge
	tries, again []uint32 // edges: of this round, and those left of it
	left         []uint8  // by place in tries
}

func (r *rounds) reserve(from, to int) {
	for i := from; i < to; i++ {
		e := r.tries[i]
		ends := r.edges[e]
		if r.left[i] = 1 - (r.matched[ends.a] | r.matched[ends.b]); r.left[i] != 0 {
			atomicMin(&r.reserved[ends.a], e)
			atomicMin(&r.reserved[ends.b], e)
		}
	}
}

// commit: a vertex is written to by the edge that has reserved it, and nobody else.
func (r *rounds) commit(from, to int) {
	for i := from; i < to; i++ {
		e := r.tries[i]
		ends := r.edges[e]
		if r.left[i] == 0 {
			continue
		}
		a := atomic.LoadUint32(&r.reserved[ends.a]) == e
		b := atomic.LoadUint32(&r.reserved[ends.b]) == e
		switch {
		case a && b:
			r.matched[ends.a], r.matched[ends.b], r.taken[e] = 1, 1, 1
			r.left[i] = 0
		case a:
			atomic.StoreUint32(&r.reserved[ends.a], nobody)
		case b:
			atomic.StoreUint32(&r.reserved[ends.b], nobody)
		}
	}
}

func matching(edges []edge, vertices int, result []uint32) int {
	window := len(edges) / windows
	if window < windowLeast {
		window = windowLeast
	}
	r := rounds{edges: edges, reserved: make([]uint32, vertices), matched: make([]uint8, vertices),
		taken: make([]uint8, len(edges)), tries: make([]uint32, window),
		again: make([]uint32, window), left: make([]uint8, window)}
	parFor(vertices, initialGrain, func(from, to int) {
		for i := range r.reserved[from:to] {
			r.reserved[from+i] = nobody
		}
	})
	for begun, tries := 0, 0; tries > 0 || begun < len(edges); {
		for ; tries < window && begun < len(edges); begun++ {
			r.tries[tries] = uint32(begun)
			tries++
		}
		parFor(tries, matchingGrain, r.reserve)
		parFor(tries, matchingGrain, r.commit)
		tries = parPack(r.left[:tries], r.tries, r.again)
		r.tries, r.again = r.again, r.tries
	}
	return parPack(r.taken, nil, result)
}

//export go_solve_matching
func go_solve_matching(at unsafe.Pointer) {
	job := (*C.struct_matching)(at)
	edges := view[edge](unsafe.Pointer(job.graph.edge), int(job.graph.edges))
	result := allocate[uint32](int(job.graph.vertices)/2 + 1)
	run(func() { job.number = C.size_t(matching(edges, int(job.graph.vertices), result)) })
	job.edges = (*C.uint32_t)(first(result))
}
