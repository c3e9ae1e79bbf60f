/* SPDX-License-Identifier: MIT */
/*
 * Master and workers (src/master/crew.h) as programs for the checker: the leader, helpers who come
 * when they are called, and a tree of nodes. Each node is expanded exactly once, by somebody who
 * sees what was written before it was added, or dropped after a cancellation; the leader sees all
 * of it in the end. A leader that nobody wakes is a deadlock.
 */
#ifndef HEIST_VERIFY_CREWS_H
#define HEIST_VERIFY_CREWS_H

#include "../src/master/crew.h"

#include "script.h"

enum { NODES = 8, HOME = NODES * NODES }; /* HOME: more calls than there are: it is over */

static struct crew *crew;
static struct node {
    heist_bulk_node link; /* first, so that a link is a node */
    int made, ended;      /* not atomic: who does not see them makes a race */
    heist_au32 done;      /* "W": the same for who waits */
} nodes[NODES];
static const char *tree;     /* how many nodes each node is expanded into, in the order of nodes */
static const char *settings; /* see script_setup */
static heist_au32 calls;     /* of helpers */

static bool is_set(char letter) { return settings && strchr(settings, letter); }

static bool call(struct crew *c)
{
    (void)c;
    heist_add(&calls, 1, __ATOMIC_RELEASE);
    return true;
}

/* The children of a node come behind those of the nodes before it. */
static int first_child(int node)
{
    int child = 1;
    for (int i = 0; i < node; i++)
        child += tree[i] - '0';
    return child;
}

/* A leaf waits for the node before it, if all that its worker had is with others: so somebody must
   have a thread for that. */
static void wait_for_others(heist_master_worker *w, int i)
{
    if (tree[i] == '0' && !heist_bulk_size(&((member *)w)->queue))
        heist_await(heist_load(&nodes[i - 1].done, __ATOMIC_ACQUIRE));
    heist_store(&nodes[i].done, 1, __ATOMIC_RELEASE);
}

static int expand(heist_master_worker *w, heist_bulk_node *link, heist_bulk_chain *batch,
                  void *context)
{
    struct node *n = (struct node *)link;
    int i = (int)(n - nodes), child = first_child(i);
    (void)context;
    check_assert(n->made == 1 && !n->ended);
    n->ended++;
    for (int k = 0; k < tree[i] - '0'; k++) {
        nodes[child + k].made = 1;
        heist_master_add(batch, &nodes[child + k].link);
    }
    if (i && is_set('C'))
        heist_master_cancel(w);
    check_goes_on();
    if (is_set('W'))
        wait_for_others(w, i);
    return 0;
}

static void drop(heist_bulk_node *link, void *context)
{
    struct node *n = (struct node *)link;
    (void)context;
    check_assert(n->made == 1 && !n->ended);
    n->ended++;
}

static unsigned choose(const heist_bulk_chain *chain, unsigned from, const unsigned *hungry,
                       unsigned number, void *context)
{
    (void)context;
    check_assert(chain->count && !chain->last->next && number && hungry[0] != from);
    return number - 1;
}

/* "C": the second node cancels; "L": who takes its last node asks; "F": all have few nodes, and
   ask; "A": an affinity function; "W": nodes wait for others; "3": three workers. */
static void script_setup(const struct client *client)
{
    heist_bulk_chain roots = {NULL, NULL, 0};
    tree = client->owner;
    settings = client->before;
    const heist_master_opts opts = {.size = sizeof opts,
                                    .expand = expand,
                                    .drop = drop,
                                    .affinity = is_set('A') ? choose : NULL,
                                    .workers = is_set('3') ? 3 : 2,
                                    .percent = 50,
                                    .low_water = is_set('F') ? NODES : is_set('L'),
                                    .keep = 1};
    const size_t size = heist_crew_size_(opts.workers);
    crew = memset(check_alloc(NULL, size, HEIST_LINE), 0, size);
    crew->call = call;
    while (client->thief[crew->helpers_most])
        crew->helpers_most++;
    nodes[0].made = 1;
    heist_master_add(&roots, &nodes[0].link);
    check_assert(!heist_crew_init_(crew, &opts, &roots));
    check_name(crew, size, 0, "crew");
    check_name(nodes, sizeof nodes, sizeof *nodes, "node");
}

static void script_owner(const struct client *client)
{
    (void)client;
    heist_crew_lead_(crew, heist_crew_work_);
    for (int i = 0; tree[i]; i++)
        check_assert(nodes[i].ended == nodes[i].made && (is_set('C') || nodes[i].ended));
    heist_add(&calls, HOME, __ATOMIC_RELEASE); /* helpers who were never called go home */
}

/* "H1": helps when it is called, once; "H2": twice. Two take turns with the calls. */
static void script_thief(const struct client *client, int who)
{
    const char *script = client->thief[who - 1] + 1;
    uint32_t mine = (uint32_t)who;
    for (int n = script_number(&script), i = 1; i <= n; i++, mine += crew->helpers_most) {
        heist_await(heist_load(&calls, __ATOMIC_ACQUIRE) >= mine);
        if (heist_load(&calls, __ATOMIC_ACQUIRE) % HOME >= mine)
            heist_crew_help_(crew, heist_crew_work_);
    }
}

static void script_finish(void)
{
    check_assert(!crew->busy && !crew->queued);
    for (unsigned i = 0; i < crew->opts.workers; i++)
        check_assert(crew->members[i].state == MEMBER_IDLE && crew->members[i].is_hungry);
}

static const struct client clients[] = {
    {.name = "batch", .owner = "3000", .thief = {"H1"}},
    {.name = "again", .owner = "2010", .thief = {"H1"}},
    {.name = "cancel", .before = "C", .owner = "3000", .thief = {"H1"}},
    {.name = "cancel-later", .before = "C", .owner = "31000", .thief = {"H1"}},
    {.name = "low-water", .before = "L", .owner = "3000", .thief = {"H1"}},
    {.name = "low-water-later", .before = "L", .owner = "30010", .thief = {"H1"}, .full = true},
    {.name = "few", .before = "F", .owner = "30010", .thief = {"H1"}},
    {.name = "returned", .owner = "6000000", .thief = {"H1"}, .full = true},
    {.name = "deep", .owner = "22000", .thief = {"H2"}},
    {.name = "called-again", .before = "W", .owner = "302000", .thief = {"H2"}},
    {.name = "affinity", .before = "A3", .owner = "40000", .thief = {"H1"}},
    {.name = "helpers", .before = "3", .owner = "3000", .thief = {"H1", "H1"}},
    {.name = NULL},
};

#endif
