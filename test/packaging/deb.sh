#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh SOURCE_DIR WORK_DIR: builds the Debian packages; lintian finds no error and no warning; installs them into a
# directory of their own, with dpkg; there, a C and a C++ program are built and run with what pkg-config says,
# and the command works. Nothing of the system is changed.
set -eu
source=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

for command in dpkg-buildpackage dh fakeroot lintian pkg-config; do
    if ! command -v $command >/dev/null; then
        echo "skipped: $command is not installed; run: scripts/setup.sh deb"
        exit 77
    fi
done
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)
log=$work/build.log root=$work/root
"$source/packaging/deb.sh" "$source" "$work/deb" >"$log" 2>&1 || { tail -50 "$log"; exit 1; }
cd "$work/deb"

# Nobody in Debian has asked for these packages, so there is no bug that they could close.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.deb

# A database of its own; what the packages depend on is the system's.
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
packages=$(for p in libheist0 libheist-dev heist-tools heist-doc; do ls ${p}_*.deb; done)
# shellcheck disable=SC2086 # four words
fakeroot dpkg --root="$root" --log="$work/dpkg.log" --force-depends --force-script-chrootless \
    -i $packages >>"$log" 2>&1 || { tail -20 "$log"; exit 1; }
[ "$(fakeroot dpkg --root="$root" -l | grep -c '^ii')" = 4 ]

usr=$root/usr
PKG_CONFIG_LIBDIR=$(dirname "$(find "$usr" -name heist.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$usr" -name libheist.so.0)")
export PKG_CONFIG_LIBDIR LD_LIBRARY_PATH
"$source/test/api/pkg-config.sh" "$usr" "$source/test/api/consumer" "$work/consumer" cc c++
# shellcheck disable=SC2046 # several words
cc -static-pie "$source/examples/first.c" $(pkg-config --cflags --libs heist) -o "$work/first"
[ "$("$work/first")" = 'fib(32) = 2178309' ]
"$here/single_file.sh" "$usr/include/heist-queues.h" "$work/single" cc c cc
"$here/installed.sh" "$usr/bin/heist"
