#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh COMPARE: tests of bench/app/compare.sh, with programs that this makes.
compare=$1
. "$(dirname "$0")/../../../test/command.sh"

# made LAYER SECONDS OK: a program that says these seconds the first time, and one more each time.
made() {
    cat >"sum-$1" <<END
#!/bin/sh
echo program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok
seconds=\$(cat $1-\$2 2>/dev/null || echo $2)
echo sum,$1,\$2,7,round,1,1,\$seconds,0,$3
echo \$((seconds + 1)) >$1-\$2
END
    chmod +x "sum-$1"
    echo "sum,$1,$work/sum-$1" >>build/bench/app/programs.csv
}

mkdir -p build/bench/app
echo program,layer,executable >build/bench/app/programs.csv
made serial 10 1
made heist 5 1
made tbb 20 0
echo "sum,go,$work/sum-go" >>build/bench/app/programs.csv # can be built, and is not

misused 'which build tree?' "$compare"
misused "'elsewhere'" "$compare" elsewhere
misused "'foo'" "$compare" build --programs sum,foo
misused "'foo'" "$compare" build --layers heist,foo
misused "'0'" "$compare" build --rounds 0
misused "'x'" "$compare" build --workers 1,x
misused "'--foo'" "$compare" build --foo 1
misused "'--rounds'" "$compare" build --rounds
misused "'no/such/file'" "$compare" build --rows no/such/file
ends 0 "$compare" --help
says --rounds out

# The median of 10, 11, 12 is 11; of 5, 6, 7 it is 6.
ends 1 "$compare" build --rounds 3 --rows rows
[ "$(sed -n 1p out)" = '| program | serial 1 | heist 1 | heist 2 | tbb 1 | tbb 2 |' ] || fail 'the head'
[ "$(sed -n 3p out)" = '| `sum`, round 7 | 11000 | 6000 (0.55) | 6000 (0.55) | wrong | wrong |' ] ||
    fail 'the medians'
[ "$(wc -l <rows)" = 15 ] || fail 'not all rows are there'
says 'go is not built; cmake --build build --target heist-app-languages' err

ends 0 "$compare" build --rounds 1 --layers serial,heist
[ ! -s err ] || fail 'words about a layer that nobody has asked for'

# Another kind of queue is asked for by name, and has rows of its own.
make_script build/heist 'echo "abp  LIFO"; echo "split  LIFO"'
make_script sum-heist 'echo "sum,heist,$2,7,round,1,1,$([ "$HEIST_QUEUE" = split:half ] && echo 3 || echo 8),0,1"'
misused "'heist:ab'" "$compare" build --layers heist:ab
ends 0 "$compare" build --rounds 1 --workers 2 --layers heist,heist:split:half
[ "$(sed -n 1p out)" = '| program | heist 2 | heist:split:half 2 |' ] || fail 'the head with kinds'
[ "$(sed -n 3p out)" = '| `sum`, round 7 | 8000 | 3000 |' ] || fail 'the kinds'

# One that breaks is noticed, and the others are measured.
make_script sum-heist 'exit 1'
ends 1 "$compare" build --rounds 1 --layers serial,heist
says '| `sum`, round 7 | 14000 |' out
finish
