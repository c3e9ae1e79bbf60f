#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist report. HEIST runs the command (with an emulator in front, perhaps); PROGRAM is its file;
# NATIVE=1 if it can start programs; HWLOC=1 if it was built with hwloc. Most of it is done with a copy
# of the command in a directory of its own, beside which there are programs that only pretend.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../test/command.sh"

# wrong TEXT ARGUMENT...
wrong() {
    text=$1
    shift
    misused "$text" $HEIST report "$@"
}

# Bad input.
wrong "'--foo'" --foo
wrong "'foo'" foo
wrong "'foo'" --only bwos,foo
wrong "'pool' is named twice" --only pool,bwos,pool
wrong "'pool,'" --only pool,
wrong '--quick and --full' --quick --full
wrong '--markdown goes with --list' --markdown
wrong '--output needs a value' --output
wrong "''" --output ''
wrong '--again takes no value' --again=1
wrong "'no/such/directory'" --only dag --output no/such/directory
echo precious >kept
wrong "'kept'" --only dag --output kept
says precious kept
ends 0 $HEIST report --help && says Examples out && says simulated-pool out && says lcws out
ends 0 $HEIST --help && says report out

# Lists.
ends 0 $HEIST report --list --quick --only bulk
says '--bench proportion' out
says 'minutes' out
grep -q frequency out && fail 'an experiment that was not asked for'
ends 0 $HEIST report --list --markdown
for name in 'Fig. 10' 'Table 5.5' 'Fig. 8d, 8h' 'Listings 2 to 4' 'Average waiting time, uneven load'; do
    says "| $name |" out
done

if [ "${NATIVE:-0}" = 0 ]; then
    finish
fi

# A place with programs that pretend: what they print is in files, each run is noted.
mkdir -p place/bench/app/dag place/report
cp "$PROGRAM" place/heist
report() {
    place/heist report --output out.d "$@"
}
runs() { # NUMBER: so many since the last call
    found=0
    [ ! -e noted ] || found=$(wc -l <noted)
    rm -f noted
    [ "$found" = "$1" ] || fail "$found runs instead of $1"
}
noted=$PWD/noted
make_script place/bench/app/dag/dag "
echo \"\$*\" >>'$noted'
w=\$(echo \"\$*\" | sed 's/.*--workers \([0-9]*\).*/\1/')
echo '# told: something'
echo mode,workers,seconds
echo \"master,\$w,\$((8 / w))\"
echo \"steal,\$w,\$((8 / w))\"
echo 'a<b&c>,1,1'"
verdict() { # CLAIM VERDICT
    grep -F -e "$1" out.d/summary.csv | grep -qF -e ",$2," || fail "not '$2': $1"
}
no_pieces() {
    pieces=$(find out.d -name '*.new' -o -name '*.part')
    [ -z "$pieces" ] || fail "left behind: $pieces"
}

# A run: all rows, with their command; verdicts; a page.
many() { # a power of 2, up to the CPUs, and these
    n=1 w=1
    while [ $w -lt "$cpus" ]; do
        w=$((2 * w)) n=$((n + 1))
    done
}
cpus=$(nproc)
many
ends 0 report --quick --only dag
says out.d/index.html out
says 'dag (1 of 1)' err
runs $((7 * n))
says '# report-command: build/bench/app/dag/dag --mode master,steal --workers N' out.d/rows/dag.csv
says '# report-seconds: ' out.d/rows/dag.csv
says '# report-date: 20' out.d/rows/dag.csv
grep -qF 'Not all of it was measured here' out.d/index.html && fail 'all was'
[ "$(grep -c '^queue,turn,mode,workers,seconds$' out.d/rows/dag.csv)" = 1 ] || fail 'not one header'
[ "$(grep -c '^,[1-7],master,' out.d/rows/dag.csv)" = $((7 * n)) ] || fail 'not all rows'
no_pieces
if [ "$cpus" -gt 1 ]; then
    verdict 'The time halves when' holds
    verdict 'With another queue it takes as long' holds
    says '<strong>2</strong>' out.d/index.html
fi
verdict 'Without any thief ABP' 'not run'
verdict 'five Rust web frameworks' "can't be measured here"
says 'a&lt;b&amp;c&gt;' out.d/index.html
grep -qF 'a<b' out.d/index.html && fail 'not escaped'
says 'bench/app/dag/dag --mode' out.d/index.html
says 'json-heist is not here' out.d/index.html
says '<style>' out.d/plots/bulk-fig-9.svg
[ ! -e out.d/plots/bwos-fig-2a.svg ] || fail 'a plot of what was not run'

# Every claim and figure has its row, and the page its place.
claims=$(grep -c '^[a-z]*,"' out.d/summary.csv)
[ "$claims" = $(($(wc -l <out.d/summary.csv) - 1)) ] && [ "$claims" -gt 100 ] || fail "$claims claims"
if command -v python3 >/dev/null; then # as setup.sh installs it for the tests
    ends 0 python3 "$here/page.py" out.d/index.html
    ends 0 python3 -c 'import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]' \
        out.d/plots/bulk-fig-9.svg out.d/plots/bulk-fig-10.svg
    cat out
fi

# What is there is not run again, unless it is another command, or wanted.
ends 0 report --quick --only dag
runs 0
ends 0 report --quick --only dag --again
runs $((7 * n))
ends 0 report --only dag
runs $((11 * n))
says '11 times in turn' out.d/rows/dag.csv
ends 0 report --only nosteal --list
runs 0

# Rows of another machine: said.
sed -i.here 's/^# report-cpu: .*/# report-cpu: Abacus <wood>/' out.d/rows/dag.csv
ends 0 report --only dag
runs 0
says 'Not all of it was measured here</strong>: some is from Abacus &lt;wood&gt;.' out.d/index.html
mv out.d/rows/dag.csv.here out.d/rows/dag.csv

# Rows that are broken: said, and not used; the rest goes on.
cp out.d/rows/dag.csv good.csv
echo one,two >>out.d/rows/dag.csv
ends 1 report --only dag
runs 0
says "'out.d/rows/dag.csv': line" err
says '2 columns instead of 5' err
says '--again measures it anew' err
verdict 'The time halves when' failed
ends 0 report --only dag --again
runs $((11 * n))
sed -i '/^# report-[sd]/d' good.csv out.d/rows/dag.csv
cmp good.csv out.d/rows/dag.csv || fail 'other rows than before'
sed -i '/^[^#]/d' out.d/rows/dag.csv
ends 1 report --only dag
says 'no rows' err
rm out.d/rows/dag.csv

# Experiments that fail: the others are run.
make_script place/bench/app/mark-heist 'echo "round 1 of 7" >&2; echo "mark: <out> of luck" >&2; exit 3'
make_script place/bench/app/json-heist 'printf "a,b\n1\n"'
make_script place/bench/app/quicksort-kinds 'kill -9 $$'
ends 1 report --quick --only mark,json,dag,quicksort
runs $((7 * n))
says 'mark: exit status 3: mark: <out> of luck' err
says 'json: it printed something else than rows: line 2 has 3 columns instead of 4' err
[ "$cpus" = 1 ] || says 'quicksort: ended by signal 9' err
verdict 'A collector with LIFO BWoS' failed
says 'mark: &lt;out&gt; of luck' out.d/index.html
[ "$(ls out.d/rows)" = dag.csv ] || fail 'rows of what failed'
no_pieces
rm place/bench/app/quicksort-kinds

# A kind after the other, by the environment.
make_script place/bench/app/mark-heist 'echo queue_was,seconds; echo "$HEIST_QUEUE,1"'
ends 0 report --quick --only mark
[ "$(grep -c '^bwos_lifo,[1-7],bwos_lifo,1$' out.d/rows/mark.csv)" = 7 ] || fail 'not 7 turns'
verdict 'A collector with LIFO BWoS' 'holds in part'

# Rows in a file, and a header for rows that have none.
make_script place/report/finddup-compare "
while [ \"\$1\" != --rows ]; do shift; done
echo 'warm,finddup chaselev auto $cpus,1,10,1' >\"\$2\"
echo 'warm,finddup bwos_lifo:64 auto $cpus,1,15,1' >>\"\$2\"
echo a table"
ends 0 report --quick --only finddup
[ "$(head -n 1 out.d/rows/finddup.csv)" = cache,who,round,us,right ] || fail 'no header'
verdict '40 to 45% slower' holds
grep -q 'a table' out.d/rows/finddup.csv && fail 'more than rows'
no_pieces

# What it takes is not installed.
make_script place/report/echo-load 'exit 1'
ends 0 env PATH=/nonexistent place/heist report --output out.d --quick --only echo
verdict 'A server with FIFO BWoS has' "can't be measured here"
says 'wrk is not installed' out.d/index.html

# Stopped: nothing half, and a word about how to go on.
make_script place/bench/app/dag/dag "echo begun >>'$noted'; sleep 60"
rm -f noted out.d/rows/dag.csv
place/heist report --output out.d --quick --only mark,dag >out 2>err &
child=$!
for _ in $(seq 100); do
    [ ! -e noted ] || break
    sleep 0.1
done
[ -e noted ] || fail 'dag has not begun'
kill -TERM $child
wait $child
status=$?
[ $status = 143 ] || fail "status $status instead of 143"
says 'To go on: heist report --output out.d --quick --only mark,dag' err
[ -e out.d/rows/mark.csv ] && [ ! -e out.d/rows/dag.csv ] || fail 'other rows than the complete ones'
no_pieces

# The real thing, a cheap one.
if [ "${HWLOC:-0}" = 1 ]; then
    ends 0 $HEIST report --quick --only simulated-pool --output real.d
    [ "$(grep -c '^pool,' real.d/rows/simulated-pool.csv)" = 126 ] || fail 'not 3 x 6 x 7 rows'
    grep -F 'NUMA-aware policy makes BWoS faster' real.d/summary.csv | grep -qE 'holds|not hold' ||
        fail 'no verdict'
    grep -q '<svg' real.d/index.html && fail 'a plot of what was not run'
fi

ends 1 sh -c "$HEIST report --list >/dev/full"
says "could be written" err
finish
