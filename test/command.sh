# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The words of scripts that test a command, which begin by reading this, and end with `finish`. They
# run in a directory of their own; `out` and `err` are what the last command has printed.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
: >out
: >err
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' out err
}

# ends STATUS COMMAND...
ends() {
    wanted=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status = "$wanted" ] || fail "status $status instead of $wanted: $*"
}

says() { # TEXT FILE
    grep -qF -e "$1" "$2" || fail "no '$1' in $2"
}

# refused TEXT COMMAND...: status 2, no stdout, one line on stderr that has TEXT.
refused() {
    text=$1
    shift
    ends 2 "$@"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || fail "not one clear line: $*"
    says "$text" err
}

# misused TEXT COMMAND...: refused, and the line points to --help.
misused() {
    refused "$@"
    says --help err
}

column() { # NAME, of the CSV in out
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
                          NR > 1 && !/^#/ { print $c }' out
}

make_script() { # NAME TEXT
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

finish() {
    [ $failures = 0 ] && echo 'all as it should be'
    exit $((failures > 0))
}
