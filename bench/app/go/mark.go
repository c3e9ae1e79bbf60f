// SPDX-License-Identifier: MIT

package main

// #include "mark/mark.h"
// #include <stdlib.h>
import "C"
import (
	"sync/atomic"
	"unsafe"
)

const (
	markDepthMost = 256
	fewObjects    = 8
	wideGrain     = 64
	countGrain    = 1 << 16
)

type marking struct {
	firstOf, reference []uint32
	marks              []uint32 // four objects in each, a byte for each
	overflow           []uint32
	overflows          int64
}

// mask is an object's mark in its word: there is nothing smaller that Go could change atomically.
func mask(object uint32) uint32 {
	bytes := [4]byte{}
	bytes[object%4] = 1
	return *(*uint32)(unsafe.Pointer(&bytes))
}

func (m *marking) claim(object uint32) bool {
	word, bit := &m.marks[object/4], mask(object)
	for {
		there := atomic.LoadUint32(word)
		if there&bit != 0 {
			return false
		}
		if atomic.CompareAndSwapUint32(word, there, there|bit) {
			return true
		}
	}
}

// claimToVisit: an object that refers to nothing is done with.
func (m *marking) claimToVisit(object uint32) bool {
	return m.claim(object) && m.firstOf[object] != m.firstOf[object+1]
}

func (m *marking) putOff(objects []uint32) {
	at := int(atomic.AddInt64(&m.overflows, int64(len(objects)))) - len(objects)
	copy(m.overflow[at:], objects)
}

func (m *marking) visitWide(references []uint32, depth int) {
	claimed := make([]uint32, 0, fewObjects)
	for i, object := range references {
		if m.claimToVisit(object) {
			claimed = append(claimed, object)
		}
		if len(claimed) == fewObjects || len(claimed) > 0 && i+1 == len(references) {
			m.visitSome(claimed, depth)
			claimed = claimed[:0]
		}
	}
}

func (m *marking) visit(object uint32, depth int) {
	for {
		references := m.reference[m.firstOf[object]:m.firstOf[object+1]]
		if len(references) > fewObjects && depth < markDepthMost {
			parFor(len(references), wideGrain, func(from, to int) {
				m.visitWide(references[from:to], depth+1)
			})
			return
		}
		claimed := make([]uint32, 0, fewObjects)
		for i, other := range references {
			if m.claimToVisit(other) {
				claimed = append(claimed, other)
			}
			if len(claimed) == fewObjects && i+1 < len(references) { // a wide one, too deep
				m.putOff(claimed)
				claimed = claimed[:0]
			}
		}
		switch len(claimed) {
		case 0:
			return
		case 1:
			object = claimed[0] // a chain goes no deeper
		default:
			m.visitSome(claimed, depth+1)
			return
		}
	}
}

// visitSome visits objects that are claimed and not looked at.
func (m *marking) visitSome(objects []uint32, depth int) {
	half := len(objects) / 2
	switch {
	case len(objects) == 1:
		m.visit(objects[0], depth)
	case depth >= markDepthMost:
		m.putOff(objects)
	default:
		both(func() { m.visitSome(objects[:half], depth) },
			func() { m.visitSome(objects[half:], depth) })
	}
}

func (m *marking) markFrom(roots []uint32, objects int) {
	claimed := make([]uint32, 0, objects)
	m.overflow = make([]uint32, objects)
	for _, root := range roots {
		if m.claim(root) {
			claimed = append(claimed, root)
		}
	}
	for len(claimed) > 0 {
		m.overflows = 0
		parFor(len(claimed), 1, func(from, to int) {
			for _, root := range claimed[from:to] {
				m.visit(root, 0)
			}
		})
		claimed, m.overflow = m.overflow[:m.overflows], claimed[:cap(claimed)]
	}
}

func sumOf(marks []uint8) uint64 {
	return parReduce(len(marks), countGrain, 0, func(from, to int, sum uint64) uint64 {
		for _, mark := range marks[from:to] {
			sum += uint64(mark)
		}
		return sum
	}, func(a, b uint64) uint64 { return a + b })
}

//export go_solve_mark
func go_solve_mark(at unsafe.Pointer) {
	job := (*C.struct_mark)(at)
	heap := &job.heap
	objects := int(heap.objects)
	marks := C.calloc(C.size_t(objects/4+1), 4)
	m := marking{firstOf: view[uint32](unsafe.Pointer(heap.first), objects+1),
		reference: view[uint32](unsafe.Pointer(heap.reference), int(heap.references)),
		marks:     view[uint32](marks, objects/4+1)}
	run(func() {
		m.markFrom(view[uint32](unsafe.Pointer(heap.root), int(heap.roots)), objects)
		job.marked = C.uint64_t(sumOf(view[uint8](marks, objects)))
	})
	*(*unsafe.Pointer)(unsafe.Pointer(&job.marks)) = marks
}
