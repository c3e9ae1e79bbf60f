#!/bin/sh
# SPDX-License-Identifier: MIT
# doxygen.sh SOURCE_DIR DIRECTORY: writes the API reference into DIRECTORY/html. Fails if Doxygen warns, of
# something without a comment too.
set -eu
source=$1 out=$2
here=$source/docs/reference

if ! command -v doxygen >/dev/null; then
    echo "doxygen.sh: there is no doxygen; on Debian: apt-get install doxygen" >&2
    exit 1
fi
version=$(sed -n 's/^#define HEIST_VERSION_STRING "\(.*\)"/\1/p' "$source/include/heist/version.h")
input=$out/input
rm -rf "$out/html" "$input"
mkdir -p "$input/heist"
awk -v source="$source" -v out="$input/heist" \
    -f "$here/headers.awk" -f "$here/doxygen.awk" "$here/pages.txt"
{
    cat "$here/Doxyfile"
    cat <<END
PROJECT_NUMBER = $version
OUTPUT_DIRECTORY = "$out"
INPUT = "$input" "$here/main.dox"
STRIP_FROM_PATH = "$input"
INCLUDE_PATH = "$input"
END
} | doxygen -
rm -rf "$input"
