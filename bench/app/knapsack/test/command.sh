#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh: tests of the program knapsack, which KNAPSACK runs (with an emulator in front, perhaps).
. "$(dirname "$0")/../../../../test/command.sh"

# wrong TEXT ARGUMENT...
wrong() {
    text=$1
    shift
    misused "$text" $KNAPSACK "$@"
}

# optimal COUNT ARGUMENT...: so many rows, all as dynamic programming says. Of the last call, `out` stays.
optimal() {
    rows=$1
    shift
    $KNAPSACK "$@" >out 2>err || fail "knapsack $*"
    [ "$(sed 1d out | cut -d, -f10 | grep -cx yes)" = "$rows" ] || fail "not $rows right rows: knapsack $*"
}

# total COLUMN: of all rows.
total() {
    sed 1d out | awk -F, -v column="$1" '{ n += $column } END { print n + 0 }'
}

for how in none weak strong; do
    for width in 2 3 20; do
        optimal 40 --items 25 --range 100 --width $width --correlation $how --instances 40
    done
done
optimal 3 --items 1 --range 1 --instances 3
optimal 2 --items 30 --width 100000 --repeat 2
optimal 20 --items 60 --width 10 --workers 3 --instances 20
# Else it has not shown what it is for: batches, relaxed diagrams that end a branch, and nodes that move.
[ "$(total 11)" -gt 1000 ] && [ "$(total 12)" -gt 0 ] && [ "$(total 14)" -gt 0 ] || fail "too easy"

$KNAPSACK --help >out 2>err && grep -q '^usage: knapsack' out && grep -q '^examples:' out || fail "no help"
wrong "--items '0'" --items 0
wrong "--width '1'" --width 1
wrong "--range 'x'" --range x
wrong "--correlation 'odd'" --correlation odd
wrong "--workers '0'" --workers 0
wrong "--seed needs a value" --seed
wrong "unknown option '--fast'" --fast
wrong "stray argument 'x'" x
finish
