#!/bin/sh
# SPDX-License-Identifier: MIT
# archive.sh SOURCE_DIR OUTPUT_DIR [CMAKE_OPTION]...: builds Heist with both libraries, the command and the model
# checker, and puts what would be installed into OUTPUT_DIR/heist-VERSION-SYSTEM-MACHINE.tar.gz.
set -eu
if [ $# -lt 2 ] || [ ! -f "$1/include/heist/version.h" ]; then
    echo "usage: $0 SOURCE_DIR OUTPUT_DIR [CMAKE_OPTION]..." >&2
    exit 2
fi
mkdir -p "$2"
source=$1 output=$(cd "$2" && pwd)
shift 2
unset MAKEFLAGS MAKELEVEL DESTDIR # no option of an outer make may reach the build

cmake -S "$source" -B "$output/build" -G Ninja -DHEIST_BOTH_LIBRARIES=ON -DHEIST_BUILD_TESTS=OFF \
    -DHEIST_BUILD_CHECKER=ON -DHEIST_PEERS=OFF "$@"
cmake --build "$output/build"
rm -f "$output"/heist-*.tar.gz
cpack --config "$output/build/CPackConfig.cmake" -B "$output/archive"
mv "$output"/archive/heist-*.tar.gz "$output"
rm -rf "$output/archive"
ls "$output"/heist-*.tar.gz
