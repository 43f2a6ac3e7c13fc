/* --interface: reading, and comparing with what the shader declares. */
#include "interface.h"

#include <stdlib.h>
#include <string.h>

#include "slots.h"

/* What may follow the table, and the last number of it that Direct3D has. */
static const struct {
    const char *name;
    size_t offset;
    uint32_t most;
} settings[] = {{"cb=", offsetof(struct sch_interface_slot, constant_buffer), 13},
                {"offset=", offsetof(struct sch_interface_slot, constant_offset), 4095},
                {"texture=", offsetof(struct sch_interface_slot, texture), 127},
                {"sampler=", offsetof(struct sch_interface_slot, sampler), 15}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static enum sch_cli_exit take_settings(const struct sch_cli_verb *verb, const char *at, struct sch_interface_slot *slot)
{
    while (*at) {
        size_t i = 0;
        const char *part = at + 1;
        while (i < SETTINGS && strncmp(part, settings[i].name, strlen(settings[i].name)) != 0) i++;
        if (*at != ',' || i == SETTINGS)
            return sch_cli_usage_error(verb, "--interface: what does %s mean? (cb=, offset=, texture=, sampler=)", at);
        uint32_t number;
        at = part + strlen(settings[i].name);
        if (!sch_cli_read_number(&at, &number) || number > settings[i].most || (*at && *at != ','))
            return sch_cli_usage_error(verb, "--interface: %sN has N from 0 to %u, not %s", settings[i].name,
                                       settings[i].most, part + strlen(settings[i].name));
        memcpy((char *)slot + settings[i].offset, &number, sizeof number);
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_interface_option(const struct sch_cli_verb *verb, struct sch_cli_interfaces *interfaces,
                                           const char *text)
{
    uint32_t slot;
    const char *at = text;
    if (!sch_cli_read_number(&at, &slot) || slot >= SCH_INTERFACE_SLOTS || *at != '=')
        return sch_cli_usage_error(verb,
                                   "--interface is SLOT=TABLE[,cb=B,offset=O,texture=T,sampler=S], slots 0 to %d, "
                                   "not %s",
                                   SCH_INTERFACE_SLOTS - 1, text);
    struct sch_interface_slot made = {0};
    bool by_name = strncmp(++at, "ft", 2) == 0;
    const char *table = at;
    if (by_name) at += 2;
    if (!sch_cli_read_number(&at, &made.table) || (*at && *at != ','))
        return sch_cli_usage_error(verb, "--interface: a table is a number from 0 or ft#, not %s", table);
    enum sch_cli_exit exit_code = take_settings(verb, at, &made);
    if (exit_code != SCH_CLI_YES) return exit_code;
    interfaces->slot[slot] = made;
    interfaces->given[slot] = true;
    interfaces->by_name[slot] = by_name;
    if (slot >= interfaces->count) interfaces->count = slot + 1;
    return SCH_CLI_YES;
}

static bool find_interface(const struct sch_shader *shader, uint32_t slot, struct sch_interface_info *view)
{
    *view = (struct sch_interface_info){.size = sizeof *view};
    for (uint32_t i = 0; sch_shader_interface(shader, i, view); i++)
        if (slot >= view->slot && slot - view->slot < view->count) return true;
    return false;
}

enum sch_cli_exit sch_cli_interfaces_settle(struct sch_cli_interfaces *interfaces, const struct sch_shader *shader)
{
    for (uint32_t slot = 0; slot < interfaces->count; slot++) {
        struct sch_interface_info view;
        uint32_t table = interfaces->slot[slot].table, found = table;
        if (!interfaces->given[slot]) continue;
        if (!find_interface(shader, slot, &view))
            return sch_cli_fail(SCH_CLI_USAGE, "--interface: the shader has no interface with slot %u", slot);
        bool by_name = interfaces->by_name[slot];
        for (found = by_name ? 0 : table; by_name && found < view.table_count && view.tables[found] != table;) found++;
        if (found >= view.table_count)
            return sch_cli_fail(SCH_CLI_USAGE, "--interface: the interface in slot %u has %u tables, but no %s%u", slot,
                                view.table_count, by_name ? "ft" : "", table);
        interfaces->slot[slot].table = found;
    }
    return SCH_CLI_YES;
}
