/* --interface: what the slots of a Direct3D shader's interfaces hold. */
#ifndef SCH_CLI_INTERFACE_H
#define SCH_CLI_INTERFACE_H

#include "common/cli.h"

struct sch_cli_interfaces {
    struct sch_interface_slot slot[SCH_INTERFACE_SLOTS];
    bool given[SCH_INTERFACE_SLOTS], by_name[SCH_INTERFACE_SLOTS]; /* by_name: `table` is the number of an ft# */
    uint32_t count;                                                /* highest slot that is given + 1 */
};

/* SLOT=TABLE[,cb=B][,offset=O][,texture=T][,sampler=S]; TABLE is a number from 0 or ft#. */
enum sch_cli_exit sch_cli_interface_option(const struct sch_cli_verb *verb, struct sch_cli_interfaces *interfaces,
                                           const char *text);

/* Whether the shader has the slots and tables that were given; ft# become numbers. */
enum sch_cli_exit sch_cli_interfaces_settle(struct sch_cli_interfaces *interfaces, const struct sch_shader *shader);

#endif
