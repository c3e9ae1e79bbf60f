#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh PREFIX: the installed library defines no name that does not begin with heist_, neither
# for the static linker (hidden names too, which a program's own could meet) nor for the dynamic one.
set -eu
library=$(find "$1" -name 'libheist.a' -o -name 'libheist.so')
case $library in
*.so) dynamic=-D ;;
*.a) dynamic= ;;
esac
# Without what nm says of versions: the version behind a name, and the versions themselves, of type A.
names=$(nm -g $dynamic --defined-only "$library" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }')
foreign=$(echo "$names" | grep -v '^heist_' || true)
echo "$library: $(echo "$names" | grep -c '^heist_') names"
if [ -n "$foreign" ]; then
    echo "these do not begin with heist_:" $foreign
    exit 1
fi
echo "$names" | grep -qx heist_queue_new
