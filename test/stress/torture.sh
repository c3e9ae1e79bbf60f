#!/bin/sh
# SPDX-License-Identifier: MIT
# torture.sh BUILD SECONDS: the torture tests of this build, then of its trees with AddressSanitizer
# and ThreadSanitizer, a third of the time each (and what it takes to build them). As many kinds run
# at a time as there are processors: they disturb each other, which is welcome.
set -eu
build=$1 seconds=$2 failed=

case $seconds in
'' | *[!0-9]*) echo "torture: TORTURE '$seconds': give a whole number of seconds" >&2; exit 2 ;;
esac
jobs=$(nproc)
kinds=$(ctest --test-dir "$build" -N -L '^torture$' | grep -c 'Test *#')
HEIST_STRESS_SECONDS=$(awk "BEGIN { print $seconds / 3 * $jobs / $kinds }")
export HEIST_STRESS_SECONDS
echo "torture: $kinds kinds in 3 builds, $HEIST_STRESS_SECONDS s each"

part() { ctest --test-dir "$build" -j "$jobs" --no-tests=error --verbose "$@" || failed=yes; }
part -L '^torture$'
part -C torture -R '^torture-in-'
if [ "$failed" ]; then
    echo 'torture: FAILED; the command to run it again is above' >&2
    exit 1
fi
echo "torture: all passed"
