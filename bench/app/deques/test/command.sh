#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh: tests of the program deques, which DEQUES runs (with an emulator in front, perhaps).
. "$(dirname "$0")/../../../../test/command.sh"

# points NUMBER ARGUMENT...: so many rows, all right, and the threads have done all tasks between them.
points() {
    rows=$1
    shift
    ends 0 timeout 100 $DEQUES --csv - "$@" --rounds 2
    sed -i '/^#/d' out # the machine
    [ "$(column ok | grep -cx 1)" = "$rows" ] || fail "not $rows right rows: deques $*"
    for done in $(column done); do
        sum=$(echo "$done" | tr / '\n' | awk '{ n += $1 } END { print n }')
        [ "$sum" = $(($(column threads | head -1) * $(column tasks | head -1))) ] ||
            fail "tasks are missing: $done"
    done
}

kinds=$($DEQUES --help | sed -n 's/^Kinds: //p' | tr ' ' ,)
number=$(echo "$kinds" | tr , '\n' | wc -l)
[ "$number" -ge 9 ] || fail 'too few kinds'
points $((8 * number)) --threads 3 --tasks 50 --fib 10
points $((4 * number)) --threads 3 --tasks 30 --fib 10 --generate live --interval 20 --load skewed
points $((4 * number)) --threads 1 --tasks 20 --fib 5 --steal on
# More than a bounded deque holds.
points 8 --kinds abp,bwos_lifo --threads 2 --tasks 500 --fib 3 --capacity 64 --block 8 --steal on
points 8 --kinds abp --threads 2 --tasks 500 --fib 3 --capacity 64 --generate live --interval 1

# What it is for: an idle thread steals from a busy one, and nobody does when told not to. On a busy
# machine the idle one may have no CPU in time: so there is more and more of it.
stolen() { # on or off
    awk -F, -v steal="$1" '$7 == steal { n += $10 } END { print n }' out
}
for fib in 22 24 26 28 30; do
    points 4 --kinds chaselev --threads 2 --tasks 100 --fib $fib --load skewed
    [ "$(stolen on)" -gt 0 ] && break
done
[ "$(stolen on)" -gt 0 ] || fail 'nothing was stolen, five times'
[ "$(stolen off)" = 0 ] || fail 'stolen without stealing'
# A task waits for those before it: for longer than none at all.
[ "$(column waiting | awk '$1 > 0.00001' | wc -l)" = 4 ] || fail 'nobody waited'
# Live tasks come one after the other: 30 tasks, 2 ms in the mean, take some 60 ms.
points 2 --kinds heist --threads 2 --tasks 15 --fib 1 --generate live --interval 2000 --load even --steal on
[ "$(column seconds | awk '$1 > 0.02' | wc -l)" = 2 ] || fail 'live tasks were there at once'

ends 0 $DEQUES --kinds abp,heist --threads 2 --tasks 20 --fib 10 --rounds 3 --csv rows
for text in '2 threads, even load, batch' '2 threads, skewed load, batch' waiting compiler; do
    says "$text" out
done
[ "$(grep -c '^deques,' rows)" = 24 ] || fail 'not all points are in the file'
ends 0 $DEQUES --help
says Examples: out

misused "'foo': no such kind" $DEQUES --kinds abp,foo
misused "named twice" $DEQUES --kinds abp,abp
misused "'0'" $DEQUES --threads 0
misused "'0'" $DEQUES --tasks 0
misused "'9223372036854775808'" $DEQUES --tasks 9223372036854775808
misused "it takes even, skewed" $DEQUES --load odd
misused "it takes batch, live" $DEQUES --generate never
misused "it takes on, off" $DEQUES --steal=maybe
misused "'46'" $DEQUES --fib 46
misused "'foo': no such policy" $DEQUES --victim foo
misused "can't be so" $DEQUES --kinds bwos_lifo --capacity 8 --block 64
misused "'no/such/file'" $DEQUES --csv no/such/file
misused "--rounds needs a value" $DEQUES --rounds
misused "'--foo'" $DEQUES --foo
misused "'foo'" $DEQUES foo
finish
