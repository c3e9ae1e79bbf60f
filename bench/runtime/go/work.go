// SPDX-License-Identifier: MIT

package main

// The serial parts of the programs: what ../work.h has for C.

const (
	sortCutoff  = 32
	mergeCutoff = 4096
	matrixLeaf  = 64
	childrenMax = 64
	tinySize    = 1000
	golden      = 0x9e3779b97f4a7c15
	utsRoot     = 88
	allOnes     = ^uint64(0)
)

func mix(x uint64) uint64 {
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func mixOften(x, times uint64) uint64 {
	for ; times > 0; times-- {
		x = mix(x + golden)
	}
	return x
}

// Which columns and diagonals are taken, as seen from the next row.
type board struct{ all, columns, left, right uint32 }

func emptyBoard(n uint64) board { return board{all: 1<<n - 1} }

func (b board) freePlaces() uint32 { return b.all &^ (b.columns | b.left | b.right) }

func (b board) place(place uint32) board {
	return board{b.all, b.columns | place, (b.left | place) << 1, (b.right | place) >> 1}
}

func childrenOf(node, levels uint64) int {
	random, bound := mix(node), allOnes-allOnes/5
	n := 0
	for levels > 0 && n < childrenMax && random < bound {
		bound -= bound / 5
		n++
	}
	return n
}

func childOf(node uint64, number int) uint64 { return mix(node + uint64(number+1)*golden) }

func insertionSort(a []int64) {
	for i := 1; i < len(a); i++ {
		x, j := a[i], i
		if x < a[0] {
			copy(a[1:i+1], a[:i])
			a[0] = x
			continue
		}
		for ; a[j-1] > x; j-- {
			a[j] = a[j-1]
		}
		a[j] = x
	}
}

func order(a, b *int64) {
	if *b < *a {
		*a, *b = *b, *a
	}
}

func partition(a []int64) int {
	middle, last := len(a)/2, len(a)-1
	order(&a[0], &a[middle])
	order(&a[middle], &a[last])
	order(&a[0], &a[middle])
	pivot := a[middle]
	for i, j := 0, last; ; i, j = i+1, j-1 {
		for a[i] < pivot {
			i++
		}
		for a[j] > pivot {
			j--
		}
		if i >= j {
			return i
		}
		a[i], a[j] = a[j], a[i]
	}
}

// From both ends at once, since one step has to wait for the last one; n steps, of which none can
// come to the end of a run.
func mergeRuns(a, b, to []int64) {
	for {
		n := len(a)
		if len(b) < n {
			n = len(b)
		}
		if n /= 2; n == 0 {
			break
		}
		aLast, bLast, toLast := len(a)-1, len(b)-1, len(to)-1
		ofB, ofA := 0, 0 // taken of b in front, of a behind
		for i := 0; i < n; i++ {
			x, y := a[i-ofB], b[ofB]
			if y < x {
				x = y
				ofB++
			}
			to[i] = x
			x, y = a[aLast-ofA], b[bLast-(i-ofA)]
			if y < x {
				y = x
				ofA++
			}
			to[toLast-i] = y
		}
		a, b, to = a[n-ofB:aLast+1-ofA], b[ofB:bLast+1-(n-ofA)], to[n:toLast+1-n]
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if b[j] < a[i] {
			to[i+j] = b[j]
			j++
		} else {
			to[i+j] = a[i]
			i++
		}
	}
	copy(to[i+j:], a[i:])
	copy(to[len(a)+j:], b[j:])
}

// Where the two runs are cut: the longer one, which comes first, in the middle.
func cutForMerge(a, b []int64) (longer, other []int64, half, place int) {
	longer, other = a, b
	if len(a) < len(b) {
		longer, other = b, a
	}
	half = len(longer) / 2
	from, to := 0, len(other)
	for from < to {
		middle := from + (to-from)/2
		if other[middle] < longer[half] {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return longer, other, half, from
}

func skewedIterations(out []uint64, n, from, to int) {
	square := uint64(n) * uint64(n)
	for i := from; i < to; i++ {
		out[i] = mixOften(uint64(i), 1+2000*uint64(i)*uint64(i)/square)
	}
}

func tinyIterations(out []uint64, from, to int) {
	for i := from; i < to; i++ {
		out[i] = mixOften(out[i]+uint64(i), 7)
	}
}

func sumOfRange(from, to uint64) (sum uint64) {
	for i := from; i < to; i++ {
		sum += mix(i)
	}
	return sum
}

// c += a * b, all square, rows stride apart.
type product struct {
	c, a, b   []float64
	n, stride int
}

// Four rows of b at a time, so that c is not what limits.
func (p product) leaf() {
	row := func(matrix []float64, i int) []float64 { return matrix[i*p.stride:][:matrixLeaf] }
	for i := 0; i < matrixLeaf; i++ {
		c, a := row(p.c, i), row(p.a, i)
		for k := 0; k < matrixLeaf; k += 4 {
			a0, a1, a2, a3 := a[k], a[k+1], a[k+2], a[k+3]
			b0, b1, b2, b3 := row(p.b, k), row(p.b, k+1), row(p.b, k+2), row(p.b, k+3)
			for j := range c {
				c[j] += a0*b0[j] + a1*b1[j] + a2*b2[j] + a3*b3[j]
			}
		}
	}
}

// Part i + 4 adds to what part i adds to.
func (p product) part(i int) product {
	half := p.n / 2
	right, down := half, half*p.stride
	row, column, inA, inB := 0, 0, 0, 0
	if i&1 != 0 {
		column = right
	}
	if i&2 != 0 {
		row = down
	}
	if i&4 != 0 {
		inA, inB = right, down
	}
	return product{p.c[row+column:], p.a[row+inA:], p.b[column+inB:], half, p.stride}
}
