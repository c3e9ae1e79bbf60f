#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh: tests of the program dag, which DAG runs (with an emulator in front, perhaps).
. "$(dirname "$0")/../../../../test/command.sh"

# wrong TEXT ARGUMENT...
wrong() {
    text=$1
    shift
    misused "$text" $DAG "$@"
}

# same COUNT ARGUMENT...: so many rows, all ok, all with the same result.
same() {
    rows=$1
    shift
    $DAG "$@" >out 2>err || fail "dag $*"
    [ "$(awk -F, '{ print NF }' out | sort -u | wc -l)" = 1 ] || fail "a row is not as long as its head"
    found=$(sed 1d out | cut -d, -f10-12 | sort | uniq -c)
    echo "$found" | grep -qE "^ *$rows [0-9]+,[0-9a-f]+,yes$" || fail "not $rows equal rows: dag $*"
}

all=master,steal,serial
same 6 --mode $all --workers 3 --nodes 50000 --repeat 2
same 3 --mode $all --workers 2 --nodes 20000 --costs varied --batch 256
same 3 --mode $all --workers 4 --nodes 100000 --batch 1 --degree 1 --seed 5
same 3 --mode $all --nodes 1
same 1 --nodes 1000 --cost 100 --degree 50
# A degree that is not given is no more than the batch.
$DAG --nodes 20000 --batch 4 >out 2>err && sed 1d out | cut -d, -f6,10,11 >small
$DAG --nodes 20000 --batch 4 --degree 4 >out 2>err && sed 1d out | cut -d, -f6,10,11 | cmp -s - small ||
    fail "--batch 4 is not of degree 4"
grep -q '^4,' small || fail "--batch 4 is not taken"
$DAG --nodes 1000 --json >out 2>err && grep -q '^{.*"mode": "master".*"ok": "yes".*}$' out || fail "no JSON"
$DAG --help >out 2>err && grep -q '^usage: dag' out && grep -q '^examples:' out || fail "no help"
# Somebody else gets nodes: else it is no parallel exploration.
$DAG --workers 2 --nodes 300000 --cost 200 >out 2>err && sed 1d out | grep -qv ',0$' || fail "nothing moved"

wrong "--mode 'fast'" --mode fast
wrong "named twice" --mode serial,serial
wrong "--nodes '0'" --nodes 0
wrong "--nodes 'many'" --nodes=many
wrong "--workers '1025'" --workers 1025
wrong "--costs 'odd'" --costs odd
wrong "--batch '0'" --batch 0
wrong "--degree 5 is more than --batch 4" --batch 4 --degree 5
wrong "--degree 5 is more than --batch 4" --degree 5 --batch 4
wrong "--repeat needs a value" --repeat
wrong "unknown option '--fast'" --fast
wrong "stray argument 'x'" x
finish
