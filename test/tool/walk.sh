# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For tests of all commands of heist, behind command.sh. HEIST is the command.

subcommands() { # COMMAND...: the names that its help lists
    $HEIST "$@" --help | awk '/^Commands:/ { inside = 1; next }
        inside && !/^  / { exit }
        inside && $1 !~ /^-/ { print $1 }'
}

# Every command, a line each: "bench", "bench queue", ...
all_commands() { # [COMMAND...]
    for name in $(subcommands "$@"); do
        echo "$* $name" | sed 's/^ //'
        all_commands "$@" "$name"
    done
}

# The options that a command's help lists, a line each: the name, and its argument if it takes one.
options_of() { # COMMAND...
    $HEIST "$@" --help | awk '/^Commands:/ { skip = 1 } !/^  / { skip = /^Commands:/ }
        !skip && /^  --/ {
            rest = substr($0, 3 + length($1))
            print $1, rest ~ /^ [^ ]/ ? $2 : ""
        }'
}
