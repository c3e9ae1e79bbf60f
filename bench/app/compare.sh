#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the programs on all layers, in turns, and prints a table of medians. See --help.
set -u

usage() {
    cat <<'END'
Usage: bench/app/compare.sh BUILD [option]...
Runs the problem-based programs of the build tree BUILD, and prints the medians in milliseconds,
and their ratio to the serial one's. Then Heist beside the best of the others, for each number of
workers: the ratio of the medians; by turns, the median of the ratios of each turn, in which both
find the machine as busy; and its 95% interval. The best is the one with the greatest of these.
All layers of a program are in memory at the same time, and have turns of one repetition each; one
runs, the others are stopped. Exit status 1 if a result is wrong or a program fails.

  --programs NAME,...  which programs; all
  --layers NAME,...    which layers; serial,heist,libgomp,libomp,tbb,rayon,go if they are built;
                       rayon and go by cmake --build BUILD --target heist-app-languages;
                       heist:KIND is heist on another kind of queue (heist kinds lists them)
  --shapes NAME,...    which shapes of their inputs, or all; the first of each program
  --workers N,...      how many workers; 1,2
  --size PERCENT       of the programs' own sizes; 100. Where others use the machine, many short turns say
                       more than few long ones
  --rounds N           how often everybody is started anew; 3
  --repeat N           how many turns everybody then has, each gives a row; 5
  --rows FILE          where all rows go; a file that is deleted
  --from FILE          runs nothing: the tables of these rows, perhaps of several runs

Examples: bench/app/compare.sh build --programs bfs,histogram --rounds 9 --rows rows.csv
          bench/app/compare.sh build --programs deques,mark --shapes all --size 10
          bench/app/compare.sh build --layers heist,heist:chaselev,heist:split:signal
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
build=$1
list=$build/bench/app/programs.csv
turns=$build/bench/app/turns
[ -r "$list" ] && [ -x "$turns" ] || refuse "'$1': no build tree with bench/app/programs.csv and turns"
shift
programs=$(awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' "$list")
layers=serial,heist,libgomp,libomp,tbb,rayon,go
shapes=
workers=1,2
size=100
rounds=3
repeat=5
rows=
from=
while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || [ "$1" = --help ] || refuse "'$1' is no option, or has no value"
    case $1 in
    --programs) programs=$2 ;;
    --layers) layers=$2 ;;
    --shapes) shapes=$2 ;;
    --workers) workers=$2 ;;
    --size) size=$2 ;;
    --rounds) rounds=$2 ;;
    --repeat) repeat=$2 ;;
    --rows) rows=$2 ;;
    --from) from=$2 ;;
    --help) usage && exit 0 ;;
    *) refuse "unknown option '$1'" ;;
    esac
    shift 2
done
programs=$(echo "$programs" | tr , ' ')
for program in $programs; do
    grep -q "^$program," "$list" || refuse "--programs '$program': there is none"
done
for layer in $(echo "$layers" | tr , ' '); do
    case ,serial,heist,libgomp,libomp,tbb,rayon,go, in
    *,"$layer",*) ;;
    *)
        case $layer in heist:*) ;; *) refuse "--layers '$layer': there is none" ;; esac
        kind=${layer#heist:}
        "$build/heist" kinds | grep -q "^${kind%%:*} " || refuse "--layers '$layer': no such kind"
        ;;
    esac
done
for number in "$size" "$rounds" "$repeat" $(echo "$workers" | tr , ' '); do
    case $number in
    '' | 0* | *[!0-9]*) refuse "'$number': not a whole number above 0" ;;
    esac
done
# The shapes of a program that are asked for, one in a line, each with its size.
shapes_of() {
    "$(sed -n "s|^$1,serial,||p" "$list")" --list | awk -v asked=",$shapes," -v percent="$size" '
        asked == ",," ? NR == 1 : asked == ",all," || index(asked, "," $1 ",") {
            n = int($2 * percent / 100)
            print $1, n ? n : 1
        }'
}
for shape in $(echo "$shapes" | tr , ' '); do
    [ "$shape" != all ] || continue
    found=
    for program in $programs; do
        shapes_of "$program" | grep -q "^$shape " && found=1
    done
    [ -n "$found" ] || refuse "--shapes '$shape': none of the programs has it"
done
[ -z "$from" ] || [ -r "$from" ] || refuse "--from '$from': it can't be read"
[ -z "$from" ] || [ -z "$rows" ] || refuse "--from '$from' --rows '$rows': one of them"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$rows" ] || rows=$work/rows
(: >"$rows") 2>/dev/null || refuse "--rows '$rows': it can't be written"

for layer in rayon go; do
    [ -z "$from" ] || break
    executable=$(sed -n "s|^[^,]*,$layer,||p" "$list" | head -1)
    case ,$layers, in
    *,"$layer",*)
        [ -z "$executable" ] || [ -x "$executable" ] ||
            echo "compare.sh: $layer is not built; cmake --build $build --target heist-app-languages" >&2
        ;;
    esac
done

# Those of a program, with one shape, each started once: a command per contestant.
play() {
    contestants=
    set --
    for layer in $(echo "$layers" | tr , ' '); do
        executable=$(sed -n "s|^$program,${layer%%:*},||p" "$list")
        [ -x "$executable" ] || continue
        queue=${HEIST_QUEUE-}
        case $layer in heist:*) queue=${layer#heist:} ;; esac
        for n in $(echo "$workers" | tr , ' '); do
            case $layer in serial*) [ "$n" = "${workers%%,*}" ] && n=1 || continue ;; esac
            contestants="$contestants $layer,$n"
            set -- "$@" "HEIST_QUEUE='$queue' exec '$executable' --workers $n --turns \
                --repeat $repeat --shape $shape --size $items >'$work/$layer,$n'"
        done
    done
    [ $# = 0 ] || "$turns" "$@" || failed=1
    for contestant in $contestants; do
        layer=${contestant%,*}
        sed -n "/^program,/!s/^\([^,]*\),${layer%%:*},/\1,$layer,/p" "$work/$contestant" |
            grep . >>"$rows" || failed=1
    done
}

failed=0
[ -z "$from" ] || programs=
for program in $programs; do
    shapes_of "$program" >"$work/shapes"
    while read -r shape items; do
        for round in $(seq "$rounds"); do
            play </dev/null
        done
    done <"$work/shapes"
done

awk -F, '
    function sort(a, n,    i, j, v) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && a[j] + 0 < a[j - 1] + 0; j--) {
                v = a[j]
                a[j] = a[j - 1]
                a[j - 1] = v
            }
        return n
    }
    function title(what,    a) {
        split(what, a, ",")
        return "`" a[1] "`, " a[2]
    }
    function middle(a, n) { return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2 }
    function median(at,    a, n) {
        n = sort(a, split(times[at], a, " "))
        return middle(a, n)
    }
    # Sets by_turns, the median of the ratios of each turn, and its interval: of n values below or
    # above their median, n/2 and two standard deviations, sqrt(n), are so with 95%.
    function compare(of, to,    x, y, n, i, from) {
        n = split(times[of], x, " ")
        if (n != split(times[to], y, " ")) {
            by_turns = median(of) / median(to)
            interval = "?"
            return
        }
        for (i = 1; i <= n; i++) x[i] /= y[i]
        sort(x, n)
        from = int((n + 1) / 2 - sqrt(n))
        if (from < 1) from = 1
        by_turns = middle(x, n)
        interval = sprintf("%.2f to %.2f", x[from], x[n + 1 - from])
    }
    {
        what = $1 "," $5
        if (!seen[what]++) {
            program[++programs] = what
            size[what] = $4
        }
        contestant = $2 " " $3
        if (!seen_contestant[contestant]++) contestants[++number] = contestant
        if (!seen_workers[$3]++) workers[++kinds_of_workers] = $3
        times[what "," contestant] = times[what "," contestant] " " $8
        if ($10 != 1) wrong[what "," contestant] = any_wrong = 1
    }
    END {
        printf "| program |"
        for (c = 1; c <= number; c++) printf " %s |", contestants[c]
        printf "\n|---|"
        for (c = 1; c <= number; c++) printf "---|"
        print ""
        for (p = 1; p <= programs; p++) {
            what = program[p]
            printf "| %s %d |", title(what), size[what]
            serial = times[what ",serial 1"] == "" ? 0 : median(what ",serial 1")
            for (c = 1; c <= number; c++) {
                at = what "," contestants[c]
                ms[at] = times[at] == "" ? 0 : 1000 * median(at)
                if (wrong[at]) printf " wrong |"
                else if (!ms[at]) printf " |"
                else if (!serial || contestants[c] == "serial 1") printf " %.0f |", ms[at]
                else printf " %.0f (%.2f) |", ms[at], ms[at] / 1000 / serial
            }
            print ""
        }
        for (p = 1; p <= programs; p++) {
            what = program[p]
            for (w = 1; w <= kinds_of_workers; w++) {
                best = ""
                own = what ",heist " workers[w]
                for (c = 1; c <= number; c++) {
                    at = what "," contestants[c]
                    if (contestants[c] !~ " " workers[w] "$" || contestants[c] ~ /^(serial|heist )/)
                        continue
                    if (!ms[at] || !ms[own] || wrong[at] || wrong[own]) continue
                    compare(own, at)
                    if (best == "" || by_turns > worst) {
                        best = at
                        worst = by_turns
                        worst_interval = interval
                    }
                }
                if (best == "") continue
                if (!heads++)
                    print "\n| program | workers | best of the others | medians | by turns | 95% |\n" \
                          "|---|---|---|---|---|---|"
                name = best
                gsub(/^[^,]*,[^,]*,| [^ ]*$/, "", name)
                printf "| %s | %d | %s | %.2f | %.2f | %s |\n", title(what), workers[w], name,
                       ms[own] / ms[best], worst, worst_interval
            }
        }
        exit any_wrong
    }' "${from:-$rows}" || failed=1
exit $failed
