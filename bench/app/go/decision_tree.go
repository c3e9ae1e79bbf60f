// SPDX-License-Identifier: MIT

package main

// #include "decision_tree/decision_tree.h"
import "C"
import "unsafe"

const (
	features    = C.TABLE_FEATURES
	classes     = C.TABLE_CLASSES
	values      = C.FEATURE_VALUES
	splitLeast  = C.SPLIT_LEAST
	depthMost   = C.DEPTH_MOST
	searchAlone = 1024
)

type table struct {
	feature [features][]uint8 // by column
	class   []uint8
}

// treeNode is struct tree_node.
type treeNode struct {
	rows, others uint32
	feature      uint16
	bound, class uint8
}

type branch struct {
	node      treeNode
	size      int // of all nodes from here down
	low, high *branch
}

type split struct {
	purity float64
	bound  uint8
}

type classCounts [classes]uint32

func (counts *classCounts) purity() float64 {
	squares, sum := uint64(0), uint64(0)
	for _, c := range counts {
		squares += uint64(c) * uint64(c)
		sum += uint64(c)
	}
	return float64(squares) / float64(sum)
}

func (counts *classCounts) mostFrequent() (most uint8) {
	for c := range counts {
		if counts[c] > counts[most] {
			most = uint8(c)
		}
	}
	return most
}

func (t *table) bestOfFeature(feature int, rows []uint32, all classCounts) (best split) {
	var counts [values]classCounts
	column := t.feature[feature]
	for _, row := range rows {
		counts[column[row]][t.class[row]]++
	}
	var low classCounts
	high, seen := all, 0
	for bound := range counts {
		here := uint32(0)
		for c, n := range counts[bound] {
			low[c] += n
			high[c] -= n
			here += n
		}
		seen += int(here)
		if seen == len(rows) {
			break
		}
		if here == 0 {
			continue
		}
		if purity := low.purity() + high.purity(); purity > best.purity {
			best = split{purity, uint8(bound)}
		}
	}
	return best
}

// findSplit says whether there is a split; it is in the node then.
func (t *table) findSplit(rows []uint32, depth int, node *treeNode) bool {
	var counts classCounts
	for _, row := range rows {
		counts[t.class[row]]++
	}
	node.class = counts.mostFrequent()
	if len(rows) < splitLeast || depth == depthMost || int(counts[node.class]) == len(rows) {
		return false
	}
	var best [features]split
	search := func(from, to int) {
		for f := from; f < to; f++ {
			best[f] = t.bestOfFeature(f, rows, counts)
		}
	}
	if len(rows) <= searchAlone {
		search(0, features)
	} else {
		parFor(features, 1, search)
	}
	chosen := 0
	for f := range best {
		if best[f].purity > best[chosen].purity {
			chosen = f
		}
	}
	if best[chosen].purity <= counts.purity() {
		return false
	}
	node.feature, node.bound = uint16(chosen), best[chosen].bound
	return true
}

// side writes the rows on one side of the bound.
func side(column []uint8, bound uint8, above bool, rows, to []uint32) int {
	count := func(from, last int) (number int) {
		for _, row := range rows[from:last] {
			if (column[row] > bound) == above {
				number++
			}
		}
		return number
	}
	write := func(from, last, at int) int {
		next := at
		for _, row := range rows[from:last] {
			if (column[row] > bound) == above {
				to[next] = row
				next++
			}
		}
		return next - at
	}
	return parFilter(len(rows), count, write)
}

func (t *table) grow(rows, other []uint32, depth int) *branch {
	b := &branch{size: 1}
	b.node.rows = uint32(len(rows))
	if !t.findSplit(rows, depth, &b.node) {
		return b
	}
	column := t.feature[b.node.feature]
	below := side(column, b.node.bound, false, rows, other)
	side(column, b.node.bound, true, rows, other[below:])
	low := func() { b.low = t.grow(other[:below], rows[:below], depth+1) }
	high := func() { b.high = t.grow(other[below:], rows[below:], depth+1) }
	if len(rows) <= searchAlone {
		low()
		high()
	} else {
		both(low, high)
	}
	b.size += b.low.size + b.high.size
	b.node.others = uint32(1 + b.low.size) // from here
	return b
}

// flatten writes the branch from nodes[at] on.
func (b *branch) flatten(nodes []treeNode, at int) {
	nodes[at] = b.node
	if b.low != nil {
		nodes[at].others += uint32(at)
		b.low.flatten(nodes, at+1)
		b.high.flatten(nodes, int(nodes[at].others))
	}
}

func decisionTree(t *table) []treeNode {
	rows := make([]uint32, len(t.class))
	parFor(len(rows), initialGrain, func(from, to int) {
		for i := from; i < to; i++ {
			rows[i] = uint32(i)
		}
	})
	tree := t.grow(rows, make([]uint32, len(rows)), 0)
	nodes := allocate[treeNode](tree.size)
	tree.flatten(nodes, 0)
	return nodes
}

//export go_solve_decision_tree
func go_solve_decision_tree(at unsafe.Pointer) {
	job := (*C.struct_decision_tree)(at)
	rows := int(job.table.rows)
	t := table{class: view[uint8](unsafe.Pointer(job.table.class), rows)}
	for f := range t.feature {
		t.feature[f] = view[uint8](unsafe.Pointer(job.table.feature[f]), rows)
	}
	run(func() {
		nodes := decisionTree(&t)
		job.nodes, job.number = (*C.struct_tree_node)(first(nodes)), C.size_t(len(nodes))
	})
}
