#!/bin/sh
# SPDX-License-Identifier: MIT
# program.sh PROGRAM LIST: one program, on all layers in LIST (programs.csv), with 1 and 2 workers,
# in all shapes and some sizes: the check finds it right, and all layers have the same checksum. Heist
# also with eager loops.
# rayon and go, which are not built by default, only if they are built. RUNNER: an emulator, perhaps.
program=$1
list=$2
. "$(dirname "$0")/../../../test/command.sh"
runs=0
large=20000
[ -z "${RUNNER-}" ] || large=3000 # an emulator takes its time

# once EXECUTABLE ARGUMENT...: 2 rows, both right. Adds their checksums to sums.
once() {
    runs=$((runs + 1))
    ends 0 timeout 120 ${RUNNER-} "$@" --repeat 2 --warmup 0
    ! grep -v ' skipped$' err || fail "words on stderr: $*"
    awk -F, 'NR > 1 && NF == 10 && $10 == 1 && $8 > 0 { print $9; right++ }
             END { exit right != 2 || NR != 3 }' \
        out >>sums || fail "not two right rows: $*"
}

serial=$(awk -F, -v p="$program" '$1 == p && $2 == "serial" { print $3 }' "$list")
shapes=$(${RUNNER-} "$serial" --list | cut -d ' ' -f 1)
[ "$(echo "$shapes" | wc -l)" -ge 2 ] || fail 'fewer than two shapes'
for shape in $shapes; do
    for size in 1 2 19 $large; do
        : >sums
        for entry in $(grep "^$program," "$list"); do
            executable=${entry##*,}
            case $entry in *,rayon,* | *,go,*) [ -x "$executable" ] || continue ;; esac
            set -- "$executable" --shape "$shape" --size $size
            case $entry in
            *,serial*) once "$@" ;;
            *)
                [ $size -lt 1000 ] || once "$@" --workers 1
                once "$@" --workers 2
                ;;
            esac
            case $entry in *,heist,*) [ $size -eq 1 ] || once "$@" --workers 2 --loops eager ;; esac
        done
        [ "$(sort -u sums | wc -l)" = 1 ] || fail "checksums differ: $shape, $size"
    done
    # What is left out is said, and how much: some 400 lines.
    if [ "$program,$shape" = json,broken ]; then
        once "$serial" --shape broken --size $large
        grep -q "^json-serial: [1-9][0-9]* of $large lines can't be used, and were skipped\$" err ||
            fail 'nothing about broken lines'
    fi
    # Another seed, another input.
    once "$serial" --shape "$shape" --size $large --seed 2
    [ "$(sort -u sums | wc -l)" = 2 ] || fail "the seed changes nothing: $shape"
done
echo "$runs runs"
finish
