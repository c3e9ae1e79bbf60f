#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the heist command. HEIST runs it (with an emulator in front, perhaps), FAULTY is the
# benchmark with queues that are wrong; NATIVE=1 if programs that call them can be run.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' err
}

# refused TEXT ARGUMENT...: status 2, no stdout, one line on stderr that has TEXT and --help.
refused() {
    text=$1
    shift
    $HEIST "$@" >out 2>err
    status=$?
    [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$text" err &&
        grep -q -e '--help' err || fail "status $status, not a clear refusal: heist $*"
}

# ends STATUS ARGUMENT...
ends() {
    wanted=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status = "$wanted" ] || fail "status $status instead of $wanted: $*"
}

# says TEXT FILE
says() {
    grep -qF -e "$1" "$2" || fail "no '$1' in $2"
}

bench() {
    $HEIST bench queue --reps 1 --time 1 "$@"
}

column() { # NAME of out
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
                          NR > 1 && !/^#/ { print $c }' out
}

# Bad input.
refused 'a command is missing'
refused "'foo'" foo
refused "'--foo'" --foo
refused "'foo'" --version foo
refused "'foo'" bench foo
refused "'foo'" kinds foo
refused "'--foo'" kinds --names --foo
refused "'--foo'" bench queue --foo
refused "'foo'" bench queue foo
refused "'foo'" bench queue --kinds abp,foo
refused "'abp:foo'" bench queue --kinds abp:foo
refused "'abp:grows'" bench queue --kinds abp:grows
refused "'abp' is named twice" bench queue --kinds abp,abp
refused "'foo'" bench queue --bench nosteal,foo
refused "'200'" bench queue --stolen 1,200
refused "'-1'" bench queue --stolen -1
refused "'1,,2'" bench queue --stolen 1,,2
refused "''" bench queue --stolen ''
refused "'1.5'" bench queue --stolen=1.5
refused "'0'" bench queue --reps 0
refused "'-7'" bench queue --reps=-7
refused '--reps needs a value' bench queue --reps
refused '--quick takes no value' bench queue --quick=1
refused "'x'" bench queue --thieves x
refused "'18446744073709551615'" bench queue --capacity 18446744073709551615
refused "'99999999999999999999'" bench queue --capacity 99999999999999999999
refused "'9000'" bench queue --block 9000
refused '--param' bench queue --param 5
refused "'0'" bench queue --bench batch --param 0
refused 'a thief' bench queue --bench stolen --thieves 0
refused 'nothing to run' bench queue --bench proportion --kinds plain_lifo
refused "'no/such/file'" bench queue --csv no/such/file
refused "'no/such/file'" bench queue --json no/such/file
refused "'no/such/file'" bench queue --contestant a=no/such/file
refused "'a'" bench queue --contestant a
refused 'stdout' bench queue --csv - --json -
echo precious >kept.csv
refused "'foo'" bench queue --csv kept.csv --kinds foo
refused "'no/such/file'" bench queue --csv kept.csv --json no/such/file
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

# contestant NAME SCRIPT: makes a program of that name.
contestant() {
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

if [ "${NATIVE:-0}" = 1 ]; then
    contestant itself "exec $HEIST bench queue --time 1 \"\$@\""
    ends 0 bench --bench $six --quick --kinds plain_lifo --contestant locked=./itself --csv -
    [ "$(column ok | sort -u)" = 1 ] && [ "$(column bench | sort -u | wc -l)" = 6 ] ||
        fail 'heist as its own contestant'

    contestant arguments 'echo "$@" >arguments.txt; echo "stolen,x,2,9.9,10,1,3.5,1000,99,1,2,1"'
    ends 0 bench --bench stolen --stolen 10 --thieves 2 --kinds plain_lifo \
        --contestant it=./arguments --csv -
    says '--bench stolen --kinds it --stolen 10 --thieves 2 --param 10 --reps 1 --csv -' \
        arguments.txt
    says 'stolen,it,2,9.90,10,1,3.5000,1000,99,1,2,1,' out

    contestant wrong 'echo "nosteal,x,0,0,8192,1,3.5,1000,0,0,0,0"; exit 1'
    ends 1 bench --bench nosteal --kinds plain_lifo --contestant it=./wrong --csv -
    [ "$(column ok | sort -u | tr '\n' ' ')" = '0 1 ' ] || fail 'ok=0 of a contestant is lost'

    for script in 'exit 3' 'exit 1' 'kill -9 $$' true 'echo rubbish' \
        'echo nosteal,x,0,0,8192,1,fast' \
        'echo nosteal,x,0,0,8192,1,nan,1000,0,0,0,1' \
        'echo stolen,x,0,0,8192,1,3.5,1000,0,0,0,1' \
        'for i in 1 2; do echo nosteal,x,0,0,8192,1,3.5,1000,0,0,0,1; done'; do
        contestant broken "$script"
        ends 1 bench --bench nosteal --kinds plain_lifo --contestant mine=./broken
        says 'contestant mine' err
    done

    ends 0 bench --bench counts --kinds abp,bwos_lifo --csv -
    [ "$(column owner_fences | cut -c 1-3 | sort -u | tail -1)" = 0.5 ] || fail "abp's fences"

    with_path=$HEIST
    HEIST="env PATH=/nonexistent $HEIST"
    refused 'gnuplot is not installed' bench queue --plot plots
    [ ! -e plots ] || fail 'plots was made in spite of the error'
    HEIST=$with_path
    if command -v gnuplot >/dev/null; then
        ends 0 bench --bench nosteal,stolen --kinds plain_lifo,locked --plot plots
        for file in nosteal.svg nosteal.png stolen-1-thieves.svg stolen-1-thieves.png; do
            [ -s plots/$file ] || fail "no $file"
        done
    fi
fi

[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
