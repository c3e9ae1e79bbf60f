#!/bin/sh
# SPDX-License-Identifier: MIT
# single_file.sh HEADER WORK_DIR CC LANGUAGE COMPILER FLAG...: builds a program of two files with
# heist-queues.h, by COMPILER as LANGUAGE, and runs it with the implementation by CC as C and by COMPILER.
set -eu
here=$(dirname "$0")/single_file header=$1 work=$2 cc=$3 language=$4
shift 4

for command in "$cc" "$1"; do
    if ! command -v "$command" >/dev/null; then
        echo "skipped: $command is not installed"
        exit 77
    fi
done
rm -rf "$work"
mkdir -p "$work/alone"
cp "$header" "$work/alone" # so that no other header of ours is found beside it
flags="-I $work/alone -O1 -Wall -Wextra -Wundef -Wshadow -Werror -pthread"

as() { # LANGUAGE FILE OBJECT COMPILER FLAG...
    language=$1 file=$2 object=$3
    shift 3
    # shellcheck disable=SC2086 # several words
    "$@" $flags -x "$language" -c "$here/$file.c" -o "$work/$object.o"
}
own=$language
as "$own" owner owner "$@"
as "$own" thief thief "$@"
as c implementation by-c "$cc" -std=c11
as "$own" implementation by-own "$@"
for implementation in by-c by-own; do
    "$1" -pthread "$work/owner.o" "$work/thief.o" "$work/$implementation.o" -o "$work/program"
    "$work/program"
done
