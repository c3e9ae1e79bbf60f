// SPDX-License-Identifier: MIT
//! crossbeam's deques with the least fork-join that can be put around them: no panics are caught, and
//! workers sleep only while nobody is in the pool.

use contestant::Runtime;
use crossbeam_deque::{Steal, Stealer, Worker};
use crossbeam_utils::Backoff;
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// A call that waits on its caller's stack.
struct Job<F, R> {
    call: UnsafeCell<Option<F>>,
    result: UnsafeCell<Option<R>>,
    done: AtomicBool,
}

impl<F: FnOnce() -> R, R> Job<F, R> {
    fn new(call: F) -> Self {
        Job {
            call: UnsafeCell::new(Some(call)),
            result: UnsafeCell::new(None),
            done: AtomicBool::new(false),
        }
    }

    /// Whoever has taken the reference from a deque is the only one to call this.
    unsafe fn run(job: *const ()) {
        let job = &*(job as *const Self);
        let call = (*job.call.get()).take().expect("a job is run once");
        *job.result.get() = Some(call());
        job.done.store(true, Ordering::Release);
    }
}

#[derive(Clone, Copy)]
struct JobRef {
    job: *const (),
    run: unsafe fn(*const ()),
}
unsafe impl Send for JobRef {}

impl JobRef {
    fn run(self) {
        // Safe: its owner waits until the job is done.
        unsafe { (self.run)(self.job) }
    }
}

#[derive(Default)]
struct State {
    entered: bool,
    stopping: bool,
}

struct Shared {
    stealers: Vec<Stealer<JobRef>>,
    busy: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

/// What a thread is while it is in the pool.
struct Local {
    deque: Worker<JobRef>,
    shared: Arc<Shared>,
    number: usize,
}

thread_local!(static LOCAL: Cell<*const Local> = Cell::new(std::ptr::null()));

impl Local {
    fn steal(&self) -> Option<JobRef> {
        let n = self.shared.stealers.len();
        for i in 1..n {
            let victim = &self.shared.stealers[(self.number + i) % n];
            loop {
                match victim.steal() {
                    Steal::Success(job) => return Some(job),
                    Steal::Empty => break,
                    Steal::Retry => continue,
                }
            }
        }
        None
    }

    fn work(&self) {
        let backoff = Backoff::new();
        loop {
            if let Some(job) = self.steal() {
                job.run();
                backoff.reset();
            } else if self.shared.busy.load(Ordering::Relaxed) {
                backoff.snooze();
            } else {
                let state = self.shared.state.lock().expect("no panics");
                let idle = |s: &mut State| !s.entered && !s.stopping;
                if self.shared.changed.wait_while(state, idle).expect("no panics").stopping {
                    return;
                }
            }
        }
    }
}

struct Pool {
    first: Mutex<Local>, // of whoever enters
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.shared.state.lock().expect("no panics"));
        self.shared.changed.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.set(|s| s.stopping = true);
        for thread in self.threads.drain(..) {
            thread.join().expect("no panics");
        }
    }
}

/// Cuts a range in halves, down to what is worth a task, so that each worker has some.
fn pieces(n: usize) -> usize {
    LOCAL.with(|l| {
        // Safe: only called inside of the pool.
        let workers = unsafe { &*l.get() }.shared.stealers.len();
        (n / (8 * workers)).max(1)
    })
}

fn each(out: &mut [u64], from: usize, piece: usize, body: &(impl Fn(usize, u64) -> u64 + Sync)) {
    if out.len() <= piece {
        for (i, x) in out.iter_mut().enumerate() {
            *x = body(from + i, *x);
        }
        return;
    }
    let half = out.len() / 2;
    let (low, high) = out.split_at_mut(half);
    Pool::join(|| each(low, from, piece, body), || each(high, from + half, piece, body));
}

fn sum(from: u64, to: u64, piece: u64, body: &(impl Fn(u64) -> u64 + Sync)) -> u64 {
    if to - from <= piece {
        return (from..to).map(body).fold(0, u64::wrapping_add);
    }
    let half = from + (to - from) / 2;
    let (a, b) = Pool::join(|| sum(from, half, piece, body), || sum(half, to, piece, body));
    a.wrapping_add(b)
}

impl Runtime for Pool {
    const ABOUT: &'static str = concat!("crossbeam-deque, ", env!("RUST_COMPILER"));

    fn start(workers: usize) -> Self {
        let deques: Vec<_> = (0..workers).map(|_| Worker::new_lifo()).collect();
        let shared = Arc::new(Shared {
            stealers: deques.iter().map(Worker::stealer).collect(),
            busy: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let local = |(number, deque)| Local { deque, shared: shared.clone(), number };
        let mut locals = deques.into_iter().enumerate().map(local);
        let first = Mutex::new(locals.next().expect("a worker"));
        let spawn = |local: Local| {
            std::thread::spawn(move || {
                LOCAL.with(|l| l.set(&local));
                local.work()
            })
        };
        let threads = locals.map(spawn).collect();
        Pool { first, shared, threads }
    }

    fn enter<R: Send>(&self, first: impl FnOnce() -> R + Send) -> R {
        let local = self.first.lock().expect("no panics");
        LOCAL.with(|l| l.set(&*local));
        self.shared.busy.store(true, Ordering::Relaxed);
        self.set(|s| s.entered = true);
        let result = first();
        self.set(|s| s.entered = false);
        self.shared.busy.store(false, Ordering::Relaxed);
        result
    }

    fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
        LOCAL.with(|l| {
            // Safe: only called inside of the pool.
            let local = unsafe { &*l.get() };
            let waiting = Job::new(b);
            fn run_of<F: FnOnce() -> R, R>(_: &Job<F, R>) -> unsafe fn(*const ()) {
                Job::<F, R>::run
            }
            let run = run_of(&waiting);
            local.deque.push(JobRef { job: &waiting as *const _ as *const (), run });
            let a = a();
            let backoff = Backoff::new();
            while !waiting.done.load(Ordering::Acquire) {
                if let Some(job) = local.deque.pop().or_else(|| local.steal()) {
                    job.run();
                    backoff.reset();
                } else {
                    backoff.snooze();
                }
            }
            (a, waiting.result.into_inner().expect("it is done"))
        })
    }

    fn each(out: &mut [u64], body: impl Fn(usize, u64) -> u64 + Sync) {
        let piece = pieces(out.len());
        each(out, 0, piece, &body);
    }

    fn sum(n: u64, body: impl Fn(u64) -> u64 + Sync) -> u64 {
        sum(0, n, pieces(n as usize) as u64, &body)
    }

    fn submit(&self) -> bool {
        false
    }
}

fn main() {
    contestant::main::<Pool>()
}
