# SPDX-License-Identifier: MIT
# Reads `objdump -dr --no-show-raw-insn` of fastpath.c for x86-64. From each function's entry it
# follows what runs when no conditional jump is taken: compilers lay the likely path out so. It must
# reach a return and store something on the way; fast_ functions without fence, locked instruction or
# call, slow_ functions not.

/^[0-9a-f]+ <.*>:$/ {
    name = $2
    gsub(/[<>:]/, "", name)
    entry[name] = hex($1)
    next
}
/^ *[0-9a-f]+:\t/ {
    split($0, field, "\t")
    gsub(/[ :]/, "", field[1])
    at = hex(field[1])
    code[name, at] = field[2]
    if (last == name)
        after[name, before] = at
    last = name
    before = at
    next
}
/R_X86_64/ {
    relocated[name, before] = $NF
}
END {
    for (name in entry) {
        if (name !~ /^(fast|slow)_[a-z_]+$/)
            continue
        fault = walk(name)
        wanted = name ~ /^slow_/
        seen[wanted]++
        good = (fault != "") == wanted
        printf "%s %s: %s\n", good ? "ok  " : "FAIL", name, fault == "" ? length_ " instructions" : fault
        if (!good)
            failed = 1
    }
    if (seen[0] < 6 || seen[1] < 2) {
        print "FAIL: functions are missing from the disassembly"
        failed = 1
    }
    exit failed
}

function walk(name,    at, i, stores, been)
{
    at = entry[name]
    for (length_ = 1; !((name, at) in been); length_++) {
        been[name, at]
        i = code[name, at]
        if (i == "" || i ~ /^ud2/)
            return "no return"
        if (i ~ /^(lock|mfence)/ || i ~ /^xchg.*\(/ || i ~ /^call/)
            return i " " relocated[name, at]
        if (i ~ /^(repz |rep |bnd )?ret/)
            return stores ? "" : "stores nothing"
        if (i ~ /^(mov|add|sub|inc|dec)[bwlq]* .*\)$/)
            stores++
        if (i ~ /^jmp/) {
            if ((name, at) in relocated || i !~ "<" name "[+>]")
                return i " " relocated[name, at]
            split(i, operand, " ")
            at = hex(operand[2])
        } else {
            at = after[name, at]
        }
    }
    return "a loop"
}

function hex(text,    n, i)
{
    for (i = 1; i <= length(text); i++)
        n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return n
}
