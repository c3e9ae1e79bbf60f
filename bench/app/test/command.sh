#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh HISTOGRAM_HEIST HISTOGRAM_SERIAL: the command line that all programs share. RUNNER as
# for program.sh.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
heist="${RUNNER-} $1"
serial="${RUNNER-} $2"

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' "$work/out" "$work/err"
}

# refused TEXT COMMAND...: status 2, no stdout, one line on stderr that has TEXT and --help.
refused() {
    text=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
        grep -qF -e "$text" "$work/err" && grep -q -e '--help' "$work/err" ||
        fail "status $status, not a clear refusal: $*"
}

refused "'0'" $heist --workers 0
refused "from 1 to 1024" $heist --workers 1025
refused "'0'" $heist --size 0
refused "'9223372036854775808'" $heist --size 9223372036854775808
refused "'-1'" $heist --size -1
refused "'x'" $heist --seed x
refused "'0'" $heist --repeat 0
refused "'foo': no such shape; there are random, exponential, nearly-sorted, few" $heist --shape foo
refused "'--foo'" $heist --foo
refused "'foo'" $heist foo
refused "--shape needs a value" $heist --shape
refused "--help takes no value" $heist --help=1
refused "the serial one has 1" $serial --workers 2

$heist --help >"$work/out" 2>"$work/err" || fail 'no --help'
for word in --workers --size --shape --seed --repeat --warmup --list nearly-sorted Examples: \
    HEIST_QUEUE; do
    grep -qF -e "$word" "$work/out" || fail "--help does not say $word"
done

header=program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok
row='^histogram,heist,2,1000,few,7,[123],[0-9]+\.[0-9]{9},[0-9a-f]{16},1$'
$heist --workers 2 --size 1000 --shape few --seed 7 --repeat 3 >"$work/out" 2>"$work/err" ||
    fail 'three rows'
[ "$(head -1 "$work/out")" = $header ] || fail 'the header'
[ "$(grep -cE "$row" "$work/out")" = 3 ] || fail 'the rows'

if [ -e /dev/full ]; then
    $heist --size 10 2>"$work/err" >/dev/full && fail 'rows that could not be written, and status 0'
    grep -q 'could be written' "$work/err" || fail 'not a word about rows that could not be written'
fi
[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
