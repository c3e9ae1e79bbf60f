#!/bin/sh
# SPDX-License-Identifier: MIT
# table.sh SOURCE_DIR BUILD_DIR WORK_DIR CTEST: every block of the pages says what it is; a file that a
# page shows is used in the page; and commands.table is true: each row is about some command of a page, has
# a reason, and names a test that there is.
set -eu
here=$(cd "$(dirname "$0")" && pwd) source=$1 build=$2 work=$3 ctest=$4
table=$here/commands.table

rm -rf "$work"
mkdir -p "$work"
cd "$source"
failed=0 blocks=0
fail() {
    echo "$1"
    failed=1
}
: >"$work/used"
for page in *.md docs/*.md docs/*/*.md; do
    prefix=$work/$(echo "$page" | tr / -)
    awk -v prefix="$prefix" -f "$here/blocks.awk" "$page" >"$prefix"
    while read -r number line language kind; do
        blocks=$((blocks + 1))
        case "$language $kind" in
        'sh ' | 'sh needs='* | 'sh inline')
            awk -v mode=none -v used="$work/used" -v once=/dev/null -f "$here/commands.awk" "$table" "$prefix.$number"
            ;;
        'text ' | 'text output' | 'text shape' | 'c ' | 'c++ ' | 'cmake ' | 'diff ') ;;
        'c '*/*) ;; # of kind.sh
        'c '* | 'c++ '* | 'cmake '* | 'sh '*)
            [ "$kind" = CMakeLists.txt ] || grep -qF -- "$kind" "$prefix".[0-9]* ||
                fail "$page:$line: nothing in this page uses $kind"
            ;;
        *) fail "$page:$line: a block of '$language $kind'; test/docs/play.sh says what there is" ;;
        esac
    done <"$prefix"
done

"$ctest" --test-dir "$build" -C long -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/tests"
awk -v used="$work/used" -v tests="$work/tests" '
    BEGIN {
        while ((getline line < used) > 0) is_used[line] = 1
        while ((getline line < tests) > 0) is_test[line] = 1
    }
    /^(#|$)/ { next }
    {
        n = split($0, part, /[ \t]+[|][ \t]+/)
        split(part[2], how, " ")
        where = "commands.table:" FNR ": "
        rows++
        if (n != 3 || part[3] == "") { print where "not COMMAND | HOW | WHY"; failed++ }
        else if (!is_used[FNR]) { print where "no page has this command, or a row above fits: " part[1]; failed++ }
        else if (how[1] == "by" && !is_test[how[2]]) { print where "there is no test " how[2]; failed++ }
        else if (how[1] !~ /^(run|long|clone|fresh|by)$/) { print where "what is " how[1] "?"; failed++ }
    }
    END { print rows " rows, " failed + 0 " wrong"; exit !rows || failed }' "$table" || failed=1
echo "$blocks blocks"
[ $blocks -gt 0 ] && [ $failed = 0 ]
