#!/bin/sh
# SPDX-License-Identifier: MIT
# Stands for the checker's programs in verify.sh, which links it as verify-KIND. FAKE_LIST has its
# clients as --list prints them; each does what its name says. FAKE_MUTANTS says
# what --mutants does, FAKE_LOG collects how it was called.
kind=${0##*/verify-}
arguments=$*

# With a process of its own, and deaf to what can be ignored.
hang() {
    trap '' INT TERM HUP
    echo 'progress 77' >&2
    sleep 600 &
    printf '%s\n' $$ $! >>"$FAKE_LOG.pids"
    wait
}

client='' model='' mutants=''
while [ $# -gt 0 ]; do
    case $1 in
    --list)
        [ "$FAKE_LIST" = slow ] && hang
        printf '%s\n' "$FAKE_LIST"
        exit 0
        ;;
    --client | --model | --seconds | --random | --seed | --replay | --preemptions)
        [ "$1" = --client ] && client=$2
        [ "$1" = --model ] && model=$2
        shift
        ;;
    --mutants) mutants=1 ;;
    --trace | --progress) ;;
    *)
        echo "fake: unknown option '$1'" >&2
        exit 2
        ;;
    esac
    shift
done
echo "$kind $arguments" >>"$FAKE_LOG"

row() { # VERDICT [CLIENT [ORDER]]
    echo "$kind,${2-$client},$model,${3-},1234,2345,$1,0.25"
}

if [ -n "$mutants" ]; then
    [ "${FAKE_MUTANTS-}" = none ] && exit 0
    row failed one FIRST
    [ "${FAKE_MUTANTS-}" = crash ] && kill -s SEGV $$
    [ "${FAKE_MUTANTS-}" = weak ] && row 'not caught' - SECOND && exit 1
    row failed two SECOND
    exit 0
fi

case $client in
ok*) row ok ;;
failed)
    row failed
    echo 'thread 1 reads from nowhere'
    exit 1
    ;;
unfinished)
    row unfinished
    exit 1
    ;;
crash)
    echo 'a last word' >&2
    kill -s SEGV $$
    ;;
refuses)
    echo 'fake: not with me' >&2
    exit 2
    ;;
slow*) hang ;;
silent) ;;
rubbish) echo rubbish ;;
other) row ok another ;;
liar)
    row ok
    exit 1
    ;;
unknown) exit 3 ;;
esac
