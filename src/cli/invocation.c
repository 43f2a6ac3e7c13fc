/* See invocation.h. */
#include "invocation.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTANTS = 256 }; /* that are printed */

/* What is printed, and where to. */
struct printer {
    const struct sch_cli_setup *setup;
    const struct sch_shader *shader;
    struct sch_cli_registers_of *registers;
    enum sch_cli_floats floats;
    struct sch_cli_json *json; /* NULL: text */
};

static void print_register(const struct printer *printer, enum sch_cli_register_file file, uint32_t buffer,
                           uint32_t index, const char *name, const char *semantic, const uint32_t words[4])
{
    enum sch_cli_type types[4];
    sch_cli_types_of(printer->registers, file, buffer, index, types);
    if (printer->json) {
        sch_cli_json_object(printer->json, NULL, true);
        sch_cli_json_text(printer->json, "register", name);
        if (file != SCH_CLI_FILE_CONST) sch_cli_json_text(printer->json, "semantic", *semantic ? semantic : NULL);
        sch_cli_json_values(printer->json, words, types);
        sch_cli_json_close(printer->json);
        return;
    }
    printf("  %-12s %-16s ", name, semantic);
    sch_cli_put_values(stdout, words, types, printer->floats);
    putchar('\n');
}

/* The declared registers of a file, with their words. */
static void print_file(const struct printer *printer, enum sch_register_file file, enum sch_cli_register_file own,
                       const uint32_t *words)
{
    static const char *const names[] = {
        [SCH_REGISTERS_INPUT] = "IN", [SCH_REGISTERS_OUTPUT] = "OUT", [SCH_REGISTERS_SYSTEM_VALUE] = "SV"};
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(printer->shader, file, i, &at); i++) {
        char name[32], semantic[64] = "";
        snprintf(name, sizeof name, "%s[%u]", names[file], at.index);
        if (at.semantic >= 0)
            snprintf(semantic, sizeof semantic, at.semantic_index ? "%s[%u]" : "%s", at.semantic_name,
                     at.semantic_index);
        print_register(printer, own, 0, at.index, name, semantic, words + (size_t)at.index * 4);
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
    struct sch_cli_range range;
    uint32_t count = 0;
    for (size_t i = 0; sch_cli_declared_range(printer->registers, i, &range); i++) {
        if (range.file != SCH_CLI_FILE_CONST) continue;
        for (uint32_t index = range.first; index <= range.last && index < SCH_CLI_CONSTANT_REGISTERS; index++) {
            char name[48];
            if (!sch_cli_is_read(printer->registers, SCH_CLI_FILE_CONST, range.buffer, index)) continue;
            if (count++ >= MOST_CONSTANTS) continue;
            snprintf(name, sizeof name, "CONST[%u][%u]", range.buffer, index);
            print_register(printer, SCH_CLI_FILE_CONST, range.buffer, index, name, "",
                           constant(printer->setup, range.buffer, index));
        }
    }
    if (count > MOST_CONSTANTS && !printer->json) printf("  and %u more constants\n", count - MOST_CONSTANTS);
}

static void print_text(const struct printer *printer, const struct sch_cli_shading *shading,
                       const struct sch_cli_pixel *pixel)
{
    printf("pixel %u,%u of %ux%u\ngot\n", pixel->x, pixel->y, shading->width, shading->height);
    print_file(printer, SCH_REGISTERS_INPUT, SCH_CLI_FILE_IN, pixel->inputs);
    print_file(printer, SCH_REGISTERS_SYSTEM_VALUE, SCH_CLI_FILE_SV, pixel->system_values);
    print_constants(printer);
    puts(pixel->killed ? "killed: it gave nothing" : "gave");
    if (!pixel->killed) print_file(printer, SCH_REGISTERS_OUTPUT, SCH_CLI_FILE_OUT, pixel->outputs);
}

static void print_json(const struct printer *printer, const struct sch_cli_pixel *pixel)
{
    struct sch_cli_json *json = printer->json;
    sch_cli_json_object(json, "pixel", false);
    sch_cli_json_number(json, "x", pixel->x);
    sch_cli_json_number(json, "y", pixel->y);
    sch_cli_json_list(json, "inputs", false);
    print_file(printer, SCH_REGISTERS_INPUT, SCH_CLI_FILE_IN, pixel->inputs);
    sch_cli_json_close(json);
    sch_cli_json_list(json, "system_values", false);
    print_file(printer, SCH_REGISTERS_SYSTEM_VALUE, SCH_CLI_FILE_SV, pixel->system_values);
    sch_cli_json_close(json);
    sch_cli_json_list(json, "constants", false);
    print_constants(printer);
    sch_cli_json_close(json);
    sch_cli_json_bool(json, "killed", pixel->killed);
    sch_cli_json_list(json, "outputs", false);
    if (!pixel->killed) print_file(printer, SCH_REGISTERS_OUTPUT, SCH_CLI_FILE_OUT, pixel->outputs);
    sch_cli_json_close(json);
    sch_cli_json_close(json);
}

enum sch_cli_exit sch_cli_print_invocation(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                           const struct sch_program *program, const struct sch_cli_shading *shading,
                                           const uint32_t pixel[2], enum sch_cli_floats floats,
                                           struct sch_cli_json *json)
{
    struct printer printer = {.setup = setup, .shader = shader->shader, .floats = floats, .json = json};
    struct sch_cli_pixel shaded = {.x = pixel[0], .y = pixel[1]};
    enum sch_cli_exit exit = sch_cli_registers_create(shader, &printer.registers);
    if (exit == SCH_CLI_YES) exit = sch_cli_shade_pixel(setup, shader, program, shading, &shaded);
    if (exit == SCH_CLI_YES && json) print_json(&printer, &shaded);
    if (exit == SCH_CLI_YES && !json) print_text(&printer, shading, &shaded);
    sch_cli_pixel_release(&shaded);
    sch_cli_registers_destroy(printer.registers);
    return exit;
}
