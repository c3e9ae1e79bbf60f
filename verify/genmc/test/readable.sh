#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: readable.sh CLANG: readable.awk finds fault with each bad_ function of unreadable.c, once,
# and with nothing else.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -S -emit-llvm -Xclang -disable-O0-optnone -o "$work/program.ll" "$here/unreadable.c"
if awk -f "$here/readable.awk" "$work/program.ll" >"$work/found"; then
    echo "nothing was found" >&2
    exit 1
fi
sed 's/^[^ ]* \([^:]*\):.*/\1/' "$work/found" | sort >"$work/kinds"
sort >"$work/expected" <<END
type not seen
type not seen
type not seen
type not seen
fence of one thread
assembly
not in GenMC
not in GenMC
END
diff "$work/expected" "$work/kinds" || { cat "$work/found" >&2; exit 1; }
