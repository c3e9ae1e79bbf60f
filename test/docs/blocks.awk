# SPDX-License-Identifier: MIT
# awk -v prefix=P -f blocks.awk PAGE: writes the fenced blocks of a Markdown page to the files P.1, P.2 and so
# on, and prints a line for each: its number, the number of its line in the page, and what stands behind
# its fence.
/^```/ {
    inside = !inside
    if (inside) {
        file = prefix "." ++n
        printf "" > file
        print n, NR, substr($0, 4)
    } else {
        close(file)
    }
    next
}
inside { print > file }
