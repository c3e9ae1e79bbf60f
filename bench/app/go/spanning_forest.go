// SPDX-License-Identifier: MIT

package main

// #include "spanning_forest/spanning_forest.h"
import "C"
import (
	"sync/atomic"
	"unsafe"
)

const (
	noEdge      = ^uint64(0)
	forestGrain = 1024
)

// link is an edge between two trees; a tree has the number of one of its vertices.
type link struct {
	a, b uint32
	key  uint64 // weight, then number: no two are the same
}

// forest: Boruvka's rounds. Every tree finds the lightest edge that leaves it; all of these belong
// to the forest, and join trees to larger ones.
type forest struct {
	links, linksLeft []link
	trees, treesLeft []uint32
	lightest         []uint64 // by tree: of the keys of its links
	joined           []uint32 // by tree: to which; itself, if it stays
	root             []uint32 // by tree: which it is a part of after this round
	chosen           []uint8  // by edge
}

func atomicMin64(place *uint64, value uint64) {
	for there := atomic.LoadUint64(place); value < there; there = atomic.LoadUint64(place) {
		if atomic.CompareAndSwapUint64(place, there, value) {
			return
		}
	}
}

// join: of two trees that have the same lightest link the one with the lower number stays, and so
// there is no cycle. What is written of a tree is written by its lightest link alone.
func (f *forest) join(from, to int) {
	for _, l := range f.links[from:to] {
		a, b := f.lightest[l.a] == l.key, f.lightest[l.b] == l.key
		if a || b {
			f.chosen[uint32(l.key)] = 1
		}
		if a && !(b && l.a < l.b) {
			f.joined[l.a] = l.b
		}
		if b && !(a && l.b < l.a) {
			f.joined[l.b] = l.a
		}
	}
}

func (f *forest) findRoots(from, to int) {
	for _, tree := range f.trees[from:to] {
		root := tree
		for f.joined[root] != root {
			root = f.joined[root]
		}
		f.root[tree] = root
	}
}

func (f *forest) filterLinks() int {
	count := func(from, to int) (number int) {
		for i := range f.links[from:to] {
			l := &f.links[from+i]
			if f.root[l.a] != f.root[l.b] {
				number++
			}
		}
		return number
	}
	write := func(from, to, at int) int {
		next := at
		for _, l := range f.links[from:to] {
			if a, b := f.root[l.a], f.root[l.b]; a != b {
				f.linksLeft[next] = link{a, b, l.key}
				next++
			}
		}
		return next - at
	}
	return parFilter(len(f.links), count, write)
}

// filterTrees keeps those that stay and may still have links.
func (f *forest) filterTrees() int {
	goesOn := func(tree uint32) bool { return f.root[tree] == tree && f.lightest[tree] != noEdge }
	count := func(from, to int) (number int) {
		for _, tree := range f.trees[from:to] {
			if goesOn(tree) {
				number++
			}
		}
		return number
	}
	write := func(from, to, at int) int {
		next := at
		for _, tree := range f.trees[from:to] {
			if goesOn(tree) {
				f.treesLeft[next] = tree
				next++
			}
		}
		return next - at
	}
	return parFilter(len(f.trees), count, write)
}

func (f *forest) round() {
	parFor(len(f.trees), forestGrain, func(from, to int) {
		for _, tree := range f.trees[from:to] {
			f.lightest[tree], f.joined[tree] = noEdge, tree
		}
	})
	parFor(len(f.links), forestGrain, func(from, to int) {
		for i := range f.links[from:to] {
			l := &f.links[from+i]
			atomicMin64(&f.lightest[l.a], l.key)
			atomicMin64(&f.lightest[l.b], l.key)
		}
	})
	parFor(len(f.links), forestGrain, f.join)
	parFor(len(f.trees), forestGrain, f.findRoots)
	links, trees := f.filterLinks(), f.filterTrees()
	f.links, f.linksLeft = f.linksLeft[:links], f.links[:cap(f.links)]
	f.trees, f.treesLeft = f.treesLeft[:trees], f.trees[:cap(f.trees)]
}

func spanningForest(edges []edge, weight []uint32, vertices int, result []uint32) int {
	f := forest{links: make([]link, len(edges)), linksLeft: make([]link, len(edges)),
		trees: make([]uint32, vertices), treesLeft: make([]uint32, vertices),
		lightest: make([]uint64, vertices), joined: make([]uint32, vertices),
		root: make([]uint32, vertices), chosen: make([]uint8, len(edges))}
	parFor(vertices, initialGrain, func(from, to int) {
		for i := from; i < to; i++ {
			f.trees[i] = uint32(i)
		}
	})
	parFor(len(edges), 1<<13, func(from, to int) {
		for i := from; i < to; i++ {
			f.links[i] = link{edges[i].a, edges[i].b, uint64(weight[i])<<32 | uint64(i)}
		}
	})
	for len(f.links) > 0 {
		f.round()
	}
	return parPack(f.chosen, nil, result)
}

//export go_solve_spanning_forest
func go_solve_spanning_forest(at unsafe.Pointer) {
	job := (*C.struct_spanning_forest)(at)
	vertices, number := int(job.graph.vertices), int(job.graph.edges)
	edges := view[edge](unsafe.Pointer(job.graph.edge), number)
	weight := view[uint32](unsafe.Pointer(job.weight), number)
	result := allocate[uint32](vertices)
	run(func() { job.number = C.size_t(spanningForest(edges, weight, vertices, result)) })
	job.edges = (*C.uint32_t)(first(result))
}
