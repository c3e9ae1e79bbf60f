#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh SOURCE_DIR OUTPUT_DIR: builds the Debian packages from a copy of the sources; they are then in
# OUTPUT_DIR. Nothing else is changed, and nobody has to be root.
set -eu
if [ $# != 2 ] || [ ! -f "$1/packaging/debian/control" ]; then
    echo "usage: $0 SOURCE_DIR OUTPUT_DIR" >&2
    exit 2
fi
source=$1
for command in dpkg-buildpackage dh fakeroot; do
    if ! command -v $command >/dev/null; then
        echo "deb: $command is not installed; run: scripts/setup.sh deb" >&2
        exit 1
    fi
done

version=$(sed -n 's/.*HEIST_VERSION_STRING "\(.*\)"/\1/p' "$source/include/heist/version.h")
packaged=$(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' "$source/packaging/debian/changelog")
if [ "$version" != "$packaged" ]; then
    echo "deb: this is Heist $version, but packaging/debian/changelog begins with $packaged; add an entry" >&2
    exit 1
fi

mkdir -p "$2"
output=$(cd "$2" && pwd)
copy=$output/heist-$version
rm -rf "$copy" "$output"/*.deb "$output"/*.changes "$output"/*.buildinfo
mkdir "$copy"
# What git would have committed, with what is not committed yet; without git, all but what was built.
# shellcheck disable=SC2016 # for the inner sh
if git -C "$source" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$source" ls-files -z --cached --others --exclude-standard |
        (cd "$source" && xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\\0" "$f"; done' sh) |
        tar -C "$source" --null -T - -cf - | tar -C "$copy" -xf -
else
    tar -C "$source" --exclude='./build*' -cf - . | tar -C "$copy" -xf -
fi
cp -r "$copy/packaging/debian" "$copy/debian"
cd "$copy"
unset MAKEFLAGS MAKELEVEL # no option of an outer make may reach this one
dpkg-buildpackage -b -us -uc -rfakeroot
rm -rf "$copy"
ls "$output"/*.deb
