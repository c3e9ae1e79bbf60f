#!/bin/sh
# SPDX-License-Identifier: MIT
# fastpath.sh INCLUDE_DIR OBJECT COMPILER: compiles fastpath.c and has fastpath.awk read the result.
set -eu
here=$(dirname "$0") include=$1 object=$2 compiler=$3

if [ "$($compiler -dumpmachine | cut -d- -f1)" != x86_64 ]; then
    echo "skipped: fastpath.awk knows only x86-64's instructions"
    exit 77
fi
$compiler -std=c11 -O2 -Wall -Wextra -Werror -I "$include" -c "$here/fastpath.c" -o "$object"
objdump -dr --no-show-raw-insn "$object" >"$object.s"
awk -f "$here/fastpath.awk" "$object.s"
