#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist bench runtime. HEIST runs the command and CONTESTANT the serial program (with an
# emulator in front, perhaps); NATIVE=1 if the command can start programs.
. "$(dirname "$0")/../../../test/command.sh"

bench() {
    timeout 120 $HEIST bench runtime --rounds 1 "$@"
}

# Bad input.
misused "'foo'" bench foo
misused "'--foo'" bench --foo
misused "'foo'" bench --bench fib,foo
misused "'foo'" bench --with serial,foo
misused "'fib,'" bench --bench fib,
misused "'0'" bench --workers 0
misused "'100000'" bench --workers 1,100000
misused "'2' is named twice" bench --workers 2,2
misused "'x'" bench --bench fib --size x
misused '--size needs a --bench' bench --size 5
misused '--size needs a --bench' bench --bench fib,sum --size 5
misused "'0'" bench --rounds 0
misused "'0'" bench --patience 0
misused '--csv needs a value' bench --csv
misused '--quick takes no value' bench --quick=1
misused "'a'" bench --contestant a
misused "'no/such/file'" bench --contestant a=no/such/file
misused "'no/such/file'" bench --bench fib --csv no/such/file
echo precious >kept.csv
misused "'foo'" bench --csv kept.csv --bench foo
says precious kept.csv
ends 0 $HEIST bench runtime --help && says '--contestant NAME=EXECUTABLE' out
ends 0 $HEIST bench --help && says 'runtime' out

# A contestant by itself.
ends 2 $CONTESTANT --bench foo --size 1 && says "'foo'" err
ends 2 $CONTESTANT --bench fib --size -1 && says "'-1'" err
ends 2 $CONTESTANT --bench fib && says '--size' err
ends 2 $CONTESTANT --bench && says '--bench' err
ends 2 $CONTESTANT --foo 1 && says '--foo' err
ends 2 $CONTESTANT --bench matmul --size 192 && says "'192'" err
ends 3 $CONTESTANT --bench submit --size 1
ends 0 $CONTESTANT --bench fib --size 20 --workers 1 --repeat 2
[ "$(grep -c '^fib [0-9.]* 6765$' out)" = 2 ] || fail 'two repetitions of fib(20)'

if [ "${NATIVE:-0}" = 1 ]; then
    # Every benchmark, on everything that was built, with 1 and 2 workers; all agree.
    header=bench,contestant,workers,size,round,seconds,result,ok,p99_seconds,rss_kib,commit,host
    while read -r name size result; do
        ends 0 bench --bench "$name" --size "$size" --workers 1,2 --csv -
        [ "$(head -1 out)" = $header ] || fail 'another header'
        [ "$(column ok | sort -u)" = 1 ] && [ "$(column result | sort -u)" = "$result" ] ||
            fail "$name: not all results are $result"
        for who in serial heist heist-plain; do
            case $name-$who in
            idle-heist | start-heist) ;;
            idle-* | start-* | skewed-heist-plain | tiny-heist-plain | sum-heist-plain) continue ;;
            esac
            column contestant | grep -qx $who || fail "$name: no $who"
        done
        says '# heist: Heist' out
    done <<END
fib 20 6765
fib-large 20 6765
queens 8 92
uts 5 $($CONTESTANT --bench uts --size 5 | awk '/^uts/ { print $3 }')
quicksort 1000 $($CONTESTANT --bench mergesort --size 1000 | awk '/^mergesort/ { print $3 }')
mergesort 10000 $($CONTESTANT --bench quicksort --size 10000 | awk '/^quicksort/ { print $3 }')
matmul 128 $($CONTESTANT --bench matmul --size 128 | awk '/^matmul/ { print $3 }')
skewed 1000 $($CONTESTANT --bench skewed --size 1000 | awk '/^skewed/ { print $3 }')
tiny 10 $($CONTESTANT --bench tiny --size 10 | awk '/^tiny/ { print $3 }')
sum 10000 $($CONTESTANT --bench sum --size 10000 | awk '/^sum/ { print $3 }')
idle 10 10
start 2 110
END

    # Tables: ratios, and the calibration of fib.
    ends 0 bench --bench fib,fib-large --quick --with serial,heist --workers 1
    grep -q '^  serial  *1  *[0-9.]*  *1\.00 ' out || fail 'serial is not 1.00 times serial'
    says 'Heist beside the serial program' out
    says 'how fast everybody is' err

    # Outside contestants. What it is called with, and what it may print.
    make_script itself "exec $CONTESTANT \"\$@\""
    ends 0 bench --bench queens --size 6 --with serial --contestant mine=./itself --csv -
    [ "$(column result | sort -u)" = 4 ] || fail 'the serial program as a contestant'
    make_script arguments 'echo "$@" >>arguments.txt; echo "# mine 1.0"; echo "submit 0.5 7 p99=0.75"'
    ends 0 bench --bench submit --size 7 --workers 3 --contestant mine=./arguments --with serial --csv -
    says '--bench submit --size 7 --workers 3 --repeat 1' arguments.txt
    says 'submit,mine,3,7,1,0.500000000,7,1,0.75,,' out
    says '# mine: mine 1.0' out

    # A wrong result, beside two that are right.
    make_script wrong 'printf "fib 0.1 1\nfib 0.1 1\n"'
    ends 1 bench --bench fib --size 10 --workers 1 --with serial,heist --contestant bad=./wrong --csv -
    [ "$(grep '^fib,bad,' out | cut -d, -f 8)" = 0 ] || fail 'a wrong result is ok'
    [ "$(grep -v '^fib,bad,' out | grep '^fib,' | cut -d, -f 8 | sort -u)" = 1 ] ||
        fail 'a right result is not ok'
    says 'bad in fib 10 with 1 worker: another result: 1, where most have 55' err

    # One that never ends: given up, all others are measured, nothing stays.
    make_script hangs 'echo $$ >>pids; while :; do sleep 1; done'
    ends 1 bench --bench fib --size 10 --workers 1 --with serial --contestant bad=./hangs --patience 1 --csv -
    says 'bad in fib 10 with 1 worker: given up after 1 s' err
    grep -q '^fib,serial,' out || fail 'the others were not measured'
    while read -r pid; do
        ! kill -0 "$pid" 2>/dev/null || fail "process $pid was left behind"
    done <pids

    # Other ways to fail.
    for script in 'exit 1' 'kill -9 $$' true 'echo rubbish' 'echo fib 0.1 55' \
        'for i in 1 2 3; do echo fib 0.1 55; done' 'for i in 1 2; do echo fib nan 55; done' \
        'for i in 1 2; do echo fib 0.1; done' 'for i in 1 2; do echo fib 0.1 55 x; done' \
        'for i in 1 2; do echo sum 0.1 55; done'; do
        make_script broken "$script"
        ends 1 bench --bench fib --size 10 --workers 1 --with serial --contestant bad=./broken
        says 'bad in fib 10' err
        says 'failed: bad (1)' out
    done

    # It may say that it has no such benchmark.
    make_script partly 'exit 3'
    ends 0 bench --bench fib --size 10 --workers 1 --with serial --contestant other=./partly --csv -
    [ "$(column contestant | sort -u)" = serial ] || fail 'rows of one that has no part'
    ends 1 sh -c "$HEIST bench runtime --rounds 1 --bench fib --size 5 --with serial --csv - >/dev/full"
    says 'could be written' err
fi

finish
