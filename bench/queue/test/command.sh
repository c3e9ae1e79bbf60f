#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the heist command. HEIST runs it (with an emulator in front, perhaps), FAULTY is the
# benchmark with queues that are wrong; NATIVE=1 if programs that call them can be run.
. "$(dirname "$0")/../../../test/command.sh"

bench() {
    $HEIST bench queue --reps 1 --time 1 "$@"
}

# Bad input.
misused 'a command is missing' $HEIST
misused "'foo'" $HEIST foo
misused "'--foo'" $HEIST --foo
misused "'foo'" $HEIST --version foo
misused "'foo'" $HEIST bench foo
misused "'foo'" $HEIST kinds foo
misused "'--foo'" $HEIST kinds --names --foo
misused "'--foo'" $HEIST bench queue --foo
misused "'foo'" $HEIST bench queue foo
misused "'foo': no such kind; there are: plain_lifo, plain_fifo, " $HEIST bench queue --kinds abp,foo
for kind in $($HEIST kinds --names); do
    says ", $kind" err
done
misused "'abp:foo'" $HEIST bench queue --kinds abp:foo
misused "'abp:grows'" $HEIST bench queue --kinds abp:grows
misused "'abp' is named twice" $HEIST bench queue --kinds abp,abp
misused "'foo'" $HEIST bench queue --bench nosteal,foo
misused "'200'" $HEIST bench queue --stolen 1,200
misused "'-1'" $HEIST bench queue --stolen -1
misused "'1,,2'" $HEIST bench queue --stolen 1,,2
misused "''" $HEIST bench queue --stolen ''
misused "'1.5'" $HEIST bench queue --stolen=1.5
misused "'0'" $HEIST bench queue --reps 0
misused "'-7'" $HEIST bench queue --reps=-7
misused '--reps needs a value' $HEIST bench queue --reps
misused '--quick takes no value' $HEIST bench queue --quick=1
misused "'x'" $HEIST bench queue --thieves x
misused "'18446744073709551615'" $HEIST bench queue --capacity 18446744073709551615
misused "'99999999999999999999'" $HEIST bench queue --capacity 99999999999999999999
misused "'9000'" $HEIST bench queue --block 9000
misused '--param' $HEIST bench queue --param 5
misused "'0'" $HEIST bench queue --bench batch --param 0
misused 'a thief' $HEIST bench queue --bench stolen --thieves 0
misused 'nothing to run' $HEIST bench queue --bench proportion --kinds plain_lifo
misused "'no/such/file'" $HEIST bench queue --csv no/such/file
misused "'no/such/file'" $HEIST bench queue --json no/such/file
misused "'no/such/file'" $HEIST bench queue --contestant a=no/such/file
misused "'a'" $HEIST bench queue --contestant a
misused 'stdout' $HEIST bench queue --csv - --json -
echo precious >kept.csv
misused "'foo'" $HEIST bench queue --csv kept.csv --kinds foo
misused "'no/such/file'" $HEIST bench queue --csv kept.csv --json no/such/file
says precious kept.csv

# What is there to read.
ends 0 $HEIST --help && says 'bench' out
ends 0 $HEIST bench --help && says 'queue' out
ends 0 $HEIST bench queue --help && says '--contestant NAME=EXECUTABLE' out
ends 0 $HEIST kinds --help && says 'Examples' out
ends 0 $HEIST --version && says 'heist ' out
ends 0 $HEIST kinds && says 'FIFO' out
ends 0 $HEIST kinds --names && kinds=$(cat out)

# The rows.
header=bench,kind,thieves,stolen_pct,param,rep,ns_per_op,ops,steals,empty,busy,ok
six=nosteal,stolen,freq,size,batch,proportion
ends 0 bench --bench $six --quick --kinds plain_lifo,locked --csv -
[ "$(head -1 out | cut -d, -f 1-12)" = $header ] || fail 'another header'
[ "$(column ok | sort -u)" = 1 ] || fail 'rows that are not ok'
[ "$(column bench | sort -u | wc -l)" = 6 ] || fail 'not all benchmarks have rows'
says '# cpu: ' out
for kind in $kinds; do
    ends 0 bench --bench nosteal,stolen --stolen 10 --kinds "$kind" --csv -
    [ "$(column kind | sort -u)" = "$kind" ] && [ "$(column ok | sort -u)" = 1 ] ||
        fail "rows of $kind"
done
ends 0 bench --bench blocks,nblocks --capacity 64 --kinds bwos_fifo:counted,bwos_lifo:hidden --csv - --json rows.json
[ "$(column ok | sort -u)" = 1 ] || fail 'rows that are not ok'
says '"machine"' rows.json
ends 0 bench --bench nosteal --kinds plain_lifo,plain_fifo,locked
says 'x1.00' out
ends 1 sh -c "$HEIST bench queue --reps 1 --bench nosteal --kinds locked --csv - >/dev/full"
says 'could be written' err

# Queues that lose, double or alter items.
for kind in losing doubling altering; do
    ends 1 $FAULTY --bench nosteal,stolen --stolen 10 --reps 1 --time 1 --kinds $kind --csv -
    [ "$(column ok | sort -u)" = 0 ] || fail "$kind is ok"
    says $kind err
done

if [ "${NATIVE:-0}" = 1 ]; then
    make_script itself "exec $HEIST bench queue --time 1 \"\$@\""
    ends 0 bench --bench $six --quick --kinds plain_lifo --contestant locked=./itself --csv -
    [ "$(column ok | sort -u)" = 1 ] && [ "$(column bench | sort -u | wc -l)" = 6 ] ||
        fail 'heist as its own contestant'

    make_script arguments 'echo "$@" >arguments.txt; echo "stolen,x,2,9.9,10,1,3.5,1000,99,1,2,1"'
    ends 0 bench --bench stolen --stolen 10 --thieves 2 --kinds plain_lifo \
        --contestant it=./arguments --csv -
    says '--bench stolen --kinds it --stolen 10 --thieves 2 --param 10 --reps 1 --csv -' \
        arguments.txt
    says 'stolen,it,2,9.90,10,1,3.5000,1000,99,1,2,1,' out

    make_script wrong 'echo "nosteal,x,0,0,8192,1,3.5,1000,0,0,0,0"; exit 1'
    ends 1 bench --bench nosteal --kinds plain_lifo --contestant it=./wrong --csv -
    [ "$(column ok | sort -u | tr '\n' ' ')" = '0 1 ' ] || fail 'ok=0 of a contestant is lost'

    for script in 'exit 3' 'exit 1' 'kill -9 $$' true 'echo rubbish' \
        'echo nosteal,x,0,0,8192,1,fast' \
        'echo nosteal,x,0,0,8192,1,nan,1000,0,0,0,1' \
        'echo stolen,x,0,0,8192,1,3.5,1000,0,0,0,1' \
        'for i in 1 2; do echo nosteal,x,0,0,8192,1,3.5,1000,0,0,0,1; done'; do
        make_script broken "$script"
        ends 1 bench --bench nosteal --kinds plain_lifo --contestant mine=./broken
        says 'contestant mine' err
    done

    ends 0 bench --bench counts --kinds abp,bwos_lifo --csv -
    [ "$(column owner_fences | cut -c 1-3 | sort -u | tail -1)" = 0.5 ] || fail "abp's fences"

    with_path=$HEIST
    HEIST="env PATH=/nonexistent $HEIST"
    misused 'gnuplot is not installed' $HEIST bench queue --plot plots
    [ ! -e plots ] || fail 'plots was made in spite of the error'
    HEIST=$with_path
    if command -v gnuplot >/dev/null; then
        ends 0 bench --bench nosteal,stolen --kinds plain_lifo,locked --plot plots
        for file in nosteal.svg nosteal.png stolen-1-thieves.svg stolen-1-thieves.png; do
            [ -s plots/$file ] || fail "no $file"
        done
    fi
fi

finish
