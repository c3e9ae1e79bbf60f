#!/bin/sh
# SPDX-License-Identifier: MIT
# cxx.sh INCLUDE_DIR LIBRARY PROGRAM COMPILER: builds cxx.cpp as strict C++17 into PROGRAM and runs it.
# 77: there is no such compiler.
set -eu
here=$(dirname "$0") include=$1 library=$2 program=$3 compiler=$4
if ! command -v "$compiler"; then
    echo "no $compiler here"
    exit 77
fi
"$compiler" -std=c++17 -O2 -Wall -Wextra -Wpedantic -Wundef -Wshadow -Werror -I "$include" \
    "$here/cxx.cpp" "$library" -Wl,-rpath,"$(dirname "$library")" -pthread -o "$program"
"$program"
