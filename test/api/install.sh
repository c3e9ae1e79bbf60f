#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh SOURCE_DIR BUILD_DIR PREFIX CMAKE_OPTION...: `make install`, then the whole is moved to
# PREFIX: what was installed must not know where it was put.
set -eu
source=$1 build=$2 prefix=$3
shift 3
unset MAKEFLAGS DESTDIR # no option of an outer make may reach this one

make -C "$source" install BUILD="$build" PREFIX="$build/elsewhere" CMAKE_ARGS="$*"
rm -rf "$prefix"
mv "$build/elsewhere" "$prefix"

for header in "$source"/include/heist/*.h; do
    cmp "$header" "$prefix/include/heist/$(basename "$header")"
done
"$prefix/bin/heist" kinds
for page in man1/heist.1 man7/heist.7 man3/heist_pool.3 man3/heist_run.3; do
    test -s "$prefix/share/man/$page"
done
if grep -rIl -e "$build" -e "$source" "$prefix"; then
    echo "these files name the directories of the build"
    exit 1
fi
