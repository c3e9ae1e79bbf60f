#!/bin/sh
# SPDX-License-Identifier: MIT
# heist doctor, here and where less is allowed: what is taken away must show. HEIST is the command,
# HWLOC says whether it was built with hwloc (1 or 0), WITHOUT is the program of without.c, PLAIN=1 if
# there is no emulator and no sanitizer, which need what is taken away.
. "$(dirname "$0")/../command.sh"
for variable in $(env | sed -n 's/^\(HEIST_[A-Z_]*\|HWLOC_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
done

wrong() { # TEXT ARGUMENT...
    text=$1
    shift
    misused "$text" $HEIST doctor "$@"
}
line() { # CHECK: its line in out
    grep "^[a-z]*  *$1  " out
}
finds() { # STATUS CHECK TEXT, in out
    line "$2" | grep "^$1 " | grep -qF -e "$3" || fail "$2 is not $1 with '$3'"
}
fixed() { # every line that is not ok ends with a fix, and no other does
    ! sed '$d' out | grep -v '^ok' | grep -qv '; fix: ..*' || fail 'no fix'
    ! grep '^ok' out | grep -q '; fix:' || fail 'a fix for what is ok'
}

# Bad input.
wrong "unknown option '--jsn'" --jsn
wrong "unknown option '-j'" -j
wrong "a value is missing after '--root'" --root
wrong "a directory, not 'no/such'" --root no/such
wrong "no value is taken by '--json=1'" --json=1
wrong "stray argument 'cpus'" cpus
ends 0 $HEIST doctor --help
says Examples: out

# The machine as it is: no check is left out, and the last line counts.
ends 0 $HEIST doctor
[ ! -s err ] || fail 'something on stderr'
for check in cpus quota workers topology governor membarrier io_uring perf 'huge pages' threads stack \
    signals environment; do
    [ "$(line "$check" | wc -l)" = 1 ] || fail "not one line for $check"
done
[ "$(sed '$d' out | grep -c '^\(ok\|note\) ')" = 13 ] || fail 'other lines than ok and note'
fixed
[ "$(tail -n 1 out | cut -d' ' -f1-3)" = "13 checks: $(grep -c '^ok' out)" ] || fail 'a wrong sum'
[ "$HWLOC" = 1 ] && finds ok topology 'by hwloc: ' || finds note topology 'without hwloc'

# Variables: those that make sense, one that does not, one that does not exist.
ends 0 env HEIST_QUEUE=chaselev HEIST_TRACE=a.json $HEIST doctor
finds ok environment 'HEIST_QUEUE=chaselev: the queues'
finds ok environment 'HEIST_TRACE=a.json'
[ ! -e a.json ] || fail 'a trace was written'
ends 1 env HEIST_BATCH=some $HEIST doctor
finds problem environment 'HEIST_BATCH=some: it takes one, half'
says ', 1 problem' out
fixed
ends 0 env HEIST_WORKER=3 $HEIST doctor
finds note environment 'HEIST_WORKER is no variable of Heist'
fixed
ends 0 env HEIST_WORKERS=1 $HEIST doctor
finds note workers 'a pool takes 1 worker: HEIST_WORKERS says so'
ends 0 env HEIST_WORKERS=300 $HEIST doctor
finds note workers 'a pool takes 300 workers: HEIST_WORKERS says so'
finds ok threads "a pool's 300 can be started"

# As JSON, with what would break it.
if command -v python3 >/dev/null; then
    ends 1 env HEIST_BATCH="$(printf '"\\\n\351')" HEIST_WORKERS=2000 $HEIST doctor --json
    python3 - <<'END' >said || fail 'no such JSON'
import json
whole = json.load(open("out"))
checks = whole["checks"]
assert whole["problems"] == 2 and len(checks) == 14, whole
assert sum(c["status"] == "note" for c in checks) == whole["notes"], whole
assert all(("fix" in c) == (c["status"] != "ok") and c["found"] for c in checks), whole
assert any('HEIST_BATCH="\\??: it takes' in c["found"] for c in checks), whole
END
fi

# Files that say something else.
mkdir -p root/proc/sys/kernel root/proc/self root/sys/kernel/mm/transparent_hugepage \
    root/sys/devices/system/cpu/cpu0/cpufreq root/cg/a
echo 4 >root/proc/sys/kernel/perf_event_paranoid
echo 2 >root/proc/sys/kernel/io_uring_disabled
echo '[always] madvise never' >root/sys/kernel/mm/transparent_hugepage/enabled
echo powersave >root/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
echo '0::/a' >root/proc/self/cgroup
echo '30 20 0:26 / /cg rw - cgroup2 cgroup2 rw' >root/proc/self/mountinfo
echo '50000 100000' >root/cg/a/cpu.max
echo 4321 >root/cg/pids.max
echo max >root/cg/a/pids.max
ends 0 $HEIST doctor --root root
finds note governor 'powersave on 1 of 1'
finds note io_uring 'kernel.io_uring_disabled is 2'
finds note 'huge pages' always
finds ok threads '4321 of the cgroup'
[ "$(id -u)" = 0 ] && finds ok perf 'is 4' || finds note perf 'only for root'
if [ "$(nproc)" -gt 1 ]; then
    finds note quota 'allow the time of 1 CPU, of'
    finds note workers "the cgroups' quota says so"
fi
fixed
echo '0 0' >root/cg/a/cpu.max
rm root/proc/sys/kernel/perf_event_paranoid
ends 0 $HEIST doctor --root root
finds ok quota 'no cgroup'
finds note perf 'no perf events'

# Less of the machine itself.
[ "${PLAIN:-0}" = 1 ] || finish
if [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null; then
    cpu=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
    ends 0 taskset -c "$cpu" $HEIST doctor
    finds note cpus '1 of the'
    finds note workers 'nobody steals'
    fixed
fi
if command -v prlimit >/dev/null; then
    ends 0 prlimit --stack=524288 $HEIST doctor
    finds note stack '512 KiB'
    ends 0 prlimit --stack=unlimited $HEIST doctor
    finds note stack unlimited
    fixed
    ends 0 prlimit --sigpending=3:3 $HEIST doctor
    finds note signals 'only 3 may be pending'
    ends 0 prlimit --nproc=54321:54321 $HEIST doctor
    finds ok threads '54321 of the user'
    # 300 stacks do not fit into so little memory.
    ends 1 prlimit --as=1000000000 env HEIST_WORKERS=300 $HEIST doctor
    finds problem threads "of a pool's 300 threads can be started"
    fixed
fi
if env --block-signal=URG true 2>/dev/null; then
    ends 0 env --block-signal=URG $HEIST doctor
    finds note signals 'SIGURG is blocked'
fi
if [ "$HWLOC" = 1 ]; then
    ends 0 env HWLOC_SYNTHETIC='core:3 pu:2' $HEIST doctor
    finds note topology 'another machine'
fi
if "$WITHOUT" membarrier true; then
    ends 0 "$WITHOUT" membarrier $HEIST doctor
    finds note membarrier refused
    ends 0 "$WITHOUT" io_uring_setup $HEIST doctor
    grep -q '^note  *io_uring  ' out || fail 'io_uring is refused'
    fixed
fi
$HEIST doctor >/dev/full 2>err
[ $? = 1 ] && says 'could be written' err || fail 'a full disk'
finish
