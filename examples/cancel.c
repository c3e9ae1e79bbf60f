/* A search that stops at the first hit: which word of seven letters has this hash? */
#include <errno.h>
#include <heist/heist.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 26, BEGINNINGS = LETTERS * LETTERS * LETTERS, ENDS = BEGINNINGS * LETTERS };

struct search {
    heist_group group;
    uint64_t hash;
    char found[8]; /* by one job at most: there is one such word */
};

struct part {
    struct search *search;
    char word[8]; /* its first three letters are the part's */
};

static uint64_t hash(const char *word) /* FNV-1a */
{
    uint64_t h = 0xcbf29ce484222325;
    for (; *word; word++)
        h = (h ^ (unsigned char)*word) * 0x100000001b3;
    return h;
}

static void spell(char *word, int length, int number)
{
    while (length-- > 0) {
        word[length] = (char)('a' + number % LETTERS);
        number /= LETTERS;
    }
}

static void try_words(heist_worker *w, void *arg)
{
    struct part *part = arg;
    struct search *search = part->search;
    for (int i = 0; i < ENDS && !heist_is_cancelled(w); i++) {
        spell(part->word + 3, 4, i);
        if (hash(part->word) == search->hash) {
            strcpy(search->found, part->word);
            heist_group_cancel(&search->group); /* what has not begun never will */
        }
    }
}

int main(void)
{
    static struct search search;
    static struct part parts[BEGINNINGS];
    search.hash = 0x7586880cc7db4ba6;
    if (heist_group_init(&search.group, NULL))
        return 1;
    for (int i = 0; i < BEGINNINGS; i++) {
        parts[i].search = &search;
        spell(parts[i].word, 3, i);
        int error = heist_group_submit(&search.group, try_words, &parts[i]);
        if (error == -ECANCELED) /* found already */
            break;
        if (error)
            return 1;
    }
    int result = heist_group_wait(&search.group);
    printf("%s, and %s\n", *search.found ? search.found : "nothing",
           result == -ECANCELED ? "the rest was not searched" : "all was searched");
}
