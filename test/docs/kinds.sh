#!/bin/sh
# SPDX-License-Identifier: MIT
# kinds.sh SOURCE_DIR: every kind has its page and its rows in the tables of README.md and docs/queues.md,
# and no page is about something else.
set -eu
cd "$1"

kinds=$(sed -n 's/^ *X(\([a-z_]*\)).*/\1/p' include/heist/kinds.h)
failed=0
fail() {
    echo "$1"
    failed=1
}
for kind in $kinds; do
    [ -f "docs/queues/$kind.md" ] || fail "kind $kind has no page docs/queues/$kind.md"
    grep -q "^| \[\`$kind\`\](docs/queues/$kind.md) |" README.md || fail "README.md: no row for $kind"
    grep -q "^| \[\`$kind\`\](queues/$kind.md) |" docs/queues.md || fail "docs/queues.md: no row for $kind"
done
for page in docs/queues/*.md; do
    echo "$kinds" | grep -qx "$(basename "$page" .md)" || fail "$page: no such kind"
done
echo "kinds:" $kinds
[ -n "$kinds" ] && [ $failed = 0 ]
