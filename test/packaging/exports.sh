#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh PREFIX MAP INCLUDE_DIR: libheist.so exports what MAP lists, each name in its node; MAP lists what
# the headers declare HEIST_API, names that end in _ as private; and the soname is libheist.so.0.
set -eu
library=$(find "$1" -name libheist.so) map=$2 include=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

machine=$(uname -m)
awk -v machine="$machine" '
    /^HEIST_.* \{/ { node = $1 }
    /^    heist_/ && ($2 != "/*" || machine == "x86_64") { sub(/;.*/, ""); print $1 "@@" node }
' "$map" | sort >"$work/map"
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort >"$work/library"

# Declarations may take several lines; what is only a jump in assembly is listed in MAP with its machine.
{
    cat "$include"/heist/*.h | awk '
        /^HEIST_API / {
            text = $0
            while (text !~ /[(;]/ || text ~ /^HEIST_API [^(;]*$/) {
                getline
                text = text $0
            }
            if (text ~ /^[^(]*;/)
                sub(/;.*/, "(", text) # declared by a type of functions
            sub(/\(.*/, "", text)
            sub(/.*[ *]/, "", text)
            print text
        }'
    awk -v machine="$machine" '/^    heist_.*\/\*/ && machine == "x86_64" { sub(/;/, "", $1); print $1 }' "$map"
} | awk '{ print $1, $1 ~ /_$/ ? "private" : "public" }' | sort >"$work/headers"
sed 's/@@HEIST_PRIVATE_.*/ private/; t; s/@@.*/ public/' "$work/map" | sort >"$work/map-of-headers"

[ -s "$work/map" ] || { echo "no names in $map"; exit 1; }
same() { # FILE FILE WHAT
    if ! diff "$1" "$2" >"$work/difference"; then
        echo "$map (<) and the $3 (>) differ:"
        cat "$work/difference"
        exit 1
    fi
}
same "$work/map-of-headers" "$work/headers" headers
same "$work/map" "$work/library" library
readelf -dW "$library" | grep -q 'SONAME.*\[libheist\.so\.0\]'
echo "$(wc -l <"$work/map") names, as they should be"
