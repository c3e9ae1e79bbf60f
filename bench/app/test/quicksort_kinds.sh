#!/bin/sh
# SPDX-License-Identifier: MIT
# quicksort_kinds.sh QUICKSORT_KINDS: tests of that command. RUNNER as for program.sh.
. "$(dirname "$0")/../../../test/command.sh"
kinds="${RUNNER-} $1"

# 3 rounds: serial, and 2 kinds with 1 and with 2 workers; all with the same, right result.
ends 0 $kinds --kinds bwos_lifo:8,heist --workers 1,2 --size 20000 --rounds 3 --csv -
sed -i '/^#/d' out # the machine
[ "$(column ok | grep -cx 1)" = 15 ] || fail 'not 15 right rows'
[ "$(column checksum | sort -u | wc -l)" = 1 ] || fail 'not the same result'
[ "$(column kind | sort | uniq -c | tr -s ' ' | tr '\n' ,)" = ' 6 bwos_lifo:8, 6 heist, 3 serial,' ] ||
    fail 'not all have had their turns'
# One worker steals nothing; two do, if there is enough to do.
[ "$(awk -F, '$3 == 1 { n += $9 } END { print n + 0 }' out)" = 0 ] || fail 'one worker has stolen'
ends 0 $kinds --kinds chaselev,bwos_lifo:16 --size 1000000 --rounds 3 --csv rows
[ "$(awk -F, '$3 == 2 { n += $9 } END { print n + 0 }' rows)" -gt 0 ] || fail 'nothing was stolen'
for text in median voluntary 'x best' serial bwos_lifo:16 compiler; do
    says "$text" out
done
ends 0 $kinds --shape few --size 1 --rounds 1

ends 0 $kinds --help
says Examples: out
misused "'foo': no such kind" $kinds --kinds heist,foo
misused "'bwos_lifo:0': no such kind" $kinds --kinds bwos_lifo:0
misused 'named twice' $kinds --kinds heist,heist
misused "'0'" $kinds --workers 0
misused "'0'" $kinds --size 0
misused "'9223372036854775808'" $kinds --size 9223372036854775808
misused "'foo': no such shape" $kinds --shape foo
misused "'no/such/file'" $kinds --csv no/such/file
misused '--rounds needs a value' $kinds --rounds
misused "'foo'" $kinds foo
finish
