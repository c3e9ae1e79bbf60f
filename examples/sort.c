/* A stable sort, by century: of those born in the same one, who was there before stays before. */
#include <heist/loops.h>
#include <stdio.h>

struct person {
    const char *name;
    int born;
};

static int by_century(const void *a, const void *b, void *context)
{
    const struct person *x = a, *y = b;
    int *comparisons = context;
    __atomic_fetch_add(comparisons, 1, __ATOMIC_RELAXED);
    return x->born / 100 - y->born / 100;
}

int main(void)
{
    struct person people[] = {{"Grace", 1906},  {"Ada", 1815},  {"Edsger", 1930},
                              {"Blaise", 1623}, {"Alan", 1912}, {"Charles", 1791},
                              {"George", 1815}};
    enum { PEOPLE = sizeof people / sizeof *people };
    int comparisons = 0;
    if (heist_run_sort(NULL, people, PEOPLE, sizeof *people, by_century, &comparisons))
        return 1;
    for (int i = 0; i < PEOPLE; i++)
        printf("%s%s %d", i ? ", " : "", people[i].name, people[i].born);
    printf(comparisons < PEOPLE * PEOPLE ? "\n" : " with too many comparisons\n");
}
