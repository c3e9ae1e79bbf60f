#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh SOURCE_DIR WORK_DIR: the README's first program is examples/first.c, every make target that it names
# is in the Makefile, and it says how many memory orders docs/memory-orders.md has.
set -eu
here=$(cd "$(dirname "$0")" && pwd) source=$1 work=$2

rm -rf "$work"
mkdir -p "$work"
cd "$source"
first=$(awk -v prefix="$work/README" -f "$here/blocks.awk" README.md | awk '$3 == "c" { print $1; exit }')
failed=0
diff -u examples/first.c "$work/README.$first" || failed=1

# Commands are lines of blocks, up to a comment, and what stands between backticks.
awk '
    /^```/ { inside = !inside; next }
    inside { sub(/#.*/, ""); print; next }
    { for (n = split($0, part, "`"); n > 1; n--) if (n % 2 == 0) print part[n] }' README.md |
    awk '$1 == "make" { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z][a-z-]*$/) print $i }' |
    sort -u >"$work/targets"
while read -r target; do
    if ! grep -q "^$target:" Makefile; then
        echo "README.md: the Makefile has no target $target"
        failed=1
    fi
done <"$work/targets"
orders=$(grep -c '^| `HEIST_' docs/memory-orders.md)
if ! grep -q "each of the $orders memory orders" README.md; then
    echo "README.md: docs/memory-orders.md has $orders orders"
    failed=1
fi
echo "targets named: $(tr '\n' ' ' <"$work/targets")"
[ -s "$work/targets" ] && [ $failed = 0 ]
