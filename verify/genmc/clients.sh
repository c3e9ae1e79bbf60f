# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the scripts here: which clients there are, and how a client's program is compiled.

# clients BUILD KIND: a line "NUMBER NAME LENGTH" each; verify-KIND --list says after the name
# whether the client is a "full" or "random" one.
clients() {
    "$1/verify/verify-$2" --list |
        awk '{ print NR - 1, $1, /full/ ? "full" : /random/ ? "random" : "quick" }'
}

# flags SOURCE NUMBER: what the compiler must be told, but for the file, BUILD/verify/genmc/KIND.c.
flags() {
    echo "-DCLIENT=$2 -I$1/include -I$1/verify/genmc/include"
}
