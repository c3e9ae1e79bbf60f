#!/bin/sh
# SPDX-License-Identifier: MIT
# commands.sh SECONDS: every command of heist, found by its help: it has a help with examples, refuses what
# it does not know in one line that names it and points to --help, and its examples, those of heist(1) too, do
# not fail within so many seconds. HEIST is the command.
seconds=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
. "$here/walk.sh"

refuses() { # WHAT COMMAND...: one line that names it
    what=$1
    shift
    misused "$what" $HEIST "$@"
    grep -q '^heist' err || fail "who says it? $*"
}

# ---- What is not there, for the command of these words ----

check_help() { # [COMMAND...]
    ends 0 $HEIST "$@" --help
    [ ! -s err ] || fail "help on stderr: $*"
    [ "$(head -c 12 out)" = 'usage: heist' ] || fail "no usage: $*"
    head -n 1 out | grep -q "^usage: heist${*:+ $*}\( \|\$\)" || fail "usage of another command: $*"
    sed -n '/^Examples:/,/^$/p' out | grep -q '^  ' || fail "no examples: $*"
    refuses "'--no-such-flag'" "$@" --no-such-flag
    refuses "'--no-such-flag=1'" "$@" --no-such-flag=1
    refuses "'-Z'" "$@" -Z
}

check_leaf() { # COMMAND...
    refuses "'no-such-word'" "$@" no-such-word
    options_of "$@" >options
    while read -r option argument; do
        case $argument in
        '') refuses "$option" "$@" "$option=1" ;;
        '['*) ;;
        *) refuses "$option" "$@" "$option" ;;
        esac
    done <options
    grep -q '^--help' options || fail "no --help in the help: $*"
}

all_commands >commands
[ "$(wc -l <commands)" -ge 11 ] || fail 'too few commands'
check_help
refuses "missing after"
refuses "'no-such-word'" no-such-word
refuses "'no-such-word'" --help no-such-word
refuses "'no-such-word'" --version no-such-word
refuses "--version=1" --version=1
while read -r command; do
    check_help $command
    if [ -z "$(subcommands $command)" ]; then
        check_leaf $command
    else
        refuses "missing after" $command
        refuses "'no-such-word'" $command no-such-word
        refuses "'no-such-word'" $command --help no-such-word
    fi
done <commands
ends 0 $HEIST --version
grep -qx 'heist [0-9]*\.[0-9]*\.[0-9]*' out || fail 'no version'

# ---- The examples ----

mkdir bin
ln -s "$HEIST" bin/heist
PATH=$PWD/bin:$PATH
make_script my-queue 'exit 1'
make_script my-runtime 'exit 1'

# An example may need more than is built or installed here; then it says which, and is left out.
lacks_something() {
    grep -qE 'not built|is not installed|no program verify-|without hwloc' err
}
tried=0 done=0
try() { # EXAMPLE
    timeout --kill-after=1 "$seconds" sh -c "$1" >out 2>err
    status=$?
    tried=$((tried + 1))
    # An outside program that is none of ours fails, as it should: status 1.
    case $status:$1 in
    0:*) done=$((done + 1)) ;;
    124:* | 137:* | 1:*--contestant*) ;;
    *) lacks_something || fail "status $status: $1" ;;
    esac
}
{
    echo
    cat commands
} | while read -r command; do
    $HEIST $command --help | sed -n '/^Examples:/,/^$/s/^  //p'
done >examples
sed -n '/^\.SH EXAMPLES/,/^\.fi/{ s/\\-/-/g; /^heist /p; }' "$here/../../docs/man/heist.1" >of_page
[ -s of_page ] || fail 'no examples in heist(1)'
sort -u -o examples examples of_page
while read -r example; do
    try "$example" </dev/null
done <examples
echo "$done of $tried examples ended within $seconds s, the others were stopped or need more"
[ $tried -ge 30 ] && [ $done -ge 6 ] || fail 'too few examples'
finish
