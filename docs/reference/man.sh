#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh SOURCE_DIR MAN_DIR: writes the manual pages of section 3 into MAN_DIR/man3, which is made anew.
set -eu
source=$1 man=$2
here=$source/docs/reference

version=$(sed -n 's/^#define HEIST_VERSION_STRING "\([0-9]*\.[0-9]*\).*/\1/p' \
    "$source/include/heist/version.h")
# The date of the pages that are written by hand, so that all have the same.
date=$(sed -n 's/^\.TH [^ ]* [^ ]* "\([^"]*\)".*/\1/p' "$source/docs/man/heist.7")

rm -rf "$man/man3"
mkdir -p "$man/man3"
awk -v source="$source" -v out="$man/man3" -v version="$version" -v date="$date" \
    -f "$here/headers.awk" -f "$here/man.awk" "$here/pages.txt"
