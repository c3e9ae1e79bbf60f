#!/bin/sh
# SPDX-License-Identifier: MIT
# workflow.sh SOURCE_DIR BUILD_DIR: what the workflow for GitHub calls is there: targets of make, scripts,
# and tests of the build by name. 77: there is no YAML for Python.
here=$(cd "$(dirname "$0")" && pwd)
source=$1 build=$2
. "$here/../command.sh"
workflow=$source/.github/workflows/ci.yml

python3 -c 'import yaml' 2>/dev/null || exit 77
python3 - "$workflow" >commands 2>err <<'END' || fail 'it is no workflow'
import itertools, re, sys, yaml

whole = yaml.safe_load(open(sys.argv[1]))
assert set(whole) == {"name", True, "permissions", "concurrency", "jobs"}, set(whole)  # True: "on"
assert {"push", "pull_request", "schedule"} <= set(whole[True])
for name, job in whole["jobs"].items():
    assert job["timeout-minutes"] <= 360 and job["steps"] and job["runs-on"], name
    assert any("upload-artifact" in s.get("uses", "") and s["if"] == "failure()" for s in job["steps"]), name
    matrix = job.get("strategy", {}).get("matrix", {})
    for values in itertools.product(*matrix.values()):
        chosen = dict(zip(matrix, values))
        def fill(m):
            assert m[1] in chosen, f"{name}: no {m[1]} in the matrix"
            return chosen[m[1]]
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), step
            print(re.sub(r"\$\{\{ matrix\.(\w+) \}\}", fill, step.get("run", "")).strip())
        re.sub(r"\$\{\{ matrix\.(\w+) \}\}", fill, str(job))
END
sort -u commands | grep . >lines
[ "$(wc -l <lines)" -ge 10 ] || fail 'few commands'

# A test's name, of those that some configuration has.
ctest --test-dir "$build" -N -C trees >tests 2>&1
made=0 tested=0
while read -r line; do
    case $line in
    'make '*)
        target=$(echo "$line" | cut -d' ' -f2)
        made=$((made + 1))
        grep -q "^$target:" "$source/Makefile" || fail "make has no target $target"
        for word in $line; do
            case $word in
            [A-Za-z]*=*) grep -q "^${word%%=*} *=" "$source/Makefile" || fail "make has no variable ${word%%=*}" ;;
            esac
        done
        ;;
    scripts/*) [ -x "$source/${line%% *}" ] || fail "there is no ${line%% *}" ;;
    ctest*)
        name=$(echo "$line" | sed "s/.*-R '^\(.*\)\\$'.*/\1/")
        tested=$((tested + 1))
        grep -q ": $name\$" tests || fail "there is no test $name"
        ;;
    apt-get* | cmake* | 'git config '*) ;;
    *) fail "what is this? $line" ;;
    esac
done <lines
[ $made -ge 3 ] && [ $tested -ge 5 ] || fail "only $made of make, $tested of ctest"
finish
