#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of heist bench pool. HEIST runs the command and FAULTY the same with queues that are wrong (with
# an emulator in front, perhaps); NATIVE=1 if the command can start programs.
. "$(dirname "$0")/../../../test/command.sh"

# wrong TEXT ARGUMENT...
wrong() {
    text=$1
    shift
    misused "$text" $HEIST bench pool "$@"
}

bench() {
    $HEIST bench pool --rounds 1 --time 4 "$@"
}

# rows 'CONDITION': an awk condition that holds in every row of out, of which there is one; columns are
# v["NAME"].
rows() {
    holds "$1" || fail "not in all rows: $1"
}
holds() {
    awk -F, "NR == 1 { for (i = 1; i <= NF; i++) name[i] = \$i; next }
             /^#/ { next }
             { n++; for (i = 1; i <= NF; i++) v[name[i]] = \$i; if (!($1)) { print; bad = 1 } }
             END { exit bad || !n }" out >>err
}

# Bad input.
wrong "'--foo'" --foo
wrong "'foo'" foo
wrong "'foo': no such kind; there are: plain_lifo, plain_fifo, " --kinds abp,foo
wrong "'abp:foo'" --kinds abp:foo
wrong "'plain_lifo'" --kinds plain_lifo
wrong "'abp' is named twice" --kinds abp,abp
wrong "'foo'" --policies random,foo
wrong "'prob': no such policy; there are: default, random, random+prob, " --policies prob
wrong ', best_of_two+prob, ' --policies prob
wrong 'numa+prob; or all, alone' --policies all,random
wrong "'numa' is named twice" --policies numa,numa
wrong "'foo'" --batches foo
wrong 'one, half, block' --batches all
wrong "'all-of-block' is named twice" --batches block,all-of-block
wrong "'101'" --balance 0,101
wrong "'-1'" --balance -1
wrong "'5' is named twice" --balance 5,5
wrong "'1,,2'" --balance 1,,2
wrong "'1'" --threads 1
wrong "'100000'" --threads 100000
wrong "'0'" --capacity 0
wrong "'9000'" --block 9000
wrong "'x'" --turn x
wrong "'x': it is items or attempts" --count x
wrong '--count attempts' --free-refusals
wrong "'0'" --rounds 0
wrong "'0'" --time 0
wrong '--time needs a value' --time
wrong '--quick takes no value' --quick=1
wrong "'no/such/file'" --csv no/such/file
echo precious >kept.csv
wrong "'foo'" --csv kept.csv --kinds foo
says precious kept.csv

# What is there to read.
ends 0 $HEIST bench pool --help && says 'Examples' out && says 'numa+prob' out && says bwos_fifo out
ends 0 $HEIST bench --help && says 'pool' out
ends 0 bench --kinds locked,abp --policies random --balance 0,100 --threads 3
says 'balance 100 %' out
says 'locked random one' out
says '1.00' out

# Policies beside each other: of each kind and batch.
ends 0 bench --kinds abp,bwos_lifo --policies default,last,last+prob --balance 0,100 --threads 3
grep -Eq '^  abp        one  +[0-9.]+  last  +100 %  +[0-9.]+  last(\+prob)?  +100 %$' out || fail 'no policies of abp'
[ "$(sed -n '/^Policies/,$p' out | grep -cE '^  (abp|bwos_lifo) +(one|block) ')" = 4 ] || fail 'not all kinds and batches'
ends 0 bench --kinds abp --policies random --balance 100 --threads 3
! grep -q ^Policies out || fail 'one policy beside nothing'

# The rows: one for everything that was asked for, with what they promise.
ends 0 bench --kinds abp,bwos_lifo,bwos_fifo --policies all --batches one,half,block \
    --balance 100 --threads 4 --csv -
[ "$(grep -c '^[a-z]' out)" = 118 ] || fail "not 3 x 13 x 3 rows and a header"
rows 'v["ok"] == 1 && v["puts"] > 0 && v["steals"] > 0 && v["threads"] == 4'
rows 'v["successes"] <= v["attempts"] && v["successes"] <= v["steals"]'
rows 'v["batch"] != "one" || v["successes"] == v["steals"]'
rows 'v["fairness"] > 0.2499 && v["fairness"] <= 1.0001'
rows 'v["fairness_owners"] > 0.2499 && v["fairness_owners"] <= 1.0001'
rows '(v["ops_per_s"] * v["seconds"] / (v["puts"] + v["gets"] + v["steals"]) - 1) ^ 2 < 0.0001'
says '# cpu: ' out
ends 0 bench --kinds abp,bwos_lifo --policies random,numa+prob --balance 0 --csv -
rows 'v["steals"] == 0 && v["attempts"] == 0 && v["fairness"] == "" && v["ok"] == 1'
ends 0 bench --kinds bwos_lifo --policies random --batches block --balance 50 --block 64 --csv -
rows 'v["steals"] > 1.5 * v["successes"] && v["steals"] <= 64 * v["successes"]'
# The share is so many items, or so many attempts. A machine may be too busy for attempts in vain.
set -- --kinds abp --policies random+prob --batches one --balance 20 --time 40 --csv -
ends 0 bench "$@" --count attempts
rows 'v["attempts"] > 0 && v["attempts"] <= 0.2001 * v["puts"]'
for try in 1 2 3 4 5 6 7 8 9; do
    ends 0 bench "$@"
    rows 'v["steals"] > 0 && v["steals"] <= 0.2001 * v["puts"]'
    if holds 'v["attempts"] > 0.21 * v["puts"]'; then
        break
    fi
done
rows 'v["attempts"] > 0.21 * v["puts"]'
# Refusals that are free are no attempts: then a larger part of them succeeds.
ends 0 bench --kinds abp --policies random+prob --balance 20 --time 40 --count attempts --csv -
counted=$(awk -F, 'NR == 1 { while ($++c != "attempts_per_success"); } NR == 2 { print $c }' out)
ends 0 bench --kinds abp --policies random+prob --balance 20 --time 40 --count attempts \
    --free-refusals --csv -
rows "v[\"ok\"] == 1 && v[\"attempts_per_success\"] >= 1 && v[\"attempts_per_success\"] < $counted"
$HEIST kinds --names >names
# On a busy machine an owner may not run while thieves ask: then it takes more than one try.
for kind in $(cat names) split:signal bwos_lifo:counted chaselev:grows; do
    for try in 1 2 3 4 5 6 7 8 9; do
        ends 0 bench --kinds "$kind" --policies last+prob --batches one,block --balance 50 --csv -
        rows 'v["ok"] == 1'
        if holds 'v["steals"] > 0'; then
            break
        fi
    done
    rows 'v["steals"] > 0'
done
ends 0 bench --kinds abp --policies random --balance 10 --turn 0 --csv -
rows 'v["ok"] == 1'
ends 1 sh -c "$HEIST bench pool --rounds 1 --time 4 --kinds abp --policies random --balance 0 \
    --csv - >/dev/full"
says 'could be written' err

# Queues that lose, double or alter items.
for kind in losing doubling altering; do
    ends 1 $FAULTY --rounds 1 --time 4 --kinds $kind --policies random --balance 0,50 --csv -
    rows 'v["ok"] == 0'
    says $kind err
done

if [ "${NATIVE:-0}" = 1 ]; then
    with_path=$HEIST
    HEIST="env PATH=/nonexistent $HEIST"
    wrong 'gnuplot is not installed' --plot pool.svg
    HEIST=$with_path
    if command -v gnuplot >/dev/null; then
        wrong "'pool.png'" --plot pool.png
        wrong "'no/such/dir/pool.svg'" --plot no/such/dir/pool.svg
        mkdir plots
        for file in pool.svg plots/pool.svg; do
            ends 0 bench --kinds abp --policies random,last --balance 0,50 --plot $file
            grep -q '</svg>' $file || fail "no plot in $file"
            says 'abp last one' $file
        done
    fi
fi

finish
