#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: program.sh CLANG BUILD KIND: each client's program for GenMC has nothing in it that GenMC
# does not understand (readable.awk), links, and holds its own assertions when it is simply run.
set -eu
clang=$1 build=$2 kind=$3
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
. "$here/../clients.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clients "$build" "$kind" >"$work/clients"
[ -s "$work/clients" ] || { echo "verify-$kind lists no clients" >&2; exit 1; }
while read -r number name _; do
    compile="$clang $(flags "$source" "$number") $build/verify/genmc/$kind.c"
    # As GenMC compiles it.
    $compile -S -emit-llvm -Xclang -disable-O0-optnone -o "$work/client.ll"
    awk -f "$here/readable.awk" "$work/client.ll" ||
        { echo "$kind $name: not for GenMC" >&2; exit 1; }
    $compile -g -Wall -Wextra -Werror -fsanitize=address,undefined -pthread -o "$work/client"
    if "$work/client" >"$work/output" 2>&1; then
        echo "$kind $name: ok"
    elif grep -q 'this client needs signals' "$work/output"; then
        echo "$kind $name: needs signals"
    else
        cat "$work/output" >&2
        echo "$kind $name: failed when run" >&2
        exit 1
    fi
done <"$work/clients"
