#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh COMPARE: tests of bench/app/compare.sh, with programs that this makes.
set -u
compare=$1
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
    "$compare" "$@" >out 2>err
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$text" err &&
        grep -q -e '--help' err || fail "status $status, not a clear refusal: $*"
}

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

refused 'which build tree?'
refused "'elsewhere'" elsewhere
refused "'foo'" build --programs sum,foo
refused "'foo'" build --layers heist,foo
refused "'0'" build --rounds 0
refused "'x'" build --workers 1,x
refused "'--foo'" build --foo 1
refused "'--rounds'" build --rounds
refused "'no/such/file'" build --rows no/such/file
"$compare" --help >out 2>err && grep -q -- --rounds out || fail 'no --help'

# The median of 10, 11, 12 is 11; of 5, 6, 7 it is 6.
"$compare" build --rounds 3 --rows rows >out 2>err
[ $? = 1 ] || fail 'something is wrong, but not the status'
[ "$(sed -n 1p out)" = '| program | serial 1 | heist 1 | heist 2 | tbb 1 | tbb 2 |' ] || fail 'the head'
[ "$(sed -n 3p out)" = '| `sum`, round 7 | 11000 | 6000 (0.55) | 6000 (0.55) | wrong | wrong |' ] ||
    fail 'the medians'
[ "$(wc -l <rows)" = 15 ] || fail 'not all rows are there'

"$compare" build --rounds 1 --layers serial,heist >out 2>err || fail "all is right, but status $?"

# One that breaks is noticed, and the others are measured.
printf '#!/bin/sh\nexit 1\n' >sum-heist
"$compare" build --rounds 1 --layers serial,heist >out 2>err
[ $? = 1 ] && grep -q '^| `sum`, round 7 | 14000 |$' out || fail 'a broken program'
[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
