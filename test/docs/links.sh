#!/bin/sh
# SPDX-License-Identifier: MIT
# links.sh SOURCE_DIR: every relative link in the documentation leads to a file that is there.
set -eu
cd "$1"

awk '
    FNR == 1 { inside = 0 }
    /^```/ { inside = !inside }
    !inside {
        gsub(/`[^`]*`/, "")
        while (match($0, /\]\([^)]*\)/)) {
            print FILENAME, substr($0, RSTART + 2, RLENGTH - 3)
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' *.md docs/*.md docs/*/*.md | {
    failed=0 tried=0
    while read -r page target; do
        case $target in
        *://* | mailto:* | \#*) continue ;;
        esac
        tried=$((tried + 1))
        if [ ! -e "$(dirname "$page")/${target%%#*}" ]; then
            echo "$page: there is no $target"
            failed=$((failed + 1))
        fi
    done
    echo "$tried links: $failed failed"
    [ $tried -gt 0 ] && [ $failed = 0 ]
}
