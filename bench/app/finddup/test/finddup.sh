#!/bin/sh
# SPDX-License-Identifier: MIT
# finddup.sh FINDDUP FINDDUP_WEAK FINDDUP_TREE KIND...: groups as md5sum, fdupes and jdupes find
# them (the latter if installed), in all ways to read and on all kinds of queues; links, names, files
# that can't be read; the command line. FINDDUP_WEAK finds all hashes equal, and has no io_uring.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../../../test/command.sh"
finddup=$1
weak=$2
tree=$3
shift 3
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
export LC_ALL=C

sorted() { awk -f "$here/groups.awk" | sort; }

# same EXPECTED COMMAND...: the command's groups are those in the file EXPECTED; nothing is skipped.
same() {
    expected=$1
    shift
    ends 0 timeout 120 "$@"
    sorted <out >groups
    cmp -s groups "$expected" || fail "other groups than $(basename "$expected"): $*"
}

# --- the same groups as others find; files of many pieces among them ---
t=$work/tree
"$tree" --files 600 --directories 60 --mean-size 20000 --seed 7 "$t" || fail 'no tree'
mkdir "$t/large"
"$tree" --files 12 --directories 3 --mean-size 700000 --seed 8 "$t/large/a" || fail 'no large files'
cp -r "$t/large/a" "$t/large/b"
head -c 300000 /dev/urandom >"$t/large/c1" # equal but for a byte at the end or in the middle
cp "$t/large/c1" "$t/large/c2"
cp "$t/large/c1" "$t/large/c3"
cp "$t/large/c1" "$t/large/c4"
for i in 1 2 4; do printf x >>"$t/large/c$i"; done
printf y >>"$t/large/c3"
printf z | dd of="$t/large/c1" bs=1 seek=200000 conv=notrunc 2>/dev/null
: >"$t/empty1"
: >"$t/d1/empty2"
by_md5sum() { # FIND_TEST...
    find "$t" -type f "$@" -exec md5sum {} + | sort |
        awk '{ sum = $1; sub(/^[^ ]+ +/, ""); if (sum != last) print ""; last = sum; print }' |
        awk 'BEGIN { RS = ""; FS = "\n"; ORS = "\n\n" } NF > 1' | sorted
}
by_md5sum -size +0 >md5sum
by_md5sum >md5sum-empty
[ "$(wc -l <md5sum)" -gt 50 ] || fail 'hardly a duplicate in the tree'
! cmp -s md5sum md5sum-empty || fail 'the empty files are no group'
for command in fdupes jdupes; do
    command -v $command >/dev/null || echo "$command is not installed: not compared with"
done
! command -v fdupes >/dev/null || same md5sum fdupes -rnq "$t"
! command -v jdupes >/dev/null || same md5sum jdupes -rq "$t"
io=plain
if "$finddup" --io uring "$t" >out 2>err; then
    io='plain uring'
else
    grep -q -e '--io uring: ' err || fail 'no io_uring, and not a word about it'
fi
for way in auto $io; do
    for workers in 1 2 7; do
        same md5sum "$finddup" --io $way --workers $workers "$t"
    done
    same md5sum-empty "$finddup" --io $way --min-size 0 "$t"
done
same md5sum "$weak" "$t"
"$weak" --io uring "$t" >out 2>err && fail 'io_uring in a build without it'
for kind; do
    same md5sum env HEIST_QUEUE=$kind "$finddup" --workers 2 "$t"
    [ ! -s err ] || fail "words on stderr: $kind"
done
[ $# -gt 0 ] || fail 'no kinds'
# Not in the page cache, if we may empty it: then reads have to wait.
if [ "${COLD-}" = 1 ]; then
    for way in $io; do
        sync
        echo 1 >/proc/sys/vm/drop_caches || fail 'the cache stays'
        same md5sum "$finddup" --io $way "$t"
    done
fi
# Each directory once, whatever leads to it; files as arguments.
same md5sum "$finddup" "$t" "$t/large" "$t/d1"
find "$t/large" -name f0 | sort >f0
paste -s -d '|' f0 >two
same two "$finddup" $(cat f0)

# --- hard and symbolic links, circles, names, things that are no files ---
l=$work/links
mkdir -p "$l/a/b" "$l/c"
printf same >"$l/a/one"
printf same >"$l/c/two"
ln "$l/a/one" "$l/c/link"
printf alone >"$l/a/alone"
ln "$l/a/alone" "$l/c/alone"
ln -s .. "$l/a/b/up"
ln -s "$l" "$l/a/b/around"
ln -s ../a/one "$l/c/soft"
ln -s nowhere "$l/c/dangling"
mkfifo "$l/c/fifo"
printf 'links/a/one|links/c/two\n' >expected
same expected "$finddup" links
printf 'links/a/alone|links/c/alone\nlinks/a/one|links/c/link|links/c/two\n' >expected
same expected "$finddup" --hard-links links
! command -v jdupes >/dev/null || same expected jdupes -rqH links
same expected "$finddup" --hard-links links links/a/alone links/a/one links/c
ends 1 timeout 60 "$finddup" --follow links
printf 'links/a/one|links/c/two\n' >expected
sorted <out | cmp -s - expected || fail '--follow, other groups'
says 'links/c/dangling: No such file or directory; skipped' err
says 'finddup: 1 could not be read, and were skipped' err

# --- JSON ---
mkdir json
printf 1 >'json/quote"back\slash'
printf 1 >"json/$(printf 'tab\t\303\244 bad\377\300\200')"
ln 'json/quote"back\slash' json/zlink
ends 0 timeout 60 "$finddup" --json json/
cat >expected <<'END'
{
  "groups": [
    {"size": 1, "files": [
      {"path": "json/quote\"back\\slash", "links": ["json/zlink"]},
      {"path": "json/tab\u0009ä bad\udcff\udcc0\udc80", "links": []}]}],
  "unreadable": [],
  "summary": {"directories": 1, "files": 3, "groups": 1, "duplicates": 1, "bytes": 1, "unreadable": 0}
}
END
cmp -s out expected || fail 'other JSON'
mkdir none
nothing='{"groups":[],"unreadable":[],"summary":{"directories":1,"files":0,"groups":0,'
nothing=$nothing'"duplicates":0,"bytes":0,"unreadable":0}}'
[ "$("$finddup" --json none | tr -d ' \n')" = "$nothing" ] || fail 'JSON of nothing'

# --- what can't be read ---
mkdir -p bad/shut
for i in 1 2 3; do printf same >bad/$i; done
printf same >bad/shut/4
chmod 000 bad/2 bad/shut
chmod 755 . bad
run=
[ "$(id -u)" != 0 ] || run='setpriv --reuid=65534 --clear-groups' # root reads everything
if [ -z "$run" ] || $run "$finddup" --help >/dev/null 2>&1; then
    for kind in auto $io; do
        ends 1 timeout 60 $run "$finddup" --io $kind --summary bad
        printf 'bad/1|bad/3\n' >expected
        sorted <out | cmp -s - expected || fail 'unreadable ones, and other groups'
        says 'bad/2: Permission denied; skipped' err
        says 'bad/shut/: Permission denied; skipped' err
        says 'finddup: 2 could not be read' err
        says '3 files in 1 directories; 1 groups; 1 files, 4 bytes' err
    done
else
    fail 'no way to read as somebody who may not'
fi
# These say that they have 4096 bytes, and have fewer: as a file that was cut meanwhile.
cut=$(find /sys/kernel -maxdepth 1 -type f -size 4096c -perm -444 2>/dev/null | head -n 2)
if [ "$(echo "$cut" | wc -l)" = 2 ]; then
    ends 1 timeout 60 "$finddup" $cut
    [ "$(grep -c 'it changed while it was read; skipped' err)" = 2 ] && [ ! -s out ] ||
        fail 'files that are shorter than they say'
fi
# A path that no call takes.
name=$(printf '%0200d' 0)
mkdir deep
(cd deep && for i in $(seq 25); do mkdir "$name" && cd -P "$name" || exit 1; done) ||
    fail 'no deep tree'
ends 1 timeout 60 "$finddup" deep
says 'File name too long; skipped' err
if [ -e /dev/full ]; then
    "$finddup" links >/dev/full 2>err && fail 'groups that could not be written, and status 0'
fi

# --- progress: on a terminal, and nowhere else ---
if command -v script >/dev/null; then
    ends 0 script -qec "'$finddup' '$t' >/dev/null" /dev/null
    says '%] finddup, looking for files' out
    ends 0 script -qec "'$finddup' --quiet '$t' >/dev/null" /dev/null
    ! grep -q looking out || fail '--quiet is not quiet'
fi
ends 0 "$finddup" "$t"
[ ! -s err ] || fail 'progress without a terminal'

# --- the command line ---
misused 'no directory given' "$finddup"
misused "'nowhere': No such file" "$finddup" nowhere
misused "'links/c/fifo': neither" "$finddup" links/c/fifo
misused "--io 'x'" "$finddup" --io x links
misused "--workers '0'" "$finddup" --workers 0 links
misused "--min-size '9223372036854775808'" "$finddup" --min-size 9223372036854775808 links
misused "'--foo'" "$finddup" --foo links
misused '--json takes no value' "$finddup" --json=1 links
ends 0 "$finddup" --help
for option in --workers --io --min-size --follow --hard-links --json --summary --quiet Examples: \
    HEIST_QUEUE; do
    says "$option" out
done
finish
