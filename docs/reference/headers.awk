# SPDX-License-Identifier: MIT
# Reads the public headers, of which pages.txt has the list, into a model of what they declare and what
# their comments say. man.awk or doxygen.awk, given to awk behind this file, writes it down in emit().
#
#   awk -v source=TREE -v out=DIRECTORY -v version=0.1 -f headers.awk -f man.awk pages.txt
#
# The model. Headers 1 to headers: header[h], its text head[h], include[h, 1..includes[h]], examples[h], and
# its entries first[h] to last[h]. Entry e: kind[e], which is section, function, macro, callback (a typedef of
# a function), struct, enum or type; name[e]; text[e], its comment; code[e], the declaration in one line
# without attributes; for struct and enum fields[e] and of each field[e, i], its field_text[e, i], and
# above[e, i], a comment that stands before it and those that follow; opaque[e]: the fields are the library's.
# group[e] is the first entry that has the same comment.
#
# The rules, which are those of the tree: a comment belongs to the declaration that follows it; that of a macro
# or type to all that follow up to an empty line, and that of heist_X also to a heist_run_X behind it; a comment
# behind a declaration to that. A name that ends in _ is internal. A macro that stands under its own #ifndef is
# a switch of the build and no interface. A struct that has atomic or internal members is opaque.
# `/* ---- Text ---- */` begins a section. In a comment whose lines begin with a star, what is indented is code.

function fail(message)
{
    print FILENAME ":" FNR ": " message >"/dev/stderr"
    failed = 1
    exit 2
}

function trimmed(s)
{
    sub(/^[ \t\n]+/, "", s)
    sub(/[ \t\n]+$/, "", s)
    return s
}

# ---- Comments ----

# The text of a comment, without its delimiters; lines stay lines.
function comment_text(raw,    parts, n, i, result, stars)
{
    sub(/^\/\*/, "", raw)
    sub(/\*\/[ \t]*$/, "", raw)
    n = split(raw, parts, "\n")
    stars = n > 1 && parts[2] ~ /^ \*/
    for (i = 1; i <= n; i++) {
        if (!stars || i == 1)
            parts[i] = trimmed(parts[i])
        else
            sub(/^ \* ?/, "", parts[i])
        sub(/[ \t]+$/, "", parts[i])
        result = result (i > 1 ? "\n" : "") parts[i]
    }
    sub(/^\n+/, "", result)
    sub(/\n+$/, "", result)
    return result
}

# Splits a text into blocks: block[i], and block_is_code[i]. Two lines are of different paragraphs also if the
# first ends a sentence and would have had room for the next word.
function split_blocks(s,    lines, n, i, line, inside, word)
{
    blocks = 0
    inside = ""
    n = split(s, lines, "\n")
    for (i = 1; i <= n; i++) {
        line = lines[i]
        if (line == "") {
            if (inside == "code")
                block[blocks] = block[blocks] "\n"
            else
                inside = ""
        } else if (line ~ /^  /) {
            if (inside != "code") {
                block_is_code[++blocks] = 1
                block[blocks] = line
            } else {
                block[blocks] = block[blocks] "\n" line
            }
            inside = "code"
        } else {
            word = line
            sub(/ .*/, "", word)
            if (inside != "text" ||
                (line ~ /^[A-Z]/ && lines[i - 1] ~ /[.:]$/ && length(lines[i - 1] word) < 96)) {
                block_is_code[++blocks] = 0
                block[blocks] = line
            } else {
                block[blocks] = block[blocks] " " line
            }
            inside = "text"
        }
    }
    for (i = 1; i <= blocks; i++)
        sub(/\n+$/, "", block[i])
}

# Splits a paragraph into sentence[1..sentences].
function split_sentences(s,    at, next_one, held)
{
    sentences = 0
    while (match(s, /[.)] +[A-Z0-9`-]/)) {
        at = RSTART
        next_one = RSTART + RLENGTH - 1
        if (substr(s, at, 1) == ")" && substr(s, at - 1, 1) != ".") {
            # a parenthesis that does not end a sentence: look behind it
            held = held substr(s, 1, next_one - 1)
            s = substr(s, next_one)
            continue
        }
        sentence[++sentences] = trimmed(held substr(s, 1, at))
        held = ""
        s = substr(s, next_one)
    }
    if (trimmed(held s) != "")
        sentence[++sentences] = trimmed(held s)
}

# What of a comment says what a function returns, or "". The rest is left in `said`; all of it if nothing else
# is said.
function returned(s,    i, j, result, rest, was)
{
    split_blocks(s)
    for (i = 1; i <= blocks; i++) {
        if (block_is_code[i]) {
            rest = rest "\n\n" block[i]
            continue
        }
        split_sentences(block[i])
        rest = rest "\n\n"
        was = 0
        for (j = 1; j <= sentences; j++) {
            was = sentence[j] ~ /^(0[;,.]|0 or |-E[A-Z]|True[:;, ]|False[:;, ]|Returns )/ ||
                  sentence[j] ~ /; -E[A-Z]/ || (was && sentence[j] ~ /^In (all|both|the) /)
            if (was)
                result = result (result == "" ? "" : " ") sentence[j]
            else
                rest = rest (rest ~ /\n$/ ? "" : " ") sentence[j]
        }
    }
    said = rest
    gsub(/\n\n\n+/, "\n\n", said)
    sub(/^\n+/, "", said)
    sub(/\n+$/, "", said)
    if (said == "")
        said = s
    return result
}

# ---- Declarations ----

# Cuts all comments out; `cut_comment` is the text of the last one if nothing follows it.
function without_comments(s,    at, end, result, tail)
{
    cut_comment = ""
    while ((at = index(s, "/*"))) {
        tail = substr(s, at)
        end = index(tail, "*/")
        if (!end)
            break
        cut_comment = substr(tail, 1, end + 1)
        result = result substr(s, 1, at - 1)
        s = substr(tail, end + 2)
    }
    if (trimmed(s) != "")
        cut_comment = ""
    cut_comment = comment_text(cut_comment)
    return result s
}

function one_line(s)
{
    gsub(/[ \t\n]+/, " ", s)
    return trimmed(s)
}

function is_internal(s) { return s == "" || s ~ /_$/ }

function forget_comment()
{
    pending = ""
    group_of = 0
}

# A new entry, or the number of the one that has this name already and is to be replaced; 0: that one stays.
function entry(what, called, declaration, own,    e, old)
{
    if (is_internal(called))
        return 0
    e = at_name[headers, called]
    if (e) {
        old = text[e]
        if (own == "" && pending == "")
            own = old
        if (!(kind[e] == "macro" && what == "function") && !(kind[e] == "type" && what == "struct")) {
            if (old == "")
                text[e] = own == "" ? pending : own
            return 0
        }
    } else {
        e = ++entries
        at_name[headers, called] = e
    }
    if (group_of && what == "function" && called != "heist_run_" substr(name[group_of], 7))
        forget_comment()
    kind[e] = what
    name[e] = called
    code[e] = declaration
    text[e] = own == "" ? pending : own
    group[e] = own == "" && group_of ? group_of : e
    if (own == "" && !group_of)
        group_of = e
    return e
}

# The members of a struct (that end in ;) or an enum (in a comma) into entry e.
function read_members(e, body, separator,    rest, c, at, depth, now, n, end, note, line_end)
{
    rest = body
    n = 0
    depth = 0
    now = ""
    note = ""
    while (rest != "") {
        if (rest ~ /^[ \t\n]*\/\*/) {
            sub(/^[ \t\n]*/, "", rest)
            end = index(rest, "*/")
            note = one_line(comment_text(substr(rest, 1, end + 1)))
            rest = substr(rest, end + 2)
            if (trimmed(now) != "" && separator == ",") { # the last of an enum, without a comma
                field_text[e, n + 1] = note
                note = ""
            }
            continue
        }
        c = substr(rest, 1, 1)
        rest = substr(rest, 2)
        if (c ~ /[({[]/)
            depth++
        if (c ~ /[])}]/)
            depth--
        if (c != separator || depth) {
            now = now c
            if (rest != "" || separator == ";")
                continue
        }
        now = one_line(now)
        if (now != "") {
            n++
            field[e, n] = now
            above[e, n] = note
            note = ""
            line_end = rest
            sub(/\n.*/, "", line_end)
            if (line_end ~ /^ *\/\*/) {
                end = index(rest, "*/")
                at = index(rest, "/*")
                field_text[e, n] = one_line(comment_text(substr(rest, at, end + 2 - at)))
                rest = substr(rest, end + 2)
            } else if (field_text[e, n] == "" && separator == ";") {
                # A comment above a member that has none of its own is its own.
                field_text[e, n] = above[e, n]
                above[e, n] = ""
            }
        }
        now = ""
    }
    drop_internal_members(e, n)
}

function drop_internal_members(e, n,    i, m, last_word)
{
    m = 0
    for (i = 1; i <= n; i++) {
        last_word = field[e, i]
        if (last_word ~ /^heist_(au32|au64|auptr|aptr) [a-z]/ || last_word ~ /^heist_(slots?|retirable_) /)
            opaque[e] = 1
        gsub(/\[[^]]*\]/, "", last_word)
        if (last_word !~ /\)$/)
            sub(/.*[ *]/, "", last_word)
        if (is_internal(last_word))
            continue
        m++
        field[e, m] = field[e, i]
        field_text[e, m] = field_text[e, i]
        above[e, m] = above[e, i]
    }
    if (!m)
        opaque[e] = 1
    fields[e] = opaque[e] ? 0 : m
}

# A struct whose members are a list of X(name, "what it is"): expanded by the macro that the list is given.
function expanded(body,    list, with, rest, at, end, called, what, result)
{
    if (body !~ /^[A-Z_]+\([A-Z_]+\)$/)
        return ""
    list = body
    sub(/\(.*/, "", list)
    with = body
    sub(/.*\(/, "", with)
    sub(/\).*/, "", with)
    rest = macro_body[list]
    while ((at = index(rest, "X("))) {
        rest = substr(rest, at + 2)
        called = rest
        sub(/,.*/, "", called)
        at = index(rest, "\"")
        rest = substr(rest, at + 1)
        end = index(rest, "\")")
        what = substr(rest, 1, end - 1)
        rest = substr(rest, end + 2)
        at = macro_body[with]
        gsub(/name/, called, at)
        result = result at " /* " what " */\n"
    }
    return result
}

function read_struct(raw, plain, own,    e, body, called, what)
{
    what = plain ~ /(^|typedef )enum/ ? "enum" : "struct"
    body = raw
    called = plain
    if (plain ~ /^typedef/) {
        sub(/;$/, "", called)
        sub(/.*[} ]/, "", called)
    } else {
        sub(/ *\{.*/, "", called)
        sub(/^(struct|enum) ?/, "", called)
    }
    sub(/^[^{]*\{/, "", body)
    sub(/\}[^}]*$/, "", body)
    if (what == "enum" && called == "") {
        called = one_line(without_comments(body))
        sub(/[ ,].*/, "", called) # without a name: that of its first constant
        e = entry(what, called, "enum", own)
    } else {
        e = entry(what, called, what " " called, own)
    }
    if (!e)
        return
    if (expanded(trimmed(body)) != "")
        body = expanded(trimmed(body))
    read_members(e, body, what == "enum" ? "," : ";")
}

function read_declaration(raw,    plain, own, called)
{
    plain = without_comments(raw)
    own = cut_comment
    plain = one_line(plain)
    if (plain ~ /^(typedef )?(struct|enum)[^(]*\{/) {
        read_struct(raw, plain, own)
        return
    }
    if (plain ~ /^(struct [a-z_]+;|extern )/)
        return
    if (plain ~ /^typedef/) {
        called = plain
        if (called ~ /\(/) {
            sub(/\(.*/, "", called)
            sub(/.*[ *]/, "", called)
            entry("callback", called, plain, own)
        } else {
            sub(/;$/, "", called)
            sub(/.*[ *]/, "", called)
            if (own != "" || pending != "") # else another header has it, with a comment
                entry("type", called, plain, own)
        }
        return
    }
    if (plain ~ /\{/) { # a body
        own = ""
        sub(/ *\{.*/, ";", plain)
    }
    while (sub(/^(HEIST_API|HEIST_MUST_CHECK|HEIST_COLD|HEIST_FORCED|static|inline) /, "", plain))
        continue
    called = plain
    sub(/[(;].*/, "", called)
    sub(/.*[ *]/, "", called)
    if (plain !~ /\(/) {
        if (!is_internal(called))
            fail(header[headers] ": what is this? " plain)
        return
    }
    entry("function", called, plain, own)
}

function read_define(raw,    called, plain, own, body)
{
    plain = without_comments(raw)
    own = cut_comment
    gsub(/\\\n/, " ", plain)
    plain = one_line(plain)
    sub(/^#define /, "", plain)
    called = plain
    sub(/[^A-Za-z0-9_].*/, "", called)
    body = substr(plain, length(called) + 1)
    if (body ~ /^\(/) {
        sub(/^\([^)]*\) ?/, "", body)
        macro_body[called] = body
        sub(/\).*/, ")", plain)
    }
    if (called == guard || (headers, called) in is_switch)
        return
    entry("macro", called, plain, own)
}

# How many braces and parentheses are open at the end of a text without comments.
function depth_of(s,    opened, closed)
{
    gsub(/"[^"]*"/, "", s)
    opened = gsub(/[({]/, "", s)
    closed = gsub(/[)}]/, "", s)
    return opened - closed
}

function read_header(path,    line, raw, plain, seen_guard)
{
    forget_comment()
    guard = ""
    seen_guard = 0
    first[headers] = entries + 1
    while ((getline line <path) > 0) {
        if (line ~ /^\/\*/) {
            raw = line
            while (raw !~ /\*\//)
                if ((getline line <path) > 0)
                    raw = raw "\n" line
                else
                    fail(path ": a comment has no end")
            if (raw ~ /SPDX/)
                continue
            forget_comment()
            if (raw ~ /^\/\* ---- .* ---- \*\/$/) {
                gsub(/^\/\* ---- | ---- \*\/$/, "", raw)
                kind[++entries] = "section"
                name[entries] = raw
            } else if (!seen_guard) {
                head[headers] = comment_text(raw)
            } else {
                pending = comment_text(raw)
            }
        } else if (line == "" || line ~ /^HEIST_(BEGIN|END)_DECLS/) {
            forget_comment()
        } else if (line ~ /^#define/) {
            raw = line
            while (raw ~ /\\$/ && (getline line <path) > 0)
                raw = raw "\n" line
            read_define(raw)
        } else if (line ~ /^#/) {
            forget_comment()
            while (line ~ /\\$/ && (getline raw <path) > 0)
                line = raw
            if (line ~ /^#ifndef/ && !seen_guard) {
                seen_guard = 1
                guard = substr(line, 9)
            } else if (line ~ /^#ifndef/) {
                is_switch[headers, substr(line, 9)] = 1
            } else if (line ~ /^#include <heist\//) {
                sub(/.*<heist\//, "", line)
                sub(/>.*/, "", line)
                include[headers, ++includes[headers]] = line
            }
        } else {
            raw = line
            plain = without_comments(raw)
            while (depth_of(plain) > 0 || plain !~ /[;}][ \t]*$/ || raw !~ /(;|\}|\*\/)[ \t]*$/) {
                if ((getline line <path) <= 0)
                    fail(path ": a declaration has no end: " raw)
                raw = raw "\n" line
                plain = without_comments(raw)
                gsub(/\n#[^\n]*/, "", plain) # conditions in the body of a function
            }
            read_declaration(raw)
        }
    }
    close(path)
    last[headers] = entries
    if (!seen_guard)
        fail(path ": there is no such header, or it has no guard")
}

# ---- The words that all kinds have ----

# What is not said of a kind's function is said of heist_queue's. kinds.h has the list of kinds.
function borrow(    h, e, k, n, kinds, model, from)
{
    n = split(macro_body["HEIST_QUEUE_KINDS"], kinds, /[ X()]+/)
    for (h = 1; h <= headers; h++)
        if (header[h] == "queue.h")
            model = h
    for (e = 1; e <= entries; e++) {
        if (kind[e] != "function" || text[e] != "")
            continue
        for (k = 1; k <= n; k++) {
            if (kinds[k] == "" || index(name[e], "heist_" kinds[k] "_") != 1)
                continue
            from = at_name[model, "heist_queue_" substr(name[e], length(kinds[k]) + 8)]
            if (from)
                text[e] = text[from]
        }
    }
}

function page_of(file)
{
    if (file == "heist.h")
        return "heist"
    sub(/\.h$/, "", file)
    return "heist_" file
}

/^#/ || NF == 0 { next }
$2 == "internal" { internal[$1] = 1; next }
{
    header[++headers] = $1
    public_header[$1] = 1
    for (i = 2; i <= NF; i++)
        examples[headers] = examples[headers] " " $i
    read_header(source "/include/heist/" $1)
}
END {
    if (!failed) {
        borrow()
        emit()
    }
}
