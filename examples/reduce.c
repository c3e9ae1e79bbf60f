/* A reduction that keeps the order: the longest run of equal letters, over ends that may meet. */
#include <heist/loops.h>
#include <stdio.h>
#include <string.h>

struct runs {
    size_t length, first, last, longest; /* of the text; of the runs at its two ends, and of any */
    char begin, end;                     /* letters */
};

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static void combine(heist_worker *w, void *left, void *right, void *context)
{
    struct runs *l = left, *r = right;
    (void)w;
    (void)context;
    if (!l->length || !r->length) {
        *l = l->length ? *l : *r;
        return;
    }
    size_t meeting = l->end == r->begin ? l->last : 0;
    struct runs both = {.length = l->length + r->length, .begin = l->begin, .end = r->end};
    both.first = l->first == l->length && meeting ? l->first + r->first : l->first;
    both.last = r->last == r->length ? r->last + meeting : r->last;
    both.longest = larger(larger(l->longest, r->longest), meeting ? meeting + r->first : 0);
    *l = both;
}

static void add_letters(heist_worker *w, size_t from, size_t to, void *partial, void *context)
{
    const char *text = context;
    for (size_t i = from; i < to; i++) {
        struct runs letter = {1, 1, 1, 1, text[i], text[i]};
        combine(w, partial, &letter, NULL);
    }
}

int main(void)
{
    enum { LENGTH = 1000000 };
    static char text[LENGTH];
    struct runs result;
    for (int i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + i / 10 % 26);
    memset(text + 400000, 'x', 200000);
    const heist_reduction longest = {
        .size = sizeof result, .body = add_letters, .combine = combine, .context = text};
    if (heist_run_reduce(NULL, 0, LENGTH, 0, &longest, &result))
        return 1;
    printf("%zu letters, at most %zu equal ones in a row\n", result.length, result.longest);
}
