#!/bin/sh
# SPDX-License-Identifier: MIT
# columns.sh SOURCE_DIR: no line of C or C++ is longer than 100 columns, in comments neither, which
# clang-format leaves as they are.
set -eu
cd "$1"

find include src bench report examples test verify -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' |
    sort | xargs awk '
    length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns"; failed++ }
    END {
        print NR " lines, " failed + 0 " of more than 100 columns"
        exit !NR || failed
    }'
