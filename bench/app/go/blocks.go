// SPDX-License-Identifier: MIT

package main

// ../common/blocks.h: scan, filter, counts and partition by loops over blocks, of which there are
// as many as in C.

const (
	blockLeast = 2048
	blocksMost = 256
)

type blocks struct{ n, number int }

func blocksOf(n, least int) blocks {
	number := n / least
	if number > blocksMost {
		number = blocksMost
	}
	if number < 1 {
		number = 1
	}
	return blocks{n, number}
}

func (b blocks) begin(i int) int { return b.n * i / b.number }

// each calls the body for every block, in parallel.
func (b blocks) each(body func(block, from, to int)) {
	parFor(b.number, 1, func(first, last int) {
		for i := first; i < last; i++ {
			body(i, b.begin(i), b.begin(i+1))
		}
	})
}

func scan[T int | uint32](at []T, sum T) T {
	for i, own := range at {
		at[i] = sum
		sum += own
	}
	return sum
}

// parScan makes each the sum of those before it, and returns the sum of all.
func parScan(at []uint32) uint32 {
	b := blocksOf(len(at), blockLeast)
	if b.number == 1 {
		return scan(at, 0)
	}
	sums := make([]uint32, b.number)
	b.each(func(block, from, to int) {
		sum := uint32(0)
		for _, own := range at[from:to] {
			sum += own
		}
		sums[block] = sum
	})
	total := scan(sums, 0)
	b.each(func(block, from, to int) { scan(at[from:to], sums[block]) })
	return total
}

// parFilter counts what stays of each block, then writes it to where it belongs; both return how
// many they were.
func parFilter(n int, count func(from, to int) int, write func(from, to, at int) int) int {
	b := blocksOf(n, blockLeast)
	if b.number == 1 {
		return write(0, n, 0)
	}
	at := make([]int, b.number)
	b.each(func(block, from, to int) { at[block] = count(from, to) })
	total := scan(at, 0)
	b.each(func(block, from, to int) { write(from, to, at[block]) })
	return total
}

// parGather is a filter into a slice that is just as long as it must be: Go would clear a longer
// one.
func parGather[T any](n int, count func(from, to int) int,
	write func(from, to int, result []T)) []T {
	b := blocksOf(n, blockLeast)
	at := make([]int, b.number+1)
	b.each(func(block, from, to int) { at[block] = count(from, to) })
	at[b.number] = scan(at[:b.number], 0)
	result := make([]T, at[b.number])
	b.each(func(block, from, to int) { write(from, to, result[at[block]:at[block+1]]) })
	return result
}

// parPack keeps the values that have a flag; nil: their places.
func parPack(flags []uint8, values, to []uint32) int {
	count := func(from, to int) (number int) {
		for _, flag := range flags[from:to] {
			number += int(flag)
		}
		return number
	}
	write := func(first, last, at int) int {
		next := at
		for i := first; i < last; i++ {
			if flags[i] == 0 {
				continue
			}
			if values != nil {
				to[next] = values[i]
			} else {
				to[next] = uint32(i)
			}
			next++
		}
		return next - at
	}
	return parFilter(len(flags), count, write)
}

// parCount adds up, for each bucket, what `count` has counted in each block. It returns these too.
func parCount(n, buckets int, count func(from, to int, counts []uint32),
	sums []uint32) (blocks, []uint32) {
	b := blocksOf(n, blockLeast+4*buckets)
	counts := make([]uint32, b.number*buckets)
	b.each(func(block, from, to int) {
		count(from, to, counts[block*buckets:(block+1)*buckets])
	})
	parFor(buckets, 512, func(from, to int) {
		all := sums[from:to]
		for i := range all {
			all[i] = 0
		}
		for block := 0; block < b.number; block++ {
			own := counts[block*buckets+from : block*buckets+to]
			for i := range all {
				all[i] += own[i]
			}
		}
	})
	return b, counts
}

// parPartition moves items into their buckets, and keeps their order there; `move` takes each to
// place[its bucket]++. starts has one element more than there are buckets.
func parPartition(n, buckets int, count, move func(from, to int, counts []uint32),
	starts []uint32) {
	b, counts := parCount(n, buckets, count, starts)
	starts[buckets] = parScan(starts[:buckets])
	parFor(buckets, 512, func(from, to int) {
		for i := from; i < to; i++ {
			place := starts[i]
			for at := i; at < len(counts); at += buckets {
				own := counts[at]
				counts[at] = place
				place += own
			}
		}
	})
	b.each(func(block, from, to int) { move(from, to, counts[block*buckets:(block+1)*buckets]) })
}
