#!/bin/sh
# SPDX-License-Identifier: MIT
# echo.sh ECHO ECHO_CLIENT KIND...: clients of all sorts, on every kind of queue and on the peers
# that are built, with 1 and 3 workers; what happens at SIGINT; the command line.
. "$(dirname "$0")/../../../../test/command.sh"
echo=$1
client=$2
shift 2
server=
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null; rm -rf "$work"' EXIT

# start EXECUTABLE ARGUMENT...: sets $server and $port.
start() {
    : >row # the last one's is not this one's
    command=$1
    shift
    "$command" --port 0 "$@" >row 2>words &
    server=$!
    for _ in $(seq 100); do
        port=$(sed -n 's|^listening at http://127.0.0.1:\([0-9]*\)/$|\1|p' row)
        [ -z "$port" ] || return 0
        sleep 0.1
    done
    fail 'it does not listen'
    exit 1
}

# stop SIGNAL: it ends, with status 0 and a row.
stop() {
    kill -s "$1" $server
    for _ in $(seq 100); do
        kill -0 $server 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 $server 2>/dev/null || { fail "it goes on after SIG$1"; exit 1; }
    wait $server || fail "status $? after SIG$1"
    server=
    [ ! -s words ] || fail "words on stderr: $(cat words)"
    awk -F, 'NR == 3 && NF == 11 { right = 1 } END { exit !right }' row || fail 'no row'
}

# field N: of the row.
field() { awk -F, -v n="$1" 'NR == 3 { print $n }' row; }

# serves NAME EXECUTABLE: all clients, and a row with that name.
serves() {
    for workers in 1 3; do
        start "$2" --workers $workers
        ends 0 timeout 120 "$client" "$port"
        stop INT
        [ "$(field 1)" = "$1" ] || fail "the row says $(field 1), not $1"
        [ "$(field 2)" = $workers ] || fail "the number of workers, $1"
        # 3 in pieces, 500 at once, 2 large, 11 on connections kept or not, 12 wrong, 2000 of a
        # crowd; and those of clients that did not wait, perhaps.
        [ "$(field 5)" -ge 2528 ] || fail "only $(field 5) requests, $1"
        [ "$(field 6)" = 12 ] || fail "$(field 6) requests refused, $1"
        [ $workers = 1 ] && [ "$(field 9)" != 0 ] && fail 'one worker, and something was stolen'
    done
}

# ends_well EXECUTABLE: also if a client is in the middle of a request, and stays.
ends_well() {
    start "$1" --workers 2
    if command -v curl >/dev/null; then
        [ "$(curl -s -d hello "http://127.0.0.1:$port/")" = hello ] || fail "curl, $1"
    fi
    : >stay
    "$client" "$port" stay >stay &
    holder=$!
    for _ in $(seq 100); do
        [ ! -s stay ] || break
        sleep 0.1
    done
    misused "--port '$port': Address already in use" timeout 20 "$1" --port "$port"
    stop TERM
    wait $holder || fail "the client that stayed was not let go, $1"
}

[ $# -gt 0 ] || fail 'no kinds'
for kind; do
    export HEIST_QUEUE=$kind
    serves "$kind" "$echo"
done
unset HEIST_QUEUE
ends_well "$echo"
[ "$(field 1)" = bwos_fifo ] || fail "the kind is $(field 1)"
for peer in libgomp libomp tbb rayon go; do
    if [ -x "$echo-$peer" ]; then
        serves $peer "$echo-$peer"
        ends_well "$echo-$peer"
    fi
done

misused "--port '65536'" timeout 20 "$echo" --port 65536
misused "--workers '0'" timeout 20 "$echo" --workers 0
misused "--max-body 'x'" timeout 20 "$echo" --max-body x
misused "--address 'nowhere'" timeout 20 "$echo" --address nowhere --port 0
misused "'stray'" timeout 20 "$echo" stray
ends 0 "$echo" --help
for word in --port --address --workers --max-body Examples: HEIST_QUEUE; do
    says "$word" out
done

mkdir -p tree/bench/app/echo
ln -s "$echo" tree/bench/app/echo/echo
misused "--kinds 'tbb'" "$(dirname "$0")/../load.sh" tree --kinds heist,tbb
finish
