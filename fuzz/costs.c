/* SPDX-License-Identifier: MIT */
/* --cost of heist sim: what is accepted changes one cost, what is refused none. */
#include "costs.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sim_costs before = sim_costs_default();
    struct sim_costs costs = before;
    char *text = fuzz_text(data, size);
    bool ok = sim_costs_set(&costs, text) == SIM_COST_OK;
    unsigned changed = 0;
    for (int i = 0; i < SIM_COSTS; i++) {
        changed += costs.of[i] != before.of[i];
        FUZZ_REQUIRE(costs.of[i] <= (sim_time)SIM_COST_MOST_NS * SIM_NS);
    }
    FUZZ_REQUIRE(changed <= ok);
    free(text);
    return 0;
}
