#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: memory_orders.sh [--compare PAGE] [--trust PAGE KINDS] VERIFY_DIR "KIND[:FILE] LEDGER... SOURCE..."...
# Writes docs/memory-orders.md: every order of the ledgers, weakened, and how the model checker fails
# then. With --compare: fails if PAGE says something else. With --trust: the tables of KINDS, for which
# the checker takes minutes, are those of PAGE. To be run in the root of the source tree.
set -eu

if [ "${1-}" = --compare ]; then
    page=$2
    shift 2
    if "$@" | diff -u "$page" - >&2; then
        exit 0
    fi
    echo "$page is not what the checker says now: cmake --build BUILD --target memory-orders" >&2
    exit 1
fi
trusted_page='' trusted=''
if [ "${1-}" = --trust ]; then
    trusted_page=$2 trusted=" $3 "
    shift 3
fi
verify=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The ledger's files of a kind, and all of its files.
ledgers() {
    [ ! -f "include/heist/$file.h" ] || echo "include/heist/$file.h"
    for word in $rest; do
        case $word in *.h) echo "$word" ;; esac
    done
}
files() {
    ledgers
    for word in $file $rest; do
        case $word in
        *.h) ;;
        *) for path in src/*/"$word".[ch]; do [ ! -f "$path" ] || echo "$path"; done ;;
        esac
    done | grep -vxF "$(ledgers)"
}

# A ledger as lines: name, order, comment.
read_ledger() {
    awk '/^\/\*/ { text = "" }
         /^\/\*/, /\*\// { line = $0; gsub(/^ *\/\*+ *| *\*\/ *$|^ +/, "", line); text = text " " line }
         /^#define HEIST_[A-Z_]+ __ATOMIC_/ {
             order = tolower($3); sub(/__atomic_/, "", order); sub(/^ /, "", text)
             print $2 "\t" order "\t" text
         }' "$@"
}

# The rows of a kind: what the comment says, and what the checker says without the order.
table() {
    awk -F '\t' '
        function sentence(text) { return toupper(substr(text, 1, 1)) substr(text, 2) }
        NR == FNR { value[$1] = $2; comment[$1] = $3; next }
        waiting {
            how = $0; waiting = 0
            sub(/ \([a-z_.]+:[0-9]+, .*\)$/, "", how)
            gsub(/#[0-9]+ may be delayed, and then take #[0-9]+/, "a read may be delayed, and take a write", how)
            sub(/: nothing orders.*/, " (load buffering)", how)
            sub(/, which follows from it/, " that follows from it", how)
            gsub(/[|]/, "or", how); sub(/, in thread [0-9]/, "", how)
            text = comment[name]; partners = ""; rest = text
            while (match(rest, /pairs with [A-Z_]+((,| and|, and) [A-Z_][A-Z_]+)*/)) {
                partners = partners (partners ? ", " : "") substr(rest, RSTART + 11, RLENGTH - 11)
                rest = substr(rest, RSTART + RLENGTH)
            }
            site = text; gsub(/[;,:] pairs with [A-Z_]+((,| and|, and) [A-Z_][A-Z_]+)*/, "", site)
            without = ""
            if (match(site, /[;,] else .*/)) {
                without = substr(site, RSTART + 7); site = substr(site, 1, RSTART - 1)
                sub(/; and claims.*/, "", without)
            }
            printf "| `%s` | %s | %s | %s | %s: `%s` | %s%s |\n", name, value[name], sentence(site), partners,
                   weaker, client, without ? sentence(without) ". " : "", sentence(how)
        }
        /^[a-z_]+,[^,]*,rc11,HEIST_/ {
            split($0, row, ","); split(row[4], what, "=")
            name = what[1]; weaker = what[2]; client = row[2]; waiting = row[7] == "failed"
            if (row[7] == "not caught")
                printf "| `%s` | %s | **no client fails without it** | | | |\n", name, value[name]
        }' "$@"
}

# How many accesses have which order; one that is both counts twice.
count() {
    awk -F '\t' '
        NR == FNR { order[$1] = $2; next }
        /^#/ { next }
        {
            gsub(/\/\*.*\*\//, "")
            while (match($0, /HEIST_[A-Z]+_[A-Z_]+|__ATOMIC_RELAXED/)) {
                word = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
                what = word == "__ATOMIC_RELAXED" ? "relaxed" : order[word]
                seq += what == "seq_cst"; rlx += what == "relaxed"
                acq += what == "acquire" || what == "acq_rel"
                rel += what == "release" || what == "acq_rel"
            }
        }
        END { printf "| %d | %d | %d | %d |\n", seq, acq, rel, rlx }' "$@"
}

cat <<'END'
# Memory orders

Written by `verify/memory_orders.sh` from the ledgers in the headers and from the model checker; the
test `verify-memory-orders` compares. After a change: `cmake --build build --target memory-orders`.

Every order below is needed: with the next weaker one in its place, and all others as they are, the
client named fails under rc11, in the way said. "Load buffering" is explained in
[verification.md](verification.md#load-buffering). `build/verify/verify-KIND --client CLIENT --weaken ORDER=WEAKER
--trace` shows the execution. All other accesses are relaxed, or plain and of one thread.

## How many

Accesses and fences in the code, by order; one that is acquire and release counts as both. The paper
is BWoS (OSDI 2023), Table 2, which counts put, get and steal of a queue of fixed size; here growth,
requests, hazard slots, signals, `size`, `sample` and set-up are counted too.

| queue | SEQ | ACQ | REL | RLX |
|---|---|---|---|---|
| LIFO BWoS, paper | 0 | 2 | 2 | 14 |
| FIFO BWoS, paper | 0 | 3 | 3 | 16 |
| ABP, paper | 4 | 3 | 1 | 7 |
END
failures=0
for entry in "$@"; do
    name=${entry%% *} rest=${entry#"${entry%% *}"}
    kind=${name%:*} file=${name#*:}
    # The words of these lists are to be split.
    # shellcheck disable=SC2046
    read_ledger $(ledgers) >"$work/$kind.ledger"
    [ -s "$work/$kind.ledger" ] || continue
    # shellcheck disable=SC2046
    printf '| `%s` ' "$kind" && count "$work/$kind.ledger" $(files)
done
for entry in "$@"; do
    name=${entry%% *} rest=${entry#"${entry%% *}"}
    kind=${name%:*} file=${name#*:}
    if [ ! -s "$work/$kind.ledger" ]; then
        printf '\n## %s\n\nNone of its own: a mutex.\n' "$kind"
        continue
    fi
    case $trusted in
    *" $kind "*)
        awk -v title="## $kind" '/^## / { inside = $0 == title; if (inside) print "" }
                                 inside && ($0 != "" || !printed++)' "$trusted_page"
        continue
        ;;
    esac
    printf '\n## %s\n\n' "$kind"
    echo '| order | is | what comes before what | pairs with | fails as | without it |'
    echo '|---|---|---|---|---|---|'
    "$verify/verify-$kind" --mutants --trace --seconds 120 >"$work/mutants" || failures=1
    table "$work/$kind.ledger" "$work/mutants"
done
exit $failures
