#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: compare.sh BUILD: what the script of that name says and how it exits, with a GenMC that
# only pretends, and a checker that does too; in the last cases the checker is BUILD's.
set -eu
real=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
compare=$here/../compare.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/build/verify/genmc"
PATH=$work/bin:$PATH
unset GENMC
failures=0

# HERE: the verdict of our checker.
cat >"$work/build/verify/verify-fake" <<'END'
#!/bin/sh
case $1 in
--list) printf 'short quick\nlong full\ndrawn random\n' ;;
--orders) echo HEIST_FAKE_PUBLISH release ;;
--client)
    [ "$HERE" != crash ] || exit 139
    echo "fake,$2,$4,,12,13,$HERE,0.01"
    ;;
esac
END

# SAYS: how GenMC behaves. It also notes how it was called.
cat >"$work/bin/genmc" <<'END'
#!/bin/sh
if [ "$1" = --version ]; then
    case $SAYS in
    old) printf 'GenMC (https://github.com/MPI-SWS/genmc):\n  GenMC v0.9\n' ;;
    stranger) echo 'gcc 12' ;;
    *) printf 'GenMC (https://github.com/MPI-SWS/genmc):\n  GenMC v0.10.3 (commit #1)\n' ;;
    esac
    exit 0
fi
echo "$*" >>"$CALLS"
case $SAYS in
right)
    printf '*** Verification complete.\nNo errors were detected.\n'
    printf 'Number of complete executions explored: 12\nTotal wall-clock time: 0.02s\n'
    ;;
wrong | signals)
    echo 'Error: Safety violation!'
    [ "$SAYS" = wrong ] && what='nothing twice' || what='!"this client needs signals"'
    printf 'Assertion violation: %s\n*** Verification unsuccessful.\n' "$what"
    echo 'Number of complete executions explored: 3'
    exit 42
    ;;
strange)
    echo 'ERROR: Invalid call to memcpy()!'
    exit 17
    ;;
crash) kill -SEGV $$ ;;
slow) exec sleep 20 ;;
esac
END
: >"$work/build/verify/genmc/fake.c"
chmod +x "$work/build/verify/verify-fake" "$work/bin/genmc"

# expect NAME STATUS PATTERN: of the run before, whose output is in $work/output.
expect() {
    if [ "$status" != "$2" ] || ! grep -q -- "$3" "$work/output"; then
        echo "$1: exit status $status, not $2, or no '$3' in:" >&2
        cat "$work/output" >&2
        failures=$((failures + 1))
    fi
}

# called NAME PATTERN: how GenMC was called in the run before.
called() {
    if ! grep -q -- "$2" "$work/calls"; then
        echo "$1: GenMC was called by '$(cat "$work/calls")', not by '$2'" >&2
        failures=$((failures + 1))
    fi
}

# run HERE SAYS ARGUMENT...
run() {
    : >"$work/calls"
    here_says=$1 genmc_says=$2
    shift 2
    status=0
    HERE=$here_says SAYS=$genmc_says CALLS=$work/calls \
        "$compare" "$@" >"$work/output" 2>&1 || status=$?
}

fake=$work/build
run ok right "$fake"
expect 'both ok' 0 '^fake  *short  *12  *12  *ok  *ok  *yes$'
expect 'summary' 0 '^GenMC 0.10.3, rc11: 1 clients, 0 different, 0 errors, 0 not compared$'
called 'the first client' '^--rc11 .*-- .*-DCLIENT=0 .*/verify/genmc/fake.c$'
run failed wrong "$fake"
expect 'both failed' 0 '^fake  *short  *12  *3  *failed  *failed  *yes$'
run ok wrong "$fake"
expect 'only GenMC failed' 1 '^fake  *short .* ok  *failed  *NO$'
expect 'how GenMC failed' 1 'GenMC: Assertion violation: nothing twice'
run failed right "$fake"
expect 'only ours failed' 1 ' failed  *ok  *NO$'
run ok strange "$fake"
expect 'GenMC does not understand' 1 '12  *-  *ok  *error  *no: an error$'
expect 'what it does not understand' 1 'GenMC: ERROR: Invalid call to memcpy'
run ok crash "$fake"
expect 'GenMC crashes' 1 '12  *-  *ok  *error  *no: an error$'
run crash right "$fake"
expect 'ours crashes' 1 '-  *12  *error  *ok  *no: an error$'
run ok signals "$fake"
expect 'signals' 0 'skipped  *- (needs signals)$'
run ok slow --seconds 1 "$fake"
expect 'slow' 0 'unfinished  *?$'
run ok right --full "$fake"
expect 'the long ones' 0 '^fake  *long '
expect 'count of them' 0 ': 2 clients, '
called 'the second client' '-DCLIENT=1 '
run ok right --client long --model tso "$fake" fake
expect 'one client, and the model' 0 '^GenMC 0.10.3, tso: 1 clients'
run failed wrong --weaken HEIST_FAKE_PUBLISH "$fake"
expect 'weakened' 0 'HEIST_FAKE_PUBLISH relaxed: 1 clients, 0 different'
called 'weakened' '-DHEIST_FAKE_PUBLISH=__ATOMIC_RELAXED '

run ok old "$fake"
expect 'old version' 2 'GenMC 0.9 is too old: get 0.10 or later'
run ok stranger "$fake"
expect 'no GenMC at all' 2 'is it GenMC'
run ok right
expect 'no build' 2 'which build directory'
run ok right "$work/nowhere"
expect 'build that is none' 2 "no checker in '$work/nowhere'"
run ok right "$fake" chaselove
expect 'kind' 2 "no such kind 'chaselove'"
run ok right --client none "$fake"
expect 'client' 2 "none of fake has the client none"
run ok right --weaken NONE "$fake"
expect 'order' 2 "none of fake has the order NONE"
run ok right --model power "$fake"
expect 'model' 2 "no such model 'power'"
run ok right --seconds soon "$fake"
expect 'seconds' 2 "not a number of seconds 'soon'"
run ok right --fast "$fake"
expect 'option' 2 "no such option '--fast'"

export GENMC="$work/none"
run ok right "$fake"
expect 'not installed' 0 'https://github.com/MPI-SWS/genmc'
unset GENMC

# The real checker's list, rows and orders are as the script wants them.
kind=$(cd "$real/verify/genmc" && for file in *.c; do echo "${file%.c}"; done | sed q)
client=$("$real/verify/verify-$kind" --list | sed 's/ .*//;q')
order=$("$real/verify/verify-$kind" --orders | sed 's/ .*//;q')
run '' right --client "$client" "$real" "$kind"
expect 'our checker' 0 "^$kind  *$client  *[1-9][0-9]*  *12  *ok  *ok  *yes$"
run '' right --client "$client" --weaken "$order" "$real" "$kind"
[ "$status" != 1 ] || status=0 # whether this client needs this order is not the question
expect 'our checker, an order weakened' 0 "$order relaxed: 1 clients, [01] different, 0 errors"

[ "$failures" = 0 ]
