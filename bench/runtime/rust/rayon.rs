// SPDX-License-Identifier: MIT
//! rayon.

use contestant::Runtime;
use rayon::prelude::*;

struct Rayon(rayon::ThreadPool);

impl Runtime for Rayon {
    const ABOUT: &'static str = concat!("rayon, ", env!("RUST_COMPILER"));

    fn start(workers: usize) -> Self {
        Rayon(rayon::ThreadPoolBuilder::new().num_threads(workers).build().expect("a pool"))
    }

    fn enter<R: Send>(&self, first: impl FnOnce() -> R + Send) -> R {
        self.0.install(first)
    }

    fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
        rayon::join(a, b)
    }

    fn each(out: &mut [u64], body: impl Fn(usize, u64) -> u64 + Sync) {
        out.par_iter_mut().enumerate().for_each(|(i, x)| *x = body(i, *x));
    }

    fn sum(n: u64, body: impl Fn(u64) -> u64 + Sync) -> u64 {
        let add = |sum: u64, i| sum.wrapping_add(body(i));
        (0..n).into_par_iter().fold(|| 0, add).reduce(|| 0, u64::wrapping_add)
    }

    fn submit(&self) -> bool {
        self.0.install(|| ());
        true
    }
}

fn main() {
    contestant::main::<Rayon>()
}
