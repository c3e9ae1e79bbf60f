#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist sim. HEIST runs the command (with an emulator in front, perhaps); NATIVE=1 if it can
# start programs; HWLOC=1 if it was built with hwloc.
. "$(dirname "$0")/../../test/command.sh"

# wrong TEXT ARGUMENT...
wrong() {
    text=$1
    shift
    misused "$text" $HEIST sim "$@"
}

# Bad input, each with what is allowed.
wrong "'foo'" foo
wrong "'--foo'" --foo
wrong 'fib, unbalanced, skewed, bursts, pool' --workload fib,foo
wrong "'fib' is named twice" --workload fib,fib
wrong 'random, random+prob, sequential' --policy numa+foo
wrong "'numa' is named twice" --policy numa,last,numa
wrong 'one, half, block' --batch two
wrong 'heist, blocks, deque' --queue foo
wrong 'compact or spread' --pin none
wrong "'fib,'" --workload fib,
wrong "'0'" --workers 0
wrong "'2000'" --workers 2000
wrong "'0'" --tasks 0
wrong "'101'" --balance 101
wrong "'x'" --balance 0,x
wrong "'0'" --load 0
wrong "'0'" --tries 0
wrong "'-1'" --seed -1
wrong "'0'" --rounds 0
wrong 'work, put, get' --cost speed=1
wrong 'work, put, get' --cost near
wrong 'from 0 to 10000000' --cost near=-1
wrong 'from 0 to 10000000' --cost far=1,near=fast
wrong 'from 0 to 10000000' --cost put=10000000.1
wrong 'more than the capacity' --capacity 10 --block 11
wrong '--csv needs a value' --csv
wrong '--compare takes no value' --compare=1
wrong "'x': it is items or attempts" --count x
wrong '--free-refusals needs --count attempts' --free-refusals
wrong '--topology does not go with --compare' --compare --topology pu:2
wrong '--count does not go with --compare' --compare --count items
wrong "--batch 'half' does not go with --compare" --compare --batch one,half
wrong "--batch 'block' does not go with --compare" --compare --batch block
wrong "'pool' does not go with --compare" --compare --workload pool
wrong "'no/such/file'" --csv no/such/file
echo precious >kept.csv
wrong "'foo'" --csv kept.csv --policy foo
says precious kept.csv
ends 0 $HEIST sim --help && says '--cost NAME=NS,...' out && says 'interfere_far' out && says 'Examples' out
ends 0 $HEIST --help && says 'sim ' out

if [ "${HWLOC:-0}" = 1 ]; then
    wrong "'foo:bar'" --topology foo:bar
    wrong 'the machine has 4 CPUs' --topology 'pack:2 core:2 pu:1' --workers 2,5
    wrong '1024 at most' --topology 'pack:4 core:512 pu:1'

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

    # What makes up the share: attempts in vain, refusals with them, or not.
    many='--workload pool --queue blocks --policy random+prob --rounds 1 --topology pack:2core:4pu:1 --csv -'
    ends 0 $HEIST sim $many
    items=$(column looks)
    mv out items.csv
    ends 0 $HEIST sim $many --count items
    sed '/^#/d' items.csv >items
    sed '/^#/d' out | cmp -s - items || fail 'items are not what is counted unless it is said'
    ends 0 $HEIST sim $many --count attempts
    attempts=$(column looks)
    ends 0 $HEIST sim $many --count attempts --free-refusals
    awk -v i="$items" -v a="$attempts" -v f="$(column looks)" 'BEGIN { exit !(f > 2 * a && a > 2 * i) }' ||
        fail "looks: $items by items, $attempts by attempts, $(column looks) with free refusals"

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
        wrong "'file/plots'" --plot file/plots

        # Any name of a file of lstopo's.
        cat >"it's \"one\".xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1024"/>
    <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3"/>
  </object>
</topology>
EOF
        ends 0 $HEIST sim --workload fib --policy random --tasks 20 --topology "it's \"one\".xml" --plot quoted
        says "it's \"one\".xml" quoted/fib-heist.svg
    fi
else
    wrong 'without hwloc' --topology 'pack:2 core:2 pu:1'
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

# It is the default pool, whatever the environment says.
ends 0 env HEIST_STATS=1 HEIST_QUEUE=global $HEIST sim --compare --rounds 1 --tasks 10 --workers 1
says 'kind heist' err

finish
