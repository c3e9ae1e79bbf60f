// SPDX-License-Identifier: MIT
//! ../common/layer.h by rayon: its functions, for algorithms in C. Of the C
//! side's pointers nothing is known here but that C lets several threads have them.

use rayon::iter::split;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::{copy_nonoverlapping, null_mut};
use std::sync::{Arc, Mutex};

/// What the layers with a worker pass on; here there is none.
type Par = *mut c_void;
type Function = extern "C" fn(Par, *mut c_void);
type Body = extern "C" fn(Par, usize, usize, *mut c_void);

/// par_reduction
#[repr(C)]
pub struct Reduction {
    size: usize,
    identity: *const c_void,
    body: extern "C" fn(Par, usize, usize, *mut c_void, *mut c_void),
    combine: extern "C" fn(Par, *mut c_void, *mut c_void, *mut c_void),
    context: *mut c_void,
}
unsafe impl Sync for Reduction {}

#[derive(Clone, Copy)]
struct Pointer(*mut c_void);
unsafe impl Send for Pointer {}
unsafe impl Sync for Pointer {}

impl Pointer {
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// PAR_RESULT_MOST bytes.
#[repr(align(64))]
struct Partial([u8; 64]);

impl Partial {
    fn at(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    fn of(r: &Reduction) -> Partial {
        let mut partial = Partial([0; 64]);
        if !r.identity.is_null() {
            // Safe: it has so many bytes, and at most as many as there is room for.
            unsafe { copy_nonoverlapping(r.identity.cast(), partial.0.as_mut_ptr(), r.size) }
        }
        partial
    }
}

static POOL: Mutex<Option<Arc<ThreadPool>>> = Mutex::new(None);

/// The parts of a loop: rayon halves them as often as it finds threads for them, down to the grain.
fn parts(n: usize, grain: usize) -> impl ParallelIterator<Item = Range<usize>> {
    split(0..n, move |range: Range<usize>| {
        let middle = range.start + range.len() / 2;
        if range.len() > grain.max(1) {
            (range.start..middle, Some(middle..range.end))
        } else {
            (range, None)
        }
    })
}

#[no_mangle]
pub extern "C" fn par_start(workers: u32) {
    let pool = ThreadPoolBuilder::new().num_threads(workers as usize).build().expect("a pool");
    *POOL.lock().unwrap() = Some(Arc::new(pool));
}

#[no_mangle]
pub extern "C" fn par_stop() {
    *POOL.lock().unwrap() = None;
}

#[no_mangle]
pub extern "C" fn par_run(function: Function, arg: *mut c_void) {
    let pool = POOL.lock().unwrap().clone().expect("after par_start");
    let arg = Pointer(arg);
    pool.install(|| function(null_mut(), arg.get()));
}

#[no_mangle]
pub extern "C" fn par_for(_: Par, n: usize, grain: usize, body: Body, context: *mut c_void) {
    let context = Pointer(context);
    if n > 0 {
        parts(n, grain).for_each(|r| body(null_mut(), r.start, r.end, context.get()));
    }
}

/// # Safety
/// `result` has room for what `r` says.
#[no_mangle]
pub unsafe extern "C" fn par_reduce(
    _: Par,
    n: usize,
    grain: usize,
    r: &Reduction,
    result: *mut c_void,
) {
    let of_part = |range: Range<usize>| {
        let mut partial = Partial::of(r);
        if !range.is_empty() {
            (r.body)(null_mut(), range.start, range.end, partial.at(), r.context);
        }
        partial
    };
    let together = |mut left: Partial, mut right: Partial| {
        (r.combine)(null_mut(), left.at(), right.at(), r.context);
        left
    };
    let all = parts(n, grain).map(of_part).reduce_with(together).expect("one part at least");
    copy_nonoverlapping(all.0.as_ptr(), result.cast(), r.size);
}

#[no_mangle]
pub extern "C" fn par_both(
    _: Par,
    first: Function,
    a: *mut c_void,
    second: Function,
    b: *mut c_void,
) {
    let (a, b) = (Pointer(a), Pointer(b));
    rayon::join(|| first(null_mut(), a.get()), || second(null_mut(), b.get()));
}
