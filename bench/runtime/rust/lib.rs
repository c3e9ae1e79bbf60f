// SPDX-License-Identifier: MIT
//! The programs of `heist bench runtime` on a runtime that has a fork-join: what ../contestant.c and the
//! kernels are in C.

mod work;

use std::time::{Duration, Instant};
use work::*;

pub use work::TINY;

pub trait Runtime: Sync {
    const ABOUT: &'static str;
    fn start(workers: usize) -> Self;
    /// Runs `first` on a worker, and returns when it has ended.
    fn enter<R: Send>(&self, first: impl FnOnce() -> R + Send) -> R;
    fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B);
    /// out[i] = body(i, out[i])
    fn each(out: &mut [u64], body: impl Fn(usize, u64) -> u64 + Sync);
    fn sum(n: u64, body: impl Fn(u64) -> u64 + Sync) -> u64;
    /// One empty job, run by a thread of the pool; false: there is no such thing.
    fn submit(&self) -> bool;
}

fn fib<R: Runtime>(n: i32) -> i64 {
    if n < 2 {
        return n as i64;
    }
    let (a, b) = R::join(|| fib::<R>(n - 1), || fib::<R>(n - 2));
    a + b
}

/// A task for each place; the last is called.
fn places<R: Runtime>(b: &Board, places: u32) -> u64 {
    let rest = places & (places - 1);
    let first = || solutions::<R>(b.place(places & places.wrapping_neg()));
    if rest == 0 {
        return first();
    }
    let (a, b) = R::join(first, || self::places::<R>(b, rest));
    a + b
}

fn solutions<R: Runtime>(b: Board) -> u64 {
    match b.free_places() {
        _ if b.columns == b.all => 1,
        0 => 0,
        free => places::<R>(&b, free),
    }
}

/// The nodes below the children from `number` on.
fn children<R: Runtime>(node: u64, levels: u64, number: u32, end: u32) -> u64 {
    let first = || count_nodes::<R>(child_of(node, number), levels - 1);
    if number + 1 == end {
        return first();
    }
    let (a, b) = R::join(first, || children::<R>(node, levels, number + 1, end));
    a + b
}

fn count_nodes<R: Runtime>(node: u64, levels: u64) -> u64 {
    match children_of(node, levels) {
        0 => 1,
        n => 1 + children::<R>(node, levels, 0, n),
    }
}

fn quicksort<R: Runtime>(a: &mut [i64]) {
    if a.len() <= SORT_CUTOFF {
        return insertion_sort(a);
    }
    let middle = partition(a);
    let (low, high) = a.split_at_mut(middle);
    R::join(|| quicksort::<R>(low), || quicksort::<R>(high));
}

fn merge<R: Runtime>(a: &[i64], b: &[i64], to: &mut [i64]) {
    if to.len() <= MERGE_CUTOFF {
        return merge_runs(a, b, to);
    }
    let (a, b, i, j) = cut_for_merge(a, b);
    let (low, high) = to.split_at_mut(i + j);
    R::join(|| merge::<R>(&a[..i], &b[..j], low), || merge::<R>(&a[i..], &b[j..], high));
}

/// The sorted numbers come into a, or into b.
fn sort_into<R: Runtime>(a: &mut [i64], b: &mut [i64], into_b: bool) {
    if a.len() <= SORT_CUTOFF {
        insertion_sort(a);
        if into_b {
            b.copy_from_slice(a);
        }
        return;
    }
    let half = a.len() / 2;
    {
        let (a_low, a_high) = a.split_at_mut(half);
        let (b_low, b_high) = b.split_at_mut(half);
        R::join(
            || sort_into::<R>(a_low, b_low, !into_b),
            || sort_into::<R>(a_high, b_high, !into_b),
        );
    }
    let (from, to) = if into_b { (a, b) } else { (b, a) };
    merge::<R>(&from[..half], &from[half..], to);
}

fn multiply<R: Runtime>(p: Product) {
    if p.n == MATRIX_LEAF {
        return p.leaf();
    }
    for phase in [0, 4] {
        let part = |i: usize| multiply::<R>(p.part(phase + i));
        R::join(|| R::join(|| part(0), || part(1)), || R::join(|| part(2), || part(3)));
    }
}

struct Sample {
    seconds: f64,
    result: u64,
    more: String,
}

fn sample(seconds: Duration, result: u64) -> Option<Sample> {
    Some(Sample { seconds: seconds.as_secs_f64(), result, more: String::new() })
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let began = Instant::now();
    let result = work();
    (began.elapsed(), result)
}

fn random_numbers(n: u64) -> Vec<i64> {
    (0..n).map(|i| mix(i) as i64).collect()
}

/// Depends on the order; 0 if they are not sorted.
fn check_sorted(a: &[i64]) -> u64 {
    if a.windows(2).any(|pair| pair[0] > pair[1]) {
        return 0;
    }
    let hash = |(i, x): (usize, &i64)| mix((*x as u64).wrapping_add(i as u64));
    a.iter().enumerate().map(hash).fold(0, u64::wrapping_add)
}

fn sum_of(a: &[u64]) -> u64 {
    a.iter().copied().fold(0, u64::wrapping_add)
}

fn measure_matmul<R: Runtime>(pool: &R, n: usize) -> Option<Sample> {
    if n < MATRIX_LEAF || !(n / MATRIX_LEAF).is_power_of_two() || n % MATRIX_LEAF != 0 {
        refuse(&format!("--size '{n}': not {MATRIX_LEAF} times a power of 2"));
    }
    let stride = n + 8; // rows of 2^k bytes would all lie in the same few lines of a cache
    let cells = n * stride;
    let a: Vec<f64> = (0..cells).map(|i| (mix(i as u64) % 10) as f64).collect();
    let b: Vec<f64> =
        (0..cells).map(|i| (mix((i as u64).wrapping_add(GOLDEN)) % 10) as f64).collect();
    let mut c: Vec<f64> = (0..cells).map(|i| (i >> 60) as f64).collect(); // in memory
    let p = Product { c: c.as_mut_ptr(), a: a.as_ptr(), b: b.as_ptr(), n, stride };
    let (time, ()) = timed(|| pool.enter(|| multiply::<R>(p)));
    let hash = |(i, x): (usize, &f64)| mix((*x as u64).wrapping_add(i as u64));
    sample(time, c.iter().enumerate().map(hash).fold(0, u64::wrapping_add))
}

const SLEEPY: Duration = Duration::from_millis(3);

fn quantile(sorted: &[Duration], part: f64) -> Duration {
    sorted[(part * (sorted.len() - 1) as f64 + 0.5) as usize]
}

fn measure_submit<R: Runtime>(pool: &R, size: u64) -> Option<Sample> {
    let mut times = Vec::new();
    for _ in 0..size {
        std::thread::sleep(SLEEPY);
        let (time, has) = timed(|| pool.submit());
        if !has {
            return None;
        }
        times.push(time);
    }
    times.sort();
    let mut s = sample(quantile(&times, 0.5), size)?;
    s.more = format!(" p99={:.9}", quantile(&times, 0.99).as_secs_f64());
    Some(s)
}

fn cpu_time() -> Duration {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Safe: t is there.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

fn measure_idle<R: Runtime>(pool: &R, size: u64) -> Option<Sample> {
    pool.enter(|| fib::<R>(20));
    std::thread::sleep(100 * SLEEPY);
    let before = cpu_time();
    std::thread::sleep(Duration::from_millis(size));
    sample(cpu_time() - before, size)
}

fn resident() -> i64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: i64 = text.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    // Safe: it only asks.
    pages * (unsafe { libc::sysconf(libc::_SC_PAGESIZE) } / 1024)
}

/// The memory is that of the first start: later ones find what it left.
fn measure_start<R: Runtime>(workers: usize, size: u64, grown: &mut i64) -> Option<Sample> {
    let mut times = Vec::new();
    let mut result = 0;
    for _ in 0..size {
        let before = resident();
        let (first, pool) = timed(|| {
            let pool = R::start(workers);
            result += pool.enter(|| fib::<R>(10)) as u64;
            pool
        });
        if *grown == 0 {
            *grown = resident() - before;
        }
        let (last, ()) = timed(|| drop(pool));
        times.push(first + last);
    }
    times.sort();
    let mut s = sample(quantile(&times, 0.5), result)?;
    s.more = format!(" rss={}", grown);
    Some(s)
}

/// None: no part in this benchmark.
fn measure<R: Runtime>(name: &str, pool: &R, size: u64) -> Option<Sample> {
    let (time, result) = match name {
        "fib" => timed(|| pool.enter(|| fib::<R>(size as i32) as u64)),
        "queens" => timed(|| pool.enter(|| solutions::<R>(Board::empty(size)))),
        "uts" => timed(|| pool.enter(|| count_nodes::<R>(UTS_ROOT, size))),
        "quicksort" => {
            let mut a = random_numbers(size);
            let (time, ()) = timed(|| pool.enter(|| quicksort::<R>(&mut a)));
            (time, check_sorted(&a))
        }
        "mergesort" => {
            let (mut a, mut b) = (random_numbers(size), random_numbers(size));
            let (time, ()) = timed(|| pool.enter(|| sort_into::<R>(&mut a, &mut b, false)));
            (time, check_sorted(&a))
        }
        "matmul" => return measure_matmul(pool, size as usize),
        "skewed" => {
            let n = size as usize;
            let mut out = vec![1; n];
            let body = |i, _| skewed_iteration(n, i);
            let (time, ()) = timed(|| pool.enter(|| R::each(&mut out, body)));
            (time, sum_of(&out))
        }
        "tiny" => {
            let mut out = vec![0; TINY];
            let (time, ()) = timed(|| {
                pool.enter(|| {
                    for _ in 0..size {
                        R::each(&mut out, |i, before| tiny_iteration(before, i));
                    }
                })
            });
            (time, sum_of(&out))
        }
        "sum" => timed(|| pool.enter(|| R::sum(size, mix))),
        "submit" => return measure_submit(pool, size),
        "idle" => return measure_idle(pool, size),
        _ => return None,
    };
    sample(time, result)
}

fn refuse(what: &str) -> ! {
    eprintln!("{what}; usage: --bench NAME --size N --workers W --repeat R");
    std::process::exit(2)
}

pub fn main<R: Runtime>() {
    let mut bench = String::new();
    let mut numbers = [("--size", 0u64), ("--workers", 1), ("--repeat", 1)];
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().unwrap_or_else(|| refuse(&format!("{option} needs a value")));
        if option == "--bench" {
            bench = value;
        } else if let Some(number) = numbers.iter_mut().find(|n| n.0 == option) {
            let message = || refuse(&format!("{option} '{value}': not a whole number"));
            number.1 = value.parse().unwrap_or_else(|_| message());
        } else {
            refuse(&format!("unknown option '{option}'"));
        }
    }
    let [(_, size), (_, workers), (_, repeat)] = numbers;
    let workers = workers as usize;
    let pool = if bench == "start" { None } else { Some(R::start(workers)) };
    let mut grown = 0;
    for i in 0..repeat {
        let s = match &pool {
            Some(pool) => measure(&bench, pool, size),
            None => measure_start::<R>(workers, size, &mut grown),
        };
        let s = s.unwrap_or_else(|| std::process::exit(3));
        if i == 0 {
            println!("# {}", R::ABOUT);
        }
        println!("{bench} {:.9} {}{}", s.seconds, s.result, s.more);
    }
}
