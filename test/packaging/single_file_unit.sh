#!/bin/sh
# SPDX-License-Identifier: MIT
# single_file_unit.sh HEADER SOURCE_DIR WORK_DIR CC KIND...: the unit tests of every kind, and of kinds by name,
# with heist-queues.h instead of the headers and the library.
set -eu
header=$1 source=$2 work=$3 cc=$4
shift 4

rm -rf "$work"
mkdir -p "$work/heist"
for name in atomic base kinds queue "$@"; do
    printf '#include "%s"\n' "$header" >"$work/heist/$name.h"
done
flags="-std=gnu11 -O2 -Wall -Wextra -Werror -I $work -pthread"
if ! echo '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>' | $cc -fsyntax-only -x c -; then
    echo 'skipped: there is no cmocka (Debian: apt-get install libcmocka-dev)'
    exit 77
fi

# shellcheck disable=SC2086 # several words
build() { # PROGRAM FILE FLAG...
    program=$1 file=$2
    shift 2
    $cc $flags "$@" "$source/test/unit/$file" "$work/implementation.o" -lcmocka -o "$work/$program"
    "$work/$program"
}
# shellcheck disable=SC2086
$cc $flags -I "$(dirname "$header")" -c "$(dirname "$0")/single_file/implementation.c" -o "$work/implementation.o"
for kind in "$@"; do
    build "unit-$kind" any.c "-DKIND=$kind"
done
build unit-bulk-chains bulk.c -DKIND=bulk
build unit-split-signals split.c -DKIND=split
build unit-by-name queue.c
