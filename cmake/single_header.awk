# SPDX-License-Identifier: MIT
# Makes heist-queues.h of the queues' headers and sources, on stdout:
#   awk -v root=SOURCE_DIR -f single_header.awk
# The headers come first, each where it is first needed. The sources follow, for the one file that
# defines HEIST_QUEUES_IMPLEMENTATION. They were written to be compiled one by one; so that they don't meet
# each other, nor the user's code, the names that are a file's own (of static functions and variables,
# types, enumerators) become heist_in_FILE_NAME, and its macros end with it. What is included from the
# system stands before all of that.

BEGIN {
    include = root "/include/heist/"
    queues = root "/src/queue/"
    read_kinds(include "kinds.h")

    top()
    print "#ifndef HEIST_QUEUES_H\n#define HEIST_QUEUES_H"
    header("version.h")
    header("base.h")
    for (i = 1; i <= kinds; i++)
        header(kind[i] == "heist" ? "default.h" : kind[i] ".h")
    header("queue.h")
    header("kinds.h")
    print "\n#endif"

    begin_sources()
    command = "ls " quoted(queues) "*.c"
    while ((command | getline path) > 0)
        source[++sources] = path
    if (close(command) || !sources)
        stop("no sources in " queues)
    for (i = 1; i <= sources; i++)
        system_includes(source[i])
    print "#if defined(__GLIBC__) && !defined(__USE_MISC)"
    print "#error with -std=c11, heist-queues.h must come before other includes in this file"
    print "#endif"
    print "\n#pragma GCC visibility push(hidden)"
    print "#pragma GCC diagnostic push"
    print "#ifdef __cplusplus /* flexible arrays, and structs that only this file knows */"
    print "#pragma GCC diagnostic ignored \"-Wpedantic\""
    print "#pragma GCC diagnostic ignored \"-Wattributes\""
    print "#endif"
    for (i = 1; i <= sources; i++)
        private_headers(source[i])
    for (i = 1; i <= sources; i++)
        implementation(source[i])
    end_macros(shared_line, shared_lines)
    print "\n#pragma GCC diagnostic pop\n#pragma GCC visibility pop\n#endif"
}

function stop(what)
{
    print "single_header.awk: " what >"/dev/stderr"
    exit failed = 1
}

END { exit failed }

function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

function file_name(path) { sub(/.*\//, "", path); return path }

# The next line of a file in `line`; a file that is not there is an error.
function next_line(path,    result)
{
    result = (getline line <path)
    if (result < 0)
        stop(path " can't be read")
    return result > 0
}

function read_kinds(path)
{
    while (next_line(path))
        if (match(line, /X\([a-z_]+\)/))
            kind[++kinds] = substr(line, RSTART + 2, RLENGTH - 3)
    close(path)
    if (!kinds)
        stop("no kinds in " path)
}

function top(    path, version)
{
    path = include "version.h"
    while (next_line(path))
        if (line ~ /VERSION_STRING/) {
            split(line, field, "\"")
            version = field[2]
        }
    close(path)
    print "/* SPDX-License-Identifier: MIT */"
    print "/*"
    print " * heist-queues.h " version ": the queues of Heist, for work stealing, in one file. C11 or C++17;"
    print " * Linux; gcc or clang."
    print " *"
    print " *   #include \"heist-queues.h\"                 in every file that uses a queue"
    print " *"
    print " *   #define HEIST_QUEUES_IMPLEMENTATION        and once, in a file of its own, in C or C++,"
    print " *   #include \"heist-queues.h\"                 before any other include"
    print " *"
    print " * Link with -pthread, and not with libheist, which has the same functions. They are hidden: a"
    print " * shared library that uses this file does not export them. -DHEIST_QUEUES_API= changes that."
    print " *"
    print " * The kinds, each described below where its functions are:"
    for (i = 1; i <= kinds; i++)
        print " *   heist_" kind[i]
    print " * and heist_queue, any of them by its name."
    print " *"
    print " * Made from include/heist and src/queue by cmake/single_header.awk. Don't edit it."
    print " *"
    path = root "/LICENSE"
    while (next_line(path))
        print line == "" ? " *" : " * " line
    close(path)
    print " */"
    print "#if defined(HEIST_QUEUES_IMPLEMENTATION) && !defined(_GNU_SOURCE)"
    print "#define _GNU_SOURCE"
    print "#endif"
    print ""
}

# A header of include/heist, and before it those that it includes; awk has no local files, so the lines
# are kept in an array.
function header(name,    lines, number, i, wanted)
{
    if (name in done)
        return
    done[name]
    number = read_lines(include name, lines)
    for (i = 1; i <= number; i++) {
        wanted = ours(lines[i])
        if (wanted)
            header(wanted)
    }
    print "\n/* ---- " name " ---- */\n"
    for (i = 1; i <= number; i++)
        if (lines[i] ~ /^#define HEIST_API /)
            print_api()
        else if (!ours(lines[i]) && lines[i] !~ /SPDX-License/)
            print lines[i]
}

function print_api()
{
    print "#ifndef HEIST_QUEUES_API"
    print "#define HEIST_QUEUES_API __attribute__((visibility(\"hidden\")))"
    print "#endif"
    print "#define HEIST_API HEIST_QUEUES_API"
}

function ours(text)
{
    if (text !~ /^#include <heist\//)
        return ""
    sub(/^#include <heist\//, "", text)
    sub(/>.*/, "", text)
    return text
}

function private_header(text)
{
    if (text !~ /^#include "/)
        return ""
    split(text, field, "\"")
    return field[2]
}

function read_lines(path, lines,    number)
{
    while (next_line(path))
        lines[++number] = line
    close(path)
    return number
}

function begin_sources()
{
    print "\n#if defined(HEIST_QUEUES_IMPLEMENTATION) && !defined(HEIST_QUEUES_IMPLEMENTED_)"
    print "#define HEIST_QUEUES_IMPLEMENTED_"
    print ""
}

# What a file includes from the system, once; in an #if of its own what it includes only under a
# condition. The headers of our own that it includes are looked into as well.
function system_includes(path,    lines, number, i, depth, name)
{
    if (path in looked_into)
        return
    looked_into[path]
    number = read_lines(path, lines)
    if (path ~ /\.h$/)
        depth = -1 # its include guard
    for (i = 1; i <= number; i++) {
        if (lines[i] ~ /^#if/)
            depth++
        else if (lines[i] ~ /^#endif/)
            depth--
        if (private_header(lines[i]))
            system_includes(queues private_header(lines[i]))
        if (!system_include(lines[i]))
            continue
        name = lines[i]
        sub(/^#include /, "", name)
        if (name in included)
            continue
        included[name]
        if (depth > 0)
            print "#if __has_include(" name ")\n#include " name "\n#endif"
        else
            print "#include " name
    }
}

function system_include(text) { return text ~ /^#include </ && !ours(text) }

# The headers in src/queue, and before each those that it includes. All sources know their names.
function private_headers(path,    lines, number, i)
{
    if (path in searched)
        return
    searched[path]
    number = read_lines(path, lines)
    for (i = 1; i <= number; i++)
        if (private_header(lines[i]))
            private_headers(queues private_header(lines[i]))
    if (path ~ /\.c$/)
        return
    own_names(lines, number, shared, prefix_of(path))
    for (i = 1; i <= number; i++)
        shared_line[++shared_lines] = lines[i]
    print_code(path, lines, number, shared)
}

function implementation(path,    lines, number, names, name)
{
    number = read_lines(path, lines)
    for (name in shared)
        names[name] = shared[name]
    own_names(lines, number, names, prefix_of(path))
    print_code(path, lines, number, names)
    end_macros(lines, number)
}

function prefix_of(path)
{
    path = file_name(path)
    sub(/\..*/, "", path)
    return "heist_in_" path "_"
}

# Ends the macros that a file has defined.
function end_macros(lines, number,    i, text)
{
    for (i = 1; i <= number; i++)
        if (lines[i] ~ /^#define / && lines[i] !~ /^#define (HEIST_|_GNU_SOURCE)/) {
            text = lines[i]
            sub(/^#define /, "", text)
            sub(/[( ].*/, "", text)
            print "#undef " text
        }
}

function print_code(path, lines, number, names,    i, in_struct)
{
    print "\n/* ---- src/queue/" file_name(path) " ---- */\n"
    in_comment = 0
    for (i = 1; i <= number; i++) {
        if (lines[i] ~ /SPDX-License|^#define _GNU_SOURCE|^#include/)
            continue
        if (lines[i] ~ /^}/)
            in_struct = 0
        print renamed(lines[i], names, in_struct, prefix_of(path))
        if (lines[i] ~ /^(typedef |static )*(struct|union).*\{$/)
            in_struct = 1
    }
}

# A line of code with the names that are in `names` replaced: not in comments and strings, not members.
function renamed(text, names, in_struct, prefix,    result, word, rest)
{
    for (result = ""; text != ""; text = rest) {
        if (in_comment || text ~ /^\/\*/) {
            in_comment = !match(text, /\*\//)
            word = in_comment ? text : substr(text, 1, RSTART + 1)
        } else if (match(text, /^("(\\.|[^"\\])*"|'(\\.|[^'\\])*'|[A-Za-z_][A-Za-z_0-9]*)/)) {
            word = substr(text, 1, RLENGTH)
        } else {
            word = substr(text, 1, 1)
        }
        rest = substr(text, length(word) + 1)
        if (word == "K" && rest ~ /^##_/ && result !~ /##$/)
            word = prefix "##K" # a name that is made once per kind
        else if (word in names && !is_member(result, rest, in_struct))
            word = names[word]
        result = result word
    }
    return result
}

function is_member(before, after, in_struct)
{
    return before ~ /(\.|->)$/ || in_struct && (before ~ /\(\*$/ || after ~ /^(;|,|\[| HEIST_ALIGNED;)/)
}

function add(names, name, prefix)
{
    if (name != "" && name !~ /^(heist|HEIST)_/)
        names[name] = prefix name
}

# The names that a file gives to things at its outermost level. The code is formatted by clang-format:
# what begins in the first column begins there.
function own_names(lines, number, names, prefix,    i, text, tail, part, parts, k)
{
    for (i = 1; i <= number; i++) {
        text = lines[i]
        if (text ~ /^ +static .*K##_/) { # in a macro, once per kind
            match(text, /K##_[a-z_]+/)
            for (k = 1; k <= kinds; k++)
                add(names, kind[k] substr(text, RSTART + 3, RLENGTH - 3), prefix)
            continue
        }
        if (text !~ /^[A-Za-z}]/)
            continue
        gsub(/\/\*.*\*\//, "", text)
        if (text ~ /^(typedef )?(struct|union|enum) [a-z_]+ *(\{|;)/ || text ~ /^static .*struct [a-z_]+ \{/) {
            match(text, /(struct|union|enum) [a-z_]+/)
            tail = substr(text, RSTART, RLENGTH)
            sub(/.* /, "", tail)
            add(names, tail, prefix)
        }
        if (text ~ /^(typedef )?enum .*\{/ || text ~ /^enum \{/) {
            sub(/.*\{/, "", text)
            while (text !~ /\}/ && i < number)
                text = text lines[++i]
            sub(/\}.*/, "", text)
            parts = split(text, part, ",")
            for (k = 1; k <= parts; k++) {
                sub(/=.*/, "", part[k])
                gsub(/ /, "", part[k])
                add(names, part[k], prefix)
            }
        } else if (text ~ /^HEIST_THREAD_POINTER\(/) {
            split(text, part, /[()]/)
            add(names, part[2], prefix)
            add(names, part[2] "_", prefix)
        } else if (text ~ /^typedef .*;/ || text ~ /^\} [a-z_]+(\[.*\])?;/) {
            sub(/(\[.*\])?;.*/, "", text)
            sub(/.*[ *]/, "", text)
            add(names, text, prefix)
        } else if (text ~ /^(static|HEIST_FORCED) / && text !~ /\{$/ || text ~ /^static .*\) \{/) {
            sub(/[[(=;].*/, "", text)
            sub(/ +$/, "", text)
            sub(/.*[ *]/, "", text)
            add(names, text, prefix)
        }
    }
}
