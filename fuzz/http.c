/* SPDX-License-Identifier: MIT */
/* Requests of HTTP, as the program echo reads them: at once, and byte by byte with the same
   result. */
#include "echo.h"

#include "fuzz.h"

enum { BODY_MOST = 1000 };

static bool same(const struct http_request *a, const struct http_request *b)
{
    return a->head == b->head && a->body == b->body && a->status == b->status &&
           a->keep == b->keep && a->expects == b->expects && a->is_head == b->is_head &&
           a->is_1_0 == b->is_1_0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_request whole = {.scanned = 0}, parts = {.scanned = 0};
    char *text = fuzz_bytes(data, size), response[RESPONSE_HEAD_MOST];
    size_t n = 0;
    bool complete = http_parse(&whole, text, size, BODY_MOST);
    while (n < size && !http_parse(&parts, text, n, BODY_MOST))
        n++;
    if (complete && n < size) {
        FUZZ_REQUIRE(same(&whole, &parts));
        FUZZ_REQUIRE(whole.head <= size && whole.body <= BODY_MOST);
        FUZZ_REQUIRE(whole.status == 200 || (!whole.body && !whole.keep));
        FUZZ_REQUIRE(http_respond(&whole, whole.body, response) < sizeof response);
    }
    FUZZ_REQUIRE(complete || n == size);
    free(text);
    return 0;
}
