/* See grid.h. */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32 }; /* of a group */

static enum sch_cli_exit run_grid_part(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                       const struct sch_program *program, const struct sch_cli_grid *grid,
                                       const struct sch_dispatch_options *options)
{
    struct sch_cli_bindings bound;
    struct sch_dispatch_report report = {.size = sizeof report};
    char who[64];
    sch_cli_bind(setup, &setup->constants, &bound);
    const enum sch_result result =
        sch_dispatch_grid(program, &bound.bindings, grid->size, grid->block, options, &report);
    if (result == SCH_ERROR_ARGUMENT && grid->has_groups)
        return sch_cli_fail(SCH_CLI_USAGE, "run: the grid has no such --groups, or --block is not the block size that "
                                           "the shader fixes");
    if (result == SCH_ERROR_ARGUMENT)
        return sch_cli_fail(SCH_CLI_USAGE, "run: --block is not the block size that the shader fixes");
    snprintf(who, sizeof who, "invocation %u of the grid", report.invocation);
    return sch_cli_dispatched(setup, result, &report, shader, who);
}

enum sch_cli_exit sch_cli_grid_run(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                   const struct sch_program *program, const struct sch_cli_grid *grid)
{
    return run_grid_part(setup, shader, program, grid, &setup->dispatch);
}

/* ---- one invocation ---- */

bool sch_cli_grid_find(const struct sch_cli_shader *shader, const struct sch_cli_grid *grid, const uint32_t at[3],
                       struct sch_cli_invocation *invocation)
{
    struct sch_shader_info info = {.size = sizeof info};
    sch_shader_get_info(shader->shader, &info);
    invocation->in_grid = true;
    invocation->threads = 1;
    for (unsigned d = 0; d < 3; d++) { /* the block is as sch_dispatch_grid takes it */
        const uint32_t block = grid->block[d] ? grid->block[d] : info.block[d] ? info.block[d] : 1;
        if (at[d] / block >= grid->size[d]) return false;
        invocation->at[d] = at[d];
        invocation->work_group[d] = at[d] / block;
        invocation->of[d] = grid->size[d];
        invocation->block[d] = block;
        invocation->threads *= block;
    }
    return true;
}

/* Its number in its work group. */
static uint32_t thread_of(const struct sch_cli_invocation *invocation)
{
    const uint32_t *at = invocation->at, *block = invocation->block;
    return at[0] % block[0] + block[0] * (at[1] % block[1] + block[1] * (at[2] % block[2]));
}

static uint32_t dimensions(const struct sch_cli_invocation *invocation)
{
    uint32_t most = 1;
    for (uint32_t d = 1; d < 3; d++)
        if (invocation->of[d] > 1 || invocation->block[d] > 1) most = d + 1;
    return most;
}

uint32_t sch_cli_lane_value(const char *semantic, uint32_t lane)
{
    const char *what = semantic + sizeof "SUBGROUP_" - 1;
    const uint32_t self = 1u << lane, below = self - 1, equal = what[1] == 'T' ? 0 : self; /* GT_MASK, LT_MASK */
    switch (*what) {
    case 'S': /* SIZE */
        return LANES;
    case 'I': /* INVOCATION */
        return lane;
    case 'L':
        return below | equal;
    case 'G':
        return ~(below | self) | equal;
    default:
        return self;
    }
}

/* What a semantic is in the invocation; those that grids do not have are zero. */
static void system_value(const struct sch_cli_invocation *invocation, const char *semantic, uint32_t words[4])
{
    const struct {
        const char *semantic;
        uint32_t words[3];
    } rows[] = {
        {"THREAD_ID",
         {invocation->at[0] % invocation->block[0], invocation->at[1] % invocation->block[1],
          invocation->at[2] % invocation->block[2]}},
        {"BLOCK_ID", {invocation->work_group[0], invocation->work_group[1], invocation->work_group[2]}},
        {"BLOCK_SIZE", {invocation->block[0], invocation->block[1], invocation->block[2]}},
        {"GRID_SIZE", {invocation->of[0], invocation->of[1], invocation->of[2]}},
        {"WORK_DIM", {dimensions(invocation)}},
    };
    if (strncmp(semantic, "SUBGROUP_", 9) == 0) words[0] = sch_cli_lane_value(semantic, thread_of(invocation) % LANES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].semantic, semantic) == 0) memcpy(words, rows[i].words, sizeof rows[i].words);
}

static enum sch_cli_exit fill_system_values(const struct sch_cli_shader *shader, struct sch_cli_invocation *invocation)
{
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_register_info at = {.size = sizeof at};
    const enum sch_result result = sch_shader_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    invocation->system_values = calloc((size_t)info.system_values + 1, 4 * sizeof(uint32_t));
    if (!invocation->system_values) return sch_cli_no_memory();
    for (uint32_t i = 0; sch_shader_register(shader->shader, SCH_FILE_SYSTEM_VALUE, i, &at); i++)
        system_value(invocation, at.semantic_name, invocation->system_values + (size_t)at.index * 4);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_grid_invoke(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, const struct sch_cli_grid *grid,
                                      struct sch_cli_invocation *invocation)
{
    struct sch_dispatch_options options = setup->dispatch;
    const uint32_t *group = invocation->work_group;
    options.first_group = group[0] + (uint64_t)grid->size[0] * (group[1] + (uint64_t)grid->size[1] * group[2]);
    options.group_count = 1;
    const enum sch_cli_exit exit_code = run_grid_part(setup, shader, program, grid, &options);
    return exit_code == SCH_CLI_YES ? fill_system_values(shader, invocation) : exit_code;
}
