/* A queue without the runtime: one thread puts and gets, another steals. */
#include <heist/bwos_lifo.h>
#include <pthread.h>
#include <stdio.h>

static heist_bwos_lifo queue;
static int numbers[1000];
static _Bool done;

static void *thief(void *stolen) /* any number of threads may steal */
{
    void *item;
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        if (heist_bwos_lifo_steal(&queue, &item) == HEIST_STEAL_OK)
            *(long *)stolen += *(int *)item;
    return NULL;
}

int main(void)
{
    heist_queue_opts opts = {.size = sizeof opts, .capacity = 1000, .block = 50};
    if (heist_bwos_lifo_init(&queue, &opts))
        return 1;
    long stolen = 0, kept = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, thief, &stolen);
    for (int i = 0; i < 1000; i++) { /* one thread, the owner, puts and gets */
        numbers[i] = i + 1;
        heist_bwos_lifo_put(&queue, &numbers[i]);
    }
    for (int *n; (n = heist_bwos_lifo_get(&queue));)
        kept += *n;
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    printf("1 + ... + 1000 = %ld\n", kept + stolen);
    heist_bwos_lifo_fini(&queue);
}
