/* A solver's batches on the bulk queue: a whole chain in O(1), a third of the rest cut off by a
   stealer. */
#include <heist/bulk.h>
#include <stdio.h>

struct node {
    heist_bulk_node link; /* first, so that a link is a node */
    int depth;
};

int main(void)
{
    enum { BATCH = 100 };
    static struct node nodes[BATCH];
    heist_bulk queue;
    heist_bulk_chain loot;
    if (heist_bulk_init(&queue, NULL))
        return 1;
    for (int i = 0; i < BATCH; i++) {
        nodes[i].depth = i;
        nodes[i].link.next = i + 1 < BATCH ? &nodes[i + 1].link : NULL;
    }
    heist_bulk_push(&queue, &nodes[0].link, &nodes[BATCH - 1].link, BATCH);

    /* Nothing is public before somebody asks; the owner answers at its next push or pop. */
    if (heist_bulk_steal_part(&queue, 33, &loot) != HEIST_STEAL_EMPTY)
        return 1;
    struct node *newest = (struct node *)heist_bulk_pop(&queue);
    if (heist_bulk_steal_part(&queue, 33, &loot) != HEIST_STEAL_OK)
        return 1;
    printf("the owner has node %d and %zu more, the stealer %zu, from node %d on\n", newest->depth,
           heist_bulk_size(&queue), loot.count, ((struct node *)loot.first)->depth);
    heist_bulk_fini(&queue);
}
