#!/bin/sh
# SPDX-License-Identifier: MIT
# names.sh SOURCE_DIR MAN_DIR COMPILER...: `man NAME` finds every function, type and macro of the public
# headers, as the compiler sees them, and some page has every constant; every header has a page or is said to
# be internal. Not public are names that end in _ and switches, which stand under their own #ifndef.
set -eu
source=$1 man=$2
shift 2
pages=$source/docs/reference/pages.txt
include=$source/include

failed=0
fail() {
    echo "$1"
    failed=1
}
for header in "$include"/heist/*.h; do
    grep -q "^$(basename "$header")\( \|\$\)" "$pages" ||
        fail "$header: docs/reference/pages.txt does not have it"
done

# HEADER WHAT NAME, of each name in each header; WHAT is macro, or word if it stands in a declaration.
names=$(awk '!/^#/ && NF { print "#include <heist/" $1 ">" }' "$pages" |
    "$@" -x c -std=c11 -E -dD -I "$include" - |
    awk '
        /^# [0-9]+ "/ {
            file = ""
            if ($3 ~ /\/heist\/[a-z_]*\.h"$/) {
                file = $3
                gsub(/.*\/|"/, "", file)
            }
            next
        }
        file == "" || /^#undef/ { next }
        /^#define/ {
            sub(/\(.*/, "", $2)
            print file, "macro", $2
            next
        }
        {
            while (match($0, /[A-Za-z0-9_]+/)) {
                word = substr($0, RSTART, RLENGTH)
                if (word ~ /^(heist|HEIST)_/)
                    print file, "word", word
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' | sort -u)
switches=$(sed -n 's/^#ifndef //p' "$include"/heist/*.h)
internal_headers=$(awk '$2 == "internal" { print $1 }' "$pages")

known=$(find "$man/man3" -name '*.3' | sed 's/.*\///; s/\.3$/ page/'
    cat "$man"/man3/*.3 | tr -d '\n' | sed 's/\\fB/\n/g' | sed -n 's/^\(HEIST_[A-Z0-9_]*\).*/\1 constant/p')

# man does not care for the case of letters.
printf '%s\n' "$known" END "$names" | awk -v switches="$switches" -v internal="$internal_headers" '
    BEGIN {
        n = split(switches, list, "\n")
        for (i = 1; i <= n; i++)
            skipped[list[i]] = 1
        n = split(internal, list, "\n")
        for (i = 1; i <= n; i++)
            hidden[list[i]] = 1
    }
    $1 == "END" { inside = 1; next }
    !inside && $2 == "page" { page[tolower($1)] = 1; next }
    !inside { constant[$1] = 1; next }
    $3 in skipped || $3 ~ /_$/ { next }
    $1 in hidden { elsewhere[$3] = 1; next }
    { header[$3] = $1; what[$3] = $2 }
    END {
        for (name in header) {
            tried++
            if (name in elsewhere || tolower(name) in page)
                continue
            if (what[name] == "word" && name ~ /^HEIST_/ && name in constant)
                continue
            print header[name] ": no manual page has " name
            failed++
        }
        print tried " names"
        exit tried < 100 || failed
    }' || failed=1
exit $failed
