// SPDX-License-Identifier: MIT
//! The serial parts of the programs: what ../work.h has for C.

pub const SORT_CUTOFF: usize = 32;
pub const MERGE_CUTOFF: usize = 4096;
pub const MATRIX_LEAF: usize = 64;
pub const CHILDREN_MAX: u32 = 64;
pub const TINY: usize = 1000;
pub const GOLDEN: u64 = 0x9e3779b97f4a7c15;
pub const UTS_ROOT: u64 = 88;

#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}

#[inline]
pub fn mix_often(mut x: u64, times: u64) -> u64 {
    for _ in 0..times {
        x = mix(x.wrapping_add(GOLDEN));
    }
    x
}

/// Which columns and diagonals are taken, as seen from the next row.
#[derive(Clone, Copy)]
pub struct Board {
    pub all: u32,
    pub columns: u32,
    left: u32,
    right: u32,
}

impl Board {
    pub fn empty(n: u64) -> Board {
        Board { all: (1 << n) - 1, columns: 0, left: 0, right: 0 }
    }

    #[inline]
    pub fn free_places(&self) -> u32 {
        self.all & !(self.columns | self.left | self.right)
    }

    #[inline]
    pub fn place(&self, place: u32) -> Board {
        Board {
            all: self.all,
            columns: self.columns | place,
            left: (self.left | place) << 1,
            right: (self.right | place) >> 1,
        }
    }
}

#[inline]
pub fn children_of(node: u64, levels: u64) -> u32 {
    let random = mix(node);
    let mut bound = u64::MAX - u64::MAX / 5;
    let mut n = 0;
    while levels > 0 && n < CHILDREN_MAX && random < bound {
        bound -= bound / 5;
        n += 1;
    }
    n
}

#[inline]
pub fn child_of(node: u64, number: u32) -> u64 {
    mix(node.wrapping_add((number as u64 + 1).wrapping_mul(GOLDEN)))
}

pub fn insertion_sort(a: &mut [i64]) {
    for i in 1..a.len() {
        let x = a[i];
        if x < a[0] {
            a.copy_within(..i, 1);
            a[0] = x;
            continue;
        }
        let mut j = i;
        while a[j - 1] > x {
            a[j] = a[j - 1];
            j -= 1;
        }
        a[j] = x;
    }
}

fn order(a: &mut [i64], i: usize, j: usize) {
    let (x, y) = (a[i], a[j]);
    a[i] = x.min(y);
    a[j] = x.max(y);
}

pub fn partition(a: &mut [i64]) -> usize {
    let (middle, last) = (a.len() / 2, a.len() - 1);
    order(a, 0, middle);
    order(a, middle, last);
    order(a, 0, middle);
    let pivot = a[middle];
    let (mut i, mut j) = (0, last);
    loop {
        while a[i] < pivot {
            i += 1;
        }
        while a[j] > pivot {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        a.swap(i, j);
        i += 1;
        j -= 1;
    }
}

/// From both ends at once, since one step has to wait for the last one; n steps, of which none can
/// come to the end of a run. No branches on the numbers: what comes next can't be foreseen.
pub fn merge_runs(mut a: &[i64], mut b: &[i64], mut to: &mut [i64]) {
    loop {
        let n = a.len().min(b.len()) / 2;
        if n == 0 {
            break;
        }
        let (a_last, b_last, to_last) = (a.len() - 1, b.len() - 1, to.len() - 1);
        let (mut of_b, mut of_a) = (0, 0); // taken of b in front, of a behind
        for i in 0..n {
            // Safe: all these are less than n, and n is at most half of each run.
            unsafe {
                let (x, y) = (*a.get_unchecked(i - of_b), *b.get_unchecked(of_b));
                *to.get_unchecked_mut(i) = x.min(y);
                of_b += (y < x) as usize;
                let (x, y) = (*a.get_unchecked(a_last - of_a), *b.get_unchecked(b_last - (i - of_a)));
                *to.get_unchecked_mut(to_last - i) = x.max(y);
                of_a += (y < x) as usize;
            }
        }
        a = &a[n - of_b..a_last + 1 - of_a];
        b = &b[of_b..b_last + 1 - (n - of_a)];
        to = &mut to[n..to_last + 1 - n];
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let is_b = b[j] < a[i];
        to[i + j] = if is_b { b[j] } else { a[i] };
        j += is_b as usize;
        i += !is_b as usize;
    }
    to[i + j..i + b.len()].copy_from_slice(&b[j..]);
    to[i + b.len()..].copy_from_slice(&a[i..]);
}

/// Where the two runs are cut: the longer one, which comes first, in the middle.
pub fn cut_for_merge<'a>(a: &'a [i64], b: &'a [i64]) -> (&'a [i64], &'a [i64], usize, usize) {
    let (longer, other) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let half = longer.len() / 2;
    (longer, other, half, other.partition_point(|x| *x < longer[half]))
}

#[inline]
pub fn skewed_iteration(n: usize, i: usize) -> u64 {
    let (n, i) = (n as u64, i as u64);
    mix_often(i, 1 + 2000 * i * i / (n * n))
}

#[inline]
pub fn tiny_iteration(before: u64, i: usize) -> u64 {
    mix_often(before.wrapping_add(i as u64), 7)
}

/// c += a * b, all square, rows `stride` apart. Parts of c are written by several tasks, hence pointers.
#[derive(Clone, Copy)]
pub struct Product {
    pub c: *mut f64,
    pub a: *const f64,
    pub b: *const f64,
    pub n: usize,
    pub stride: usize,
}
unsafe impl Send for Product {}
unsafe impl Sync for Product {}

impl Product {
    /// Four rows of b at a time, so that c is not what limits.
    pub fn leaf(&self) {
        type Row = [f64; MATRIX_LEAF];
        let stride = self.stride;
        for i in 0..MATRIX_LEAF {
            for k in (0..MATRIX_LEAF).step_by(4) {
                // Safe: no other task writes this part of c, and none writes a and b.
                unsafe {
                    let a = &*(self.a.add(i * stride + k) as *const [f64; 4]);
                    let row = |j| &*(self.b.add((k + j) * stride) as *const Row);
                    let b = [row(0), row(1), row(2), row(3)];
                    let c = &mut *(self.c.add(i * stride) as *mut Row);
                    for j in 0..MATRIX_LEAF {
                        c[j] += a[0] * b[0][j] + a[1] * b[1][j] + a[2] * b[2][j] + a[3] * b[3][j];
                    }
                }
            }
        }
    }

    /// Part i + 4 adds to what part i adds to.
    pub fn part(&self, i: usize) -> Product {
        let half = self.n / 2;
        let (right, down) = (half, half * self.stride);
        let row = if i & 2 != 0 { down } else { 0 };
        let column = if i & 1 != 0 { right } else { 0 };
        let (in_a, in_b) = if i & 4 != 0 { (right, down) } else { (0, 0) };
        // Safe: within the matrices.
        unsafe {
            Product {
                c: self.c.add(row + column),
                a: self.a.add(row + in_a),
                b: self.b.add(column + in_b),
                n: half,
                stride: self.stride,
            }
        }
    }
}
