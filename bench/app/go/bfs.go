// SPDX-License-Identifier: MIT

package main

// #include "bfs/bfs.h"
import "C"
import (
	"sync/atomic"
	"unsafe"
)

const (
	nowhere      = ^uint32(0)
	manyEdges    = 4096
	vertexGrain  = 256
	initialGrain = 1 << 14
)

// search is a level at a time: all vertices of a level offer themselves to their neighbours, and
// the least becomes the parent; then each takes its children into the next level.
type search struct {
	firstOf, neighbour []uint32
	distance, parent   []uint32
	frontier           []uint32 // this level's vertices
	place              []uint32 // where the children of each begin
	children           []uint32 // with gaps: nowhere
	number             uint32   // of the next level
}

func (s *search) neighbours(vertex uint32) []uint32 {
	return s.neighbour[s.firstOf[vertex]:s.firstOf[vertex+1]]
}

func (s *search) offer(vertex uint32, neighbours []uint32) {
	for _, v := range neighbours {
		if atomic.LoadUint32(&s.distance[v]) == nowhere {
			atomicMin(&s.parent[v], vertex)
		}
	}
}

func (s *search) take(vertex uint32, neighbours, children []uint32) {
	for i, v := range neighbours {
		// The exchange, since two edges may lead to the same neighbour.
		if atomic.LoadUint32(&s.parent[v]) == vertex &&
			atomic.LoadUint32(&s.distance[v]) == nowhere &&
			atomic.CompareAndSwapUint32(&s.distance[v], nowhere, s.number) {
			children[i] = v
		} else {
			children[i] = nowhere
		}
	}
}

// forStars calls the body for the neighbours of all vertices of the level; many are a loop of their
// own.
func (s *search) forStars(width int, body func(vertex uint32, neighbours, children []uint32)) {
	parFor(width, vertexGrain, func(from, to int) {
		for i := from; i < to; i++ {
			vertex := s.frontier[i]
			neighbours := s.neighbours(vertex)
			children := s.children[s.place[i]:][:len(neighbours)]
			if len(neighbours) < manyEdges {
				body(vertex, neighbours, children)
				continue
			}
			parFor(len(neighbours), manyEdges/4, func(from, to int) {
				body(vertex, neighbours[from:to], children[from:to])
			})
		}
	})
}

func (s *search) nextLevel(edges int) int {
	count := func(from, to int) (number int) {
		for _, v := range s.children[from:to] {
			if v != nowhere {
				number++
			}
		}
		return number
	}
	write := func(from, to, at int) int {
		next := at
		for _, v := range s.children[from:to] {
			if v != nowhere {
				s.frontier[next] = v
				next++
			}
		}
		return next - at
	}
	return parFilter(edges, count, write)
}

func (s *search) run(source uint32) {
	n := len(s.distance)
	s.frontier, s.place = make([]uint32, n), make([]uint32, n)
	s.children = make([]uint32, len(s.neighbour))
	parFor(n, initialGrain, func(from, to int) {
		for i := from; i < to; i++ {
			s.distance[i], s.parent[i] = nowhere, nowhere
		}
	})
	s.frontier[0], s.distance[source], s.parent[source] = source, 0, source
	for width := 1; width > 0; {
		s.number++
		parFor(width, vertexGrain, func(from, to int) {
			for i := from; i < to; i++ {
				s.place[i] = uint32(len(s.neighbours(s.frontier[i])))
			}
		})
		edges := parScan(s.place[:width])
		s.forStars(width, func(vertex uint32, neighbours, _ []uint32) {
			s.offer(vertex, neighbours)
		})
		s.forStars(width, s.take)
		width = s.nextLevel(int(edges))
	}
}

//export go_solve_bfs
func go_solve_bfs(at unsafe.Pointer) {
	job := (*C.struct_bfs)(at)
	n := int(job.vertices)
	s := search{firstOf: view[uint32](unsafe.Pointer(job.first), n+1),
		distance: allocate[uint32](n), parent: allocate[uint32](n)}
	s.neighbour = view[uint32](unsafe.Pointer(job.neighbour), int(s.firstOf[n]))
	run(func() { s.run(uint32(job.source)) })
	job.distance = (*C.uint32_t)(first(s.distance))
	job.parent = (*C.uint32_t)(first(s.parent))
}
