#!/bin/sh
# SPDX-License-Identifier: MIT
# kind.sh SOURCE_DIR WORK_DIR LIBRARY [--all CMAKE_OPTION...]: follows docs/architecture.md in a copy of the tree:
# its toy kind of queue, in fewer than 100 lines of code, and its policy are added as the page says. The kind must
# pass the conformance test and be found by its name, as must the policy. --all: instead, everything is built,
# and the page's commands are run. 77: there is no cmocka.
set -eu
here=$(cd "$(dirname "$0")" && pwd) source=$1 work=$2 library=$3
shift 3
echo '#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>' | cc -fsyntax-only -x c - 2>/dev/null || {
    echo 'skipped: no cmocka; scripts/setup.sh installs it'
    exit 77
}

rm -rf "$work"
mkdir -p "$work/tree" "$work/blocks"
cd "$source"
tar -cf - CMakeLists.txt Makefile ./*.md LICENSE bench cmake completion docs examples fuzz include packaging \
    report scripts sim src test verify | tar -C "$work/tree" -xf -
awk -v prefix="$work/blocks/page" -f "$here/blocks.awk" docs/architecture.md >"$work/blocks/list"
cd "$work/tree"
: >"$work/code"
: >"$work/commands"
while read -r number line language file; do
    block=$work/blocks/page.$number
    case "$language $file" in
    'c '*/*)
        cat "$block" >"$file"
        cat "$block" >>"$work/code"
        ;;
    'diff ')
        patch -p1 --no-backup-if-mismatch <"$block" || {
            echo "docs/architecture.md:$line: this does not fit the tree any more"
            exit 1
        }
        ! grep -q toy "$block" || sed -n 's/^+\([^+]\)/\1/p' "$block" >>"$work/code"
        ;;
    'sh ') cat "$block" >>"$work/commands" ;;
    esac
done <"$work/blocks/list"
lines=$(grep -cvE '^ *(/\*.*\*/)?$' "$work/code")
echo "$lines lines of code"
[ "$lines" -gt 50 ] && [ "$lines" -lt 100 ]

if [ "${1-}" = --all ]; then
    shift
    cmake -S . -B build -G Ninja "$@"
    set -x
    # shellcheck source=/dev/null
    . "$work/commands"
    exit
fi

flags="-std=c11 -O1 -Wall -Wextra -Wundef -Wshadow -Werror -I include"
flags="$flags -Wl,-rpath,$(dirname "$library")"
cc $flags -DKIND=toy test/unit/any.c src/queue/toy.c "$library" -lcmocka -pthread -o "$work/unit"
"$work/unit"
cc $flags -fsyntax-only src/runtime/pool.c # which has queues of any kind
cat >"$work/by-name.c" <<'END'
#include <heist/victim.h>
int main(void)
{
    heist_victim_policy policy;
    heist_queue *queue;
    int item;
    if (heist_victim_parse("neighbour+prob", &policy) || heist_queue_new(&queue, "toy", NULL))
        return 1;
    if (!heist_queue_put(queue, &item) || heist_queue_get(queue) != &item)
        return 2;
    heist_queue_free(queue);
    return policy.rule != HEIST_VICTIM_NEIGHBOUR;
}
END
cc $flags "$work/by-name.c" src/queue/queue.c src/queue/toy.c src/policy/victim.c "$library" -pthread \
    -o "$work/by-name"
"$work/by-name"
