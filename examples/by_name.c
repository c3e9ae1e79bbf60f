/* Any kind, chosen when the program runs: by_name [KIND], `heist kinds` lists them. */
#include <heist/queue.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "chaselev";
    heist_queue *queue;
    int error = heist_queue_new(&queue, kind, NULL);
    if (error) {
        fprintf(stderr, "by_name: '%s': %s\n", kind, strerror(-error));
        return 2;
    }
    char *words[] = {"first", "second", "third"};
    size_t put = heist_queue_put_many(queue, (void **)words, 3);
    printf("%s holds %zu of %zu words:", heist_queue_kind(queue), heist_queue_size(queue), put);
    for (char *word; (word = heist_queue_get(queue));)
        printf(" %s", word);
    printf("\n");
    heist_queue_free(queue);
    return 0;
}
