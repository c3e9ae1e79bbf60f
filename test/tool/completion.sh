#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion: what heist --complete offers, and what bash and zsh make of it, if they are installed, in the end with
# a tab at a terminal. HEIST is the command, SCRIPTS the folder of the two scripts.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
. "$here/walk.sh"

# are WORDS WHAT: out has exactly these, in any order
are() {
    for word in $1; do
        echo "$word"
    done | sort >wanted
    grep -v '^$' out | sort | cmp -s - wanted || fail "not '$1' for: $2"
}
offers() { # WORDS WORD...
    wanted=$1
    shift
    $HEIST --complete "$@" 2>err | cut -f1 >out
    are "$wanted" "$*"
}

misused "missing after '--complete'" $HEIST --complete
offers 'bench' b
offers 'queue pool runtime lcws' bench ''
offers '--version' --v
offers '' nonsense ''
offers '--bench --block' bench queue --b
offers 'stolen size' bench queue --quick --bench s
offers 'size,stolen' bench queue --bench size,s
offers '--bench=nosteal,stolen' bench queue --bench=nosteal,st
offers "$($HEIST kinds --names | grep '^b')" bench queue --kinds b
offers '--kinds=abp,split' bench queue --kinds=abp,s
offers 'compact spread' topology --pin ''
offers 'one,half one,block' sim --batch one,
offers 'far=' sim --cost f
offers 'numa numa+prob' sim --policy n
offers 'bulk batch blocks bwos' report --only b
offers 'abp' verify --quick ab
offers 'tso' verify --model t
offers ':directories' report --output ''
offers ':files' bench queue --csv r
offers '' bench queue --reps ''
offers '' bench queue stray x

# Every command offers all its options, and words for each that takes some "of those below".
all_commands >commands
[ "$(wc -l <commands)" -ge 11 ] || fail 'too few commands'
lists=0
while read -r command; do
    offers "$(options_of $command | cut -d' ' -f1)" $command --
    $HEIST $command --help | grep '^  --.*, of those below' | awk '{ print $1 }' >options
    while read -r option; do
        lists=$((lists + 1))
        $HEIST --complete $command "$option" '' >out 2>err
        # None of the contestants need be built.
        [ -s out ] || [ "$command $option" = 'bench runtime --with' ] || fail "nothing for $command $option"
    done <options
done <commands
[ $lists -ge 9 ] || fail "only $lists lists"

# The scripts call a command by the name that was typed.
mkdir bin files.d
ln -s "$HEIST" bin/heist
PATH=$PWD/bin:$PATH
: >files.csv

# at_terminal SETUP SHELL ARGUMENT...: what a tab makes of a line that is typed
at_terminal() {
    command -v python3 >/dev/null || return 0
    setup=$1
    shift
    python3 "$here/typed.py" "$setup" 'heist doc' 'heist doctor ' \
        'heist bench queue --bench nosteal,st' 'heist bench queue --bench nosteal,stolen' \
        'heist bench queue --bench=nos' '--bench=nosteal' 'heist bench queue --csv files.c' 'files.csv ' \
        -- "$@" 2>err || fail "$1 at a terminal"
}

if command -v bash >/dev/null; then
    # in_bash WANTED WORD...: as bash splits them
    cat >try.bash <<'END'
source "$1/heist.bash"
complete -p heist | grep -q 'complete -F _heist heist' || exit 1
shift
COMP_WORDS=(heist "$@")
COMP_CWORD=$#
_heist heist "${@: -1}" ''
printf '%s\n' "${COMPREPLY[@]}"
END
    in_bash() {
        wanted=$1
        shift
        bash --norc try.bash "$SCRIPTS" "$@" >out 2>err || fail "bash: $*"
        are "$wanted" "$*, in bash"
    }
    in_bash 'queue pool runtime lcws' bench ''
    in_bash '--bench --block' bench queue --b
    in_bash 'stolen size' bench queue --bench s
    in_bash 'size,stolen' bench queue --bench size,s
    in_bash 'stolen size' bench queue --bench = s
    in_bash 'nosteal,stolen' bench queue --bench = nosteal,st
    in_bash 'far=' sim --cost f
    in_bash 'files.csv files.d' bench queue --csv files
    in_bash 'files.csv files.d' bench queue --csv = files
    in_bash 'files.d' report --output files
    in_bash '' bench nonsense x
    at_terminal "source '$SCRIPTS/heist.bash'" bash --norc -i
fi

if command -v zsh >/dev/null; then
    # The file is found by compinit for the command; then what it would add is printed.
    cat >try.zsh <<'END'
fpath=($1 $fpath)
autoload -U compinit && compinit -u -D
[[ $_comps[heist] == _heist ]] || exit 1
shift
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }
_files() { print -r -- "files$1" }
words=(heist "$@")
CURRENT=$#words
_heist
END
    in_zsh() {
        wanted=$1
        shift
        zsh -f try.zsh "$SCRIPTS" "$@" >out 2>err || fail "zsh: $*"
        [ ! -s err ] || fail "zsh says something: $*"
        are "$wanted" "$*, in zsh"
    }
    in_zsh 'queue pool runtime lcws' bench ''
    in_zsh 'size,stolen' bench queue --bench size,s
    in_zsh '--bench=stolen --bench=size' bench queue --bench=s
    in_zsh 'far=' sim --cost f
    in_zsh 'files' bench queue --csv ''
    in_zsh 'files-/' report --output ''
    at_terminal "fpath=('$SCRIPTS' \$fpath); autoload -U compinit; compinit -u -D" zsh -f -i
fi
finish
