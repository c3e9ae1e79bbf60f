#!/bin/sh
# SPDX-License-Identifier: MIT
# verify.sh BUILD_DIR LOG [KIND...]: all clients of these kinds, or of all, under the model checker, the
# quick ones in the stronger models too, then each memory order weakened in turn. Prints the tables and
# writes them to LOG, with date, machine, compiler and commit. The exit status is the worst of the three.
set -u
build=$1 log=$2
shift 2
kinds=$*

# $log may be in the repository: it is not changed before its commit has been asked for.
new=$(mktemp "$log.XXXXXX") || exit 1
trap 'rm -f "$new" "$new.part"' EXIT
trap 'exit 1' INT TERM HUP

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
commit=$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown)
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
{
    echo "date:     $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "machine:  ${cpu:-unknown CPU}, $(nproc) CPUs, $(uname -srm)"
    echo "compiler: $("$compiler" --version | head -1)"
    echo "commit:   $commit"
} >"$new"
cat "$new"

worst=0
# run OPTION...: of heist verify.
run() {
    # shellcheck disable=SC2086 # kinds are words
    set -- "$@" $kinds
    printf '\nheist verify %s\n' "$*" | tee -a "$new"
    "$build/heist" verify "$@" >"$new.part"
    status=$?
    cat "$new.part"
    cat "$new.part" >>"$new"
    [ $status -le $worst ] || worst=$status
}
run --full
run --model tso,sc
run --mutants

chmod 644 "$new"
mv "$new" "$log"
echo "written to $log"
exit $worst
