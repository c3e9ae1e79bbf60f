/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "symbol.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- /proc/self/maps, character by character ---- */

struct reader {
    int fd;
    int next; /* -1: the end */
    size_t at, used, size;
    char *buffer;
};

static void advance(struct reader *r)
{
    if (r->at == r->used) {
        ssize_t n;
        do
            n = read(r->fd, r->buffer, r->size);
        while (n < 0 && errno == EINTR);
        r->at = 0;
        r->used = n > 0 ? (size_t)n : 0;
    }
    r->next = r->at < r->used ? (unsigned char)r->buffer[r->at++] : -1;
}

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static uint64_t read_number(struct reader *r, int base)
{
    uint64_t n = 0;
    for (; digit(r->next) < base; advance(r))
        n = n * (uint64_t)base + (uint64_t)digit(r->next);
    return n;
}

static void skip_past(struct reader *r, char end)
{
    while (r->next >= 0 && r->next != end)
        advance(r);
    advance(r);
}

struct mapping {
    uint64_t start, end, inode;
};

/* A line is START-END PERMISSIONS OFFSET DEVICE INODE PATH; the path goes to `path`, shortened if
   need be. False: there is no more. */
static bool read_mapping(struct reader *r, struct mapping *m, char *path, size_t size)
{
    if (r->next < 0)
        return false;
    size_t n = 0;
    m->start = read_number(r, 16);
    skip_past(r, '-');
    m->end = read_number(r, 16);
    for (int i = 0; i < 4; i++)
        skip_past(r, ' ');
    m->inode = read_number(r, 10);
    while (r->next == ' ')
        advance(r);
    for (; r->next >= 0 && r->next != '\n'; advance(r))
        if (n + 1 < size)
            path[n++] = (char)r->next;
    path[n] = '\0';
    advance(r);
    return true;
}

/* Fills path and module; `base` is where the file's first part is mapped. */
static bool find_module(struct heist_symbol_ *s, uintptr_t address, uintptr_t *base,
                        uint64_t *inode)
{
    struct reader r = {.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC),
                       .size = sizeof s->scratch,
                       .buffer = s->scratch};
    if (r.fd < 0)
        return false;
    struct mapping m = {0};
    bool found = false;
    *inode = 0;
    advance(&r);
    while (!found && read_mapping(&r, &m, s->path, sizeof s->path)) {
        /* The parts of a file follow each other, but for memory without one. */
        if (m.inode && m.inode != *inode) {
            *inode = m.inode;
            *base = (uintptr_t)m.start;
        }
        found = m.inode && address >= m.start && address < m.end;
    }
    close(r.fd);
    return found;
}

/* ---- the file's symbols ---- */

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

/* What the author of a typed task called it: heist.h makes NAME_run_ of NAME. */
static void shorten(char *name)
{
    static const char suffix[] = "_run_";
    size_t n = strlen(name), m = sizeof suffix - 1;
    if (n > m && !strcmp(name + n - m, suffix))
        name[n - m] = '\0';
}

static bool find_in_section(struct heist_symbol_ *s, int fd, const ElfW(Ehdr) * header,
                            const ElfW(Shdr) * symbols)
{
    ElfW(Shdr) strings;
    if (symbols->sh_entsize != sizeof(ElfW(Sym)) ||
        !read_at(fd, &strings, sizeof strings,
                 header->e_shoff + (uint64_t)symbols->sh_link * sizeof strings))
        return false;
    uint64_t left = symbols->sh_size / sizeof(ElfW(Sym)), at = symbols->sh_offset;
    while (left) {
        size_t n = sizeof s->scratch / sizeof(ElfW(Sym));
        n = left < n ? (size_t)left : n;
        if (!read_at(fd, s->scratch, n * sizeof(ElfW(Sym)), at))
            return false;
        for (size_t i = 0; i < n; i++) {
            ElfW(Sym) symbol;
            memcpy(&symbol, s->scratch + i * sizeof symbol, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
                symbol.st_value == s->offset) {
                ssize_t got = pread(fd, s->name, sizeof s->name - 1,
                                    (off_t)(strings.sh_offset + symbol.st_name));
                s->name[got > 0 ? got : 0] = '\0';
                shorten(s->name);
                return true;
            }
        }
        left -= n;
        at += n * sizeof(ElfW(Sym));
    }
    return false;
}

static void find_in_file(struct heist_symbol_ *s, int fd, uintptr_t address)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) section;
    if (!read_at(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
        header.e_shentsize != sizeof section)
        return;
    if (header.e_type == ET_EXEC) /* at the addresses that are in the file */
        s->offset = address;
    for (unsigned i = 0; i < header.e_shnum && !*s->name; i++)
        if (read_at(fd, &section, sizeof section, header.e_shoff + i * sizeof section) &&
            (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM))
            find_in_section(s, fd, &header, &section);
}

void heist_symbol_find_(struct heist_symbol_ *s, uintptr_t address)
{
    uintptr_t base = 0;
    uint64_t inode;
    s->module = "";
    s->name[0] = '\0';
    s->offset = address;
    if (!find_module(s, address, &base, &inode))
        return;
    const char *slash = strrchr(s->path, '/');
    s->module = slash ? slash + 1 : s->path;
    s->offset = address - base;
    int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return;
    struct stat file;
    if (!fstat(fd, &file) && file.st_ino == inode) /* else it was replaced since */
        find_in_file(s, fd, address);
    close(fd);
}
