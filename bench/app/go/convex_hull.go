// SPDX-License-Identifier: MIT

package main

// #include "convex_hull/convex_hull.h"
import "C"
import (
	"math"
	"unsafe"
)

const (
	hullGrain  = 4096
	splitAlone = 512
)

type spot struct{ x, y int32 }

// areaOf is positive if c is on the left of the way from a to b.
func areaOf(a, b, c spot) int64 {
	return (int64(b.x)-int64(a.x))*(int64(c.y)-int64(a.y)) -
		(int64(b.y)-int64(a.y))*(int64(c.x)-int64(a.x))
}

func isBefore(a, b spot) bool {
	if a.x != b.x {
		return a.x < b.x
	}
	return a.y < b.y
}

type ends struct{ first, last spot }

func (e ends) with(first, last spot) ends {
	if isBefore(first, e.first) {
		e.first = first
	}
	if isBefore(e.last, last) {
		e.last = last
	}
	return e
}

func endsOf(spots []spot) ends {
	none := ends{spot{math.MaxInt32, math.MaxInt32}, spot{math.MinInt32, math.MinInt32}}
	return parReduce(len(spots), hullGrain, none, func(from, to int, e ends) ends {
		for _, s := range spots[from:to] {
			e = e.with(s, s)
		}
		return e
	}, func(a, b ends) ends { return a.with(b.first, b.last) })
}

type farthest struct {
	spot spot
	area int64 // 0: none yet
}

// isFarther: of several that are as far only the first and the last are corners.
func isFarther(a, b farthest) bool {
	if a.area != b.area {
		return a.area > b.area
	}
	return isBefore(a.spot, b.spot)
}

func farthestOf(a, b spot, spots []spot) spot {
	find := func(from, to int, best farthest) farthest {
		for _, s := range spots[from:to] {
			if this := (farthest{s, areaOf(a, b, s)}); isFarther(this, best) {
				best = this
			}
		}
		return best
	}
	if len(spots) <= hullGrain {
		return find(0, len(spots), farthest{}).spot
	}
	return parReduce(len(spots), hullGrain, farthest{}, find, func(x, y farthest) farthest {
		if isFarther(y, x) {
			return y
		}
		return x
	}).spot
}

// takeSide writes the spots on the left of the way from a to b.
func takeSide(a, b spot, spots, to []spot) int {
	count := func(from, last int) (number int) {
		for _, s := range spots[from:last] {
			if areaOf(a, b, s) > 0 {
				number++
			}
		}
		return number
	}
	write := func(from, last, at int) int {
		next := at
		for _, s := range spots[from:last] {
			if areaOf(a, b, s) > 0 {
				to[next] = s
				next++
			}
		}
		return next - at
	}
	return parFilter(len(spots), count, write)
}

// corners are those of the spots on the left of the way from a to b; `other` is as long as `spots`,
// and so is `to`. It returns how many.
func corners(a, b spot, spots, other, to []spot) int {
	n := len(spots)
	if n == 0 {
		return 0
	}
	c := farthestOf(a, b, spots)
	low := takeSide(a, c, spots, other)
	// One place more for c, which was in the set and is in neither part.
	behind := other[low+1:]
	high := takeSide(c, b, spots, behind)
	var lowNumber, highNumber int
	solveLow := func() { lowNumber = corners(a, c, other[:low], spots[:low], to[:low]) }
	solveHigh := func() {
		highNumber = corners(c, b, behind[:high], spots[low+1:][:high], to[low+1:][:high])
	}
	if n <= splitAlone {
		solveLow()
		solveHigh()
	} else {
		both(solveLow, solveHigh)
	}
	to[lowNumber] = c
	copy(to[lowNumber+1:], to[low+1:][:highNumber])
	return lowNumber + 1 + highNumber
}

// convexHull writes the corners, for which there is one place more than there are spots.
func convexHull(all, to []spot) int {
	spots, other := make([]spot, len(all)), make([]spot, len(all))
	e := endsOf(all)
	above := takeSide(e.first, e.last, all, spots)
	below := takeSide(e.last, e.first, all, spots[above:])
	upper, lower := to[1:][:above], to[above+2:][:below]
	var number, lowerNumber int
	both(func() { number = corners(e.first, e.last, spots[:above], other[:above], upper) },
		func() {
			lowerNumber = corners(e.last, e.first, spots[above:][:below],
				other[above:][:below], lower)
		})
	to[0] = e.first
	number++
	if isBefore(e.first, e.last) {
		to[number] = e.last
		number++
		copy(to[number:], lower[:lowerNumber])
		number += lowerNumber
	}
	return number
}

//export go_solve_convex_hull
func go_solve_convex_hull(at unsafe.Pointer) {
	job := (*C.struct_convex_hull)(at)
	spots := view[spot](unsafe.Pointer(job.spots), int(job.n))
	result := allocate[spot](len(spots) + 1)
	run(func() { job.number = C.size_t(convexHull(spots, result)) })
	job.corners = (*C.struct_spot)(first(result))
}
