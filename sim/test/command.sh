#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist sim. HEIST runs the command (with an emulator in front, perhaps); NATIVE=1 if it can
# start programs; HWLOC=1 if it was built with hwloc.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' out err
}

# refused TEXT ARGUMENT...: status 2, no stdout, one line on stderr that has TEXT and --help.
refused() {
    text=$1
    shift
    $HEIST sim "$@" >out 2>err
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$text" err &&
        grep -q -e '--help' err || fail "status $status, not a clear refusal: heist sim $*"
}

# ends STATUS ARGUMENT...
ends() {
    wanted=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status = "$wanted" ] || fail "status $status instead of $wanted: $*"
}

says() { # TEXT FILE
    grep -qF -e "$1" "$2" || fail "no '$1' in $2"
}

column() { # NAME of out
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
                          NR > 1 && !/^#/ { print $c }' out
}

# Bad input, each with what is allowed.
refused "'foo'" foo
refused "'--foo'" --foo
refused 'fib, unbalanced, skewed, bursts, pool' --workload fib,foo
refused "'fib' is named twice" --workload fib,fib
refused 'random, random+prob, sequential' --policy numa+foo
refused "'numa' is named twice" --policy numa,last,numa
refused 'one, half, block' --batch two
refused 'heist, blocks, deque' --queue foo
refused 'compact or spread' --pin none
refused "'fib,'" --workload fib,
refused "'0'" --workers 0
refused "'2000'" --workers 2000
refused "'0'" --tasks 0
refused "'101'" --balance 101
refused "'x'" --balance 0,x
refused "'0'" --load 0
refused "'0'" --tries 0
refused "'-1'" --seed -1
refused "'0'" --rounds 0
refused 'work, put, get' --cost speed=1
refused 'work, put, get' --cost near
refused 'from 0 to 10000000' --cost near=-1
refused 'from 0 to 10000000' --cost far=1,near=fast
refused 'more than the capacity' --capacity 10 --block 11
refused '--csv needs a value' --csv
refused '--compare takes no value' --compare=1
refused '--topology does not go with --compare' --compare --topology pu:2
refused "'pool' does not go with --compare" --compare --workload pool
refused "'no/such/file'" --csv no/such/file
echo precious >kept.csv
refused "'foo'" --csv kept.csv --policy foo
says precious kept.csv
ends 0 $HEIST sim --help && says '--cost NAME=NS,...' out && says 'interfere_far' out && says 'Examples' out
ends 0 $HEIST --help && says 'sim ' out

if [ "${HWLOC:-0}" = 1 ]; then
    refused "'foo:bar'" --topology foo:bar
    refused 'the machine has 4 CPUs' --topology 'pack:2 core:2 pu:1' --workers 2,5
    refused '1024 at most' --topology 'pack:4 core:512 pu:1'

    # Every policy, batch and queue in every workload; twice the same.
    small='--topology pack:2l3:2core:2pu:1 --tasks 500 --capacity 64 --rounds 2'
    all="--queue heist,blocks,deque --batch one,half,block --csv -"
    ends 0 $HEIST sim $small $all
    [ "$(column ok | sort | uniq -c | tr -s ' ')" = ' 1080 1' ] || fail 'not 5 x 3 x 3 x 12 x 2 rows that are ok'
    [ "$(column policy | sort -u | wc -l)" = 12 ] || fail 'not all policies'
    says '# command: heist sim' out
    mv out first
    ends 0 $HEIST sim $small $all
    cmp -s out first || fail 'the second time another result'
    ends 0 $HEIST sim $small $all --seed 7
    ! cmp -s out first || fail 'with another seed the same result'

    # Costs count: with slow communication it takes longer.
    pool='--workload pool --policy random --rounds 1 --topology pack:2core:4pu:1 --csv -'
    ends 0 $HEIST sim $pool
    fast=$(column time_ns)
    ends 0 $HEIST sim $pool --cost near=1500 --cost far=14100
    awk -v slow="$(column time_ns)" -v fast="$fast" 'BEGIN { exit !(slow > 5 * fast) }' ||
        fail 'communication at 100 times the cost is not seen'

    # So does the order of numa, where there is little to find.
    near='--workload pool --policy numa+prob --rounds 1 --topology pack:2core:4pu:1 --csv -'
    ends 0 $HEIST sim $near
    fast=$(column time_ns)
    ends 0 $HEIST sim $near --cost level=10000
    awk -v slow="$(column time_ns)" -v fast="$fast" 'BEGIN { exit !(slow > 1.5 * fast) }' ||
        fail 'the cost of ordering is not seen'

    # Tables.
    ends 0 $HEIST sim --workload fib,pool --policy random,numa --tasks 2000 --balance 0,50
    [ "$(grep -c '^  random one  .* 1\.00 ' out)" = 3 ] || fail 'random is not 1.00 times random, three times'
    says 'fib, queue heist, 88 workers' out
    says 'pool, queue heist, 88 workers, balance 50 %' out

    # 1,024 workers and a million tasks: seconds.
    ends 0 timeout 120 $HEIST sim --workload fib --policy numa+prob --tasks 1000000 --rounds 1 \
        --topology 'pack:16 l3:4 core:16 pu:1' --csv -
    [ "$(column tasks),$(column ok)" = 1000000,1 ] || fail 'not a million tasks'

    if [ "${NATIVE:-0}" = 1 ] && command -v gnuplot >/dev/null; then
        ends 0 $HEIST sim --workload fib,pool --policy random,numa+prob --tasks 2000 --workers 4,8 \
            --balance 0,100 --plot plots
        for plot in fib-heist pool-heist-0-percent pool-heist-100-percent pool-heist-8-workers; do
            grep -q '<svg' plots/$plot.svg || fail "no plots/$plot.svg"
        done
        echo x >file
        refused "'file/plots'" --plot file/plots
    fi
else
    refused 'without hwloc' --topology 'pack:2 core:2 pu:1'
fi

# The real runtime: as many rows as were asked for, of trees that were done.
ends 0 $HEIST sim --compare --rounds 3 --tasks 200 --workers 1 --csv -
[ "$(column workload | sort | uniq -c | tr -s ' ')" = "$(printf ' 3 fib\n 3 unbalanced')" ] ||
    fail 'not three rounds of two trees'
awk -F, 'NR > 1 && !/^#/ && !($6 > 0 && $7 > 0 && $9 > 0) { bad = 1 } END { exit bad }' out ||
    fail 'a time that is not positive'
ends 0 $HEIST sim --compare --rounds 2 --tasks 200 --workload fib --workers 1
says 'least real' out
ends 1 sh -c "$HEIST sim --compare --rounds 1 --tasks 10 --workers 1 >/dev/full"
says 'could be written' err

[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
