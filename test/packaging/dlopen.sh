#!/bin/sh
# SPDX-License-Identifier: MIT
# dlopen.sh PREFIX WORK_DIR CC: builds dlopen.c and lets it load the installed library.
set -eu
library=$(find "$1" -name libheist.so.0) work=$2 cc=$3
mkdir -p "$work"
$cc -std=gnu11 -Wall -Wextra -Werror -I "$1/include" "$(dirname "$0")/dlopen.c" -o "$work/dlopen" -pthread -ldl
"$work/dlopen" "$library"
