#!/bin/sh
# SPDX-License-Identifier: MIT
# installed.sh CMAKE BUILD_DIR PREFIX: an installed heist finds the installed programs of the checker,
# and only those; completion is where bash and zsh look for it.
set -eu
cmake=$1 build=$2 prefix=$3

rm -rf "$prefix"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
[ -f "$prefix/share/bash-completion/completions/heist" ]
[ -f "$prefix/share/zsh/site-functions/_heist" ]
"$prefix/bin/heist" verify abp --client last
rm "$prefix"/libexec/heist/verify-abp
status=0
"$prefix/bin/heist" verify abp --client last || status=$?
[ $status = 2 ]
