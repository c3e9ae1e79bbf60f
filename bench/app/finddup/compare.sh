#!/bin/sh
# SPDX-License-Identifier: MIT
# Times finddup beside fdupes and jdupes, and on all kinds of queues. See --help.
set -u

usage() {
    cat <<'END'
Usage: bench/app/finddup/compare.sh BUILD [option]...
Makes a tree with the finddup-tree of the build tree BUILD, and times fdupes and jdupes, as far as
they are installed, and finddup on it, in turn; prints the medians in milliseconds. All must find
the same groups, else the exit status is 1.

  --files N        files of the tree; 20000
  --directories N  its directories; 2000
  --mean-size N    of a file, in bytes; 26000
  --rounds N       how often everybody has a turn; 7
  --cache LIST     warm, or cold: emptied before each turn, which only root may; warm
  --kinds LIST     kinds of queues for finddup; heist
  --io LIST        uring, plain, auto; auto
  --workers LIST   numbers of workers; 1,2
  --at DIRECTORY   where the tree is made; $TMPDIR or /tmp
  --rows FILE      where all rows go; a file that is deleted

Example: bench/app/finddup/compare.sh build --cache warm,cold --kinds heist,chaselev,bwos_fifo
END
}

refuse() {
    echo "compare.sh: $1; see compare.sh --help" >&2
    exit 2
}

case ${1-} in
--help) usage && exit 0 ;;
'') refuse 'which build tree?' ;;
esac
finddup=$1/bench/app/finddup/finddup
here=$(dirname "$0")
[ -x "$finddup" ] || refuse "'$1': no build tree with bench/app/finddup/finddup"
shift
files=20000 directories=2000 size=26000 rounds=7 cache=warm kinds=heist io=auto workers=1,2
at=${TMPDIR-/tmp} rows=
while [ $# -gt 0 ]; do
    [ "$1" != --help ] || { usage && exit 0; }
    [ $# -gt 1 ] || refuse "'$1': an option without a value, or none"
    case $1 in
    --files) files=$2 ;;
    --directories) directories=$2 ;;
    --mean-size) size=$2 ;;
    --rounds) rounds=$2 ;;
    --cache) cache=$2 ;;
    --kinds) kinds=$2 ;;
    --io) io=$2 ;;
    --workers) workers=$2 ;;
    --at) at=$2 ;;
    --rows) rows=$2 ;;
    *) refuse "unknown option '$1'" ;;
    esac
    shift 2
done
words() { echo "$1" | tr , ' '; }
for number in "$files" "$directories" "$size" "$rounds" $(words "$workers"); do
    case $number in
    '' | 0* | *[!0-9]*) refuse "'$number': not a whole number above 0" ;;
    esac
done
for how in $(words "$cache"); do
    case $how in
    warm) ;;
    cold) [ -w /proc/sys/vm/drop_caches ] || refuse '--cache cold: only root can empty the cache' ;;
    *) refuse "--cache '$how': neither warm nor cold" ;;
    esac
done
[ -d "$at" ] || refuse "--at '$at': no such directory"

work=$(mktemp -d -p "$at") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
[ -n "$rows" ] || rows=$work/rows
: >"$rows" || refuse "--rows '$rows': it can't be written"
export LC_ALL=C
"${finddup}-tree" --files "$files" --directories "$directories" --mean-size "$size" "$work/tree" ||
    exit 1
sync
failed=0

# turn CACHE NAME COMMAND...: one row, in ms.
turn() {
    how=$1
    name=$2
    shift 2
    [ "$how" = warm ] || echo 3 >/proc/sys/vm/drop_caches
    began=$(date +%s%N)
    "$@" "$work/tree" >"$work/raw" 2>"$work/err" || { failed=1; cat "$work/err" >&2; }
    ended=$(date +%s%N)
    awk -f "$here/test/groups.awk" "$work/raw" >"$work/unsorted" || failed=1
    sort "$work/unsorted" >"$work/groups"
    [ -e "$work/expected" ] || cp "$work/groups" "$work/expected"
    right=1
    cmp -s "$work/groups" "$work/expected" || right=0 failed=1
    [ "$round" = 0 ] || echo "$how,$name,$round,$(((ended - began) / 1000)),$right" >>"$rows"
}

for how in $(words "$cache"); do
    first=1
    [ "$how" = cold ] || first=0 # only warms up
    for round in $(seq $first "$rounds"); do
        ! command -v fdupes >/dev/null || turn "$how" fdupes fdupes -rnq
        ! command -v jdupes >/dev/null || turn "$how" jdupes jdupes -rq
        for kind in $(words "$kinds"); do
            for way in $(words "$io"); do
                for n in $(words "$workers"); do
                    turn "$how" "finddup $kind $way $n" env HEIST_QUEUE="$kind" "$finddup" \
                        --io "$way" --workers "$n"
                done
            done
        done
    done
done

mib=$(du -sm "$work/tree" | cut -f 1)
echo "$files files in $directories directories, $mib MiB, $(wc -l <"$work/expected") groups; ms"
echo
echo '| cache | who | median | least | greatest | groups |'
echo '|---|---|---|---|---|---|'
sort -t, -k1,1 -k2,2 -k4,4n "$rows" | awk -F, '
    function flush_row() {
        if (n)
            printf "| %s | %s | %.0f | %.0f | %.0f | %s |\n", cache, who,
                (t[int((n + 1) / 2)] + t[int(n / 2) + 1]) / 2000, t[1] / 1000, t[n] / 1000,
                right ? "the same" : "OTHERS"
    }
    $1 != cache || $2 != who { flush_row(); n = 0; right = 1; cache = $1; who = $2 }
    { t[++n] = $4; if (!$5) right = 0 }
    END { flush_row() }'
exit $failed
