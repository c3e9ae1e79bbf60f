/* SPDX-License-Identifier: MIT */
/* Hashes, by XXH3: of the first block, then of what follows it. */
#include <stdlib.h>

#include <xxhash.h>

#include "finddup.h"

/* Tests put a weak one here. */
#ifndef FINDDUP_HASH
#define FINDDUP_HASH(data, length, seed) XXH3_64bits_withSeed(data, length, seed)
#endif

enum { FIRST_BLOCK = 16 << 10 };

static void hash_piece(const struct request *request, const unsigned char *a,
                       const unsigned char *b)
{
    (void)b;
    *request->hash = FINDDUP_HASH(a, request->length, 0);
}

/* In the order in which they probably lie on the disk. */
static int by_inode(const void *left, const void *right, void *context)
{
    const struct file *a = ((const struct request *)left)->items[0]->names,
                      *b = ((const struct request *)right)->items[0]->names;
    (void)context;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->inode > b->inode) - (a->inode < b->inode);
}

void hash_first_blocks(struct finder *finder)
{
    struct request *requests = allocate(finder->items_number, sizeof *requests);
    size_t number = 0;
    for (size_t i = 0; i < finder->classes_number; i++) {
        const struct class *class = &finder->classes[i];
        for (size_t k = 0; k<class->number &&class->number> 1; k++) {
            struct item *item = &finder->items[class->first + k];
            uint64_t size = item->names->size;
            requests[number++] =
                (struct request){.items = {item},
                                 .length = size < FIRST_BLOCK ? (uint32_t)size : FIRST_BLOCK,
                                 .whole = size <= FIRST_BLOCK,
                                 .hash = &item->hash};
        }
    }
    must(heist_run_sort(finder->pool, requests, number, sizeof *requests, by_inode, NULL));
    read_pieces(finder, requests, number, "reading first blocks", hash_piece);
    free(requests);
    classes_by_hash(finder);
}

/* The hash of a file is that of its pieces' hashes, so that all workers can have a part of a large
   one. Two files that are alone are compared at once: that reads them no more often than this. */
void hash_wholes(struct finder *finder)
{
    struct request *requests = NULL;
    size_t number = 0;
    for (size_t i = 0; i < finder->classes_number; i++) {
        const struct class *class = &finder->classes[i];
        struct item *items = finder->items + class->first;
        for (size_t k = 0; k<class->number &&class->number> 2; k++)
            for (uint64_t at = FIRST_BLOCK; add_request(&requests, &number, &items[k], NULL, at);)
                at += PIECE;
    }
    uint64_t *hashes = allocate(number, sizeof *hashes);
    for (size_t i = 0; i < number; i++)
        requests[i].hash = &hashes[i];
    read_pieces(finder, requests, number, "reading whole files", hash_piece);
    for (size_t i = 0, n; i < number; i += n) {
        struct item *item = requests[i].items[0];
        for (n = 1; i + n < number && requests[i + n].items[0] == item;)
            n++;
        item->hash = FINDDUP_HASH(&hashes[i], n * sizeof *hashes, item->hash);
    }
    free(hashes);
    free(requests);
    classes_by_hash(finder);
}
