/* SPDX-License-Identifier: MIT */
/* Names of functions out of a program's file: any file, for an address that its first bytes say. */
#include "../src/runtime/symbol.c" /* what reads a file is not offered alone */

#include <sys/mman.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct heist_symbol_ s;
    uint16_t address = 0;
    if (size < sizeof address)
        return 0;
    memcpy(&address, data, sizeof address);
    int fd = memfd_create("program", 0);
    FUZZ_REQUIRE(fd >= 0);
    FUZZ_REQUIRE(write(fd, data + 2, size - 2) == (ssize_t)(size - 2));
    s.module = "";
    s.name[0] = '\0';
    s.offset = address;
    find_in_file(&s, fd, address);
    FUZZ_REQUIRE(memchr(s.name, '\0', sizeof s.name));
    close(fd);
    return 0;
}
