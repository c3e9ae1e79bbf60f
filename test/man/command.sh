#!/bin/sh
# SPDX-License-Identifier: MIT
# command.sh SOURCE_DIR: heist(1) and what the command itself says have the same subcommands, and of each the
# same options. HEIST is the command.
set -eu
page=$1/docs/man/heist.1

failed=0
fail() {
    echo "$1"
    failed=1
}

# The commands that `heist --help`, or that of a command with commands, lists; down to those that have none.
leaves() {
    below=$(${HEIST} "$@" --help </dev/null | awk '/^Commands:/ { inside = 1; next } /^$/ { inside = 0 }
                                                   inside && $1 !~ /^-/ { print $1 }')
    if [ -z "$below" ]; then
        echo "$*"
        return
    fi
    for command in $below; do
        leaves "$@" "$command"
    done
}
commands=$(leaves)

# The same from the page: its synopsis, and its sections of options.
synopsis=$(awk '/^\.SH/ { inside = /SYNOPSIS/ }
                inside && sub(/^\.B heist /, "")' "$page")
sections=$(sed -n 's/^\.SH OPTIONS OF //p' "$page" | tr '[:upper:]' '[:lower:]')
[ "$(echo "$commands" | sort)" = "$(echo "$synopsis" | sort)" ] ||
    fail "the commands are
$commands
but in the synopsis of $page
$synopsis"

options_of_page() {
    awk -v title="$(echo "$1" | tr '[:lower:]' '[:upper:]')" '
        /^\.SH/ { inside = $0 == ".SH OPTIONS OF " title; next }
        is_tag && inside {
            gsub(/\\-/, "-")
            while (match($0, /--[a-z][a-z-]*/)) {
                print substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }
        { is_tag = /^\.TP/ }' "$page" | sort
}
tried=0
while read -r command; do
    # shellcheck disable=SC2086 # a command is one or two words
    shown=$(${HEIST} $command --help </dev/null | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p' |
        grep -vx -e --help | sort)
    described=$(options_of_page "$command")
    [ "$shown" = "$described" ] || fail "heist $command --help has
$shown
but $page
$described"
    tried=$((tried + $(echo "$shown" | grep -c . || true)))
done <<END
$commands
END
for section in $(echo "$sections" | tr ' ' _); do
    echo "$commands" | tr ' ' _ | grep -qx "$section" || fail "$page: there is no command $section"
done
for option in --version --help; do
    grep -q "$(echo "$option" | sed 's/-/\\\\-/g')" "$page" || fail "$page does not name $option"
done
echo "$(echo "$commands" | wc -l) commands, $tried options"
[ $tried -gt 0 ] && [ $failed = 0 ]
