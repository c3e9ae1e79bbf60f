#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh HISTOGRAM_HEIST HISTOGRAM_SERIAL: the command line that all programs share. RUNNER as
# for program.sh.
. "$(dirname "$0")/../../../test/command.sh"
heist="${RUNNER-} $1"
serial="${RUNNER-} $2"

misused "'0'" $heist --workers 0
misused "from 1 to 1024" $heist --workers 1025
misused "'0'" $heist --size 0
misused "'9223372036854775808'" $heist --size 9223372036854775808
misused "'-1'" $heist --size -1
misused "'x'" $heist --seed x
misused "'0'" $heist --repeat 0
misused "'foo': no such shape; there are random, exponential, nearly-sorted, few" $heist --shape foo
misused "'--foo'" $heist --foo
misused "'foo'" $heist foo
misused "--shape needs a value" $heist --shape
misused "--help takes no value" $heist --help=1
misused "the serial one has 1" $serial --workers 2
misused "the layer serial has none" $serial --stats
misused "'foo': it is eager or lazy" $heist --loops foo
misused "the layer serial has no choice" $serial --loops eager

ends 0 $heist --help
for word in --workers --size --shape --seed --repeat --warmup --turns --loops --stats --list nearly-sorted \
    Examples: HEIST_QUEUE; do
    says "$word" out
done

header=program,layer,workers,size,shape,seed,repeat,seconds,checksum,ok
row='^histogram,heist,2,1000,few,7,[123],[0-9]+\.[0-9]{9},[0-9a-f]{16},1$'
ends 0 $heist --workers 2 --size 1000 --shape few --seed 7 --repeat 3
[ "$(head -1 out)" = $header ] || fail 'the header'
[ "$(grep -cE "$row" out)" = 3 ] || fail 'the rows'

# Statistics: what one solution did, not all so far.
ends 0 $heist --size 1000 --repeat 3 --stats
says $header,tasks,forks,steals, out
[ "$(column tasks | sort -u)" = 1 ] || fail 'not one task per solution'

if [ -e /dev/full ]; then
    $heist --size 10 2>err >/dev/full && fail 'rows that could not be written, and status 0'
    grep -q 'could be written' err || fail 'not a word about rows that could not be written'
fi
finish
