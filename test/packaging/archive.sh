#!/bin/sh
# SPDX-License-Identifier: MIT
# archive.sh SOURCE_DIR WORK_DIR: makes the archive; it has what it should and nothing that names the place
# where it was built; unpacked anywhere, programs are built with it, by pkg-config and CMake, with both
# libraries, and the command works.
set -eu
source=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$2"
work=$(cd "$2" && pwd)
log=$work/build.log
"$source/packaging/archive.sh" "$source" "$work/package" >"$log" 2>&1 || { tail -50 "$log"; exit 1; }
archive=$(echo "$work"/package/heist-*.tar.gz)
rm -rf "$work/unpacked"
mkdir "$work/unpacked"
tar -C "$work/unpacked" -xzf "$archive"
prefix=$(echo "$work"/unpacked/heist-*)
[ "$(basename "$prefix")" = "$(basename "$archive" .tar.gz)" ]

for file in bin/heist include/heist/heist.h include/heist-queues.h lib/libheist.a lib/libheist.so \
    lib/libheist.so.0 lib/pkgconfig/heist.pc lib/cmake/heist/heist-config.cmake libexec/heist/heist-counts \
    libexec/heist/verify-heist libexec/heist/runtime-heist libexec/heist/echo-load share/man/man1/heist.1 \
    share/man/man7/heist.7 share/doc/heist/LICENSE share/doc/heist/docs/runtime.md \
    share/doc/heist/examples/first.c; do
    [ -e "$prefix/$file" ] || { echo "the archive has no $file"; exit 1; }
done
for folder in "$prefix"/*; do
    case ${folder##*/} in
    bin | include | lib | libexec | share) ;;
    *) echo "what is ${folder##*/} in the archive?" && exit 1 ;;
    esac
done
if grep -rIl -e "$work" "$prefix"; then
    echo "these files name the directory of the build"
    exit 1
fi

"$source/test/api/pkg-config.sh" "$prefix" "$source/test/api/consumer" "$work/pkg-config" cc c++
for library in heist shared; do
    rm -rf "$work/cmake-$library"
    mkdir "$work/cmake-$library"
    cat >"$work/cmake-$library/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(user C)
find_package(heist CONFIG REQUIRED)
add_executable(first $source/examples/first.c)
target_link_libraries(first PRIVATE heist::$library)
END
    cmake -S "$work/cmake-$library" -B "$work/cmake-$library/build" -DCMAKE_PREFIX_PATH="$prefix" >>"$log"
    cmake --build "$work/cmake-$library/build" >>"$log"
    [ "$("$work/cmake-$library/build/first")" = 'fib(32) = 2178309' ]
done
readelf -dW "$work/cmake-shared/build/first" | grep -q 'NEEDED.*libheist\.so\.0'
"$here/installed.sh" "$prefix/bin/heist" json-heist finddup-compare
