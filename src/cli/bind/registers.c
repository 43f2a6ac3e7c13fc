/* See registers.h. */
#include "registers.h"
#include "../support/text.h"

#include <stdlib.h>
#include <string.h>

struct sch_cli_registers_of {
    const struct sch_shader *shader;
    struct sch_register_use *uses;
    size_t count;
    uint32_t *numbers; /* of the first register of each use; the last element is how many there are */
    bool *doubted;     /* by number */
};

static uint64_t key_of(enum sch_file file, uint32_t buffer, uint32_t index)
{
    return (uint64_t)file << 48 | (uint64_t)buffer << 32 | index;
}

/* The use that a register is in; the count: it is not declared. */
static size_t find(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index)
{
    size_t low = 0, high = registers->count;
    const uint64_t key = key_of(file, buffer, index);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct sch_register_use *use = &registers->uses[middle];
        if (key_of(use->file, use->buffer, use->last) < key)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sch_register_use *use = &registers->uses[low];
    const bool found =
        buffer <= UINT16_MAX && low < registers->count && key_of(use->file, use->buffer, use->first) <= key;
    return found ? low : registers->count;
}

/* Lists them; two calls, the first of which counts. */
static enum sch_result list_uses(struct sch_cli_registers_of *of)
{
    enum sch_result result = sch_shader_register_uses(of->shader, NULL, sizeof *of->uses, 0, &of->count);
    of->uses = calloc(of->count + 1, sizeof *of->uses);
    of->numbers = calloc(of->count + 1, sizeof *of->numbers);
    if (result != SCH_OK || !of->uses || !of->numbers) return result == SCH_OK ? SCH_ERROR_MEMORY : result;
    result = sch_shader_register_uses(of->shader, of->uses, sizeof *of->uses, of->count, &of->count);
    for (size_t i = 0; i < of->count; i++)
        of->numbers[i + 1] = of->numbers[i] + (of->uses[i].last - of->uses[i].first + 1);
    of->doubted = calloc((size_t)of->numbers[of->count] + 1, sizeof *of->doubted);
    return of->doubted ? result : SCH_ERROR_MEMORY;
}

enum sch_cli_exit sch_cli_registers_create(const struct sch_cli_shader *shader, struct sch_cli_registers_of **made)
{
    struct sch_cli_registers_of *of = *made = calloc(1, sizeof *of);
    if (!of) return sch_cli_no_memory();
    of->shader = shader->shader;
    const enum sch_result result = list_uses(of);
    if (result == SCH_OK) return SCH_CLI_YES;
    sch_cli_registers_destroy(of);
    *made = NULL;
    return sch_cli_result(result, NULL, shader->input.name);
}

void sch_cli_registers_destroy(struct sch_cli_registers_of *registers)
{
    if (!registers) return;
    free(registers->uses);
    free(registers->numbers);
    free(registers->doubted);
    free(registers);
}

bool sch_cli_is_declared(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer,
                         uint32_t index)
{
    return find(registers, file, buffer, index) < registers->count;
}

void sch_cli_describe_declared(const struct sch_cli_registers_of *registers, enum sch_file file, char text[160])
{
    enum { ROOM = 160, ENOUGH = 120 };
    const char *word = sch_cli_table_word(SCH_NAMES_FILES, file);
    struct sch_declaration_info at = {.size = sizeof at};
    *text = 0;
    for (uint32_t i = 0; sch_shader_declaration(registers->shader, i, &at); i++) {
        if (at.file != file) continue;
        if (strlen(text) > ENOUGH) {
            sch_text_add(text, ROOM, ", ...");
            return;
        }
        sch_text_add(text, ROOM, "%s%s", *text ? ", " : "", word);
        if (file == SCH_FILE_CONSTANT && at.dimension) sch_text_add(text, ROOM, "[%u]", at.dimension);
        sch_text_add(text, ROOM, at.last > at.first ? "[%u..%u]" : "[%u]", at.first, at.last);
    }
    if (!*text) snprintf(text, ROOM, "no %s", word);
}

uint32_t sch_cli_register_number(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer,
                                 uint32_t index)
{
    const size_t use = find(registers, file, buffer, index);
    return use < registers->count ? registers->numbers[use] + (index - registers->uses[use].first) : 0;
}

uint32_t sch_cli_register_count(const struct sch_cli_registers_of *registers)
{
    return registers->numbers[registers->count];
}

void sch_cli_types_of(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index,
                      enum sch_value_type types[4])
{
    const size_t use = find(registers, file, buffer, index);
    for (unsigned c = 0; c < 4; c++)
        types[c] = use < registers->count ? sch_cli_word_type(registers->uses[use].types[c]) : SCH_VALUE_UNKNOWN;
}

bool sch_cli_doubt_is_new(struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index)
{
    bool *doubted = &registers->doubted[sch_cli_register_number(registers, file, buffer, index)];
    const bool fresh = !*doubted;
    *doubted = true;
    return fresh;
}

bool sch_cli_is_read(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index)
{
    const size_t use = find(registers, file, buffer, index);
    return use < registers->count && registers->uses[use].is_read;
}

const char *sch_cli_table_word(enum sch_name_table table, unsigned number)
{
    struct sch_name_info row = {.size = sizeof row};
    for (size_t n = 0; sch_table_name(table, n, &row); n++)
        if (row.number == number) return row.word;
    return "";
}
