#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh SOURCE_DIR MAN_DIR: man, and mandoc if there is one, format every manual page without a warning;
# those that refer to another lead to one, and `man heist_run` finds the page that has it; hand-written ones
# name nothing that is not there, and are of this version. 77: there is no man.
set -eu
cd "$1"
man=$2
command -v man >/dev/null || { echo "skipped: there is no man (Debian: man-db)"; exit 77; }

failed=0 tried=0 links=0
fail() {
    echo "$1"
    failed=1
}
for page in docs/man/* "$man"/man3/*; do
    read -r first rest <"$page"
    if [ "$first" = .so ]; then
        links=$((links + 1))
        grep -q '^\.TH' "$man/$rest" || fail "$page: refers to $rest, which is no page"
        continue
    fi
    tried=$((tried + 1))
    warnings=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) ||
        fail "$page: man fails"
    [ -z "$warnings" ] || fail "$page: $warnings"
    if command -v mandoc >/dev/null; then
        warnings=$(mandoc -T lint "$page" || true)
        [ -z "$warnings" ] || fail "$warnings"
    fi
    for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
        grep -qx "\.SH $section" "$page" || fail "$page: no section $section"
    done
done

LC_ALL=C man -M "$man" 3 heist_run | grep -q 'int heist_run(heist_pool' ||
    fail "man heist_run does not show it"

version=$(sed -n 's/^#define HEIST_VERSION_STRING "\([0-9]*\.[0-9]*\).*/\1/p' include/heist/version.h)
for page in docs/man/*; do
    grep -q "^\.TH .* \"heist $version\"" "$page" || fail "$page: it is not of version $version"
    names=$(grep -oE '(heist|HEIST)_[A-Za-z0-9_]*[A-Za-z0-9]' "$page" | sort -u)
    for name in $names; do
        [ -f "$man/man3/$name.3" ] || grep -qw "$name" include/heist/*.h docs/environment.md ||
            [ "$name" = heist_run_fib ] || # the example's own
            fail "$page: there is no $name"
    done
done
for page in "$man"/man3/*; do
    grep -q '^\.so' "$page" || grep -q "^\.BR $(basename "$page" .3) (3)" docs/man/heist.7 ||
        fail "docs/man/heist.7 does not list $(basename "$page" .3)(3)"
done
echo "$tried pages, $links that refer to them"
[ $tried -gt 2 ] && [ $links -gt 0 ] && [ $failed = 0 ]
