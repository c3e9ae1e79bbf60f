// SPDX-License-Identifier: MIT

package main

// #include "word_counts/word_counts.h"
import "C"
import "unsafe"

type wordCount struct{ at, count uint32 }

func countBucket(w words, bucket []word, counts []wordCount) int {
	number, first := w.numbered(bucket)
	for i, of := range first {
		counts[i] = wordCount{bucket[of].at, 0}
	}
	for _, n := range number {
		counts[n].count++
	}
	return len(first)
}

func wordCounts(text []byte) []wordCount {
	w := wordsOf(text, false)
	sparse := make([]wordCount, len(w.all)) // those of a bucket begin where its words do
	different := make([]uint32, w.buckets+1)
	parFor(w.buckets, 1, func(from, to int) {
		for i := from; i < to; i++ {
			different[i] = uint32(countBucket(w, w.bucket(i), sparse[w.starts[i]:]))
		}
	})
	different[w.buckets] = parScan(different[:w.buckets])
	counts := allocate[wordCount](int(different[w.buckets]))
	parFor(w.buckets, 16, func(from, to int) {
		for i := from; i < to; i++ {
			copy(counts[different[i]:different[i+1]], sparse[w.starts[i]:])
		}
	})
	return counts
}

//export go_solve_word_counts
func go_solve_word_counts(at unsafe.Pointer) {
	job := (*C.struct_word_counts)(at)
	text := view[byte](unsafe.Pointer(job.text.at), int(job.text.length))
	run(func() {
		counts := wordCounts(text)
		job.counts, job.number = (*C.struct_word_count)(first(counts)), C.size_t(len(counts))
	})
}
