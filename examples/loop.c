/* A loop whose iterations take differently long: how many steps to 1, halving or 3n + 1? */
#include <heist/loops.h>
#include <stdio.h>

enum { NUMBERS = 1000000 };
static int steps[NUMBERS];

static void count_steps(heist_worker *w, size_t from, size_t to, void *context)
{
    int *result = context;
    (void)w;
    for (size_t i = from; i < to; i++)
        for (size_t n = i + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            result[i]++;
}

int main(void)
{
    if (heist_run_for(NULL, 0, NUMBERS, 0, count_steps, steps))
        return 1;
    int longest = 0;
    for (int i = 0; i < NUMBERS; i++)
        longest = steps[i] > steps[longest] ? i : longest;
    printf("below %d, %d takes most steps: %d\n", NUMBERS, longest + 1, steps[longest]);
}
