#!/bin/sh
# SPDX-License-Identifier: MIT
# echo.sh ECHO ECHO_CLIENT KIND...: clients of all sorts, on every kind of queue, with 1 and 3 workers;
# what happens at SIGINT; the command line.
set -u
echo=$1
client=$2
shift 2
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null; rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    cat "$work/out" "$work/err"
}

# start ARGUMENT...: sets $server and $port.
start() {
    "$echo" --port 0 "$@" >"$work/row" 2>"$work/words" &
    server=$!
    for i in $(seq 100); do
        port=$(sed -n 's|^listening at http://127.0.0.1:\([0-9]*\)/$|\1|p' "$work/row")
        [ -z "$port" ] || return 0
        sleep 0.1
    done
    fail 'it does not listen'
    exit 1
}

# stop SIGNAL: it ends, with status 0 and a row.
stop() {
    kill -s "$1" $server
    for i in $(seq 100); do
        kill -0 $server 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 $server 2>/dev/null || { fail "it goes on after SIG$1"; exit 1; }
    wait $server || fail "status $? after SIG$1"
    server=
    [ ! -s "$work/words" ] || fail "words on stderr: $(cat "$work/words")"
    awk -F, 'NR == 3 && NF == 11 { right = 1 } END { exit !right }' "$work/row" || fail 'no row'
}

# field N: of the row.
field() { awk -F, -v n="$1" 'NR == 3 { print $n }' "$work/row"; }

# refused TEXT ARGUMENT...: status 2, no stdout, one line on stderr that has TEXT and --help.
refused() {
    text=$1
    shift
    timeout 20 "$echo" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
        grep -qF -e "$text" "$work/err" && grep -q -e '--help' "$work/err" ||
        fail "status $status, not a clear refusal: $*"
}

: >"$work/out"
[ $# -gt 0 ] || fail 'no kinds'
for kind; do
    for workers in 1 3; do
        export HEIST_QUEUE=$kind
        start --workers $workers
        timeout 120 "$client" "$port" >"$work/out" 2>&1 || fail "clients, $kind, $workers workers: status $?"
        stop INT
        [ "$(field 2)" = $workers ] || fail 'the number of workers'
        # 3 in pieces, 500 at once, 2 large, 11 on connections kept or not, 12 wrong, 2000 of a crowd;
        # and those of clients that did not wait, perhaps.
        [ "$(field 5)" -ge 2528 ] || fail "only $(field 5) requests, $kind"
        [ "$(field 6)" = 12 ] || fail "$(field 6) requests refused, $kind"
        [ $workers = 1 ] && [ "$(field 9)" != 0 ] && fail 'one worker, and something was stolen'
    done
done
unset HEIST_QUEUE
start --workers 2
[ "$(curl -s -d hello "http://127.0.0.1:$port/")" = hello ] || ! command -v curl >/dev/null || fail 'curl'
# A client that is in the middle of a request, and stays, does not keep it.
"$client" "$port" stay >"$work/stay" &
holder=$!
for i in $(seq 100); do
    [ ! -s "$work/stay" ] || break
    sleep 0.1
done
refused "--port '$port': Address already in use" --port "$port"
stop TERM
wait $holder || fail 'the client that stayed was not let go'
[ "$(field 1)" = bwos_fifo ] || fail "the kind is $(field 1)"

refused "--port '65536'" --port 65536
refused "--workers '0'" --workers 0
refused "--max-body 'x'" --max-body x
refused "--address 'nowhere'" --address nowhere --port 0
refused "'stray'" stray
for word in --port --address --workers --max-body Examples: HEIST_QUEUE; do
    "$echo" --help | grep -qF -e "$word" || fail "--help does not say $word"
done
[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
