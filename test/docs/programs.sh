#!/bin/sh
# SPDX-License-Identifier: MIT
# programs.sh SOURCE_DIR WORK_DIR LIBRARY COMPILER FLAG...: every complete program in the documentation,
# that is every c block with a main, compiles without a warning and exits with status 0. RUNNER in the
# environment runs programs of another machine.
set -eu
here=$(cd "$(dirname "$0")" && pwd) source=$1 work=$2 library=$3
shift 3

rm -rf "$work"
mkdir -p "$work"
cd "$source"
failed=0 tried=0
for page in *.md docs/*.md docs/*/*.md; do
    prefix=$work/$(echo "$page" | tr / -)
    awk -v language=c -v prefix="$prefix" -f "$here/blocks.awk" "$page"
    for program in "$prefix".*.c; do
        grep -qs 'int main' "$program" || continue
        tried=$((tried + 1))
        if ! "$@" -std=c11 -Wall -Wextra -Werror -I include "$program" "$library" -pthread \
            -Wl,-rpath,"$(dirname "$library")" -o "$program.out"; then
            echo "$page: $program does not compile"
            failed=$((failed + 1))
        elif ! ${RUNNER-} "$program.out" >"$program.txt"; then
            echo "$page: $program fails"
            failed=$((failed + 1))
        fi
    done
done
echo "$tried programs: $failed failed"
[ $tried -gt 0 ] && [ $failed = 0 ]
