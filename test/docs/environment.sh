#!/bin/sh
# SPDX-License-Identifier: MIT
# environment.sh SOURCE_DIR PROGRAM [--write]: docs/environment.md is what PROGRAM, the executable of
# environment.c, and this file say (--write makes it so); the manual page names every variable; and
# whatever in this project reads a HEIST_ variable, the table has it, so that nobody is told that it is a
# mistake. RUNNER as for programs.sh.
set -eu
cd "$1"
program=$2

page() {
    cat <<'END'
# The environment

Written by `test/docs/environment.sh` from the table in `src/runtime/environment.c`; the test
`docs-environment` compares. After a change: `cmake --build build --target environment-page`.

These variables are for whoever runs a program that uses Heist's pools; the program need not know. What a
program says in a pool's options goes before them. They are read once, when the first pool is made.

END
    ${RUNNER-} "$program" library
    cat <<'END'

- An empty value is as good as none.
- A value that makes no sense gives one line on standard error, once, and the default is used:
  `heist: HEIST_STATS=yes: it takes 0, 1 or forks; using the default, 0`. So does a name that begins with
  `HEIST_` and is none of these:
  `heist: HEIST_WORKER is no variable of Heist and does nothing; the nearest is HEIST_WORKERS`.
  Otherwise the library never prints unasked.
- A program that has more rights than its caller (setuid, setgid, capabilities) reads none of them.

The quota of `HEIST_WORKERS`' default is the least of this process's cgroup and of all above it that it can
see, rounded up: 1.5 CPUs are 2 workers, 0.2 are 1. It is in `cpu.max` of version 2, or in
`cpu.cfs_quota_us` and `cpu.cfs_period_us` of version 1; where the cgroups are, `/proc/self/cgroup` and
`/proc/self/mountinfo` say. What can't be read is no limit.

Other parts of the project have these:

END
    ${RUNNER-} "$program" others
}

if [ "${3-}" = --write ]; then
    text=$(page)
    printf '%s\n' "$text" >docs/environment.md
    exit
fi
failed=0
fail() {
    echo "$1"
    failed=1
}
page | diff -u docs/environment.md - ||
    fail "docs/environment.md is out of date: cmake --build BUILD --target environment-page"
names=$(${RUNNER-} "$program" names)
for name in $names; do
    case $name in *_STRESS_*) continue ;; esac # of tests, which are not installed
    grep -q "$name" docs/man/heist.1 || fail "docs/man/heist.1 does not name $name"
done

read_in_code=$(grep -rhoE '(getenv\("|\$ENV\{)HEIST_[A-Z_]+' --include='*.[ch]' --include='*.cmake' \
    --include=CMakeLists.txt src test bench verify examples cmake CMakeLists.txt)
read_in_scripts=$(grep -rhoE '\$\{?HEIST_[A-Z_]+' --include='*.sh' scripts test verify bench || true)
read_somewhere=$(printf '%s\n%s\n' "$read_in_code" "$read_in_scripts" | grep -o 'HEIST_.*' | sort -u)
for name in $read_somewhere; do
    echo "$names" | grep -qx "$name" ||
        fail "$name is read somewhere, but not in the table of src/runtime/environment.c"
done
echo "in the table:" $names
echo "read by name:" $read_somewhere
[ -n "$read_somewhere" ] && [ -n "$names" ] && [ $failed = 0 ]
