/* SPDX-License-Identifier: MIT */
/*
 * dlopen LIBRARY: libheist.so loaded while the program runs, and used by a thread that was there
 * before. Its words per thread come from what the C library keeps for this; a steal uses one.
 */
#include <heist/pool.h>
#include <heist/queue.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int items[2];
static pthread_barrier_t loaded;
static __typeof__(heist_queue_steal) *steal;
static heist_queue *queue;

static void *thief(void *item)
{
    pthread_barrier_wait(&loaded);
    if (!queue || steal(queue, (void **)item) != HEIST_STEAL_OK)
        *(void **)item = NULL;
    return NULL;
}

static void set(heist_worker *w, void *arg)
{
    (void)w;
    *(int *)arg = 7;
}

int main(int argc, char **argv)
{
    void *stolen = NULL;
    pthread_t thread;
    pthread_barrier_init(&loaded, NULL, 2);
    if (argc != 2 || pthread_create(&thread, NULL, thief, &stolen))
        return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    __typeof__(heist_queue_new) *make = dlsym(library, "heist_queue_new");
    __typeof__(heist_queue_put) *put = dlsym(library, "heist_queue_put");
    __typeof__(heist_run) *run = dlsym(library, "heist_run");
    steal = dlsym(library, "heist_queue_steal");
    if (!make || !put || !run || !steal || make(&queue, "chaselev", NULL) || !put(queue, &items[0]))
        return 1;
    pthread_barrier_wait(&loaded);
    pthread_join(thread, NULL);
    if (stolen != &items[0] || run(NULL, set, &items[1]) || items[1] != 7)
        return 1;
    printf("loaded, stolen from, run on\n");
    return 0;
}
