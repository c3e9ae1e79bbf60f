#!/bin/sh
# SPDX-License-Identifier: MIT
# single_file_names.sh HEADER WORK_DIR CC: heist-queues.h leaves nothing behind in the file that includes it
# with its implementation but names of its own, and a shared library made with it exports none of them.
set -eu
header=$1 work=$2 cc=$3
rm -rf "$work"
mkdir -p "$work"

printf '#define HEIST_QUEUES_IMPLEMENTATION\n#include "%s"\n' "$header" >"$work/all.c"
$cc -std=c11 -O0 -fPIC -c "$work/all.c" -o "$work/all.o" # -O0: nothing is left out
names=$(nm --defined-only "$work/all.o" | awk '$3 !~ /\./ { print $3 }') # but for those static in functions, x.0
echo "$(echo "$names" | grep -c '^heist_') names"
echo "$names" | grep -qx heist_queue_new
if echo "$names" | grep -v '^heist_'; then
    echo 'these do not begin with heist_'
    exit 1
fi

$cc -shared "$work/all.o" -o "$work/all.so" -pthread
if nm -D --defined-only "$work/all.so" | grep heist_; then
    echo 'these are exported'
    exit 1
fi

# The macros that are there after it, and not after the system's headers alone.
{
    echo '#define _GNU_SOURCE'
    sed -n '/^#if __has_include/,/^#endif/p; /^#include <heist/d; /^#include </p' "$header"
} >"$work/system.c"
for file in all system; do
    $cc -std=c11 -E -dM "$work/$file.c" | awk '{ sub(/\(.*/, "", $2); print $2 }' |
        LC_ALL=C sort -u >"$work/$file.macros"
done
left=$(LC_ALL=C comm -23 "$work/all.macros" "$work/system.macros" | grep -v -e '^HEIST_' -e '^heist_' || true)
[ "$(grep -c '^HEIST_' "$work/all.macros")" -gt 50 ]
if [ -n "$left" ]; then
    echo "these macros are left: $left"
    exit 1
fi
