#!/bin/sh
# SPDX-License-Identifier: MIT
# abi.sh PREFIX RECORD INCLUDE_DIR: the library in PREFIX, which has debug information, has the binary interface
# that RECORD says. With --record at the end, RECORD is written anew.
set -eu
library=$(find "$1" -name libheist.so) record=$2 include=$3 action=${4:-}

for command in abidw abidiff; do
    if ! command -v $command >/dev/null; then
        echo "skipped: $command is not installed (Debian: apt-get install abigail-tools)"
        [ "$action" != --record ] || exit 1
        exit 77
    fi
done
# Only what the public headers declare, and nothing of the place where it was built.
write() {
    abidw --no-corpus-path --no-comp-dir-path --no-architecture --no-show-locs --drop-private-types \
        --headers-dir "$include" --type-id-style hash --no-elf-needed --drop-undefined-syms "$library" |
        sed "s| path='[^']*/src/| path='src/|"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
write >"$work/now"
if ! grep -q "class-decl name='heist_queue_opts' size-in-bits" "$work/now"; then
    echo "$library has no debug information, or abidw does not understand it"
    exit 1
fi

if [ "$action" = --record ]; then
    mkdir -p "$(dirname "$record")"
    mv "$work/now" "$record"
    echo "recorded in $record"
    exit
fi
if abidiff "$record" "$work/now"; then
    echo "the interface is the recorded one"
else
    cat <<END
The interface differs from what $record says.
If it only grew: cmake --build BUILD --target abi-record, and commit the record.
If something that was released changed or went: a new soname (cmake/library.cmake, src/libheist.map), then the same.
END
    exit 1
fi
