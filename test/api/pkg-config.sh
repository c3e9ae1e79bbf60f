#!/bin/sh
# SPDX-License-Identifier: MIT
# pkg-config.sh PREFIX CONSUMER_DIR WORK_DIR CC CXX: builds and runs the consumer against an
# installed Heist, with nothing but what pkg-config says.
set -eu
prefix=$1 consumer=$2 work=$3 cc=$4 cxx=$5

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name heist.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
mkdir -p "$work"
$cc -std=c11 "$consumer/main.c" $(pkg-config --cflags --libs heist) -o "$work/c"
$cxx -std=c++17 "$consumer/main.cpp" $(pkg-config --cflags --libs heist) -o "$work/cpp"
"$work/c"
"$work/cpp"
