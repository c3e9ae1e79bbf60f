#!/bin/sh
# SPDX-License-Identifier: MIT
# command_line.sh PROGRAM CLIENT ORDER: the command line of verify-KIND, by a client that fails if that order of
# the ledger is relaxed.
set -u
program=$1 client=$2 order=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' "$work/out" "$work/err"
}

# ends STATUS ARGUMENT...: of the program.
ends() {
    wanted=$1
    shift
    "$program" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status = "$wanted" ] || fail "status $status instead of $wanted: $*"
}

# refused TEXT ARGUMENT...: status 2, no stdout, one line on stderr that has TEXT and says where to look.
refused() {
    text=$1
    shift
    ends 2 "$@"
    [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -qF -e "$text" "$work/err" &&
        grep -q -- 'see verify-[a-z_]* --help$' "$work/err" || fail "not a clear refusal: $*"
}

says() { # REGEX, of a line of stdout
    grep -qE -e "$1" "$work/out" || fail "no line like $1"
}

refused "'nobody'" --client nobody
refused "'rc12'" --model rc12
refused "'HEIST_NONE'" --weaken HEIST_NONE
refused "'$order=seq_cst'" --weaken "$order=seq_cst"
refused "'one'" --seed one
refused "'-1'" --seed -1
refused "'1x'" --seed 1x
refused "'99999999999999999999'" --seed 99999999999999999999
refused "'0'" --random 0
refused "'few'" --random few
refused "'0'" --client "$client" --replay 0
refused "'soon'" --client "$client" --replay soon
refused "--replay" --replay 5
refused "'stray'" stray
refused "'-1'" --preemptions -1
refused "'101'" --preemptions 101
refused "'0'" --seconds 0
refused "'nan'" --seconds nan
refused "'1s'" --seconds 1s
ends 2 --no-such-option
ends 2 --client

ends 0 --help
says '^usage: verify-'
ends 0 --list
says "^$client quick$"
grep -vE '^[a-z0-9-]+ (quick|full|random)$' "$work/out" && fail "--list has something else"
ends 0 --orders
says "^$order (acquire|release|acq_rel|seq_cst)$"
grep -vE '^HEIST_[A-Z_]+ (relaxed|consume|acquire|release|acq_rel|seq_cst)$' "$work/out" &&
    fail "--orders has something else"

kind=$(basename "$program" | sed 's/^verify-//')
ends 0 --client "$client"
says "^$kind,$client,rc11,,[1-9][0-9]*,[1-9][0-9]*,ok,[0-9.]+$"
ends 0 --client "$client" --model sc
says "^$kind,$client,sc,,[1-9][0-9]*,[1-9][0-9]*,ok,[0-9.]+$"
ends 0 --client "$client" --random 100 --seed 7
says "^$kind,$client,rc11,,100,[1-9][0-9]*,ok,"
ends 0 --client "$client" --preemptions 0
says "^$kind,$client,rc11,,[1-9][0-9]*,[1-9][0-9]*,ok,"

# again: the command that a failure names, and its text once more.
again() {
    says "^$kind,$client,rc11,$order,[0-9]+,[0-9]+,failed,"
    says '^again: verify-'
    sed 1d "$work/out" >"$work/first"
    command=$(sed -n 's/^again: verify-[a-z_]* //p' "$work/out")
    # shellcheck disable=SC2086 # words
    ends 1 $command
    sed 1d "$work/out" | cmp -s - "$work/first" || fail "not the same failure: $command"
}

ends 1 --client "$client" --weaken "$order" --trace
says ' thread [0-9]+  (reads|writes) .*  relaxed.*  [a-z_]+\.[ch]:[0-9]+$'
again
ends 1 --client "$client" --weaken "$order" --trace --random 100000 --seed 3
again

[ $failures = 0 ] && echo "the command line of $kind is right"
exit $((failures > 0))
