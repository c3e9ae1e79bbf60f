#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh SOURCE_DIR: man formats every manual page without a warning, and the pages of section 3 name every
# function of the runtime's headers, and no other. 77: there is no man.
set -eu
cd "$1"
command -v man || exit 77

failed=0 tried=0
fail() {
    echo "$1"
    failed=1
}
for page in docs/man/*; do
    tried=$((tried + 1))
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$page" 2>&1 >/dev/null) ||
        fail "$page: man fails"
    [ -z "$warnings" ] || fail "$page: $warnings"
done

# Functions of the headers: what stands before a parenthesis, in a declaration. heist_pool_stats_sized is
# what heist_pool_stats calls.
declared=$(sed -nE 's/^(HEIST_API|HEIST_MUST_CHECK|static inline)[^(]*[ *](heist_[a-z_]*[a-z])\(.*/\2/p' \
    include/heist/pool.h include/heist/fork.h include/heist/jobs.h include/heist/loops.h \
    include/heist/stats.h include/heist/master.h | grep -vx heist_pool_stats_sized | sort -u)
described=$(sed 's/\\-/-/g' docs/man/*.3 | grep -oE 'heist_[a-z_]*[a-z]' | sort -u)
for name in $declared; do
    echo "$described" | grep -qx "$name" || fail "docs/man: no page of section 3 names $name"
done
for name in $described; do
    grep -qw "$name" include/heist/*.h || fail "docs/man: there is no $name"
done
echo "$tried pages, $(echo "$declared" | wc -l) functions"
[ $tried -gt 0 ] && [ -n "$declared" ] && [ $failed = 0 ]
