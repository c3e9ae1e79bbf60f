#!/bin/sh
# SPDX-License-Identifier: MIT
# reproduction.sh SOURCE_DIR [--write]: docs/reproduction.md is what this file and heist report --list
# --markdown say (--write makes it so). HEIST runs the command.
set -eu
cd "$1"

page() {
    cat <<'END'
# Every claim of the five papers

Written by `report/test/reproduction.sh` from the tables in [report](../report); the test `docs-reproduction`
compares. After a change: `cmake --build build --target reproduction-page`.

All figures and tables of the five papers, in their order: what each claims, in our words; the paper's own
number; which ratio of medians decides here, and from where on the claim holds; the experiment that
measures it. `heist report` runs them all and shows the verdicts ([report.md](report.md)); the commands of
each experiment are at the end, with the settings of a default run. What one machine said is in
[results](results/README.md).

`{cpus}` is the number of CPUs, `N` takes the values that are named behind the command.

END
    $HEIST report --list --markdown
}

if [ "${2-}" = --write ]; then
    text=$(page)
    printf '%s\n' "$text" >docs/reproduction.md
    exit
fi
page | diff -u docs/reproduction.md - || {
    echo 'docs/reproduction.md is out of date: cmake --build BUILD --target reproduction-page'
    exit 1
}
