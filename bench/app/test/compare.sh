#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh COMPARE TURNS: tests of bench/app/compare.sh and turns, with programs that this makes.
compare=$1
turns=$2
. "$(dirname "$0")/../../../test/command.sh"

# made LAYER SECONDS OK: a program that says these seconds the first time, and one more each time, once
# in each turn.
made() {
    cat >"sum-$1" <<END
#!/bin/sh
if [ "\$1" = --list ]; then
    printf 'round 7\nflat 50\n'
    exit
fi
echo program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok
for turn in \$(seq "\$5"); do
    kill -STOP \$\$
    seconds=\$(cat $1-\$2 2>/dev/null || echo $2)
    echo sum,$1,\$2,\$9,\$7,1,1,\$seconds,0,$3
    echo \$((seconds + 1)) >$1-\$2
    echo $1 \$2 >>order
done
END
    chmod +x "sum-$1"
    echo "sum,$1,$work/sum-$1" >>build/bench/app/programs.csv
}

mkdir -p build/bench/app
echo program,layer,executable >build/bench/app/programs.csv
ln -s "$turns" build/bench/app/turns
made serial 10 1
made heist 5 1
made tbb 20 0
made rayon 4 1
echo "sum,go,$work/sum-go" >>build/bench/app/programs.csv # can be built, and is not

misused 'which build tree?' "$compare"
misused "'elsewhere'" "$compare" elsewhere
misused "'foo'" "$compare" build --programs sum,foo
misused "'foo'" "$compare" build --layers heist,foo
misused "'0'" "$compare" build --rounds 0
misused "'x'" "$compare" build --workers 1,x
misused "'square'" "$compare" build --shapes round,square
misused "'5%'" "$compare" build --size 5%
misused "'--foo'" "$compare" build --foo 1
misused "'--rounds'" "$compare" build --rounds
misused "'no/such/file'" "$compare" build --rows no/such/file
misused "'no/such/file'" "$compare" build --from no/such/file
misused 'one of them' "$compare" build --from build/bench/app/programs.csv --rows rows
ends 0 "$compare" --help
says --rounds out

# Twice two turns: the median of 10, 11, 12, 13 is 11.5. The wrong one is not the best.
ends 1 "$compare" build --rounds 2 --repeat 2 --rows rows
[ "$(sed -n 1p out)" = '| program | serial 1 | heist 1 | heist 2 | tbb 1 | tbb 2 | rayon 1 | rayon 2 |' ] ||
    fail 'the head'
[ "$(sed -n 3p out)" = \
    '| `sum`, round 7 | 11500 | 6500 (0.57) | 6500 (0.57) | wrong | wrong | 5500 (0.48) | 5500 (0.48) |' ] ||
    fail 'the medians'
[ "$(sed -n 7p out | cut -d'|' -f 1-6)" = '| `sum`, round | 1 | rayon | 1.18 | 1.18 ' ] || fail 'the best'
# Both rise alike: from 5 / 4 in the first turn to 8 / 7 in the last.
[ "$(sed -n 7p out | cut -d'|' -f 7)" = ' 1.14 to 1.25 ' ] || fail 'the interval'
says 'go is not built; cmake --build build --target heist-app-languages' err
[ "$(wc -l <rows)" = 28 ] || fail 'not all rows are there'
cp out before
ends 1 "$compare" build --from rows
cmp -s out before && [ ! -s err ] || fail 'the tables of rows that are there'
[ "$(head -14 order | uniq -c | awk '$1 != 1')" = '' ] && [ "$(head -7 order)" = "$(sed -n 8,14p order)" ] ||
    fail 'no turns'
ends 0 "$compare" build --rounds 1 --repeat 1 --layers serial,heist
[ ! -s err ] || fail 'words about a layer that nobody has asked for'

# The best is who is so by turns, whichever it is: a turn that was slow for all says nothing.
printf 'sum,%s,1,7,round,1,1,%s,0,1\n' heist 9 heist 30 heist 9 libomp 3 libomp 10 libomp 30 tbb 8 tbb 8 tbb 9 >rows
ends 0 "$compare" build --from rows
says '| `sum`, round | 1 | libomp | 0.90 | 3.00 | 0.30 to 3.00 |' out
# Rows that are missing: no turns to compare.
printf 'sum,%s,1,7,round,1,1,%s,0,1\n' heist 9 heist 9 libomp 3 >rows
ends 0 "$compare" build --from rows
says '| `sum`, round | 1 | libomp | 3.00 | 3.00 | ? |' out

# Another kind of queue is asked for by name, and has rows of its own.
make_script build/heist 'echo "abp  LIFO"; echo "split  LIFO"'
make_script sum-heist 'echo "sum,heist,$2,7,round,1,1,$([ "$HEIST_QUEUE" = split:half ] && echo 3 || echo 8),0,1"'
misused "'heist:ab'" "$compare" build --layers heist:ab
ends 0 "$compare" build --rounds 1 --workers 2 --layers heist,heist:split:half
[ "$(sed -n 1p out)" = '| program | heist 2 | heist:split:half 2 |' ] || fail 'the head with kinds'
[ "$(sed -n 3p out)" = '| `sum`, round 7 | 8000 | 3000 |' ] || fail 'the kinds'

# Shapes, each with a part of the size that the program lists.
make_script sum-heist 'echo "sum,heist,$2,$9,$7,1,1,1,0,1"'
ends 0 "$compare" build --rounds 1 --workers 2 --layers heist --size 50
[ "$(sed -n '3,$p' out)" = '| `sum`, round 3 | 1000 |' ] || fail 'the first shape'
ends 0 "$compare" build --rounds 1 --workers 2 --layers heist --size 50 --shapes flat
[ "$(sed -n '3,$p' out)" = '| `sum`, flat 25 | 1000 |' ] || fail 'a shape'
ends 0 "$compare" build --rounds 2 --workers 2 --layers heist --shapes all
[ "$(sed -n '3,$p' out)" = '| `sum`, round 7 | 1000 |
| `sum`, flat 50 | 1000 |' ] || fail 'all shapes'

# One that breaks is noticed, and the others are measured.
make_script sum-heist 'exit 1'
ends 1 "$compare" build --rounds 1 --layers serial,heist
says '| `sum`, round 7 | 17000 |' out

# A command ends its turn by stopping itself; one that does not is done at once. All end with the last.
misused 'which commands?' "$turns"
ends 0 "$turns" --help
says 'Usage: turns' out
ends 0 "$turns" 'for i in 1 2; do kill -STOP $$; echo a$i; done' 'kill -STOP $$; echo b' 'echo c'
[ "$(echo $(cat out))" = 'c a1 b a2' ] || fail 'the order of turns'
ends 1 "$turns" true 'kill -STOP $$; false'
ends 1 "$turns" 'kill -KILL $$' true
finish
