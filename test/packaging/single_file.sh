#!/bin/sh
# SPDX-License-Identifier: MIT
# single_file.sh HEADER WORK_DIR CC LANGUAGE COMPILER FLAG...: builds a program of two files with
# heist-queues.h, by COMPILER as LANGUAGE, and the implementation by CC; and runs it.
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

# shellcheck disable=SC2086 # several words
$cc -std=c11 $flags -c "$here/implementation.c" -o "$work/implementation.o"
for file in owner thief; do
    # shellcheck disable=SC2086
    "$@" $flags -x "$language" -c "$here/$file.c" -o "$work/$file.o"
done
"$1" -pthread "$work/owner.o" "$work/thief.o" "$work/implementation.o" -o "$work/program"
"$work/program"
