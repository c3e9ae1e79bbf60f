// SPDX-License-Identifier: MIT

package main

// #include "dag/dag.h"
// #include <stdlib.h>
import "C"
import (
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

const fewNodes = 8

type graph struct {
	nodes, seed, branches, span uint64
	batch, cost                 uint32
	varies                      bool
	claimed                     []uint64
}

type found struct{ nodes, checksum uint64 }

func (f *found) add(more found) {
	f.nodes += more.nodes
	f.checksum += more.checksum
}

func graphHash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func (g *graph) degree(node uint64) uint32 {
	if node == 0 || graphHash(g.seed^(node<<1)) < g.branches {
		return g.batch
	}
	return 0
}

func (g *graph) successor(node uint64, i uint32) uint64 {
	high, _ := bits.Mul64(graphHash(graphHash(g.seed^(node<<1|1))+uint64(i)), g.span)
	return node + 1 + high
}

func (g *graph) claim(node uint64) bool {
	if node >= g.nodes {
		return false
	}
	word, bit := &g.claimed[node/64], uint64(1)<<(node%64)
	for {
		old := atomic.LoadUint64(word)
		if old&bit != 0 {
			return false
		}
		if atomic.CompareAndSwapUint64(word, old, old|bit) {
			return true
		}
	}
}

// work is what a node costs; its result is looked at, so that it is not left out.
func (g *graph) work(node uint64) uint64 {
	x, turns := node, uint64(g.cost)
	if g.varies {
		turns = uint64(float64(turns) *
			math.Exp2(math.Log2(C.VARIES_BY)*0x1p-64*float64(graphHash(^g.seed^node))))
	}
	for ; turns > 0; turns-- {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

var lastWork uint64 // never: a node's work does not come to its own number in the end

func (g *graph) find(node uint64) found {
	if x := g.work(node); x == ^node {
		atomic.StoreUint64(&lastWork, x)
	}
	return found{1, graphHash(node)}
}

func (g *graph) visit(node uint64) found {
	var few [fewNodes]uint64
	degree := g.degree(node)
	claimed := few[:0]
	if degree > fewNodes {
		claimed = make([]uint64, 0, degree)
	}
	all := g.find(node)
	for i := uint32(0); i < degree; i++ {
		if successor := g.successor(node, i); g.claim(successor) {
			claimed = append(claimed, successor)
		}
	}
	if len(claimed) > 0 {
		all.add(g.visitSome(claimed))
	}
	return all
}

// visitSome visits nodes that are claimed and not looked at.
func (g *graph) visitSome(nodes []uint64) found {
	if len(nodes) == 1 {
		return g.visit(nodes[0])
	}
	var left, right found
	half := len(nodes) / 2
	both(func() { left = g.visitSome(nodes[:half]) }, func() { right = g.visitSome(nodes[half:]) })
	left.add(right)
	return left
}

//export go_solve_dag
func go_solve_dag(at unsafe.Pointer) {
	job := (*C.struct_dag)(at)
	words := int(job.graph.nodes)/64 + 1
	claimed := C.calloc(C.size_t(words), 8)
	g := graph{nodes: uint64(job.graph.nodes), seed: uint64(job.graph.seed),
		branches: uint64(job.graph.branches), span: uint64(job.graph.span),
		batch: uint32(job.graph.batch), cost: uint32(job.graph.cost),
		varies: bool(job.graph.varies), claimed: view[uint64](claimed, words)}
	run(func() {
		all := g.visit(0)
		job.found.nodes = C.uint64_t(all.nodes)
		job.found.checksum = C.uint64_t(all.checksum)
	})
	*(*unsafe.Pointer)(unsafe.Pointer(&job.graph.claimed)) = claimed
}
