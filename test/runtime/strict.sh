#!/bin/sh
# SPDX-License-Identifier: MIT
# strict.sh INCLUDE_DIR LIBRARY PROGRAM COMPILER SOURCE FLAG...: builds SOURCE with all warnings into
# PROGRAM and runs it. If it knows NOT_TRIVIAL, it must be refused with that macro. 77: there is no such
# compiler.
set -eu
include=$1 library=$2 program=$3 compiler=$4 source=$5
shift 5
if ! command -v "$compiler"; then
    echo "no $compiler here"
    exit 77
fi
compile()
{
    "$compiler" -Wall -Wextra -Wpedantic -Wundef -Wshadow -Werror -I "$include" "$source" "$@"
}
compile "$@" "$library" -Wl,-rpath,"$(dirname "$library")" -pthread -o "$program"
"$program"
if grep -q NOT_TRIVIAL "$source"; then
    if compile "$@" -fsyntax-only -DNOT_TRIVIAL 2>"$program.refused"; then
        echo "a type that is not trivial was not refused"
        exit 1
    fi
    grep 'must be trivially copyable' "$program.refused"
fi
