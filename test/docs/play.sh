#!/bin/sh
# SPDX-License-Identifier: MIT
# play.sh MODE SOURCE_DIR BUILD_DIR WORK_DIR [LIBRARY COMPILER FLAG...]: plays the pages, from the first block
# to the last, each page in a directory of its own, as a reader would who types them in. What a block is
# stands behind its fence:
#   c              a program if it has a main, which is compiled and run; else a part of one
#   LANGUAGE FILE  a file of that name, for commands further down; one in a directory is left to kind.sh
#   sh             commands, in one shell per page; sh needs=LIBRARY: if pkg-config knows that; sh inline: those
#                  of the text, but for what some block has too
#   text output    what the program above has printed, or each of the blocks of commands right above;
#                  a last line ... stands for any others
#   text shape     the same, whatever the numbers
#   text, diff...  nothing is done with it
# MODE says which are played: programs (RUNNER in the environment runs those of another machine); run, the
# commands, but for those that commands.table has something else for; long, clone or fresh, those that are so
# there. clone and fresh, each once, in a new clone of the tree, where they may write. 77: it can't be cloned.
# PAGES in the environment: only these.
set -eu
here=$(cd "$(dirname "$0")" && pwd) mode=$1 source=$2 build=$3 work=$4
library=${5-}
shift $(($# < 5 ? $# : 5))
table=$here/commands.table

rm -rf "$work"
mkdir -p "$work/pages"
cd "$source"
failed=0 played=0
: >"$work/last"

pages='README.md [!R]*.md docs/*.md docs/*/*.md' # in the order of a reader
chosen=${PAGES-$pages}

# What an outer make, or a run of its tests, wants is not for these commands.
unset MAKEFLAGS MAKELEVEL DESTDIR HEIST_STRESS_SECONDS PAGES

case $mode in
clone | fresh)
    [ -e .git ] && command -v git >/dev/null || {
        echo "skipped: '$source' is no git repository, or there is no git: it can't be cloned"
        exit 77
    }
    git status --short | sed 's/^/not committed, so not in the clone: /'
    git clone --quiet "$source" "$work/tree"
    ;;
esac

# A home with Heist installed; in a clone the commands may do that.
if [ "$mode" != programs ]; then
    RUSTUP_HOME=${RUSTUP_HOME-${HOME-}/.rustup} # whose cargo asks there which one it is
    HOME=$work/home
    export HOME RUSTUP_HOME
    mkdir "$HOME"
fi
case $mode in
run | long)
    PATH=$build:$PATH
    cmake --install "$build" --prefix "$HOME/.local" >"$work/installed"
    LD_LIBRARY_PATH=$HOME/.local/lib PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig:${PKG_CONFIG_PATH-}
    MANPATH=$HOME/.local/share/man
    export PATH LD_LIBRARY_PATH PKG_CONFIG_PATH MANPATH
    # shellcheck disable=SC2046 # they are words
    cc -O2 examples/first.c $(pkg-config --cflags --libs heist) -o "$work/program"
    mkdir "$HOME/pictures" "$HOME/backup"
    cp examples/first.c "$HOME/pictures"
    cp examples/first.c "$HOME/backup"
    ;;
esac

# The directory for a page: the clone, or one that looks like the tree, but where commands may write.
furnish() { # DIRECTORY
    case $mode in
    clone | fresh)
        ln -s "$work/tree" "$1"
        return
        ;;
    esac
    mkdir "$1"
    if [ "$mode" != programs ]; then
        for directory in bench docs examples verify; do
            ln -s "$source/$directory" "$1/$directory"
        done
        ln -s "$build" "$1/build"
        ln -s . "$1/other" # tree
        ln -s "$work/program" "$1/program"
        ln -s "$source/examples/first.c" "$1/program.c"
    fi
}

# The commands of a block. The file blocks has those of all blocks of all pages, met what has had its turn.
commands() { # MODE BLOCK [ONCE]
    awk -v mode="$1" -v used=/dev/null -v once="${3-/dev/null}" -f "$here/commands.awk" "$table" "$2"
}
: >"$work/met"
: >"$work/blocks"
if [ "$mode" != programs ]; then
    for page in $pages; do
        awk -v prefix="$work/block" -f "$here/blocks.awk" "$page" | while read -r number _ language kind; do
            case "$language $kind" in
            'sh ' | 'sh needs='*) commands all "$work/block.$number" >>"$work/blocks" ;;
            esac
        done
    done
fi

# Which of them not to play again.
once() { # KIND
    case $mode:$1 in
    *:inline) cat "$work/blocks" "$work/met" ;;
    clone:* | fresh:*) cat "$work/met" ;;
    esac
}

# Digits and blanks count for nothing.
shape() {
    sed -E 's/[0-9]+([.][0-9]+)?/0/g; s/[ -]+/ /g; s/^ //; s/ $//' "$1"
}

compare() { # HOW EXPECTED PRINTED
    if [ "$1" = shape ]; then
        shape "$2" >"$2.shape"
        shape "$3" >"$3.shape"
        compare output "$2.shape" "$3.shape"
    elif [ "$(tail -n 1 "$2")" = ... ]; then
        lines=$(($(wc -l <"$2") - 1))
        head -n $lines "$2" >"$2.head"
        head -n $lines "$3" | diff -u "$2.head" -
    else
        diff -u "$2" "$3"
    fi
}

# The blocks of a page, one after the other, in a shell of its own, which ends with the first failure.
play() { # PAGE BLOCKS COMPILER FLAG...
    page=$1 blocks=$2
    shift 2
    outputs=
    while read -r number line language kind <&3; do
        block=$blocks.$number where=$page:$line
        case "$language $kind" in
        'sh ' | 'sh needs='* | 'sh inline' | 'text output' | 'text shape') ;;
        *) outputs= ;;
        esac
        case "$language $kind" in
        'c ')
            if [ "$mode" != programs ] || ! grep -q 'int main' "$block"; then
                continue
            fi
            echo "$where: a program"
            "$@" -std=c11 -Wall -Wextra -Werror -x c -I "$source/include" "$block" -x none "$library" \
                -pthread -lm -Wl,-rpath,"$(dirname "$library")" -o "$block.out"
            ln -sf "$block.txt" "$work/last"
            ${RUNNER-} "$block.out" >"$block.txt"
            outputs="$outputs $block.txt"
            ;;
        'sh ' | 'sh needs='* | 'sh inline')
            [ "$mode" != programs ] || {
                outputs=
                continue
            }
            once "$kind" >"$work/once"
            commands "$mode" "$block" "$work/once" >"$block.sh"
            commands all "$block" "$work/once" >>"$work/met"
            [ -s "$block.sh" ] || continue
            needed=${kind#needs=}
            if [ "$needed" != "$kind" ] && ! pkg-config --exists "$needed"; then
                echo "$where: skipped: pkg-config does not know $needed; scripts/setup.sh installs what tests need"
                continue
            fi
            echo "$where: $(wc -l <"$block.sh") commands"
            ln -sf "$block.txt" "$work/last"
            # shellcheck source=/dev/null
            . "$block.sh" >"$block.txt" 2>&1
            outputs="$outputs $block.txt"
            ;;
        'text output' | 'text shape')
            for output in $outputs; do
                compare "${kind}" "$block" "$output" || {
                    echo "$where: this is not what was printed"
                    exit 1
                }
            done
            outputs=
            ;;
        'text ' | 'diff ' | 'cmake ' | 'c++ ') ;;
        'text '* | ' '*)
            echo "$where: what is a block of '$language $kind'?"
            exit 1
            ;;
        *)
            case $mode/$kind in programs/* | clone/* | fresh/* | */*/*) continue ;; esac
            rm -f "$kind"
            cat "$block" >"$kind"
            case $language in sh) chmod +x "$kind" ;; esac
            ;;
        esac
    done 3<"$blocks"
}

for page in $chosen; do
    name=$(echo "$page" | tr / -)
    blocks=$work/pages/$name
    awk -v prefix="$blocks" -f "$here/blocks.awk" "$page" >"$blocks"
    furnish "$work/$name"
    set +e
    (
        set -e
        trap '[ -z "${!-}" ] || kill "$!" 2>/dev/null || true' EXIT # if it failed before it could
        cd -P "$work/$name" # the clone has one name only: cmake asks
        play "$page" "$blocks" "$@"
    ) >"$blocks.log" 2>&1 </dev/null
    status=$?
    set -e
    cat "$blocks.log"
    played=$((played + $(grep -cE '^[^ ]*:[0-9]+: (a program|[0-9]+ commands)$' "$blocks.log" || true)))
    if [ $status != 0 ]; then
        failed=$((failed + 1))
        echo "FAILED: $page, status $status; the last output:"
        tail -n 20 "$work/last"
    fi
done
echo "$played programs or blocks of commands played; $failed pages failed"
[ $played -gt 0 ] && [ $failed = 0 ]
