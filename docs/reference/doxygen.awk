# SPDX-License-Identifier: MIT
# Behind headers.awk: writes every header once more into the directory `out`, only its interface, with
# comments as Doxygen takes them.

function put(line)
{
    print line >page
}

# What Doxygen would take for a command, a tag or a link is escaped; what is in backquotes is code.
function as_text(s,    parts, n, i, result)
{
    gsub(/[\\@<>&#%"]/, "\\\\&", s)
    gsub(/\*\//, "* /", s)
    n = split(s, parts, "`")
    for (i = 1; i <= n; i++)
        result = result (i % 2 || i == n ? parts[i] : "<tt>" parts[i] "</tt>")
    return result
}

function put_text(s,    i)
{
    split_blocks(s)
    for (i = 1; i <= blocks; i++) {
        if (i > 1)
            put("")
        if (block_is_code[i])
            put("@verbatim\n" block[i] "\n@endverbatim")
        else
            put(as_text(block[i]))
    }
}

# A comment counts for one name only: "type a, b" becomes "type a" and "type b".
function put_members(e,    i, j, n, parts, type, separator)
{
    separator = kind[e] == "enum" ? "," : ";"
    for (i = 1; i <= fields[e]; i++) {
        n = field[e, i] ~ /\(/ ? 1 : split(field[e, i], parts, ", ")
        type = parts[1]
        if (n == 1)
            parts[1] = field[e, i]
        sub(/[ *]+[a-z_]+$/, "", type)
        for (j = 1; j <= n; j++) {
            if (field_text[e, i] != "")
                put("/** " as_text(field_text[e, i]) " */")
            put((j == 1 ? "" : type " ") parts[j] separator)
        }
    }
}

function put_comment(e,    value)
{
    if (text[e] == "" && !opaque[e])
        return # Doxygen says that it is missing
    put("/**")
    value = kind[e] == "function" ? returned(text[e]) : ""
    if (value == "")
        said = text[e]
    if (said != "")
        put_text(said)
    if (opaque[e])
        put((said == "" ? "" : "\n") "Its fields are the library's.")
    if (value != "" && value != said)
        put("\n@return " as_text(value))
    put("*/")
}

function put_entry(e)
{
    put_comment(e)
    if (kind[e] == "macro") {
        put("#define " code[e])
    } else if (kind[e] == "struct" && opaque[e]) {
        put("typedef struct " name[e] " " name[e] ";")
    } else if (kind[e] == "struct") {
        put("typedef struct " name[e] " {")
        put_members(e)
        put("} " name[e] ";")
    } else if (kind[e] == "enum") {
        put(code[e] " {")
        put_members(e)
        put("};")
    } else {
        put(code[e])
    }
}

function emit(    h, e, i, inside)
{
    for (h = 1; h <= headers; h++) {
        page = out "/" header[h]
        put("/** @file heist/" header[h])
        put_text(head[h])
        put("*/")
        for (i = 1; i <= includes[h]; i++)
            if (include[h, i] in public_header)
                put("#include <heist/" include[h, i] ">")
        inside = 0
        for (e = first[h]; e <= last[h]; e++) {
            if (kind[e] != "section") {
                put_entry(e)
                continue
            }
            if (inside)
                put("/** @} */")
            inside = 1
            put("/** @name " as_text(name[e]))
            put("@{ */")
        }
        if (inside)
            put("/** @} */")
        close(page)
    }
}
