#!/bin/sh
# SPDX-License-Identifier: MIT
# command_line.sh PROGRAM CLIENT ORDER: the command line of verify-KIND, by a client that fails if that
# order of the ledger is relaxed.
program=$1 client=$2 order=$3
. "$(dirname "$0")/../../../test/command.sh"

matches() { # REGEX, of a line of stdout
    grep -qE -e "$1" out || fail "no line like $1"
}

misused "'nobody'" "$program" --client nobody
misused "'rc12'" "$program" --model rc12
misused "'HEIST_NONE'" "$program" --weaken HEIST_NONE
misused "'$order=seq_cst'" "$program" --weaken "$order=seq_cst"
misused "'one'" "$program" --seed one
misused "'-1'" "$program" --seed -1
misused "'1x'" "$program" --seed 1x
misused "'99999999999999999999'" "$program" --seed 99999999999999999999
misused "'0'" "$program" --random 0
misused "'few'" "$program" --random few
misused "'0'" "$program" --client "$client" --replay 0
misused "'soon'" "$program" --client "$client" --replay soon
misused "--replay" "$program" --replay 5
misused "'stray'" "$program" stray
misused "'-1'" "$program" --preemptions -1
misused "'101'" "$program" --preemptions 101
misused "'0'" "$program" --seconds 0
misused "'nan'" "$program" --seconds nan
misused "'1s'" "$program" --seconds 1s
misused "'--no-such-option'" "$program" --no-such-option
misused "'-Z'" "$program" -Z
misused "'--client'" "$program" --client
misused "'--list=1'" "$program" --list=1

ends 0 "$program" --help
matches '^usage: verify-'
ends 0 "$program" --list
matches "^$client quick$"
grep -vE '^[a-z0-9-]+ (quick|full|random)$' out && fail "--list has something else"
ends 0 "$program" --orders
matches "^$order (acquire|release|acq_rel|seq_cst)$"
grep -vE '^HEIST_[A-Z_]+ (relaxed|consume|acquire|release|acq_rel|seq_cst)$' out &&
    fail "--orders has something else"

kind=$(basename "$program" | sed 's/^verify-//')
ends 0 "$program" --client "$client"
matches "^$kind,$client,rc11,,[1-9][0-9]*,[1-9][0-9]*,ok,[0-9.]+$"
ends 0 "$program" --client "$client" --model sc
matches "^$kind,$client,sc,,[1-9][0-9]*,[1-9][0-9]*,ok,[0-9.]+$"
ends 0 "$program" --client "$client" --random 100 --seed 7
matches "^$kind,$client,rc11,,100,[1-9][0-9]*,ok,"
ends 0 "$program" --client "$client" --preemptions 0
matches "^$kind,$client,rc11,,[1-9][0-9]*,[1-9][0-9]*,ok,"

# again: the command that a failure names, and its text once more.
again() {
    matches "^$kind,$client,rc11,$order,[0-9]+,[0-9]+,failed,"
    matches '^again: verify-'
    sed 1d out >first
    command=$(sed -n 's/^again: verify-[a-z_]* //p' out)
    # shellcheck disable=SC2086 # words
    ends 1 "$program" $command
    sed 1d out | cmp -s - first || fail "not the same failure: $command"
}

ends 1 "$program" --client "$client" --weaken "$order" --trace
matches ' thread [0-9]+  (reads|writes) .*  relaxed.*  [a-z_]+\.[ch]:[0-9]+$'
again
ends 1 "$program" --client "$client" --weaken "$order" --trace --random 100000 --seed 3
again

finish
