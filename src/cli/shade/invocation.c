/* See invocation.h. */
#include "invocation.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTANTS = 256 }; /* that are printed */

/* ---- registers ---- */

/* What is printed, and where to. */
struct printer {
    const struct sch_cli_setup *setup;
    const struct sch_shader *shader;
    struct sch_cli_registers_of *registers;
    enum sch_cli_floats floats;
    struct sch_json *json; /* NULL: text */
};

static void print_register(const struct printer *printer, enum sch_file file, uint32_t buffer, uint32_t index,
                           const char *name, const char *semantic, const uint32_t words[4])
{
    enum sch_value_type types[4];
    sch_cli_types_of(printer->registers, file, buffer, index, types);
    if (printer->json) {
        sch_json_object(printer->json, NULL, true);
        sch_json_text(printer->json, "register", name);
        if (file != SCH_FILE_CONSTANT) sch_json_text(printer->json, "semantic", *semantic ? semantic : NULL);
        sch_json_values(printer->json, words, types);
        sch_json_close(printer->json);
        return;
    }
    printf("  %-12s %-16s ", name, semantic);
    sch_cli_put_values(stdout, words, types, printer->floats);
    putchar('\n');
}

/* The declared registers of a file, with their words. */
static void print_file(const struct printer *printer, enum sch_file file, const uint32_t *words)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(printer->shader, file, i, &at); i++) {
        char name[32], semantic[64] = "";
        snprintf(name, sizeof name, "%s[%u]", sch_cli_table_word(SCH_NAMES_FILES, file), at.index);
        if (at.semantic >= 0)
            snprintf(semantic, sizeof semantic, at.semantic_index ? "%s[%u]" : "%s", at.semantic_name,
                     at.semantic_index);
        print_register(printer, file, 0, at.index, name, semantic, words + (size_t)at.index * 4);
    }
}

/* The words of constant buffer `unit` of the shader, by the slot that is bound to it. */
static const uint32_t *constant(const struct sch_cli_setup *setup, uint32_t unit, uint32_t index)
{
    static const uint32_t none[4];
    for (uint32_t slot = 0; slot < SCH_CLI_CONSTANT_BUFFERS + SCH_CLI_PLACED; slot++)
        if (sch_cli_unit(setup, SCH_CLI_CONSTANT_SLOTS, slot) == unit)
            return index < setup->constants.buffer[slot].registers
                       ? setup->constants.buffer[slot].words + (size_t)index * 4
                       : none;
    return none;
}

/* The constants that instructions read or may read. */
static void print_constants(const struct printer *printer)
{
    struct sch_declaration_info at = {.size = sizeof at};
    uint32_t count = 0;
    for (uint32_t i = 0; sch_shader_declaration(printer->shader, i, &at); i++) {
        if (at.file != SCH_FILE_CONSTANT) continue;
        for (uint32_t index = at.first; index <= at.last && index < SCH_CLI_CONSTANT_REGISTERS; index++) {
            char name[48];
            if (!sch_cli_is_read(printer->registers, SCH_FILE_CONSTANT, at.dimension, index)) continue;
            if (count++ >= MOST_CONSTANTS) continue;
            snprintf(name, sizeof name, "CONST[%u][%u]", at.dimension, index);
            print_register(printer, SCH_FILE_CONSTANT, at.dimension, index, name, "",
                           constant(printer->setup, at.dimension, index));
        }
    }
    if (count > MOST_CONSTANTS && !printer->json) printf("  and %u more constants\n", count - MOST_CONSTANTS);
}

/* ---- memory ---- */

static void keep_change(void *user, const struct sch_cli_change *change)
{
    struct sch_cli_invocation *invocation = user;
    if (invocation->change_count < SCH_CLI_MOST_CHANGES) invocation->changes[invocation->change_count] = *change;
    invocation->change_count++;
}

bool sch_cli_invocation_changed(struct sch_cli_invocation *invocation, const struct sch_cli_setup *setup,
                                const struct sch_cli_snapshot *before)
{
    return sch_cli_snapshot_changes(setup, before, keep_change, invocation);
}

static size_t kept_changes(const struct sch_cli_invocation *invocation)
{
    return invocation->change_count < SCH_CLI_MOST_CHANGES ? invocation->change_count : SCH_CLI_MOST_CHANGES;
}

/* A shader does not say what the words of its memory are: numbers are floats. */
static void print_changes(const struct printer *printer, const struct sch_cli_invocation *invocation)
{
    if (!invocation->writes) return;
    if (invocation->in_grid)
        printf("its work group of %u invocations changed%s\n", invocation->threads,
               invocation->change_count ? "" : " no memory");
    else
        printf("its group of 32 pixels changed%s\n", invocation->change_count ? "" : " no memory");
    for (size_t i = 0; i < kept_changes(invocation); i++) {
        const struct sch_cli_change *change = &invocation->changes[i];
        char name[32], before[SCH_CLI_VALUE_BYTES], after[SCH_CLI_VALUE_BYTES];
        snprintf(name, sizeof name, "%s[%u]", change->kind, change->number);
        sch_cli_value_print(change->before, SCH_VALUE_UNKNOWN, printer->floats, before);
        sch_cli_value_print(change->after, SCH_VALUE_UNKNOWN, printer->floats, after);
        printf("  %-12s byte %-11zu %s -> %s\n", name, change->byte, before, after);
    }
    if (invocation->change_count > SCH_CLI_MOST_CHANGES)
        printf("  and %zu more words\n", invocation->change_count - SCH_CLI_MOST_CHANGES);
}

static void put_memory_changes(struct sch_json *json, const struct sch_cli_invocation *invocation)
{
    if (!invocation->writes) return;
    sch_json_list(json, "group_changed", false);
    for (size_t i = 0; i < kept_changes(invocation); i++) {
        const struct sch_cli_change *change = &invocation->changes[i];
        char name[32];
        snprintf(name, sizeof name, "%s[%u]", change->kind, change->number);
        SCH_JSON_ROW(json, NULL, SCH_JSON_TEXT("memory", name), SCH_JSON_NUMBER("byte", change->byte),
                     SCH_JSON_WORD("before", change->before), SCH_JSON_WORD("after", change->after));
    }
    sch_json_close(json);
    sch_json_number(json, "group_changed_words", invocation->change_count);
}

/* ---- the whole ---- */

static void print_title(const struct sch_cli_invocation *invocation)
{
    const uint32_t *at = invocation->at, *of = invocation->of, *group = invocation->work_group;
    if (invocation->in_grid)
        printf("invocation %u,%u,%u, of work group %u,%u,%u of %ux%ux%u\n", at[0], at[1], at[2], group[0], group[1],
               group[2], of[0], of[1], of[2]);
    else
        printf("pixel %u,%u of %ux%u\n", at[0], at[1], of[0], of[1]);
}

static void print_invocation_text(const struct printer *printer, const struct sch_cli_invocation *invocation)
{
    print_title(invocation);
    puts("got");
    if (invocation->inputs) print_file(printer, SCH_FILE_INPUT, invocation->inputs);
    print_file(printer, SCH_FILE_SYSTEM_VALUE, invocation->system_values);
    print_constants(printer);
    if (!invocation->in_grid) puts(invocation->killed ? "killed: it gave nothing" : "gave");
    if (invocation->outputs && !invocation->killed) print_file(printer, SCH_FILE_OUTPUT, invocation->outputs);
    print_changes(printer, invocation);
}

static void put_file(const struct printer *printer, const char *key, enum sch_file file, const uint32_t *words)
{
    sch_json_list(printer->json, key, false);
    if (words) print_file(printer, file, words);
    sch_json_close(printer->json);
}

static void print_json(const struct printer *printer, const struct sch_cli_invocation *invocation)
{
    struct sch_json *json = printer->json;
    sch_json_object(json, "pixel", false);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("x", invocation->at[0]), SCH_JSON_NUMBER("y", invocation->at[1]));
    if (invocation->in_grid) sch_json_number(json, "z", invocation->at[2]);
    if (invocation->in_grid) sch_json_numbers(json, "work_group", invocation->work_group, 3);
    put_file(printer, "inputs", SCH_FILE_INPUT, invocation->inputs);
    put_file(printer, "system_values", SCH_FILE_SYSTEM_VALUE, invocation->system_values);
    sch_json_list(json, "constants", false);
    print_constants(printer);
    sch_json_close(json);
    sch_json_bool(json, "killed", invocation->killed);
    put_file(printer, "outputs", SCH_FILE_OUTPUT, invocation->killed ? NULL : invocation->outputs);
    put_memory_changes(json, invocation);
    sch_json_close(json);
}

enum sch_cli_exit sch_cli_invocation_print(const struct sch_cli_invocation *invocation,
                                           const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                           enum sch_cli_floats floats, struct sch_json *json)
{
    struct printer printer = {.setup = setup, .shader = shader->shader, .floats = floats, .json = json};
    const enum sch_cli_exit exit_code = sch_cli_registers_create(shader, &printer.registers);
    if (exit_code == SCH_CLI_YES && json) print_json(&printer, invocation);
    if (exit_code == SCH_CLI_YES && !json) print_invocation_text(&printer, invocation);
    sch_cli_registers_destroy(printer.registers);
    return exit_code;
}

void sch_cli_invocation_release(struct sch_cli_invocation *invocation)
{
    free(invocation->inputs);
    free(invocation->system_values);
    free(invocation->outputs);
    invocation->inputs = invocation->system_values = invocation->outputs = NULL;
}
