# SPDX-License-Identifier: MIT
# Behind headers.awk: writes a manual page of section 3 for every header into the directory `out`, and for
# every name that one of them declares a page that only refers to it.

# ---- Text as roff ----

function escaped(s)
{
    gsub(/\\/, "\\e", s)
    return s
}

# Between two letters a hyphen, else a minus.
function dashed(s,    result, at)
{
    while ((at = index(s, "-"))) {
        if (substr(s, at - 1, 1) ~ /[A-Za-z0-9]/ && substr(s, at + 1, 1) ~ /[A-Za-z]/ && at > 1)
            result = result substr(s, 1, at)
        else
            result = result substr(s, 1, at - 1) "\\-"
        s = substr(s, at + 1)
    }
    return result s
}

# The names of the interface in bold.
function with_names(s,    result)
{
    while (match(s, /(heist_|HEIST_)[A-Za-z0-9_]*[A-Za-z0-9]/)) {
        result = result substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART, RLENGTH) "\\fR"
        s = substr(s, RSTART + RLENGTH)
    }
    return result s
}

# A sentence or more; what is in backquotes becomes italic.
function as_text(s,    parts, n, i, result)
{
    n = split(dashed(escaped(s)), parts, "`")
    for (i = 1; i <= n; i++)
        result = result (i % 2 || i == n ? with_names(parts[i]) : "\\fI" parts[i] "\\fR")
    return result
}

function as_code(s)
{
    s = escaped(s)
    gsub(/-/, "\\-", s)
    gsub(/'/, "\\(aq", s)
    gsub(/`/, "\\(ga", s)
    gsub(/\^/, "\\(ha", s)
    gsub(/~/, "\\(ti", s)
    return s
}

function put(line)
{
    print line >page
}

# Lines of at most 78 columns, none of which is taken for a request.
function put_filled(s,    words, n, i, line)
{
    n = split(s, words, " ")
    line = ""
    for (i = 1; i <= n; i++) {
        if (line != "" && length(line) + 1 + length(words[i]) > 78) {
            put(line)
            line = ""
        }
        if (line == "" && words[i] ~ /^[.']/)
            words[i] = "\\&" words[i]
        line = line (line == "" ? "" : " ") words[i]
    }
    if (line != "")
        put(line)
}

function put_code(s,    lines, n, i)
{
    n = split(s, lines, "\n")
    put(".nf")
    for (i = 1; i <= n; i++)
        put(lines[i] == "" ? "\\&" : "\\&" as_code(lines[i]))
    put(".fi")
}

# All blocks of a text; `between` is the request that separates them.
function put_text(s, between,    i)
{
    split_blocks(s)
    for (i = 1; i <= blocks; i++) {
        if (i > 1)
            put(between)
        if (block_is_code[i])
            put_code(block[i])
        else
            put_filled(as_text(block[i]))
    }
}

# ---- The parts of a page ----

function is_call(e) { return kind[e] == "function" || (kind[e] == "macro" && code[e] ~ /\(/) }

# HEIST_TASK_0 to HEIST_TASK_6 are one family.
function family(e,    result)
{
    result = name[e]
    return kind[e] == "macro" && sub(/_[0-9]$/, "", result) ? result : ""
}

function greatest(h, stem,    e, result)
{
    for (e = first[h]; e <= last[h]; e++)
        if (family(e) == stem)
            result = substr(name[e], length(stem) + 2)
    return result
}

function put_name(h,    e, names, what, taken)
{
    names = page_of(header[h])
    taken[names] = 1
    for (e = first[h]; e <= last[h]; e++)
        if (is_call(e) && family(e) == "" && !(name[e] in taken)) {
            names = names ", " name[e]
            taken[name[e]] = 1
        }
    split_blocks(head[h])
    split_sentences(block[1])
    what = sentence[1]
    sub(/[.:]$/, "", what)
    gsub(/`/, "", what)
    put(".SH NAME")
    put_filled(names " \\- " tolower(substr(what, 1, 1)) dashed(escaped(substr(what, 2))))
}

# A prototype in bold, its parameters in italics, in lines of 78 columns.
function put_prototype(s,    open, indent, parts, n, i, part, width, line, length_now, behind)
{
    open = index(s, "(")
    if (!open || s ~ /\(\*/) {
        put("\\fB" as_code(s) "\\fR")
        return
    }
    indent = sprintf("%" open "s", "")
    n = split(substr(s, open + 1), parts, ", ")
    line = "\\fB" as_code(substr(s, 1, open))
    length_now = open
    for (i = 1; i <= n; i++) {
        part = parts[i] (i < n ? "," : "")
        width = length(part)
        if (i > 1 && length_now + 1 + width > 78) {
            put(line "\\fR")
            line = "\\fB" indent
            length_now = open
        } else if (i > 1) {
            line = line " "
            length_now++
        }
        length_now += width
        behind = i < n ? 1 : 2 # the comma; the parenthesis and the semicolon
        if (match(part, /[A-Za-z_0-9]+(,|\);)$/) && RSTART > 1)
            part = as_code(substr(part, 1, RSTART - 1)) "\\fI" substr(part, RSTART, RLENGTH - behind) \
                   "\\fB" substr(part, RSTART + RLENGTH - behind)
        else
            part = as_code(part)
        line = line part
    }
    put(line "\\fR")
}

function put_synopsis(h,    e, n)
{
    put(".SH SYNOPSIS")
    put(".nf")
    put("\\fB#include <heist/" header[h] ">\\fR")
    n = 0
    for (e = first[h]; e <= last[h]; e++)
        if (kind[e] == "function" || kind[e] == "callback" || kind[e] == "macro") {
            if (!n++ || kind[e] != kind[e - 1])
                put(".PP")
            if (family(e) != "" && code[e] !~ /_0\(/)
                continue
            put_prototype(family(e) != "" ? code[e] " ... " family(e) "_" greatest(h, family(e)) "(...)" : \
                          kind[e] == "macro" && code[e] !~ /\(/ ? "#define " code[e] : code[e])
        }
    put(".fi")
    put(".PP")
    put("Link with \\fBpkg\\-config \\-\\-libs heist\\fR.")
}

# What a group's tag says: its names.
function tag_of(h, e, end,    i, result, stem, seen)
{
    for (i = e; i <= end; i++) {
        stem = family(i)
        if (stem == "") {
            result = result ", \\fB" name[i] "\\fR" (is_call(i) ? "()" : "")
        } else if (!(stem in seen)) {
            seen[stem] = 1
            result = result ", \\fB" name[i] "\\fR() to \\fB" stem "_" greatest(h, stem) "\\fR()"
        }
    }
    return substr(result, 3)
}

function put_members(e,    i, bare)
{
    put(".RS")
    bare = ""
    for (i = 1; i <= fields[e]; i++) {
        if (above[e, i] != "") {
            put(".PP")
            put_filled(as_text(above[e, i]))
        }
        if (field_text[e, i] == "") {
            bare = bare (bare == "" ? "" : ", ") "\\fB" as_code(field[e, i]) "\\fR"
            continue
        }
        put_bare(bare)
        bare = ""
        put(".TP")
        put("\\fB" as_code(field[e, i]) "\\fR")
        put_filled(as_text(field_text[e, i]))
    }
    put_bare(bare)
    put(".RE")
}

function put_bare(list)
{
    if (list == "")
        return
    put(".PP")
    put_filled(list ".")
}

function put_entry(h, e, end)
{
    put(".TP")
    if (kind[e] == "enum")
        put("\\fB" code[e] "\\fR")
    else
        put(tag_of(h, e, end))
    if (kind[e] == "function" || kind[e] == "macro")
        returned(text[e])
    else
        said = text[e]
    if (said != "")
        put_text(said, ".IP")
    if (opaque[e])
        put_filled((e < end ? "Their" : "Its") " fields are the library's.")
    else if (said == "")
        put("Its members are:")
    if (fields[e])
        put_members(e)
}

# The paragraphs of the head that are for whoever changes the code come last.
function put_head(h, notes,    i, is_note, n)
{
    split_blocks(head[h])
    is_note = n = 0
    for (i = 1; i <= blocks; i++) {
        if (!block_is_code[i])
            is_note = block[i] ~ /^(Encoding|Invariants|Linearisation|Source|Orders)[ ,:.]/
        if (is_note != notes)
            continue
        if (!n++ && notes)
            put(".SH NOTES")
        else if (n > 1)
            put(".PP")
        if (block_is_code[i])
            put_code(block[i])
        else
            put_filled(as_text(block[i]))
    }
}

function end_of_group(e, h,    end)
{
    for (end = e; end < last[h] && group[end + 1] == e; end++)
        continue
    return end
}

function put_description(h,    e, end)
{
    put(".SH DESCRIPTION")
    put_head(h, 0)
    for (e = first[h]; e <= last[h]; e = end + 1) {
        end = e
        if (kind[e] == "section") {
            put(".SS " as_text(name[e]))
            continue
        }
        end = end_of_group(e, h)
        put_entry(h, e, end)
    }
}

# What the head says about what all functions return.
function head_returns(h,    i, j, result)
{
    split_blocks(head[h])
    for (i = 1; i <= blocks; i++) {
        if (block_is_code[i])
            continue
        split_sentences(block[i])
        for (j = 1; j <= sentences; j++)
            if (sentence[j] ~ / returns? / && sentence[j] ~ /-E[A-Z][A-Z]/)
                result = result " " sentence[j]
    }
    return trimmed(result)
}

# Notes for ERRORS each code in a text, with the reason that follows it: "-EINVAL: no function; ...".
function note_errors(s, tag,    error, reason)
{
    while (match(s, /-E[A-Z][A-Z]+/)) {
        error = substr(s, RSTART + 1, RLENGTH - 1)
        s = substr(s, RSTART + RLENGTH)
        reason = ""
        if (match(s, /^ \([^)]*\)/)) {
            reason = substr(s, 3, RLENGTH - 3)
        } else if (match(s, /^(: | also | if | as |, on )/)) {
            reason = s ~ /^:/ ? substr(s, 3) : substr(s, s ~ /^,/ ? 3 : 2)
            if (match(reason, /; (-E|what |in both|in all)|, and -E|\.( |$)/))
                reason = substr(reason, 1, RSTART - 1)
        }
        if (!(error in error_text))
            error_list[++errors] = error
        error_text[error] = error_text[error] "\n" tag (reason == "" ? "" : ": " as_text(reason))
    }
}

function put_returns(h,    e, end, what, from_head, n, i, j, lines, parts, code_name)
{
    errors = 0
    split("", error_text)
    what = head_returns(h)
    n = 0
    from_head = what != "" # then that has all errors
    if (from_head) {
        put(".SH RETURN VALUE")
        put_filled(as_text(what))
        n++
    }
    for (e = first[h]; e <= last[h]; e = end + 1) {
        end = e
        if (kind[e] == "section")
            continue
        end = end_of_group(e, h)
        if (kind[e] != "function" || (what = returned(text[e])) == "")
            continue
        if (!n++)
            put(".SH RETURN VALUE")
        put(".TP")
        put(tag_of(h, e, end))
        put_filled(as_text(what))
        if (!from_head)
            note_errors(what, tag_of(h, e, end))
    }
    for (i = 1; i <= errors; i++) {
        if (i == 1)
            put(".SH ERRORS")
        code_name = error_list[i]
        put(".TP")
        put("\\fB\\-" code_name "\\fR")
        lines = split(substr(error_text[code_name], 2), parts, "\n")
        for (j = 1; j <= lines; j++) {
            if (j > 1)
                put(".br")
            put_filled(parts[j])
        }
    }
}

function put_examples(h,    files, n, i, line, path, begun)
{
    n = split(examples[h], files, " ")
    for (i = 1; i <= n; i++) {
        put(i == 1 ? ".SH EXAMPLES" : ".PP")
        put("examples/" files[i] ":")
        put(".PP")
        put(".nf")
        path = source "/examples/" files[i]
        begun = 0
        while ((getline line <path) > 0)
            if (line !~ /SPDX/) {
                begun = 1
                put("\\&" as_code(line))
            }
        close(path)
        if (!begun)
            fail(path ": there is no such example")
        put(".fi")
    }
}

# The headers that it includes; of a kind of queue also what all kinds have in common.
function put_see_also(h,    e, i, n, files, list, see, taken)
{
    taken[header[h]] = 1
    for (i = 1; i <= includes[h]; i++)
        list = list " " include[h, i]
    for (e = first[h]; e <= last[h]; e++)
        if (code[e] ~ /heist_queue_opts/)
            list = list " base.h queue.h"
    n = split(list, files, " ")
    for (i = 1; i <= n; i++)
        if (files[i] in public_header && !(files[i] in taken)) {
            taken[files[i]] = 1
            see = see "\\fB" page_of(files[i]) "\\fR(3), "
        }
    put(".SH SEE ALSO")
    put_filled(see "\\fBheist\\fR(7)")
}

function put_page(h)
{
    page = out "/" page_of(header[h]) ".3"
    put(".\\\" SPDX-License-Identifier: MIT")
    put(".\\\" Made from include/heist/" header[h] " by docs/reference/man.awk.")
    put(".TH " toupper(page_of(header[h])) " 3 \"" date "\" \"heist " version "\" \"Library Functions\"")
    put(".nh") # a name that is torn apart can't be searched for
    put(".ad l")
    put_name(h)
    put_synopsis(h)
    put_description(h)
    put_returns(h)
    put_examples(h)
    put_head(h, 1)
    put_see_also(h)
    close(page)
}

# man does not care for the case of letters; neither do some file systems.
function put_alias(called, to,    key)
{
    key = tolower(called)
    if (key in has_page)
        return
    has_page[key] = 1
    page = out "/" called ".3"
    put(".so man3/" to ".3")
    close(page)
}

function emit(    h, e)
{
    for (h = 1; h <= headers; h++)
        has_page[page_of(header[h])] = 1
    for (h = 1; h <= headers; h++) {
        put_page(h)
        for (e = first[h]; e <= last[h]; e++)
            if (kind[e] != "section" && code[e] != "enum")
                put_alias(name[e], page_of(header[h]))
    }
}
