// SPDX-License-Identifier: MIT

package main

// #include "inverted_index/inverted_index.h"
import "C"
import "unsafe"

const noLine = ^uint32(0)

type indexEntry struct{ at, begin uint32 }

// indexBucket: lines do not go back, so a line that a word had already is the last one that it had.
func indexBucket(w words, bucket []word, entries []indexEntry,
	lines []uint32) (different, sum uint32) {
	number, first := w.numbered(bucket)
	last := make([]uint32, len(first))
	for i, of := range first {
		entries[i] = indexEntry{bucket[of].at, 0}
		last[i] = noLine
	}
	for i, n := range number { // how many lines each has, and so where they begin
		if last[n] != bucket[i].line {
			entries[n].begin++
			last[n] = bucket[i].line
		}
	}
	for i := range first {
		own := entries[i].begin
		entries[i].begin = sum
		first[i] = sum // the place of the next one
		sum += own
		last[i] = noLine
	}
	for i, n := range number {
		if last[n] != bucket[i].line {
			last[n] = bucket[i].line
			lines[first[n]] = last[n]
			first[n]++
		}
	}
	return uint32(len(first)), sum
}

func invertedIndex(text []byte) (entries []indexEntry, lines []uint32) {
	w := wordsOf(text, true)
	sparseEntries, sparseLines := make([]indexEntry, len(w.all)), make([]uint32, len(w.all))
	entryAt, lineAt := make([]uint32, w.buckets+1), make([]uint32, w.buckets+1)
	parFor(w.buckets, 1, func(from, to int) {
		for i := from; i < to; i++ {
			start := w.starts[i]
			entryAt[i], lineAt[i] = indexBucket(w, w.bucket(i), sparseEntries[start:],
				sparseLines[start:])
		}
	})
	entryAt[w.buckets] = parScan(entryAt[:w.buckets])
	lineAt[w.buckets] = parScan(lineAt[:w.buckets])
	entries = allocate[indexEntry](int(entryAt[w.buckets]))
	lines = allocate[uint32](int(lineAt[w.buckets]))
	parFor(w.buckets, 16, func(from, to int) {
		for b := from; b < to; b++ {
			out := entries[entryAt[b]:entryAt[b+1]]
			for i, entry := range sparseEntries[w.starts[b]:][:len(out)] {
				out[i] = indexEntry{entry.at, entry.begin + lineAt[b]}
			}
			copy(lines[lineAt[b]:lineAt[b+1]], sparseLines[w.starts[b]:])
		}
	})
	return entries, lines
}

//export go_solve_inverted_index
func go_solve_inverted_index(at unsafe.Pointer) {
	job := (*C.struct_inverted_index)(at)
	text := view[byte](unsafe.Pointer(job.text.at), int(job.text.length))
	run(func() {
		entries, lines := invertedIndex(text)
		job.entries, job.number = (*C.struct_index_entry)(first(entries)), C.size_t(len(entries))
		job.lines, job.lines_number = (*C.uint32_t)(first(lines)), C.size_t(len(lines))
	})
}
