#!/bin/sh
# SPDX-License-Identifier: MIT
# kinds.sh EXECUTABLE KIND...: a program of the layer heist on every kind of queue. RUNNER as for
# program.sh.
executable=$1
shift
. "$(dirname "$0")/../../../test/command.sh"
[ $# -gt 0 ] || fail 'no kinds'
for kind; do
    ends 0 env HEIST_QUEUE="$kind" timeout 120 ${RUNNER-} "$executable" --workers 2 --size 50000 \
        --repeat 3
    [ "$(column ok | grep -cx 1)" = 3 ] || fail "not three right rows: $kind"
    # A kind that does not exist would give a line, and the default.
    [ ! -s err ] || fail "words on stderr: $kind"
done
finish
