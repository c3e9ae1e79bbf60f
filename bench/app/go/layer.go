// SPDX-License-Identifier: MIT

// The algorithms of the programs in Go: the same as in ../NAME/NAME.c, on the same jobs. What is
// around them is C in all layers: inputs, checks, checksums, the command line. ../common/layer_go.c
// joins both.
package main

// #include <stdlib.h>
import "C"

import (
	"runtime"
	"unsafe"
)

var workers = 1

//export go_start
func go_start(number C.uint) {
	workers = int(number)
	runtime.GOMAXPROCS(workers)
}

//export go_stop
func go_stop() {}

// run calls an algorithm in a goroutine: what C has called is tied to C's thread.
func run(algorithm func()) {
	done := make(chan bool)
	go func() {
		algorithm()
		done <- true
	}()
	<-done
}

// view is C's memory as a slice.
func view[T any](at unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(at), n) }

// allocate makes room for a result, which C frees; and for one more, so that there is a first.
func allocate[T any](n int) []T {
	var one T
	at := C.malloc(C.size_t(n+1) * C.size_t(unsafe.Sizeof(one)))
	return unsafe.Slice((*T)(at), n+1)[:n]
}

// first is where C finds a result.
func first[T any](result []T) unsafe.Pointer { return unsafe.Pointer(&result[:1][0]) }

func main() {}
