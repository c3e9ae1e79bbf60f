#!/bin/sh
# SPDX-License-Identifier: MIT
# itself.sh SOURCE_DIR BUILD_DIR WORK_DIR LIBRARY COMPILER CTEST: play.sh and table.sh must fail for pages
# that are wrong, in a little tree that has no others.
set -eu
source=$1 build=$2 work=$3 library=$4 compiler=$5 ctest=$6
rm -rf "$work"
mkdir -p "$work/tree/docs/queues" "$work/tree/examples" "$work/tree/test"
cp -r "$source/test/docs" "$work/tree/test/docs"
cp "$source/examples/first.c" "$work/tree/examples"
ln -s "$source/include" "$work/tree/include"
echo '# Nothing' >"$work/tree/Nothing.md"
echo '# Nothing' >"$work/tree/docs/nothing.md"
echo '# Nothing' >"$work/tree/docs/queues/nothing.md"
cd "$work/tree"
failures=0

fail() { # WHAT, and what was printed last
    echo "FAILED: $1"
    cat "$work/out"
    failures=$((failures + 1))
}

table() { # TEXT: this is commands.table
    printf '%s\n' "$1" >test/docs/commands.table
}

# ends STATUS WHAT MODE TEXT: a README of this text; MODE is play.sh's, or table
ends() {
    printf '%s\n' "$4" >README.md
    case $3 in
    table) set -- "$@" test/docs/table.sh "$PWD" "$build" "$work/table" "$ctest" ;;
    *) set -- "$@" test/docs/play.sh "$3" "$PWD" "$build" "$work/play" "$library" "$compiler" ;;
    esac
    wanted=$1 what=$2
    shift 4
    status=0
    "$@" >"$work/out" 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "$what: status $status instead of $wanted"
}

program='#include <stdio.h>
int main(void) { return puts("seven 7") < 0; }'
table '# empty'
ends 0 'a program' programs "\`\`\`c
$program
\`\`\`"
ends 0 'its output' programs "\`\`\`c
$program
\`\`\`

\`\`\`text output
seven 7
\`\`\`"
ends 1 'another output' programs "\`\`\`c
$program
\`\`\`

\`\`\`text output
seven 8
\`\`\`"
ends 0 'its shape' programs "\`\`\`c
$program
\`\`\`

\`\`\`text shape
seven   8.5
\`\`\`"
ends 1 'a program that fails' programs '```c
int main(void) { return 1; }
```'
ends 1 'a program with a mistake' programs '```c
int main(void) { return; }
```'
ends 1 'no program' programs 'text'
ends 0 'commands' run '```sh file
echo seven
```

```sh
./file # no harm in a comment
echo \
    eight
```

```text output
seven
...
```'
ends 1 'commands that print something else' run '```sh
echo seven
```

```text output
eight
```'
ends 1 'a command that fails, and one behind it' run '```sh
false
true
```'
ends 1 'nothing to run' run '```sh needs=no-such-library
echo seven
```'

table 'rm -rf * | long | it removes
echo * | run eight | more'
both='```sh
rm -rf /no/such/directory
echo seven
```

```text output
seven eight
```'
ends 0 'a table' run "$both"
ends 0 'the same' table "$both"
ends 1 'a row for no command' table '```sh
rm -rf /
```'
table 'rm -rf * | long'
ends 1 'no reason' table '```sh
rm -rf /
```'
table 'rm -rf * | not | it removes'
ends 1 'no such way' table '```sh
rm -rf /
```'
table 'rm -rf * | by no-such-test | it removes'
ends 1 'no such test' table '```sh
rm -rf /
```'
table 'rm -rf * | by docs-table | it removes'
ends 0 'a test' table '```sh
rm -rf /
```'
ends 1 'a block of nothing' table '```sh
rm -rf /
```

```
rm -rf /
```'
ends 1 'a file that nothing uses' table '```sh
rm -rf /
```

```c unused.c
int x;
```'

# Commands in the text and in tables are played, unless a block has them too; a pattern is none.
table 'make * | long | no Makefile here'
text='A `make thing`, `HEIST_WORKERS=2
./program` and `./program N`.

| run by |
|---|
| `./program --fast` |
'
ends 0 'commands in the text' run "$text"
grep -qx 'README.md:7: 2 commands' "$work/out" || fail 'not two commands in the text'
ends 0 'a row for such a command' table "$text"
ends 1 'one that fails' run 'The `build/no-such-program --now`.'
ends 0 'one that a block has too' run 'With `./once --only`:

```sh once
[ ! -e been ] && >been
```

```sh
./once --only
```'

# In a clone commands may write, and none is run again.
table 'mkdir * | clone | it writes
[ * | fresh | it looks'
ends 77 'no repository' clone 'text'
if command -v git >/dev/null; then
    git init --quiet .
    git add README.md
    git -c user.name=nobody -c user.email=nobody@example.invalid commit --quiet -m all
    both='```sh
mkdir made
mkdir made
[ -f README.md ] && [ ! -e made ]
```

```sh
mkdir made
```'
    ends 1 'twice in a block' clone "$both"
    ends 0 'twice in a page' clone '```sh
mkdir made
```

```sh
mkdir made
```'
    [ ! -e made ] || fail 'it was not in the clone'
    ends 0 'another clone' fresh "$both"
fi
[ $failures = 0 ] && echo 'all as it should be'
