#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the clients of verify/clients.h through GenMC too and compares verdicts with our checker's.
set -eu

usage() {
    cat <<END
usage: compare.sh [OPTION]... BUILD [KIND]...
Runs each client of the build directory BUILD through our checker and through GenMC, and compares
the verdicts.
  --full           also the clients that take minutes
  --client NAME    only this client
  --model MODEL    rc11 (default), tso or sc
  --seconds N      give up a client after so long, in each of the two (default 300)
  --weaken ORDER   with this order of the ledger relaxed; the clients of kinds that have it
  --help           this text
GENMC=PROGRAM in the environment names GenMC where it is not 'genmc' on the path.
Exit status: 0 no difference (or no GenMC here), 1 a difference, or one of the two could not run a
client, 2 bad usage.
END
}

refuse() {
    echo "compare.sh: $1" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
. "$here/clients.sh"

full=false only='' model=rc11 seconds=300 weaken='' build='' kinds=''
while [ $# -gt 0 ]; do
    case $1 in
    --help)
        usage
        exit 0
        ;;
    --full) full=true ;;
    --client | --model | --seconds | --weaken)
        [ $# -gt 1 ] || refuse "$1 needs a value; see --help"
        case $1 in
        --client) only=$2 ;;
        --model) model=$2 ;;
        --seconds) seconds=$2 ;;
        --weaken) weaken=$2 ;;
        esac
        shift
        ;;
    -*) refuse "no such option '$1'; see --help" ;;
    *) if [ -z "$build" ]; then build=$1; else kinds="$kinds $1"; fi ;;
    esac
    shift
done
case $model in
rc11 | tso | sc) ;;
*) refuse "no such model '$model': it is rc11, tso or sc" ;;
esac
case $seconds in
'' | *[!0-9]* | 0*) refuse "not a number of seconds '$seconds': a whole number from 1" ;;
esac
[ -n "$build" ] || refuse "which build directory? see --help"
[ -d "$build/verify/genmc" ] ||
    refuse "no checker in '$build': build first (make; it needs gcc on x86_64 or aarch64)"
build=$(cd "$build" && pwd)
# GenMC hands its flags to a shell.
case $source$build in
*[!A-Za-z0-9/._+-]*)
    refuse "GenMC can't take special characters in the paths '$source' and '$build': move them"
    ;;
esac

genmc=${GENMC:-genmc}
if ! command -v "$genmc" >/dev/null; then
    cat <<END
No '$genmc' here: nothing was compared. GenMC is the model checker of MPI-SWS for C programs, a
second opinion on our own. Get version 0.10 or later from https://github.com/MPI-SWS/genmc (or the
container genmc/genmc), put 'genmc' on the path or say GENMC=/path/to/genmc, and run this again.
END
    exit 0
fi
home=https://github.com/MPI-SWS/genmc
version=$("$genmc" --version 2>&1 | sed -n 's/.*GenMC v\([0-9][0-9.]*\).*/\1/p' | sed q) || true
case $version in
'') refuse "'$genmc --version' does not say 'GenMC v...': is it GenMC? See $home" ;;
0.[0-9] | 0.[0-9].*) refuse "GenMC $version is too old: get 0.10 or later from $home" ;;
esac

if [ -z "$kinds" ]; then
    for file in "$build"/verify/genmc/*.c; do
        kind=${file##*/}
        kinds="$kinds ${kind%.c}"
    done
fi
chosen=''
for kind in $kinds; do
    [ -x "$build/verify/verify-$kind" ] ||
        refuse "no such kind '$kind': there is no $build/verify/verify-$kind"
    [ -z "$weaken" ] || "$build/verify/verify-$kind" --orders | grep -q -- "^$weaken " || continue
    [ -z "$only" ] || clients "$build" "$kind" | grep -q " $only " || continue
    chosen="$chosen $kind"
done
wanted=${only:+" the client $only"}${weaken:+" the order $weaken"}
[ -n "$chosen" ] || refuse "none of$kinds has$wanted; see verify-KIND --list and --orders"

logs=$build/verify/genmc/logs
mkdir -p "$logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Sets verdict and executions: what our checker says.
run_here() {
    timeout --foreground "$((seconds + 10))" "$build/verify/verify-$1" --client "$2" \
        --model "$model" --seconds "$seconds" ${weaken:+--weaken "$weaken"} \
        >"$work/here" 2>"$work/errors" || true
    row=$(grep "^$1,$2," "$work/here") || row=,,,,-,,error,
    executions=$(echo "$row" | cut -d, -f5)
    verdict=$(echo "$row" | cut -d, -f7)
    [ "$verdict" != error ] || cat "$work/here" "$work/errors" >&2
}

# Sets verdict and executions: what GenMC says of client number $2, called $3. Its reduction by
# symmetry is off, so that the counts can be compared.
run_genmc() {
    log=$logs/$1-$3.txt status=0
    # The words of flags are to be split.
    # shellcheck disable=SC2046
    timeout --foreground "$seconds" "$genmc" "--$model" --disable-estimation --disable-sr -- \
        $(flags "$source" "$2") ${weaken:+"-D$weaken=__ATOMIC_RELAXED"} \
        "$build/verify/genmc/$1.c" >"$log" 2>&1 || status=$?
    executions=$(sed -n 's/^Number of complete executions explored: \([0-9]*\).*/\1/p' "$log")
    if [ "$status" = 124 ]; then
        verdict=unfinished
    elif [ "$status" = 0 ] && [ -n "$executions" ] && grep -q '^No errors were' "$log"; then
        verdict=ok
    elif grep -q 'this client needs signals' "$log"; then
        verdict=skipped
    elif [ -n "$executions" ] && grep -q 'Verification unsuccessful' "$log"; then
        verdict=failed
    else
        verdict=error
    fi
    executions=${executions:--}
}

row() {
    printf '%-10s %-14s %12s %12s  %-10s %-10s %s\n' "$@"
}

clients_run=0 different=0 errors=0 open=0
row kind client here GenMC here GenMC same
for kind in $chosen; do
    clients "$build" "$kind" >"$work/clients"
    while read -r number name length <&3; do
        if [ -n "$only" ]; then
            [ "$name" = "$only" ] || continue
        elif [ "$length" = random ] || { [ "$length" = full ] && ! $full; }; then
            continue
        fi
        run_here "$kind" "$name"
        here_verdict=$verdict here_executions=$executions
        run_genmc "$kind" "$number" "$name"
        clients_run=$((clients_run + 1))
        case $here_verdict,$verdict in
        error,* | *,error)
            same='no: an error' errors=$((errors + 1))
            ;;
        unfinished,* | *,unfinished)
            same='?' open=$((open + 1))
            ;;
        *,skipped)
            same='- (needs signals)' open=$((open + 1))
            ;;
        "$verdict,$verdict")
            same=yes
            ;;
        *)
            same=NO different=$((different + 1))
            ;;
        esac
        row "$kind" "$name" "$here_executions" "$executions" "$here_verdict" "$verdict" "$same"
        case $same in
        [nN]*)
            grep -i -m 3 'error:\|^assertion' "$log" | sed 's/^/    GenMC: /' || true
            echo "    GenMC's output: $log"
            ;;
        esac
    done 3<"$work/clients"
done
[ "$clients_run" -gt 0 ] || refuse "all clients of$chosen are long ones: say --full"
echo "GenMC $version, $model${weaken:+, $weaken relaxed}: $clients_run clients," \
    "$different different, $errors errors, $open not compared"
[ "$((different + errors))" = 0 ]
