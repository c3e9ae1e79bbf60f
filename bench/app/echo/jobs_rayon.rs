// SPDX-License-Identifier: MIT
//! jobs.h by rayon, the oldest job of a worker first. Of the C side's pointers nothing is known
//! here but that C lets several threads have them.

use rayon::{ScopeFifo, ThreadPool, ThreadPoolBuilder};
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex};

/// jobs_worker: here it is the same for all, the scope that waits for all jobs.
type Worker = *const ScopeFifo<'static>;
type Function = extern "C" fn(Worker, *mut c_void);

#[repr(C)]
pub struct Facts {
    name: *const c_char,
    workers: u32,
    jobs: u64,
    steals: u64,
}

#[derive(Clone, Copy)]
struct Pointer(*mut c_void);
unsafe impl Send for Pointer {}

impl Pointer {
    fn get(self) -> *mut c_void {
        self.0
    }
}

static POOL: Mutex<Option<Arc<ThreadPool>>> = Mutex::new(None);

fn pool() -> Arc<ThreadPool> {
    POOL.lock().unwrap().clone().expect("after jobs_start")
}

fn spawn(scope: &ScopeFifo<'static>, function: Function, arg: *mut c_void) {
    let arg = Pointer(arg);
    scope.spawn_fifo(move |scope| function(scope, arg.get()));
}

#[no_mangle]
pub extern "C" fn jobs_start(workers: u32) {
    let pool = ThreadPoolBuilder::new().num_threads(workers as usize).build().expect("a pool");
    *POOL.lock().unwrap() = Some(Arc::new(pool));
}

#[no_mangle]
pub extern "C" fn jobs_stop() {
    *POOL.lock().unwrap() = None;
}

#[no_mangle]
pub extern "C" fn jobs_run(wait: Function, arg: *mut c_void) {
    let arg = Pointer(arg);
    pool().scope_fifo(move |scope| spawn(scope, wait, arg.get()));
}

/// # Safety
/// `scope` is that of the job which calls this.
#[no_mangle]
pub unsafe extern "C" fn jobs_make(scope: Worker, function: Function, arg: *mut c_void) {
    spawn(&*scope, function, arg);
}

/// # Safety
/// `scope` is that of the job which calls this; `args` are `n`.
#[no_mangle]
pub unsafe extern "C" fn jobs_make_and_wait(
    scope: Worker,
    function: Function,
    args: *const *mut c_void,
    n: usize,
    wait: Function,
    arg: *mut c_void,
) {
    for i in 0..n {
        spawn(&*scope, function, *args.add(i));
    }
    spawn(&*scope, wait, arg);
}

#[no_mangle]
pub extern "C" fn jobs_number(_: Worker) -> u32 {
    rayon::current_thread_index().expect("in a job") as u32
}

#[no_mangle]
pub extern "C" fn jobs_numbers() -> u32 {
    pool().current_num_threads() as u32
}

#[no_mangle]
pub extern "C" fn jobs_tell() -> Facts {
    Facts { name: b"rayon\0".as_ptr().cast(), workers: jobs_numbers(), jobs: 0, steals: 0 }
}
