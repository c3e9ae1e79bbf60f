# SPDX-License-Identifier: MIT
# awk -v prefix=P -f blocks.awk PAGE: writes the fenced blocks of a Markdown page to the files P.1, P.2 and so
# on, and prints a line for each: its number, the number of its line in the page, and what stands behind
# its fence. The commands of the text and of its tables follow, each once, as a last block `sh inline`.

# Commands are of two words or more; one with a word in capitals stands for many, and is none.
function is_command(code) {
    return code ~ / / && code !~ / [A-Z]+( |$)/ &&
           code ~ /^([A-Z_]+=[^ ]+ )*(heist|make|cmake|ctest|gdb|man|(\.|build|bench|packaging|scripts|test|verify)\/[^ ]+)( |$)/
}

# What stands between backticks, perhaps on two lines.
function look(text, part, count, i) {
    gsub(/[ \t]+/, " ", text)
    count = split(text, part, "`")
    for (i = 2; i <= count; i += 2)
        if (is_command(part[i]) && !(part[i] in found)) {
            found[part[i]]
            commands = commands part[i] "\n"
        }
}

/^```/ {
    inside = !inside
    if (inside) {
        file = prefix "." ++n
        printf "" > file
        print n, NR, substr($0, 4)
    } else {
        close(file)
    }
}
inside && !/^```/ { print > file }
inside || /^(```|\||[ \t]*$)/ {
    look(paragraph)
    paragraph = ""
}
!inside && /^\|/ { look($0) }
!inside && !/^(```|\|)/ { paragraph = paragraph " " $0 }
END {
    look(paragraph)
    if (commands != "") {
        printf "%s", commands > (prefix "." ++n)
        print n, NR, "sh inline"
    }
}
