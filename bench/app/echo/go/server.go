// SPDX-License-Identifier: MIT

// The server of echo in Go, as one writes it there: a goroutine for each connection, which waits
// for its socket. Requests are read, and responses written, by ../http.c.
package main

// #include "echo.h"
import "C"

import (
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	inFirst  = 4096
	dropMost = 64 << 20
)

type server struct {
	bodyMost C.size_t
	stopping atomic.Bool
	running  sync.WaitGroup // the connections
	lock     sync.Mutex     // of what follows
	all      map[*connection]bool
	totals   *C.struct_server_totals
}

type connection struct {
	*net.TCPConn
	server            *server
	in                []byte // from the client; in[begin:end] is still to be answered
	begin, end        int
	request           C.struct_http_request
	head              [C.RESPONSE_HEAD_MOST]byte // of a response
	requests, refused C.uint64_t
}

// receive reads more, where there is room for a whole request as far as it is known.
func (c *connection) receive() error {
	used := c.end - c.begin
	size := int(c.request.head + c.request.body)
	if size < inFirst {
		size = inFirst
	}
	for size <= used {
		size *= 2
	}
	if used == 0 {
		c.begin, c.end = 0, 0
	}
	if c.end == len(c.in) || c.begin+size > len(c.in) {
		to := c.in
		if size > len(c.in) {
			to = make([]byte, size)
		}
		copy(to, c.in[c.begin:c.end])
		c.in, c.begin, c.end = to, 0, used
	}
	n, err := c.Read(c.in[c.end:])
	c.end += n
	return err
}

// next reads a whole request.
func (c *connection) next() error {
	r := &c.request
	*r = C.struct_http_request{}
	told := false
	for {
		length := C.size_t(c.end - c.begin)
		if r.status == 0 && length > 0 {
			C.http_parse(r, (*C.char)(unsafe.Pointer(&c.in[c.begin])), length, c.server.bodyMost)
		}
		if r.status != 0 && length >= r.head+r.body {
			return nil
		}
		if bool(r.expects) && !told {
			c.Write([]byte(C.GoString((*C.char)(unsafe.Pointer(&C.http_continue)))))
			told = true
		}
		if err := c.receive(); err != nil {
			return err
		}
	}
}

func (c *connection) respond() error {
	r := &c.request
	whole := c.in[c.begin : c.begin+int(r.head+r.body)]
	body := whole[r.head:]
	if r.status != 200 {
		body = nil
		c.refused++
	} else if len(body) == 0 { // nothing to echo but the request itself
		body = whole
	}
	if c.server.stopping.Load() {
		r.keep = false
	}
	c.requests++
	c.begin += len(whole)
	n := C.http_respond(r, C.size_t(len(body)), (*C.char)(unsafe.Pointer(&c.head[0])))
	if r.is_head {
		body = nil
	}
	parts := net.Buffers{c.head[:n], body}
	_, err := parts.WriteTo(c.TCPConn)
	return err
}

func (c *connection) serve() {
	defer c.server.end(c)
	for {
		if c.next() != nil || c.respond() != nil {
			return
		}
		if !c.request.keep {
			break
		}
	}
	// What the client still sends is dropped: a socket that is closed with something in it makes
	// the client lose the response.
	c.CloseWrite()
	io.CopyN(io.Discard, c.TCPConn, dropMost)
}

// begin is false if the server is to end.
func (s *server) begin(c *connection) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopping.Load() {
		return false
	}
	s.all[c] = true
	s.running.Add(1)
	s.totals.connections++
	return true
}

func (s *server) end(c *connection) {
	c.Close()
	s.lock.Lock()
	delete(s.all, c)
	s.totals.requests += c.requests
	s.totals.refused += c.refused
	s.lock.Unlock()
	s.running.Done()
}

func (s *server) accept(listener net.Listener) {
	for {
		socket, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no file for it: it waits until there is one
			time.Sleep(5 * time.Millisecond)
			continue
		}
		c := &connection{TCPConn: socket.(*net.TCPConn), server: s}
		if !s.begin(c) {
			c.Close()
			return
		}
		go c.serve()
	}
}

// each calls something for all connections that are left.
func (s *server) each(do func(c *connection)) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for c := range s.all {
		do(c)
	}
}

// stop: connections that are in the middle of something have a while, unless there is a second
// signal; the others end.
func (s *server) stop() {
	s.lock.Lock()
	s.stopping.Store(true)
	s.lock.Unlock()
	s.each(func(c *connection) { c.CloseRead() })
	ended := make(chan bool)
	go func() {
		s.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-signals:
	case <-time.After(C.GRACE_MS * time.Millisecond):
	}
	s.each(func(c *connection) { c.Close() })
	<-ended
}

var signals = make(chan os.Signal, 2)

//export go_catch_signals
func go_catch_signals() { signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM) }

//export go_serve
func go_serve(fd C.int, workers C.uint, bodyMost C.size_t, totals unsafe.Pointer) {
	s := &server{bodyMost: bodyMost, all: map[*connection]bool{},
		totals: (*C.struct_server_totals)(totals)}
	if workers > 0 {
		runtime.GOMAXPROCS(int(workers))
	}
	s.totals.workers = C.uint(runtime.GOMAXPROCS(0))
	file := os.NewFile(uintptr(fd), "listener")
	listener, err := net.FileListener(file)
	if err != nil {
		panic(err)
	}
	file.Close()
	go s.accept(listener)
	<-signals
	listener.Close()
	s.stop()
}

func main() {}
