#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh INCLUDE_DIR LANGUAGE COMPILER FLAG...: every public header compiles alone, and
# when it is included twice. (A declaration follows, since some hold only macros.)
set -u
include=$1 language=$2
shift 2

failed=0 tried=0
for header in "$include"/heist/*.h; do
    line="#include <heist/$(basename "$header")>"
    tried=$((tried + 1))
    if ! printf '%s\n%s\nextern int declared;\n' "$line" "$line" |
        "$@" -x "$language" -I "$include" -Wall -Wextra -Wpedantic -Wundef -Werror -fsyntax-only -
    then
        echo "$header does not compile alone with $*"
        failed=$((failed + 1))
    fi
done
echo "$tried headers with $*: $failed failed"
[ $tried -gt 0 ] && [ $failed = 0 ]
