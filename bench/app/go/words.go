// SPDX-License-Identifier: MIT

package main

// ../common/words.h: the words of a text, and the buckets in which the same words are together.

const (
	wordsPerBucket  = 2048
	wordBucketsMost = 1024
)

type word struct {
	hash     uint64
	at, line uint32 // in the text; it ends before what is no letter
}

type words struct {
	text    []byte
	buckets int
	all     []word   // in buckets, there in the order of the text
	starts  []uint32 // of the buckets, one more at the end
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

func beginsWord(text []byte, i int) bool {
	return isLetter(text[i]) && (i == 0 || !isLetter(text[i-1]))
}

func sameWord(text []byte, a, b *word) bool {
	if a.hash != b.hash {
		return false
	}
	x, y := int(a.at), int(b.at)
	for x < len(text) && y < len(text) && text[x] == text[y] && isLetter(text[x]) {
		x++
		y++
	}
	return (x == len(text) || !isLetter(text[x])) && (y == len(text) || !isLetter(text[y]))
}

func lineEndsOf(text []byte) []uint32 {
	count := func(from, to int) (number int) {
		for _, c := range text[from:to] {
			if c == '\n' {
				number++
			}
		}
		return number
	}
	write := func(from, to int, ends []uint32) {
		next := 0
		for i := from; i < to; i++ {
			if text[i] == '\n' {
				ends[next] = uint32(i)
				next++
			}
		}
	}
	return parGather(len(text), count, write)
}

// lineAt is how many lines end before that place.
func lineAt(ends []uint32, place int) uint32 {
	low, high := 0, len(ends)
	for low < high {
		middle := (low + high) / 2
		if int(ends[middle]) < place {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return uint32(low)
}

// unsortedWords are all words in the order of the text. Without the ends of lines they have none.
func unsortedWords(text []byte, lineEnds []uint32) []word {
	count := func(from, to int) (number int) {
		for i := from; i < to; i++ {
			if beginsWord(text, i) {
				number++
			}
		}
		return number
	}
	write := func(from, to int, all []word) {
		next, line := 0, uint32(0)
		if lineEnds != nil {
			line = lineAt(lineEnds, from)
		}
		for i := from; i < to; i++ {
			if beginsWord(text, i) {
				hash := uint64(0xcbf29ce484222325) // FNV-1a, and then the upper bits too
				for j := i; j < len(text) && isLetter(text[j]); j++ {
					hash = (hash ^ uint64(text[j])) * 0x100000001b3
				}
				hash ^= hash >> 32
				all[next] = word{hash * 0x9e3779b97f4a7c15, uint32(i), line}
				next++
			} else if text[i] == '\n' {
				line++
			}
		}
	}
	return parGather(len(text), count, write)
}

func wordsOf(text []byte, withLines bool) words {
	var lineEnds []uint32
	if withLines {
		lineEnds = lineEndsOf(text)
	}
	unsorted := unsortedWords(text, lineEnds)
	w := words{text: text, buckets: len(unsorted)/wordsPerBucket + 1,
		all: make([]word, len(unsorted))}
	if w.buckets > wordBucketsMost {
		w.buckets = wordBucketsMost
	}
	w.starts = make([]uint32, w.buckets+1)
	bucketOf := func(hash uint64) uint64 { return (hash >> 32) * uint64(w.buckets) >> 32 }
	count := func(from, to int, counts []uint32) {
		for i := range unsorted[from:to] {
			counts[bucketOf(unsorted[from+i].hash)]++
		}
	}
	move := func(from, to int, place []uint32) {
		for _, x := range unsorted[from:to] {
			bucket := bucketOf(x.hash)
			w.all[place[bucket]] = x
			place[bucket]++
		}
	}
	parPartition(len(unsorted), w.buckets, count, move, w.starts)
	return w
}

func (w words) bucket(i int) []word { return w.all[w.starts[i]:w.starts[i+1]] }

// numbered numbers the different words of a bucket as they come: number[i] is that of its i-th
// word, first[n] the first word with number n.
func (w words) numbered(bucket []word) (number, first []uint32) {
	size := 2
	for size-1 < 2*len(bucket) {
		size *= 2
	}
	table := make([]uint32, size) // a number plus 1; 0: free
	number, first = make([]uint32, len(bucket)), make([]uint32, 0, len(bucket))
	for i := range bucket {
		x := &bucket[i]
		at := int(x.hash) & (size - 1)
		for table[at] != 0 && !sameWord(w.text, x, &bucket[first[table[at]-1]]) {
			at = (at + 1) & (size - 1)
		}
		if table[at] == 0 {
			first = append(first, uint32(i))
			table[at] = uint32(len(first))
		}
		number[i] = table[at] - 1
	}
	return number, first
}
