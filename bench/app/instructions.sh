#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts the instructions of the programs on all layers, one worker, by callgrind. See --help.
set -u

usage() {
    cat <<'END'
Usage: bench/app/instructions.sh BUILD [PROGRAM]...
How many instructions a solution takes with one worker, on every layer of the build tree BUILD that is
built, but Go; in millions, and times the serial one's. Then Heist's times those of the best other
layer. Counted by valgrind, so the same whatever else the machine does: what a runtime costs, without
what memory and other programs do. Of a hundredth of the programs' own sizes; the difference
of 4 solutions and 1, by 3. Two minutes for all programs. Exit status 1 if a program fails, 2 for bad
input.

Example: bench/app/instructions.sh build bfs quicksort
END
}

refuse() {
    echo "instructions.sh: $1; see instructions.sh --help" >&2
    exit 2
}

case ${1-} in
--help) usage && exit 0 ;;
'') refuse 'which build tree?' ;;
esac
list=$1/bench/app/programs.csv
[ -r "$list" ] || refuse "'$1': no build tree with bench/app/programs.csv"
command -v valgrind >/dev/null || refuse "valgrind is not installed (Debian: apt-get install valgrind)"
shift
for program; do
    grep -q "^$program," "$list" || refuse "'$program': no such program"
done
[ $# -gt 0 ] || set -- $(awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' "$list")

# count EXECUTABLE SIZE SOLUTIONS: of the whole run.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$1" --workers 1 --size "$2" --repeat "$3" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

failed=0
echo '| program | layer | million instructions | times serial |'
echo '|---|---|---|---|'
for program; do
    serial= heist= best= who=
    for layer in serial heist libgomp libomp tbb rayon; do
        executable=$(sed -n "s|^$program,$layer,||p" "$list")
        [ -x "$executable" ] || continue
        size=$("$executable" --list | awk 'NR == 1 { n = int($2 / 100); print n ? n : 1 }')
        one=$(count "$executable" "$size" 1) four=$(count "$executable" "$size" 4)
        if [ -z "$one" ] || [ -z "$four" ]; then
            echo "instructions.sh: $program-$layer has failed" >&2
            failed=1
            continue
        fi
        n=$(((four - one) / 3))
        case $layer in
        serial) serial=$n ;;
        heist) heist=$n ;;
        *) [ -n "$best" ] && [ "$best" -le "$n" ] || best=$n who=$layer ;;
        esac
        awk -v p="$program" -v l="$layer" -v n="$n" -v s="${serial:-$n}" \
            'BEGIN { printf "| `%s` | %s | %.2f | %.4f |\n", p, l, n / 1e6, n / s }'
    done
    [ -z "$heist" ] || [ -z "$best" ] || awk -v p="$program" -v w="$who" -v h="$heist" -v b="$best" \
        'BEGIN { printf "| `%s` | heist / %s | | %.4f |\n", p, w, h / b }'
done
exit $failed
