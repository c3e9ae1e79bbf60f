# SPDX-License-Identifier: MIT
# Reads a program as LLVM's text and names what GenMC (0.10 and 0.11) would not understand, or not
# rightly: functions and intrinsics that it does not have, assembly, a fence against handlers (to it
# a full fence), and memset or memcpy through a pointer whose type it can't see.

function complain(what) {
    print FILENAME ":" FNR ": " what ": " $0
    bad = 1
}

# Whether the type of what the value points to can be seen: GenMC looks through casts and constant
# indices that are all 0, and then wants a variable or an index.
function seen(value,    line, indices) {
    line = defined[value]
    if (value ~ /^@/ || line ~ /= alloca /)
        return 1
    if (line ~ /= bitcast /) {
        match(line, /[%@][^ ]+ to /)
        return seen(substr(line, RSTART, RLENGTH - 4))
    }
    if (line !~ /= getelementptr /)
        return 0
    indices = line
    sub(/^[^,]*,[^,]*/, "", indices)
    if (indices ~ /%|i(32|64) -?[1-9]/)
        return 1
    match(line, /[*r] [%@][^ ,]+,/)
    return seen(substr(line, RSTART + 2, RLENGTH - 3))
}

# The call's n-th argument, without its type and attributes; of a constant only that it is one.
function argument(n,    parts) {
    split(substr($0, index($0, "(") + 1), parts, ",")
    if (parts[n] ~ /@/)
        return "@"
    sub(/.* /, "", parts[n])
    return parts[n]
}

/^define / { split("", defined) }

/^  %[^ ]+ = / { defined[$1] = $0 }

/^declare / {
    match($0, /@[^(]+/)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    if (name !~ /^(pthread_(create|join|mutex_(init|lock|trylock|unlock|destroy))|aligned_alloc|free|__assert_fail)$/ &&
        name !~ /^llvm\.(assume|mem(set|cpy)\..*)$/)
        complain("not in GenMC")
}

/^  .*call .*asm / && !/asm sideeffect ""/ { complain("assembly") }

/^  fence syncscope/ { complain("fence of one thread") }

/call void @llvm\.mem(set|cpy)/ {
    if (!seen(argument(1)))
        complain("type not seen")
    if (/memcpy/ && !seen(argument(2)))
        complain("type not seen")
}

END { exit bad }
