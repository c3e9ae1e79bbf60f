#!/bin/sh
# SPDX-License-Identifier: MIT
# installed.sh HEIST [PROGRAM...]: an installed command finds everything that its subcommands run, but for
# these programs of heist report, which need libraries that may be missing.
set -eu
heist=$1
shift
"$heist" --version | grep -qx 'heist [0-9]*\.[0-9]*\.[0-9]*'
"$heist" kinds >/dev/null
"$heist" topology >/dev/null
"$heist" verify abp --client last
"$heist" bench queue --bench counts --kinds abp --quick
"$heist" report --help >/dev/null

# What an experiment of the report lacks may be CPUs or a tool, not a program of ours.
missing=$("$heist" report --list | sed -n 's/.*not here: \(.*\) is not here; it is built.*/\1/p')
for program in $missing; do
    case " $* " in
    *" $program "*) echo "not installed: $program" ;;
    *) echo "$program is not installed" && exit 1 ;;
    esac
done

# A script finds its programs, and what it reads.
compare=$(dirname "$heist")/../libexec/heist/finddup-compare
if [ -x "$compare" ]; then
    "$compare" --files 200 --directories 20 --rounds 1 --kinds heist 2>&1 | tee /dev/stderr | awk '
        /finddup heist.*the same/ { found = 1 }
        /cannot|not found|No such/ { failed = 1 }
        END { exit !found || failed }'
fi
