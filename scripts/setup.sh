#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs, from Debian's packages, what Heist needs and this machine lacks: `setup.sh build` what it
# takes to build, `setup.sh bench` also the peers of heist bench runtime, `setup.sh deb` what Debian packages
# take, `setup.sh` what all checks take.
# Silent and quick when nothing is missing.
set -eu

# package                command                what it is for
build_packages='
build-essential          cc                     gcc, make, binutils, the headers of the C library
cmake                    cmake                  the build
ninja-build              ninja                  the generator that the Makefile chooses'
check_packages='
g++                      g++                    the headers as C++
clang                    clang                  the second compiler
libclang-rt-dev          -                      the run-time of its sanitizers and of libFuzzer
pkg-config               pkg-config             the test of heist.pc
libcmocka-dev            -                      the unit tests
libhwloc-dev             -                      caches, NUMA nodes and kinds of CPUs
gnuplot-nox              gnuplot                heist bench --plot
man-db                   man                    the manual pages
mandoc                   mandoc                 a second opinion on them
doxygen                  doxygen                the API reference
python3                  python3                a second opinion on traces in JSON
python3-yaml             -                      a test of .github/workflows
zsh                      zsh                    a test of its completion
libcjson-dev             -                      the program json
libxxhash-dev            -                      the program finddup: its hashes
liburing-dev             -                      finddup: reads by io_uring
fdupes                   fdupes                 finddup must find what it finds
jdupes                   jdupes                 finddup must find what it finds
curl                     curl                   a test of the program echo
wrk                      wrk                    drives the program echo
gdb                      gdb                    docs/verification.md: an execution under it
libtbb-dev               -                      docs/porting.md: the side of oneTBB
libglib2.0-dev           -                      docs/porting.md: the side of GLib
libuv1-dev               -                      docs/porting.md: the side of libuv
valgrind                 valgrind               memory errors, and races of the kinds with locks
gcc-aarch64-linux-gnu    aarch64-linux-gnu-gcc  cross build
gcc-riscv64-linux-gnu    riscv64-linux-gnu-gcc  cross build
libc6-dev-arm64-cross    -                      its C library, also when qemu runs the tests
libc6-dev-riscv64-cross  -                      its C library, also when qemu runs the tests
qemu-user                qemu-aarch64           runs the cross-built tests
abigail-tools            abidiff                the binary interface and its record'
bench_packages='
g++                      g++                    the contestant tbb
libtbb-dev               -                      oneTBB
clang                    clang                  the contestants libomp and heist-clang
libomp-dev               -                      the OpenMP of LLVM
cargo                    cargo                  the contestants rayon and crossbeam
librust-rayon-dev        -                      rayon
librust-crossbeam-dev    -                      crossbeam
golang-go                go                     the contestant go
libcjson-dev             -                      the program json
libxxhash-dev            -                      finddup: its hashes
liburing-dev             -                      finddup: reads by io_uring
fdupes                   fdupes                 finddup is compared with it
jdupes                   jdupes                 finddup is compared with it
wrk                      wrk                    drives the program echo
curl                     curl                   a test of the program echo'

deb_packages='
debhelper                dh                     make deb
dpkg-dev                 dpkg-buildpackage      make deb
fakeroot                 fakeroot               make deb
lintian                  lintian                make check-deb
g++                      g++                    make check-deb
pkg-config               pkg-config             make check-deb
libcjson-dev             -                      the program json
libhwloc-dev             -                      caches, NUMA nodes and kinds of CPUs
libxxhash-dev            -                      finddup: its hashes
liburing-dev             -                      finddup: reads by io_uring'

case ${1:-} in
build) packages=$build_packages ;;
bench) packages="$build_packages$bench_packages" ;;
deb) packages="$build_packages$deb_packages" ;;
'') packages="$build_packages$check_packages" ;;
*) echo "usage: $0 [build|bench|deb]" >&2; exit 2 ;;
esac

# A command that is there will do, wherever it came from; a cross compiler for this very machine comes with
# build-essential, and has no package of its own there. What is not a command only dpkg knows; on other systems,
# hope that it is there: what needs it will say if not.
present() {
    if [ "$2" = "$(uname -m)-linux-gnu-gcc" ]; then
        return 0
    fi
    if [ "$2" = - ] && ! command -v dpkg-query >/dev/null; then
        return 0
    fi
    command -v "$2" >/dev/null || dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}
missing=$(echo "$packages" | while read -r package command _; do
    [ -z "$package" ] || present "$package" "$command" || printf '%s ' "$package"
done)
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup: this is not Debian; install what its packages hold: $missing" >&2
    exit 1
elif [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo=sudo
else
    echo "setup: neither root nor sudo; have these packages installed: $missing" >&2
    exit 1
fi

echo "setup: installing $missing"
apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"; }
apt update || echo "setup: going on with the package lists that are here" >&2
if ! apt install --no-install-recommends $missing; then
    echo "setup: apt-get failed; these packages are missing: $missing" >&2
    exit 1
fi
