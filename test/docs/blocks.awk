# SPDX-License-Identifier: MIT
# awk -v language=L -v prefix=P -f blocks.awk PAGE: writes the blocks of language L in a Markdown page to
# the files P.1.L, P.2.L and so on.
/^```/ {
    if (file != "")
        close(file)
    inside = !inside
    file = inside && $0 == "```" language ? prefix "." ++n "." language : ""
    next
}
file != "" { print > file }
