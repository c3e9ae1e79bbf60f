// SPDX-License-Identifier: MIT

// The programs of `heist bench runtime` with goroutines: what ../contestant.c and the kernels are in C.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	var a int
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		a = fib(n - 1)
		group.Done()
	}()
	b := fib(n - 2)
	group.Wait()
	return a + b
}

func solutions(b board) (n uint64) {
	if b.columns == b.all {
		return 1
	}
	var found [32]uint64
	var group sync.WaitGroup
	tasks := 0
	for places := b.freePlaces(); places != 0; places &= places - 1 {
		next, to := b.place(places&-places), &found[tasks]
		tasks++
		if places&(places-1) == 0 {
			*to = solutions(next)
			break
		}
		group.Add(1)
		go func() {
			*to = solutions(next)
			group.Done()
		}()
	}
	group.Wait()
	for _, x := range found[:tasks] {
		n += x
	}
	return n
}

func countNodes(node, levels uint64) uint64 {
	children := childrenOf(node, levels)
	if children == 0 {
		return 1
	}
	below := make([]uint64, children)
	var group sync.WaitGroup
	group.Add(children - 1)
	for i := 1; i < children; i++ {
		i := i
		go func() {
			below[i] = countNodes(childOf(node, i), levels-1)
			group.Done()
		}()
	}
	below[0] = countNodes(childOf(node, 0), levels-1)
	group.Wait()
	n := uint64(1)
	for _, x := range below {
		n += x
	}
	return n
}

// Calls both, the first perhaps elsewhere.
func both(a, b func()) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		a()
		group.Done()
	}()
	b()
	group.Wait()
}

func quicksort(a []int64) {
	if len(a) <= sortCutoff {
		insertionSort(a)
		return
	}
	middle := partition(a)
	both(func() { quicksort(a[:middle]) }, func() { quicksort(a[middle:]) })
}

func merge(a, b, to []int64) {
	if len(to) <= mergeCutoff {
		mergeRuns(a, b, to)
		return
	}
	a, b, i, j := cutForMerge(a, b)
	both(func() { merge(a[:i], b[:j], to[:i+j]) }, func() { merge(a[i:], b[j:], to[i+j:]) })
}

// The sorted numbers come into a, or into b.
func sortInto(a, b []int64, intoB bool) {
	if len(a) <= sortCutoff {
		insertionSort(a)
		if intoB {
			copy(b, a)
		}
		return
	}
	half := len(a) / 2
	both(func() { sortInto(a[:half], b[:half], !intoB) },
		func() { sortInto(a[half:], b[half:], !intoB) })
	from, to := b, a
	if intoB {
		from, to = a, b
	}
	merge(from[:half], from[half:], to)
}

func multiply(p product) {
	if p.n == matrixLeaf {
		p.leaf()
		return
	}
	for phase := 0; phase < 8; phase += 4 {
		var group sync.WaitGroup
		group.Add(3)
		for i := 0; i < 3; i++ {
			part := p.part(phase + i)
			go func() {
				multiply(part)
				group.Done()
			}()
		}
		multiply(p.part(phase + 3))
		group.Wait()
	}
}

// Cuts a loop into pieces, of which each goroutine takes the next: `each` of them per worker.
func loop(n, each int, body func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	pieces := each * workers
	var next int64
	var group sync.WaitGroup
	take := func() int { return int(atomic.AddInt64(&next, 1)) - 1 }
	work := func() {
		for i := take(); i < pieces; i = take() {
			body(n*i/pieces, n*(i+1)/pieces)
		}
		group.Done()
	}
	group.Add(workers)
	for i := 1; i < workers; i++ {
		go work()
	}
	work()
	group.Wait()
}

func sum(n uint64) (result uint64) {
	var lock sync.Mutex
	loop(int(n), 8, func(from, to int) {
		part := sumOfRange(uint64(from), uint64(to))
		lock.Lock()
		result += part
		lock.Unlock()
	})
	return result
}

type sample struct {
	time   time.Duration
	result uint64
	more   string
}

func timed(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}

func counted(work func(uint64) uint64, size uint64) (s sample) {
	s.time = timed(func() { s.result = work(size) })
	return s
}

func randomNumbers(n uint64) []int64 {
	a := make([]int64, n)
	for i := range a {
		a[i] = int64(mix(uint64(i)))
	}
	return a
}

// Depends on the order; 0 if they are not sorted.
func checkSorted(a []int64) (result uint64) {
	for i, x := range a {
		if i > 0 && a[i-1] > x {
			return 0
		}
		result += mix(uint64(x) + uint64(i))
	}
	return result
}

func measureQuicksort(size uint64) sample {
	a := randomNumbers(size)
	return sample{time: timed(func() { quicksort(a) }), result: checkSorted(a)}
}

func measureMergesort(size uint64) sample {
	a, b := randomNumbers(size), randomNumbers(size)
	return sample{time: timed(func() { sortInto(a, b, false) }), result: checkSorted(a)}
}

func measureMatmul(size uint64) sample {
	n := int(size)
	if blocks := n / matrixLeaf; blocks == 0 || n%matrixLeaf != 0 || blocks&(blocks-1) != 0 {
		refuse(fmt.Sprintf("--size '%d': not %d times a power of 2", n, matrixLeaf))
	}
	stride := n + 8 // rows of 2^k bytes would all lie in the same few lines of a cache
	cells := n * stride
	a, b, c := make([]float64, cells), make([]float64, cells), make([]float64, cells)
	for i := range a {
		a[i] = float64(mix(uint64(i)) % 10)
	}
	for i := range b {
		b[i] = float64(mix(uint64(i)+golden) % 10)
	}
	for i := range c {
		c[i] = 0 // in memory
	}
	s := sample{time: timed(func() { multiply(product{c, a, b, n, stride}) })}
	for i, x := range c {
		s.result += mix(uint64(x) + uint64(i))
	}
	return s
}

func sumOf(a []uint64) (result uint64) {
	for _, x := range a {
		result += x
	}
	return result
}

func measureSkewed(size uint64) sample {
	n := int(size)
	out := make([]uint64, n)
	time := timed(func() { loop(n, 64, func(from, to int) { skewedIterations(out, n, from, to) }) })
	return sample{time: time, result: sumOf(out)}
}

func measureTiny(size uint64) sample {
	out := make([]uint64, tinySize)
	time := timed(func() {
		for i := uint64(0); i < size; i++ {
			loop(tinySize, 1, func(from, to int) { tinyIterations(out, from, to) })
		}
	})
	return sample{time: time, result: sumOf(out)}
}

const sleepy = 3 * time.Millisecond

func quantile(sorted []time.Duration, part float64) time.Duration {
	return sorted[int(part*float64(len(sorted)-1)+0.5)]
}

// The submitter keeps its thread for itself: a foreign thread, as in the other contestants.
func measureSubmit(size uint64) sample {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	done := make(chan bool)
	times := make([]time.Duration, size)
	for i := range times {
		time.Sleep(sleepy)
		times[i] = timed(func() {
			go func() { done <- true }()
			<-done
		})
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return sample{quantile(times, 0.5), size,
		fmt.Sprintf(" p99=%.9f", quantile(times, 0.99).Seconds())}
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		refuse("getrusage: " + err.Error())
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func measureIdle(size uint64) sample {
	fib(20)
	time.Sleep(100 * sleepy)
	before := cpuTime()
	time.Sleep(time.Duration(size) * time.Millisecond)
	return sample{time: cpuTime() - before, result: size}
}

// No `start`: the scheduler of Go is there before main.
var benches = map[string]func(size uint64) sample{
	"fib": func(size uint64) sample { return counted(func(n uint64) uint64 { return uint64(fib(int(n))) }, size) },
	"queens": func(size uint64) sample {
		return counted(func(n uint64) uint64 { return solutions(emptyBoard(n)) }, size)
	},
	"uts": func(size uint64) sample {
		return counted(func(n uint64) uint64 { return countNodes(utsRoot, n) }, size)
	},
	"sum": func(size uint64) sample { return counted(sum, size) },

	"quicksort": measureQuicksort,
	"mergesort": measureMergesort,
	"matmul":    measureMatmul,
	"skewed":    measureSkewed,
	"tiny":      measureTiny,
	"submit":    measureSubmit,
	"idle":      measureIdle,
}

func refuse(what string) {
	fmt.Fprintln(os.Stderr, what+"; usage: --bench NAME --size N --workers W --repeat R")
	os.Exit(2)
}

func main() {
	name := ""
	numbers := map[string]uint64{"--size": 0, "--workers": 1, "--repeat": 1}
	for i := 1; i < len(os.Args); i += 2 {
		option := os.Args[i]
		if i+1 == len(os.Args) {
			refuse(option + " needs a value")
		}
		value := os.Args[i+1]
		if option == "--bench" {
			name = value
			continue
		}
		if _, known := numbers[option]; !known {
			refuse("unknown option '" + option + "'")
		}
		n, err := strconv.ParseUint(value, 10, 63)
		if err != nil {
			refuse(option + " '" + value + "': not a whole number")
		}
		numbers[option] = n
	}
	bench := benches[name]
	if bench == nil {
		os.Exit(3)
	}
	runtime.GOMAXPROCS(int(numbers["--workers"]))
	fmt.Println("# Go, " + runtime.Version())
	for i := uint64(0); i < numbers["--repeat"]; i++ {
		s := bench(numbers["--size"])
		fmt.Printf("%s %.9f %d%s\n", name, s.time.Seconds(), s.result, s.more)
	}
}
