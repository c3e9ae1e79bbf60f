#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""typed.py SETUP (TYPED WANTED)... -- SHELL [ARGUMENT]...: an interactive shell at a terminal, as a person has it:
after the line SETUP each TYPED and a tab must make a line that begins with WANTED. 1: which one does not."""
import os
import pty
import re
import select
import sys
import time

PATIENCE = 30  # seconds; a busy machine may need some of them


def wait_for(fd, wanted):
    """What is shown until wanted is, without escape sequences; None: it never is."""
    shown, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            shown += os.read(fd, 4096)
            text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07", "", shown.decode(errors="replace"))
            if wanted in text:
                return text
    return None


def main(arguments):
    split = arguments.index("--")
    setup, pairs, shell = arguments[0], arguments[1:split], arguments[split + 1 :]
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(PS1="", TERM="xterm")
        os.execvp(shell[0], shell)
    # The shell's own answer, not the echo of what is typed, has no quotes.
    os.write(fd, f"{setup}; echo rea''dy\n".encode())
    if wait_for(fd, "ready") is None:
        sys.exit("the shell does not begin")
    for typed, wanted in zip(pairs[::2], pairs[1::2]):
        os.write(fd, typed.encode() + b"\t")
        if wait_for(fd, wanted) is None:
            sys.exit(f"'{typed}' and a tab do not make '{wanted}'")
        os.write(fd, b"\x15")  # an empty line again
    os.write(fd, b"exit\n")


main(sys.argv[1:])
