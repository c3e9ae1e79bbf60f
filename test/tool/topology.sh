#!/bin/sh
# SPDX-License-Identifier: MIT
# heist topology: HEIST is the command, HWLOC says whether it was built with hwloc (1 or 0), PLAIN=1 if
# it is built without sanitizers and runs without an emulator.
. "$(dirname "$0")/../command.sh"

wrong() { # TEXT ARGUMENT...
    text=$1
    shift
    misused "$text" $HEIST topology "$@"
}
shows() { # LINE ARGUMENT...: one of the lines is LINE
    line=$1
    shift
    $HEIST topology "$@" | grep -qxF -- "$line" || fail "'$*' shows '$line'"
}

wrong "unknown option '--pins'" --pins
wrong "unknown option '-p'" -p
wrong "a value is missing after '--pin'" --pin
wrong "compact or spread, not 'none'" --pin none
wrong "from 1 to 1024, not '0'" --workers 0
wrong "from 1 to 1024, not 'x'" --workers x
wrong "stray argument 'pack:2'" pack:2
wrong "'--help=all'" --help=all
$HEIST topology --help | grep -q -- --synthetic || fail "--help names --synthetic"

shows 'level  what two CPUs share'
shows "     0 $($HEIST topology --workers 1 | tail -1 | cut -c8-)" --workers 1

if [ "$HWLOC" = 0 ]; then
    wrong "without hwloc" --synthetic 'pack:2 l3:2 core:8 pu:1'
    finish
fi
wrong "not 'nonsense'" --synthetic nonsense
wrong "not ''" --synthetic ''
wrong "not 'none.xml'" --synthetic none.xml
wrong "up to 8192 CPUs" --synthetic pu:16384

# What hwloc would take all memory for. Little is there, should it be asked: sanitizers need more.
large() { # DESCRIPTION
    [ "${PLAIN:-0}" = 1 ] || return
    (
        ulimit -v 500000 || fail 'no limit'
        wrong "not '$1'" --synthetic "$1"
        misused "'$1'" $HEIST sim --topology "$1"
        exit "$failures"
    ) || failures=$((failures + 1))
}
large pu:4000000000
large pu:0x10000000
large pu:02000000000
large pu:+100000000
large 'pu: 100000000'
large "pu:$(printf '\t')100000000"
large '8192(memory=1)8192'
large 'core:8192(memory=1)pu:8192'
large 'core:8192[numa]pu:8192'
large '(memory=1)8192 8192'
large "core:8192 $(printf '[numa]%.0s' $(seq 500)) pu:1"

m='pack:2 l3:2 core:8 pu:1'
shows '      CPUs 8 9 10 11 12 13 14 15' --synthetic "$m"
shows '    1  node' --synthetic "$m"
shows '    10   10      1024  L3: 8-9 11-15; node: 0-7; node, other package: 16-31' --synthetic "$m"
shows '     1   16      1024  node, other package: 0' --synthetic "$m" --pin spread --workers 2
# Hardware threads of a core; a node in each package; more workers than CPUs.
shows '    CPUs 4,5 6,7' --synthetic 'pack:2 numa:1 core:2 pu:2'
shows '     2    0      1024  core: 0-1 3' --synthetic 'core:1 pu:2' --workers 4
finish
