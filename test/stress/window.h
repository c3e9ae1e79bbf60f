/* SPDX-License-Identifier: MIT */
/*
 * Forced in front of the queues' own sources (-include): each HEIST_WINDOW knows where it is, calls
 * test_window(), and is listed in a section of the program. So the list of a kind's windows is what
 * its code has, and nothing has to be kept up by hand. No header is included here: it would come
 * before the sources' own feature macros.
 */
#ifndef HEIST_TEST_WINDOW_H
#define HEIST_TEST_WINDOW_H

struct window {
    const char *name, *file;
    unsigned line;
    unsigned hits, delays; /* about so many: see delays.c */
};

void test_window(struct window *w);

#define HEIST_WINDOW(text)                                                                     \
    do {                                                                                       \
        static struct window here_ = {text, __FILE__, __LINE__, 0, 0};                         \
        static struct window *listed_ __attribute__((section("test_windows"), used)) = &here_; \
        test_window(listed_);                                                                  \
    } while (0)

#endif
