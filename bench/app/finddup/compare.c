/* SPDX-License-Identifier: MIT */
/* Byte by byte, each file of a class with the first one. What differs is compared again, among
   itself, until nothing does. */
#include <stdlib.h>
#include <string.h>

#include "finddup.h"

static void compare_piece(const struct request *request, const unsigned char *a,
                          const unsigned char *b)
{
    if (memcmp(a, b, request->length) != 0)
        request->items[1]->other = true;
}

/* The first could not be read: the others are still to be compared, with each other. */
static void retry_without_first(struct finder *finder)
{
    for (size_t i = 0; i < finder->classes_number; i++) {
        const struct class *class = &finder->classes[i];
        struct item *items = finder->items + class->first;
        if (items->failed)
            for (size_t k = 1; k < class->number; k++)
                items[k].other = true;
    }
}

void compare_classes(struct finder *finder)
{
    struct class *right = NULL;
    size_t right_number = 0;
    while (finder->classes_number) {
        struct request *requests = NULL;
        size_t number = 0;
        for (size_t i = 0; i < finder->classes_number; i++) {
            const struct class *class = &finder->classes[i];
            struct item *items = finder->items + class->first;
            for (uint64_t at = 0; at < items->names->size; at += PIECE)
                for (size_t k = 1; k < class->number; k++)
                    add_request(&requests, &number, items, &items[k], at);
        }
        read_pieces(finder, requests, number, "comparing", compare_piece);
        free(requests);
        retry_without_first(finder);
        classes_by_content(finder, &right, &right_number);
    }
    free(finder->classes);
    finder->classes = right;
    finder->classes_number = right_number;
}
