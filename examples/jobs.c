/* Jobs from several threads, each of which waits for its own: how many primes are there? */
#include <heist/heist.h>
#include <pthread.h>
#include <stdio.h>

enum { CLIENTS = 4, QUESTIONS = 25, NUMBERS = 10000 }; /* of a client; in a question */

struct question {
    heist_job job; /* must stay until it was waited for */
    int from, to, primes;
};

struct client {
    pthread_t thread;
    int number, primes, error;
};

static void count_primes(heist_worker *w, void *arg)
{
    struct question *q = arg;
    (void)w;
    for (int n = q->from < 2 ? 2 : q->from; n < q->to; n++) {
        int divisor = 2;
        while (divisor * divisor <= n && n % divisor)
            divisor++;
        q->primes += divisor * divisor > n;
    }
}

static void *ask(void *arg)
{
    struct client *c = arg;
    struct question questions[QUESTIONS] = {0};
    int asked = 0;
    while (asked < QUESTIONS && !c->error) {
        struct question *q = &questions[asked];
        q->from = (c->number * QUESTIONS + asked) * NUMBERS;
        q->to = q->from + NUMBERS;
        c->error = heist_submit(NULL, &q->job, count_primes, q); /* returns at once */
        asked += !c->error;
    }
    for (int i = 0; i < asked; i++) {
        int error = heist_wait(&questions[i].job); /* questions[i].primes is there */
        c->error = c->error ? c->error : error;
        c->primes += questions[i].primes;
    }
    return NULL;
}

int main(void)
{
    struct client clients[CLIENTS] = {0};
    int primes = 0;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].number = i;
        if (pthread_create(&clients[i].thread, NULL, ask, &clients[i]))
            return 1;
    }
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        if (clients[i].error)
            return 1;
        primes += clients[i].primes;
    }
    printf("%d primes below %d\n", primes, CLIENTS * QUESTIONS * NUMBERS);
}
