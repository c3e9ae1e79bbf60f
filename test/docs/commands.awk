# SPDX-License-Identifier: MIT
# awk -v mode=MODE -v used=FILE -v once=FILE -f commands.awk TABLE BLOCK: prints those commands of a block that
# play.sh is to run in this mode, as a script, but for those that are in the file once; mode=all: whatever the
# mode, as they are. TABLE is commands.table; the lines in it of the rows that are about these commands are added to the
# file used.
function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# Whether a text is as a pattern in which only * is special.
function is_like(text, pattern) {
    gsub(/[][\\.^$+?(){}|]/, "\\\\&", pattern)
    gsub(/\*/, ".*", pattern)
    return text ~ "^" pattern "$"
}

BEGIN {
    while ((getline line < once) > 0)
        not_again[line]
}

FILENAME == ARGV[1] {
    if ($0 ~ /^(#|$)/)
        next
    n = split($0, part, /[ \t]+[|][ \t]+/)
    rows++
    row_line[rows] = FNR
    pattern[rows] = trimmed(part[1])
    how[rows] = trimmed(part[2])
    next
}

# A command goes on behind a backslash, and ends before a comment.
{
    sub(/(^|[ \t]+)#.*/, "")
    command = command trimmed($0)
    if (sub(/[ \t]*\\$/, " ", command) || command == "")
        next
    way = "run"
    options = ""
    for (i = 1; i <= rows; i++)
        if (is_like(command, pattern[i])) {
            print row_line[i] >> used
            split(how[i], word, " ")
            way = word[1]
            options = substr(how[i], length(way) + 1)
            break
        }
    if (!(command in not_again) && (way == mode || mode == "all"))
        print command (mode == "all" ? "" : options)
    command = ""
}
