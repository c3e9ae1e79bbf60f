#!/bin/sh
# SPDX-License-Identifier: MIT
# finddup.sh FINDDUP FINDDUP_WEAK FINDDUP_TREE KIND...: groups as md5sum, fdupes and jdupes find them
# (the latter if installed), in all ways to read and on all kinds of queues; links, names, files that
# can't be read; the command line. FINDDUP_WEAK finds all hashes equal, and has no io_uring.
set -u
finddup=$1
weak=$2
tree=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
export LC_ALL=C
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    head -n 5 "$work/out" "$work/err"
}

sorted() { awk -f "$here/groups.awk" | sort; }

# same EXPECTED COMMAND...: the command's groups are those in the file EXPECTED; nothing is skipped.
same() {
    expected=$1
    shift
    timeout 120 "$@" >"$work/raw" 2>"$work/err" || fail "status $?: $*"
    sorted <"$work/raw" >"$work/out"
    cmp -s "$work/out" "$expected" || fail "other groups than $(basename "$expected"): $*"
}

# refused TEXT ARGUMENT...: status 2, no stdout, one line on stderr that has TEXT and --help.
refused() {
    text=$1
    shift
    timeout 60 "$finddup" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
        grep -qF -e "$text" "$work/err" && grep -q -e '--help' "$work/err" ||
        fail "status $status, not a clear refusal: $*"
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
by_md5sum -size +0 >"$work/md5sum"
by_md5sum >"$work/md5sum-empty"
[ "$(wc -l <"$work/md5sum")" -gt 50 ] || fail 'hardly a duplicate in the tree'
! cmp -s "$work/md5sum" "$work/md5sum-empty" || fail 'the empty files are no group'
for command in fdupes jdupes; do
    command -v $command >/dev/null || echo "$command is not installed: not compared with"
done
! command -v fdupes >/dev/null || same "$work/md5sum" fdupes -rnq "$t"
! command -v jdupes >/dev/null || same "$work/md5sum" jdupes -rq "$t"
io=plain
if "$finddup" --io uring "$t" >"$work/out" 2>"$work/err"; then
    io='plain uring'
else
    grep -q -e '--io uring: ' "$work/err" || fail 'no io_uring, and not a word about it'
fi
for way in auto $io; do
    for workers in 1 2 7; do
        same "$work/md5sum" "$finddup" --io $way --workers $workers "$t"
    done
    same "$work/md5sum-empty" "$finddup" --io $way --min-size 0 "$t"
done
same "$work/md5sum" "$weak" "$t"
"$weak" --io uring "$t" >"$work/out" 2>"$work/err" && fail 'io_uring in a build without it'
for kind; do
    same "$work/md5sum" env HEIST_QUEUE=$kind "$finddup" --workers 2 "$t"
    [ ! -s "$work/err" ] || fail "words on stderr: $kind"
done
[ $# -gt 0 ] || fail 'no kinds'
# Not in the page cache, if we may empty it: then reads have to wait.
if [ "${COLD-}" = 1 ]; then
    for way in $io; do
        sync
        echo 1 >/proc/sys/vm/drop_caches || fail 'the cache stays'
        same "$work/md5sum" "$finddup" --io $way "$t"
    done
fi
# Each directory once, whatever leads to it; files as arguments.
same "$work/md5sum" "$finddup" "$t" "$t/large" "$t/d1"
find "$t/large" -name f0 | sort >"$work/f0"
paste -s -d '|' "$work/f0" >"$work/two"
same "$work/two" "$finddup" $(cat "$work/f0")

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
cd "$work" || exit 1
printf 'links/a/one|links/c/two\n' >expected
same expected "$finddup" links
printf 'links/a/alone|links/c/alone\nlinks/a/one|links/c/link|links/c/two\n' >expected
same expected "$finddup" --hard-links links
! command -v jdupes >/dev/null || same expected jdupes -rqH links
timeout 60 "$finddup" --follow links >raw 2>err
[ $? = 1 ] || fail 'a dangling link, and status not 1'
sorted <raw >out
printf 'links/a/one|links/c/two\n' | cmp -s - out || fail '--follow, other groups'
grep -q 'links/c/dangling: No such file or directory; skipped' err || fail 'a dangling link, not a word'
grep -q 'finddup: 1 could not be read, and were skipped' err || fail 'the dangling link is not counted'

# --- JSON ---
mkdir json
printf 1 >'json/quote"back\slash'
printf 1 >"json/$(printf 'tab\t\303\244 bad\377\300\200')"
ln 'json/quote"back\slash' json/zlink
timeout 60 "$finddup" --json json/ >out 2>err || fail 'JSON'
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
[ "$("$finddup" --json none | tr -d ' \n')" = \
    '{"groups":[],"unreadable":[],"summary":{"directories":1,"files":0,"groups":0,"duplicates":0,"bytes":0,"unreadable":0}}' ] ||
    fail 'JSON of nothing'

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
        timeout 60 $run "$finddup" --io $kind --summary bad >raw 2>err
        [ $? = 1 ] || fail 'what could not be read, and status not 1'
        sorted <raw >out
        printf 'bad/1|bad/3\n' | cmp -s - out || fail 'unreadable ones, and other groups'
        grep -q 'bad/2: Permission denied; skipped' err && grep -q 'bad/shut/: Permission denied; skipped' err ||
            fail 'not a word about what could not be read'
        grep -q 'finddup: 2 could not be read' err || fail 'not counted'
        grep -q '3 files in 1 directories; 1 groups; 1 files, 4 bytes' err || fail 'the summary'
    done
else
    fail 'no way to read as somebody who may not'
fi
# These say that they have 4096 bytes, and have fewer: as a file that was cut meanwhile.
cut=$(find /sys/kernel -maxdepth 1 -type f -size 4096c -perm -444 2>/dev/null | head -n 2)
if [ "$(echo "$cut" | wc -l)" = 2 ]; then
    timeout 60 "$finddup" $cut >out 2>err
    [ $? = 1 ] && [ "$(grep -c 'it changed while it was read; skipped' err)" = 2 ] && [ ! -s out ] ||
        fail 'files that are shorter than they say'
fi
# A path that no call takes.
name=$(printf '%0200d' 0)
mkdir deep
(cd deep && for i in $(seq 25); do mkdir "$name" && cd -P "$name" || exit 1; done) || fail 'no deep tree'
timeout 60 "$finddup" deep >out 2>err
[ $? = 1 ] && grep -q 'File name too long; skipped' err || fail 'a path that is too long'
if [ -e /dev/full ]; then
    "$finddup" links >/dev/full 2>err && fail 'groups that could not be written, and status 0'
fi

# --- the command line ---
refused 'no directory given'
refused "'nowhere': No such file" nowhere
refused "'links/c/fifo': neither" links/c/fifo
refused "--io 'x'" --io x links
refused "--workers '0'" --workers 0 links
refused "--min-size '9223372036854775808'" --min-size 9223372036854775808 links
refused "'--foo'" --foo links
refused '--json takes no value' --json=1 links
for option in --workers --io --min-size --follow --hard-links --json --summary --quiet Examples: HEIST_QUEUE; do
    "$finddup" --help | grep -qF -e "$option" || fail "--help does not say $option"
done
[ $failures = 0 ] && echo 'all as it should be'
[ $failures = 0 ]
