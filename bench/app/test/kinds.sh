#!/bin/sh
# SPDX-License-Identifier: MIT
# kinds.sh EXECUTABLE KIND...: a program of the layer heist on every kind of queue. RUNNER as for
# program.sh.
set -u
executable=$1
shift
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failures=0
for kind; do
    # A kind that does not exist would give a line on stderr, and the default.
    HEIST_QUEUE=$kind timeout 120 ${RUNNER-} "$executable" --workers 2 --size 50000 --repeat 3 \
        >"$out" 2>&1
    status=$?
    right=$(awk -F, 'NF == 10 && $10 == 1' "$out" | wc -l)
    if [ $status != 0 ] || [ "$right" != 3 ] || [ "$(wc -l <"$out")" != 4 ]; then
        echo "FAILED on $kind, status $status"
        cat "$out"
        failures=$((failures + 1))
    fi
done
[ $# -gt 0 ] && [ $failures = 0 ]
