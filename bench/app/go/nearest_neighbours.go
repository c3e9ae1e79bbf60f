// SPDX-License-Identifier: MIT

package main

// #include "nearest_neighbours/nearest_neighbours.h"
import "C"
import (
	"math"
	"unsafe"
)

const (
	neighboursOfOne = C.NEIGHBOURS
	noPoint         = math.MaxUint32
	leafPoints      = 12
	buildAlone      = 2048
	searchGrain     = 64
)

type point [3]int32

type place struct {
	point  point
	number uint32 // as the caller knows it
}

// Nothing below the bound is in the upper half, nothing above it in the lower.
type kdNode struct {
	bound int32
	axis  uint8
}

// kdTree: the node that halves a range of points is kept under the number of the middle one.
type kdTree struct {
	places []place
	nodes  []kdNode
}

func longestSide(places []place) uint8 {
	least, most := places[0].point, places[0].point
	for i := range places[1:] {
		for d, x := range places[1+i].point {
			if x < least[d] {
				least[d] = x
			}
			if x > most[d] {
				most[d] = x
			}
		}
	}
	longest := 0
	for d := 1; d < 3; d++ {
		if int64(most[d])-int64(least[d]) > int64(most[longest])-int64(least[longest]) {
			longest = d
		}
	}
	return uint8(longest)
}

func medianOf(x, y, z int32) int32 {
	if x > y {
		x, y = y, x
	}
	if y > z {
		y = z
	}
	if x > y {
		return x
	}
	return y
}

// selectMiddle puts the place there that would be there if all were sorted, nothing larger before,
// nothing smaller after it.
func selectMiddle(places []place, middle int, axis uint8) {
	low, high := 0, len(places)-1
	for low < high {
		pivot := medianOf(places[low].point[axis], places[(low+high)/2].point[axis],
			places[high].point[axis])
		i, j := low, high
		for ; ; i, j = i+1, j-1 {
			for places[i].point[axis] < pivot {
				i++
			}
			for places[j].point[axis] > pivot {
				j--
			}
			if i >= j {
				break
			}
			places[i], places[j] = places[j], places[i]
		}
		if middle <= j {
			high = j
		} else {
			low = j + 1
		}
	}
}

func (t *kdTree) build(begin, end int) {
	n := end - begin
	if n <= leafPoints {
		return
	}
	middle := begin + n/2
	axis := longestSide(t.places[begin:end])
	selectMiddle(t.places[begin:end], n/2, axis)
	t.nodes[middle] = kdNode{t.places[middle].point[axis], axis}
	if n <= buildAlone {
		t.build(begin, middle)
		t.build(middle, end)
	} else {
		both(func() { t.build(begin, middle) }, func() { t.build(middle, end) })
	}
}

type neighbours [neighboursOfOne]uint32

// nearest is what a search has found so far, the nearest first.
type nearest struct {
	tree     *kdTree
	from     place
	distance [neighboursOfOne]uint64
	number   neighbours
}

func squareDistance(a, b *point) (sum uint64) {
	for d := range a {
		difference := int64(a[d]) - int64(b[d])
		sum += uint64(difference * difference)
	}
	return sum
}

func (s *nearest) consider(p *place) {
	distance := squareDistance(&s.from.point, &p.point)
	if p.number == s.from.number {
		return
	}
	at := neighboursOfOne
	for ; at > 0 && (distance < s.distance[at-1] ||
		distance == s.distance[at-1] && p.number < s.number[at-1]); at-- {
		if at < neighboursOfOne {
			s.distance[at], s.number[at] = s.distance[at-1], s.number[at-1]
		}
	}
	if at < neighboursOfOne {
		s.distance[at], s.number[at] = distance, p.number
	}
}

func (s *nearest) search(begin, end int) {
	if end-begin <= leafPoints {
		for i := begin; i < end; i++ {
			s.consider(&s.tree.places[i])
		}
		return
	}
	middle := begin + (end-begin)/2
	node := s.tree.nodes[middle]
	beyond := int64(s.from.point[node.axis]) - int64(node.bound)
	if beyond < 0 {
		s.search(begin, middle)
	} else {
		s.search(middle, end)
	}
	// As far as the farthest: one with a lower number may be there.
	if uint64(beyond*beyond) > s.distance[neighboursOfOne-1] {
		return
	}
	if beyond < 0 {
		s.search(middle, end)
	} else {
		s.search(begin, middle)
	}
}

func nearestNeighbours(points []point, result []neighbours) {
	t := kdTree{make([]place, len(points)), make([]kdNode, len(points))}
	parFor(len(points), 1<<13, func(from, to int) {
		for i := from; i < to; i++ {
			t.places[i] = place{points[i], uint32(i)}
		}
	})
	t.build(0, len(points))
	parFor(len(points), searchGrain, func(from, to int) {
		for i := from; i < to; i++ {
			s := nearest{tree: &t, from: t.places[i]}
			for k := range s.number {
				s.distance[k], s.number[k] = math.MaxUint64, noPoint
			}
			s.search(0, len(points))
			result[s.from.number] = s.number
		}
	})
}

//export go_solve_nearest_neighbours
func go_solve_nearest_neighbours(at unsafe.Pointer) {
	job := (*C.struct_nearest_neighbours)(at)
	points := view[point](unsafe.Pointer(job.points), int(job.n))
	result := allocate[neighbours](len(points))
	run(func() { nearestNeighbours(points, result) })
	job.neighbours = (*C.struct_neighbours)(first(result))
}
