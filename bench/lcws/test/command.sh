#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist bench lcws. HEIST is the command, in the build tree.
. "$(dirname "$0")/../../../test/command.sh"

bench() {
    timeout 200 "$HEIST" bench lcws "$@"
}

# Bad input.
misused "'foo'" bench foo
misused "'--foo'" bench --foo
misused "'foo': no such program; there are: " bench --programs bfs,foo
says ' bfs, ' err && says comparison_sort err
misused "'bfs' is named twice" bench --programs bfs,bfs
misused "'bfs,'" bench --programs bfs,
misused "'0'" bench --workers 0
misused "'100000'" bench --workers 1,100000
misused "'2' is named twice" bench --workers 2,2
misused "'foo': it is eager or lazy" bench --loops foo
misused "'0'" bench --size 0
misused "'1001'" bench --size 1001
misused "'x'" bench --size x
misused "'0'" bench --rounds 0
misused "'1001'" bench --turns 1001
misused "'0'" bench --patience 0
misused '--csv needs a value' bench --csv
misused '--quick takes no value' bench --quick=1
misused "'no/such/file'" bench --csv no/such/file
echo precious >kept.csv
misused "'foo'" bench --csv kept.csv --programs foo
says precious kept.csv
ends 0 bench --help && says '--programs LIST' out && says 'comparison_sort' out && says Examples: out
ends 0 "$HEIST" bench --help && says lcws out

# All points: for 2 inputs or more, 1 and 2 workers and 6 schedulers, 2 rounds of 3 turns, and
# in the first round one that counts.
header=program,shape,size,workers,scheduler,counted,round,repeat,seconds,checksum,fences,cas,steals
header=$header,exposures,empty,parks,loops,commit,host
ends 0 bench --programs comparison_sort,histogram --size 1 --rounds 2 --turns 3 --workers 1,2 --csv -
[ "$(head -1 out)" = $header ] || fail 'another header'
inputs=$(grep -v '^#' out | awk -F, 'NR > 1 { print $1, $2 }' | sort -u | wc -l)
[ "$inputs" -ge 4 ] || fail 'fewer than 4 inputs'
[ "$(column round | wc -l)" = $((inputs * 2 * 6 * (2 * 3 + 1))) ] || fail 'not all points'
[ "$(column scheduler | sort -u | wc -l)" = 6 ] || fail 'not 6 schedulers'
[ "$(column counted | grep -c 1)" = $((inputs * 2 * 6)) ] || fail 'not all counts'
[ "$(column loops | sort -u)" = eager ] || fail 'loops are not eager'
says '# commit' out

# With one worker nobody asks, so split executes the fences of a start and an end; chaselev one more
# for every fork.
awk -F, '$1 == "comparison_sort" && $2 == "random" && $4 == 1 && $6 == 1 { fences[$5] = $11 }
         END { exit !(fences["chaselev"] >= 15 && fences["split:user"] <= 2 && fences["split:signal"] <= 4) }' \
    out || fail 'fences with one worker'
of_loops() { # FILE: chaselev's fences with one worker
    awk -F, '$1 == "histogram" && $2 == "random" && $4 == 1 && $5 == "chaselev" && $6 == 1 { print $11 }' "$1"
}
eager=$(of_loops out)
awk -F, '$6 == 0 && /^comparison_sort/ && ($11 != "" || $12 != "") { exit 1 }' out ||
    fail 'counts of a program that does not count'

# The figures, and the shares at the end.
ends 0 bench --programs histogram --quick --workers 1,2 --loops lazy --csv rows.csv
says 'Loops: lazy' out
for figure in 'Fig. 3a, 8a' 'Fig. 3b, 8b' 'Fig. 3c, 8c' 'Fig. 3d, 8d, 8h' 'Fig. 4, 7' 'Fig. 5' \
    'Fig. 6' 'Fig. 8e' 'Fig. 8f' 'Fig. 8g' 'less than 1% of chaselev' \
    'Programs that are at least' 'Inputs on which it is not surely' 'Programs that are not surely'; do
    says "$figure" out
done
shares() { # TITLE: the numbers of a table of shares
    sed -n "/^$1/,/^\$/p" out | sed 1,2d
}
[ -n "$(shares 'Fig. 6')" ] && [ "$(shares 'Fig. 6')" = "$(shares 'Programs that are at')" ] ||
    fail 'of a program with one input both shares are the same'
[ "$(shares 'Inputs on which it is not')" = "$(shares 'Programs that are not')" ] ||
    fail 'of a program with one input both are as surely slower'
[ "$(awk -F, 'NR > 1 && !/^#/ { print $2 }' rows.csv | sort -u | wc -l)" = 1 ] ||
    fail '--quick takes one input'

# A lazy loop that nobody asks for work forks nothing; an eager one does, also if it is shorter.
[ "$(of_loops rows.csv)" -lt 10 ] || fail 'a lazy loop forks'
[ "$eager" -gt 20 ] || fail 'an eager loop does not fork'

# Programs that fail: beside a copy of the command, so that they are found instead of the right ones.
mkdir -p bench/app
cp "$HEIST" heist
HEIST=./heist
misused 'bfs is not built' bench
for program in histogram-heist histogram-heist-counted; do
    cat >bench/app/$program <<'END'
#!/bin/sh
[ "$1" = --list ] && echo 'random 1000' && exit 0
case $HEIST_QUEUE in
split:half) echo 'it broke' >&2 && exit 1 ;;
split:user) sum=2 ;;
*) sum=1 ;;
esac
[ "$HEIST_QUEUE" = split:signal ] && echo rubbish && exit 0
[ "$HEIST_QUEUE" = split:conservative ] && exec sleep 30
echo seconds,checksum,fences,cas,steals,exposures,empty,parks
while [ "$1" != --repeat ]; do shift; done
for i in $(seq "$2"); do echo "0.5,$sum,1000,20,3,4,5,6"; done
END
    chmod +x bench/app/$program
done
ends 1 bench --programs histogram --workers 2 --rounds 1 --patience 1
says 'histogram, random, with 2 workers on split:half: exit status 1: it broke' err
says 'on split:user: another result than before' err
says 'on split:signal: not the rows' err
says 'on split:conservative: given up after 1 s' err
says 'Fig. 6' out
ends 1 sh -c './heist bench lcws --programs histogram --workers 1 --rounds 1 --patience 1 >/dev/full'
says 'could be written' err

finish
