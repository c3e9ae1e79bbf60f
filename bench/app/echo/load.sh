#!/bin/sh
# SPDX-License-Identifier: MIT
# Drives the echo server by wrk, on kinds of queues and on peers in turn. See --help.
set -u

usage() {
    cat <<'END'
Usage: bench/app/echo/load.sh BUILD [option]...
Runs the echo server of the build tree BUILD and wrk against it on loopback, once per kind of queue
and round, in turn; prints medians: requests per second, latency in microseconds, CPU time of the
server per request, and how many of its jobs were stolen.

  --kinds LIST         bwos_fifo,heist,chaselev,bwos_lifo,split,bulk,abp,locked,global; also
                       libgomp, libomp, tbb, rayon, go: the same server on another runtime, if
                       BUILD has that echo-NAME; how many jobs were stolen is not known there: 0
  --workers N          of the server; 2
  --connections N      that wrk keeps open; 64
  --threads N          of wrk; 1
  --seconds N          of each turn; 2
  --rounds N           how often each kind has a turn; 7
  --rows FILE          where all rows go; a file that is deleted

Examples: bench/app/echo/load.sh build --kinds bwos_fifo,global --connections 256 --seconds 5
          bench/app/echo/load.sh build --kinds bwos_fifo,libgomp,libomp,tbb
END
}

refuse() {
    echo "load.sh: $1; see load.sh --help" >&2
    exit 2
}

case ${1-} in
--help) usage && exit 0 ;;
'') refuse 'which build tree?' ;;
esac
echo=$1/bench/app/echo/echo
[ -x "$echo" ] || refuse "'$1': no build tree with bench/app/echo/echo"
shift
kinds=bwos_fifo,heist,chaselev,bwos_lifo,split,bulk,abp,locked,global
workers=2 connections=64 threads=1 seconds=2 rounds=7 rows=
while [ $# -gt 0 ]; do
    [ "$1" != --help ] || { usage && exit 0; }
    [ $# -gt 1 ] || refuse "'$1': an option without a value, or none"
    case $1 in
    --kinds) kinds=$2 ;;
    --workers) workers=$2 ;;
    --connections) connections=$2 ;;
    --threads) threads=$2 ;;
    --seconds) seconds=$2 ;;
    --rounds) rounds=$2 ;;
    --rows) rows=$2 ;;
    *) refuse "unknown option '$1'" ;;
    esac
    shift 2
done
for number in "$workers" "$connections" "$threads" "$seconds" "$rounds"; do
    case $number in
    '' | 0* | *[!0-9]*) refuse "'$number': not a whole number above 0" ;;
    esac
done
# server_of KIND: the executable.
server_of() {
    case $1 in
    libgomp | libomp | tbb | rayon | go) echo "$echo-$1" ;;
    *) echo "$echo" ;;
    esac
}
for kind in $(echo "$kinds" | tr , ' '); do
    [ -x "$(server_of "$kind")" ] ||
        refuse "--kinds '$kind': there is no $(server_of "$kind")"
done
command -v wrk >/dev/null || refuse 'wrk is not installed; scripts/setup.sh bench does that'
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill $server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
[ -n "$rows" ] || rows=$work/rows
echo kind,round,requests_per_second,us_50,us_75,us_90,us_99,cpu_us_per_request,stolen,ok >"$rows" ||
    refuse "--rows '$rows': it can't be written"

# turn KIND ROUND
turn() {
    : >"$work/server" # the last one's is not this one's
    HEIST_QUEUE=$1 "$(server_of "$1")" --port 0 --workers "$workers" >"$work/server" 2>"$work/err" &
    server=$!
    port=
    for _ in $(seq 100); do
        port=$(sed -n 's|^listening at http://127.0.0.1:\([0-9]*\)/$|\1|p' "$work/server")
        [ -z "$port" ] || break
        sleep 0.05
    done
    wrk -t "$threads" -c "$connections" -d "${seconds}s" --latency "http://127.0.0.1:$port/" \
        >"$work/wrk" 2>&1
    kill -INT $server
    wait $server || echo "load.sh: $1: the server ended with status $?" >&2
    server=
    [ ! -s "$work/err" ] || cat "$work/err" >&2
    awk -F, -v kind="$1" -v round="$2" '
        function us(text) { return text * (text ~ /us$/ ? 1 : text ~ /ms$/ ? 1000 : 1000000) }
        FNR == NR { if (FNR == 3) { served = $5; jobs = $8; steals = $9; cpu = $10 + $11 } next }
        { n = split($0, word, " ") }
        word[1] ~ /^(50|75|90|99)%$/ && n == 2 { latency[word[1] + 0] = us(word[2]) }
        word[1] == "Requests/sec:" { rate = word[2] }
        /Socket errors|Non-2xx/ { wrong = 1 }
        END {
            ok = rate > 0 && served > 0 && !wrong
            printf "%s,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.3f,%.5f,%d\n", kind, round, rate, latency[50],
                latency[75], latency[90], latency[99], served ? 1e6 * cpu / served : 0,
                jobs ? steals / jobs : 0, ok
            exit !ok
        }' "$work/server" "$work/wrk" >>"$rows" || { failed=1; cat "$work/wrk" >&2; }
}

failed=0
for round in $(seq "$rounds"); do
    for kind in $(echo "$kinds" | tr , ' '); do
        turn "$kind" "$round"
    done
done

echo '| kind | requests/s | 50% us | 75% us | 90% us | 99% us | CPU us per request | stolen % |'
echo '|---|---|---|---|---|---|---|---|'
awk -F, '
    function median(kind, column,    i, j, v, n, a) {
        n = split(values[kind, column], a, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && a[j] + 0 < a[j - 1] + 0; j--) {
                v = a[j]
                a[j] = a[j - 1]
                a[j - 1] = v
            }
        return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
    }
    NR > 1 {
        if (!seen[$1]++) kind[++kinds] = $1
        for (c = 3; c <= 9; c++) values[$1, c] = values[$1, c] " " $c
    }
    END {
        for (k = 1; k <= kinds; k++) {
            name = kind[k]
            printf "| %s | %.0f |", name, median(name, 3)
            for (c = 4; c <= 7; c++) printf " %.0f |", median(name, c)
            printf " %.1f | %.1f |\n", median(name, 8), 100 * median(name, 9)
        }
    }' "$rows"
exit $failed
