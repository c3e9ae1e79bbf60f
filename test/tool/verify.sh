#!/bin/sh
# SPDX-License-Identifier: MIT
# verify.sh: tests of heist verify, with programs that only pretend to be the checker's. HEIST runs the
# command (with an emulator in front, perhaps); NATIVE=1 if it can start programs.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"

verify() {
    : >calls
    $HEIST verify "$@"
}

# rejects TEXT ARGUMENT...: refused, and nothing was checked.
rejects() {
    text=$1
    shift
    refused "$text" verify "$@"
    [ ! -s calls ] || fail "something was checked: heist verify $*"
}

lacks() { # TEXT FILE
    ! grep -qF -e "$1" "$2" || fail "'$1' in $2"
}

# Whether the process runs: one that has been killed may wait for long until init buries it.
runs() {
    state=$(sed -n 's/^State:\t//p' "/proc/$1/status" 2>/dev/null)
    [ -n "$state" ] && [ "${state%% *}" != Z ]
}

# Every process of the slow ones is gone; what is killed may take a moment.
nothing_left() {
    [ -s calls.pids ] || fail 'nothing slow was started'
    while read -r pid; do
        runs "$pid" && sleep 1
        if runs "$pid"; then
            fail "process $pid was left behind"
            kill -s KILL "$pid"
        fi
    done <calls.pids
    rm -f calls.pids
}

# in_background ARGUMENT...: as a shell starts it for a user; behind &, INT would be ignored.
in_background() {
    env --default-signal=INT $HEIST verify "$@" >out 2>err &
    background=$!
}

# stops SIGNAL NUMBER: the signal ends what is in the background, when so many processes are there.
stops() {
    tries=0
    until [ -e calls.pids ] && [ "$(wc -l <calls.pids)" = "$2" ]; do
        tries=$((tries + 1))
        [ $tries -gt 300 ] && fail 'it does not begin' && break
        sleep 0.1
    done
    kill -s "$1" $background
    wait $background
    status=$?
    [ $status -gt 128 ] && [ "$(kill -l $status)" = "$1" ] || fail "status $status after $1"
}

HEIST_VERIFY_DIR=$work/fakes
FAKE_LOG=$work/calls
FAKE_LIST='ok quick'
export HEIST_VERIFY_DIR FAKE_LOG FAKE_LIST
: >calls

# Bad input.
rejects "unknown kind 'foo'" foo
rejects "unknown kind 'foo'" abp foo --quick
rejects "named twice: kind 'abp'" abp abp
rejects "unknown option '--foo'" --foo
rejects "unknown option '-x'" -xy
rejects "not 'foo'" --model foo
rejects "not 'rc11,foo'" --model rc11,foo
rejects "not 'sc,'" --model sc,
rejects "not ''" --model=
rejects "value is missing after '--model'" --model
rejects "'--quick=1'" --quick=1
rejects "'--full'" --quick --full
rejects "'--quick'" --mutants --quick
rejects "'--client'" --mutants --client ok
rejects "not '0'" --jobs 0
rejects "not 'x'" --seconds x
rejects "not '-1'" --seconds -1
rejects "not '1.5'" --seconds 1.5
rejects "not 'foo'" abp --client ok --seed foo
rejects "not '99999999999999999999'" abp --client ok --seed 99999999999999999999
rejects "not '1x'" abp --client ok --replay 1x
rejects "not '0'" abp --client ok --random 0
rejects "not 'few'" abp --client ok --preemptions few
rejects "one --client are needed for '--seed'" abp --seed 1
rejects "one --client are needed for '--random'" abp bulk --client ok --random 1
rejects "one --client are needed for '--replay'" --client ok --replay 1
rejects 'no program verify-abp in' abp
rejects 'built with the tests, by gcc on x86_64 or aarch64: run make' --quick
ends 0 verify --help && says 'Examples' out

if [ "${NATIVE:-0}" = 1 ]; then
    mkdir fakes
    kinds=0
    for kind in $($HEIST verify --help | sed -n 's/^Kinds: //p'); do
        ln -s "$here/fake.sh" "fakes/verify-$kind"
        kinds=$((kinds + 1))
    done

    rejects "abp has no client 'foo', only ok" abp --client foo
    rejects "no kind has a client 'foo'" --client foo
    rejects "'no/such/file'" --csv no/such/file
    FAKE_LIST='ok slowly' rejects 'did not list its clients' abp
    FAKE_LIST='' rejects 'did not list its clients' abp

    ends 0 verify
    says "$kinds checks of $kinds kinds: $kinds ok; $((kinds * 1234)) executions in" out
    [ "$(grep -c '^[a-z_]*  *ok  *rc11  *1234  *ok  *0.25$' out)" = $kinds ] ||
        fail 'another table'
    [ "$(grep -c 'ok, 1234 executions' err)" = $kinds ] || fail 'not a line for each'
    ends 0 verify --quick --jobs 1 && says "$kinds ok" out
    says '--seconds' calls

    # Which clients, and how they are called.
    FAKE_LIST='ok-1 quick
ok-2 full
ok-3 random'
    ends 0 verify abp && says '1 check of 1 kind: 1 ok' out
    lacks --seconds calls
    ends 0 verify abp --full --jobs 1 && says '3 checks of 1 kind: 3 ok' out
    [ "$(cut -d' ' -f3 calls | tr '\n' ' ')" = 'ok-2 ok-3 ok-1 ' ] || fail 'not the longest first'
    [ "$(awk '/^abp/ { print $2 }' out | tr '\n' ' ')" = 'ok-1 ok-2 ok-3 ' ] ||
        fail 'a table in another order'
    ends 0 verify abp bulk --client ok-2 && says '2 checks of 2 kinds: 2 ok' out
    ends 0 verify --client ok-2 --seconds 7 bulk && says '--client ok-2 --model rc11 --seconds 7' calls
    ends 0 verify abp --client ok-1 --random 5 --seed 1 --preemptions 2 --seed 3
    says '--random 5 --seed 3 --preemptions 2' calls
    ends 0 verify abp --client ok-1 --replay 18446744073709551615
    says '--replay 18446744073709551615' calls
    ends 0 verify abp --model sc,tso --model rc11,sc && says '3 checks of 1 kind: 3 ok' out

    # CSV.
    header=kind,client,model,weakened,executions,runs,verdict,seconds
    row=abp,ok-1,rc11,,1234,2345,ok,0.25
    ends 0 verify --csv abp && [ "$(cat out)" = "$header
$row" ] || fail 'another CSV'
    says '1 check of 1 kind' err
    ends 0 verify abp --csv - && says $row out
    ends 0 verify abp --csv rows.csv && says $row rows.csv && says '1 check' out
    ends 0 verify --csv=rows.csv bulk && says bulk,ok-1,rc11,,1234,2345,ok,0.25 rows.csv
    for csv in --csv --csv=/dev/full; do
        $HEIST verify abp $csv >/dev/full 2>err
        [ $? = 1 ] && says 'could be written' err || fail "a full disk and $csv"
    done

    # What goes wrong: client, status, verdict, what is said.
    while read -r client status verdict text; do
        FAKE_LIST="ok quick
$client quick"
        ends "$status" verify abp
        grep -q "^abp  *$client  *rc11  .*  $verdict " out || fail "$client is not $verdict"
        says "2 checks of 1 kind: 1 ok, 1 $verdict" out
        says "$text" out
        ends "$status" verify abp --csv
        grep -q "^abp,$client,rc11,,[0-9]*,[0-9]*,$verdict," out || fail "$client has no row"
    done <<END
failed 1 failed thread 1 reads from nowhere
unfinished 1 unfinished
crash 1 crashed ended by signal 11
crash 1 crashed a last word
refuses 2 refused fake: not with me
silent 1 broken exit status 0 without
rubbish 1 broken exit status 0 without
other 1 broken exit status 0 without
liar 1 broken exit status 1 without
unknown 1 broken exit status 3 without
END

    # The mutants.
    ends 0 verify --mutants
    says "$((2 * kinds)) weakened orders of $kinds kinds: $((2 * kinds)) caught" out
    FAKE_MUTANTS=none ends 0 verify abp --mutants && says '0 weakened orders of 1 kind; 0 exec' out
    FAKE_MUTANTS=weak ends 1 verify abp --mutants --model tso
    grep -q '^abp  *-  *tso  *SECOND  *1234  *not caught  *0.25$' out || fail 'no weak order'
    says '2 weakened orders of 1 kind: 1 caught, 1 not caught' out
    FAKE_MUTANTS=crash ends 1 verify abp --mutants && says 'ended by signal 11' out

    # make verify.
    FAKE_LIST='ok-1 quick
ok-2 full'
    for status in 0 1; do
        [ $status = 0 ] || FAKE_MUTANTS=weak
        export FAKE_MUTANTS
        "$here/../../scripts/verify.sh" "$(dirname $HEIST)" log >out 2>err
        [ $? = $status ] || fail "make verify does not end with $status"
        says "$((2 * kinds)) checks of $kinds kinds: $((2 * kinds)) ok" log
        says "$((2 * kinds)) weakened orders of $kinds kinds" log
        for fact in date machine compiler commit; do
            grep -q "^$fact: *[^ ]" log || fail "no $fact in the log"
        done
        [ -z "$(ls log.* 2>/dev/null)" ] || fail 'a temporary log stays'
    done
    unset FAKE_MUTANTS
    ends 0 "$here/../../scripts/verify.sh" "$(dirname $HEIST)" log abp
    says '2 checks of 1 kind: 2 ok' log

    # A client that does not end: given up, and nothing stays. Those after it still run.
    FAKE_LIST='slow quick
ok quick'
    ends 1 verify abp --seconds 1 --jobs 1
    says '2 checks of 1 kind: 1 unfinished, 1 ok; 1311 executions' out
    nothing_left

    # Signals, when both clients of a kind that never end have begun.
    for signal in INT TERM HUP; do
        FAKE_LIST='ok quick
slow-1 quick
slow-2 quick'
        in_background abp --jobs 2
        stops $signal 4
        says 'when 1 of 3 were done' err
        says '1 check of 1 kind: 1 ok' out
        nothing_left
    done
    FAKE_LIST=slow
    in_background abp
    stops INT 2
    nothing_left
    # If the command itself is killed, so is the program; what that started, nobody can reach.
    FAKE_LIST='slow quick'
    in_background abp
    stops KILL 2
    its_own=$(sed -n 2p calls.pids)
    sed -i 2d calls.pids
    nothing_left
    kill -s KILL "$its_own"
fi

finish
