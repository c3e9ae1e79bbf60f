#!/bin/sh
# SPDX-License-Identifier: MIT
# instructions.sh INSTRUCTIONS: tests of bench/app/instructions.sh, with programs and a valgrind that this makes.
instructions=$1
. "$(dirname "$0")/../../../test/command.sh"

# The programs say what a solution costs; 1000 instructions come before the first.
mkdir -p build/bench/app bin
echo program,layer,executable >build/bench/app/programs.csv
for layer in serial,100 heist,120 libgomp,300 tbb,150 rayon,160; do
    make_script "sum-${layer%,*}" "[ \$1 = --list ] && echo 'round 700' || echo ${layer#*,}"
    echo "sum,${layer%,*},$work/sum-${layer%,*}" >>build/bench/app/programs.csv
done
echo "sum,libomp,$work/sum-libomp" >>build/bench/app/programs.csv # can be built, and is not
make_script bin/valgrind 'shift 2
    [ "$5" = 7 ] && cost=$("$1" "$2") && echo "==1== Collected : $((1000 + $7 * cost * 10000))" >&2'
PATH=$work/bin:$PATH

misused 'which build tree?' "$instructions"
misused "'elsewhere'" "$instructions" elsewhere
misused "'foo'" "$instructions" build sum foo
ends 0 "$instructions" --help
says 'Example:' out

ends 0 "$instructions" build
says '| `sum` | serial | 1.00 | 1.0000 |' out
says '| `sum` | heist | 1.20 | 1.2000 |' out
says '| `sum` | libgomp | 3.00 | 3.0000 |' out
says '| `sum` | heist / tbb | | 0.8000 |' out
cp out before
ends 0 "$instructions" build sum
cmp -s out before || fail 'one by name'

make_script sum-tbb '[ $1 = --list ] && echo "round 700" || exit 1'
ends 1 "$instructions" build
says 'sum-tbb has failed' err
says '| `sum` | heist / rayon | | 0.7500 |' out
finish
