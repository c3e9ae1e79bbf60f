/* SPDX-License-Identifier: MIT */
#include "costs.h"

#include <string.h>

/* near to interfere_far are Table 1 of BWoS; where the others come from: docs/simulator.md. */
const struct sim_cost_entry sim_cost_table[SIM_COSTS + 1] = {
    [SIM_WORK] = {"work", 1000 * SIM_NS, "a task's own work, in the mean"},
    [SIM_PUT] = {"put", 2 * SIM_NS, "an item into the own queue"},
    [SIM_GET] = {"get", 2 * SIM_NS, "an item out of the own queue"},
    [SIM_JOIN] = {"join", 1 * SIM_NS, "the end of a task that had children"},
    [SIM_NEAR] = {"near", 15 * SIM_NS, "a thief's look at a queue on its own node"},
    [SIM_FAR] = {"far", 141 * SIM_NS, "... on another node"},
    [SIM_INTERFERE_NEAR] = {"interfere_near", 170 * SIM_NS,
                            "the owner's next operation, after a thief of its node was there"},
    [SIM_INTERFERE_FAR] = {"interfere_far", 278 * SIM_NS, "... after one of another node"},
    [SIM_LEVEL] = {"level", 0, "asking how near a queue is, when numa orders them anew"},
    [SIM_PAUSE] = {"pause", 20 * SIM_NS, "between two attempts of an idle worker"},
    [SIM_WAKE] = {"wake", 1000 * SIM_NS, "waking a sleeper, for whoever does"},
    [SIM_AWAKE] = {"awake", 5000 * SIM_NS, "until the sleeper runs"},
};

struct sim_costs sim_costs_default(void)
{
    struct sim_costs costs;
    for (int i = 0; i < SIM_COSTS; i++)
        costs.of[i] = sim_cost_table[i].time;
    return costs;
}

/* By hand: no rounding, and no locale with another point. */
static bool read_time(const char *text, sim_time *out)
{
    sim_time whole = 0, part = 0, unit = SIM_NS;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        if ((whole = whole * 10 + (sim_time)(*text - '0')) > SIM_COST_MOST_NS)
            return false;
    if (*text == '.' && text[1])
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++)
            part += (sim_time)(*text - '0') * (unit /= 10);
    if (*text || whole * SIM_NS + part > (sim_time)SIM_COST_MOST_NS * SIM_NS)
        return false;
    *out = whole * SIM_NS + part;
    return true;
}

enum sim_cost_error sim_costs_set(struct sim_costs *costs, const char *text)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; text[length] && i < SIM_COSTS; i++)
        if (strlen(sim_cost_table[i].name) == length &&
            !strncmp(sim_cost_table[i].name, text, length))
            return read_time(text + length + 1, &costs->of[i]) ? SIM_COST_OK : SIM_COST_NO_TIME;
    return SIM_COST_UNKNOWN;
}
