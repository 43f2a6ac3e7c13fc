/* Grids of work groups: a run of one, and one invocation of it. */
#ifndef SCH_CLI_GRID_H
#define SCH_CLI_GRID_H

#include "bind/setup.h"
#include "invocation.h"

struct sch_cli_grid {
    uint32_t size[3], block[3]; /* block: zeros are the shader's */
    bool has_groups;            /* the setup says which work groups run */
};

/* What a SUBGROUP_ system value is in lane `lane` of a group of 32. */
uint32_t sch_cli_lane_value(const char *semantic, uint32_t lane);

/* Runs the work groups that the setup says. */
enum sch_cli_exit sch_cli_grid_run(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                   const struct sch_program *program, const struct sch_cli_grid *grid);

/* Fills in which invocation it is: number `at` along each axis, over all work groups. False: the grid has none. */
bool sch_cli_grid_find(const struct sch_cli_shader *shader, const struct sch_cli_grid *grid, const uint32_t at[3],
                       struct sch_cli_invocation *invocation);

/* Runs the work group that it is in, and fills in what it gets. */
enum sch_cli_exit sch_cli_grid_invoke(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, const struct sch_cli_grid *grid,
                                      struct sch_cli_invocation *invocation);

#endif
