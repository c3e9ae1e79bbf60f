#!/bin/sh
# SPDX-License-Identifier: MIT
# reference.sh SOURCE_DIR WORK_DIR: Doxygen makes the API reference without a warning, and it has a page for
# every public header. 77: there is no Doxygen.
set -eu
source=$1 work=$2
command -v doxygen >/dev/null || { echo "skipped: there is no doxygen"; exit 77; }
"$source/docs/reference/doxygen.sh" "$source" "$work"

headers=$(awk '!/^#/ && NF && $2 != "internal" { print $1 }' "$source/docs/reference/pages.txt")
for header in $headers; do
    page=$work/html/$(echo "${header%.h}" | sed 's/_/__/g')_8h.html
    grep -q "$header" "$page" || { echo "$page is missing, or about something else"; exit 1; }
    grep -q "$header" "$work/html/index.html" || { echo "the first page does not name $header"; exit 1; }
done
grep -q heist_pool_new "$work/html/pool_8h.html"
grep -q heist_chaselev_put "$work/html/chaselev_8h.html"
echo "$(echo "$headers" | wc -l) headers"
