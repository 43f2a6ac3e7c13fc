/* See maxwell_input.h. */
#include "maxwell_input.h"

#include <stdlib.h>
#include <string.h>

#include "bind/texture.h"
#include "common/common.h"

/* ---- arguments ---- */

static bool hexadecimal(const char *text, uint64_t *number)
{
    if (strncmp(text, "0x", 2) == 0) text += 2;
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *number = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && !text[digits];
}

static enum sch_cli_exit read_memory(struct sch_cli_maxwell_input *input, const char *value)
{
    const char *at = strrchr(value, '@');
    input->machine.bindings.memory_address = 0;
    if (at && !hexadecimal(at + 1, &input->machine.bindings.memory_address))
        return sch_cli_usage_error(input->verb, "--memory FILE@ADDRESS: the address is hexadecimal");
    free(input->memory);
    size_t length = at ? (size_t)(at - value) : strlen(value);
    input->memory = malloc(length + 1);
    if (!input->memory) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    memcpy(input->memory, value, length);
    input->memory[length] = 0;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_maxwell_input_option(struct sch_cli_maxwell_input *input, int option, const char *value)
{
    enum sch_kind shader;
    uint64_t number;
    struct sch_cli_machine *machine = &input->machine;
    switch (option) {
    case SCH_CLI_FILE:
        if (input->file) return sch_cli_usage_error(input->verb, "one program only");
        input->file = value;
        return SCH_CLI_YES;
    case SCH_OPTION_LANES_KIND: {
        enum sch_cli_exit exit = sch_cli_any_kind(input->verb, value, &shader, &input->options);
        if (exit != SCH_CLI_YES || input->options.chosen) return exit;
        return sch_cli_usage_error(input->verb, "--headers, --samplers, --cbank and --memory go with -x maxwell");
    }
    case SCH_OPTION_MAXWELL_FLOATS:
        return sch_cli_floats_option(input->verb, value, &input->floats);
    case SCH_OPTION_MAXWELL_LINE:
        if (!sch_cli_number(value, 1, UINT32_MAX, &number))
            return sch_cli_usage_error(input->verb, "--line is a number from 1, not %s", value);
        input->line = (uint32_t)number;
        return SCH_CLI_YES;
    case SCH_OPTION_LANES_TEX:
        return sch_cli_texture_option(input->verb, &input->setup, value);
    case SCH_OPTION_CODE_OFFSET:
        return sch_cli_maxwell_offset(input->verb, value, &input->options);
    case SCH_OPTION_JSON:
        input->json = true;
        return SCH_CLI_YES;
    case SCH_OPTION_VALUE_FLOATS:
        return sch_cli_floats_option(input->verb, value, &input->floats);
    case SCH_OPTION_KERNEL:
        input->options.kernel = value;
        return SCH_CLI_YES;
    case SCH_OPTION_ARCH:
        return sch_cli_arch(input->verb, value, &input->options);
    case SCH_OPTION_WIDTH:
        if (strcmp(value, "4") != 0 && strcmp(value, "8") != 0 && strcmp(value, "16") != 0)
            return sch_cli_usage_error(input->verb, "--width is 4, 8 or 16");
        input->program_options.width = (uint32_t)strtoul(value, NULL, 10);
        return SCH_CLI_YES;
    case SCH_OPTION_VECTORS:
        input->vectors = value;
        return SCH_CLI_YES;
    case SCH_OPTION_HEADERS:
        input->headers = value;
        return SCH_CLI_YES;
    case SCH_OPTION_SAMPLERS:
        input->samplers = value;
        return SCH_CLI_YES;
    case SCH_OPTION_CBANK:
        input->constants = value;
        return SCH_CLI_YES;
    case SCH_OPTION_MEMORY_FILE:
        return read_memory(input, value);
    case SCH_OPTION_EVAL_QUADS:
        machine->quads = true;
        return SCH_CLI_YES;
    case SCH_OPTION_VIA_HEADER:
        machine->bindings.via_header_binding = true;
        return SCH_CLI_YES;
    case SCH_OPTION_HALF:
        if (strcmp(value, "nearest") != 0 && strcmp(value, "zero") != 0)
            return sch_cli_usage_error(input->verb, "--half is nearest or zero");
        machine->bindings.half_toward_zero = *value == 'z';
        return SCH_CLI_YES;
    case SCH_OPTION_LANES_ENGINE:
        if (strcmp(value, "auto") == 0 || strcmp(value, "interp") == 0 || strcmp(value, "maxwell") == 0)
            return SCH_CLI_YES;
        return sch_cli_usage_error(input->verb, "Maxwell code has the engine maxwell only, not %s", value);
    case SCH_OPTION_THREADS:
        input->machine.dispatch.threads = sch_cli_number(value, 1, 256, &number) ? (uint32_t)number : 0;
        if (input->machine.dispatch.threads) return SCH_CLI_YES;
        return sch_cli_usage_error(input->verb, "--threads is 1 to 256, not %s", value);
    case SCH_OPTION_BUDGET: /* of loops and calls, which these programs do not have */
        if (sch_cli_number(value, 1, UINT64_MAX, &number)) return SCH_CLI_YES;
        return sch_cli_usage_error(input->verb, "--budget is a number from 1, not %s", value);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit check(const struct sch_cli_maxwell_input *input)
{
    if (!input->file) return sch_cli_usage_error(input->verb, "which program?");
    if (!input->vectors) return sch_cli_usage_error(input->verb, "which lanes? (--vectors)");
    if (input->setup.textures && (input->headers || input->samplers || input->memory))
        return sch_cli_usage_error(input->verb,
                                   "--tex makes headers, samplers and memory itself: no --headers, --samplers "
                                   "and --memory beside it");
    const char *files[] = {input->file,     input->vectors,   input->headers,
                           input->samplers, input->constants, input->memory};
    unsigned standard = 0;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) standard += files[i] && strcmp(files[i], "-") == 0;
    if (standard > 1) return sch_cli_usage_error(input->verb, "only one file can be standard input");
    return SCH_CLI_YES;
}

/* ---- files ---- */

/* A pool as bytes, or as the text of `scheelite headers`. */
static enum sch_cli_exit load_pool(struct sch_cli_maxwell_input *input, unsigned which, const char *path,
                                   const void **pool, size_t *bytes)
{
    struct sch_cli_input *file = &input->pools[which];
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read(path, file);
    if (exit != SCH_CLI_YES) return exit;
    *pool = file->data;
    *bytes = file->bytes;
    if (sch_maxwell_pool_is_text(file->data, file->bytes)) {
        const struct sch_maxwell_pool_options options = {.size = sizeof options,
                                                         .pool = which ? SCH_MAXWELL_POOL_SAMPLERS
                                                                       : SCH_MAXWELL_POOL_HEADERS,
                                                         .name = file->name};
        struct sch_diagnostics_list *list = NULL;
        enum sch_result result = sch_diagnostics_create(input->maxwell.context, &list);
        if (result == SCH_OK)
            result = sch_maxwell_pool_assemble(input->maxwell.context, file->data, file->bytes, &options, list,
                                               &input->assembled[which], bytes);
        exit = sch_cli_result(result, list, file->name);
        sch_cli_print_diagnostics(list, file);
        sch_diagnostics_destroy(list);
        *pool = input->assembled[which];
        return exit;
    }
    if (file->bytes % 32 != 0) return sch_cli_fail(SCH_CLI_NO, "%s: entries have 32 bytes", file->name);
    return SCH_CLI_YES;
}

/* Words, low byte first. */
static enum sch_cli_exit load_constants(struct sch_cli_maxwell_input *input, const char *path,
                                        struct sch_cli_machine *to)
{
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read_bytes(path, &input->constant_file);
    if (exit != SCH_CLI_YES) return exit;
    if (input->constant_file.bytes % 4 != 0) return sch_cli_fail(SCH_CLI_NO, "%s: words have 4 bytes", path);
    to->constants.bytes = input->constant_file.bytes;
    input->words = malloc(input->constant_file.bytes + 4);
    if (!input->words) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    const unsigned char *from = (const unsigned char *)input->constant_file.data;
    for (size_t i = 0; i < to->constants.bytes / 4; i++, from += 4)
        input->words[i] = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    to->constants.data = input->words;
    return SCH_CLI_YES;
}

static enum sch_cli_exit load_memory(struct sch_cli_maxwell_input *input, const char *path, struct sch_cli_machine *to)
{
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read_bytes(path, &input->memory_file);
    to->bindings.memory = input->memory_file.data;
    to->bindings.memory_bytes = input->memory_file.bytes;
    return exit;
}

static uint32_t count_instructions(const struct sch_shader *program)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    uint32_t count = 0;
    for (uint32_t n = 0; sch_maxwell_instruction(program, n, &info); n++)
        if (!info.is_nop) count = n + 1;
    return count;
}

/* In place of code its listing, which is the same code and has lines. */
static enum sch_cli_exit list(struct sch_cli_maxwell_input *input)
{
    struct sch_cli_maxwell *maxwell = &input->maxwell;
    struct sch_maxwell_code_info info = {.size = sizeof info};
    struct sch_shader *listed = NULL;
    char *text = NULL;
    size_t bytes = 0;
    enum sch_result result = sch_maxwell_get_info(maxwell->program, &info);
    if (result == SCH_OK && info.kind == SCH_KIND_MAXWELL_TEXT) return SCH_CLI_YES;
    const struct sch_read_options read = {
        .size = sizeof read, .kind = SCH_KIND_MAXWELL_TEXT, .arch = info.arch, .name = maxwell->input.name};
    if (result == SCH_OK) result = sch_shader_print(maxwell->program, NULL, &text, &bytes);
    if (result == SCH_OK) result = sch_shader_read(maxwell->context, text, bytes, &read, maxwell->list, &listed);
    if (result != SCH_OK) {
        sch_free(maxwell->context, text);
        return sch_cli_result(result, maxwell->list, maxwell->input.name);
    }
    sch_shader_destroy(maxwell->program);
    maxwell->program = listed;
    input->listing = text;
    return SCH_CLI_YES;
}

/* Where a whole pool is missing, every lookup gets what an invalid index gives, whatever the lanes hold. */
static void warn_of_pools(const struct sch_cli_maxwell_input *input)
{
    const struct sch_maxwell_bindings *has = &input->machine.bindings;
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    const char *name = input->maxwell.input.name;
    bool header = !has->headers, sampler = has->headers && !has->samplers;
    for (uint32_t n = 0; n < input->count && (header || sampler); n++) {
        if (!sch_maxwell_instruction(input->maxwell.program, n, &info) || !info.is_texture) continue;
        if (header)
            sch_cli_warn(name, "UNBOUND_VIEW",
                         "%.*s: there are no texture headers, so each index of one is invalid "
                         "(--tex N=FILE makes them, --headers FILE has them)",
                         (int)strcspn(info.text, ";"), info.text);
        if (sampler && info.samples)
            sch_cli_warn(name, "UNBOUND_SAMPLER",
                         "%.*s: there are no samplers, so each index of one is invalid (--samplers "
                         "FILE has them)",
                         (int)strcspn(info.text, ";"), info.text);
        header = false;
        sampler = sampler && !info.samples;
    }
}

enum sch_cli_exit sch_cli_maxwell_input_open(struct sch_cli_maxwell_input *input)
{
    struct sch_cli_machine *to = &input->machine;
    enum sch_cli_exit exit = check(input);
    if (exit == SCH_CLI_YES) exit = sch_cli_maxwell_load(&input->options, input->file, &input->maxwell);
    if (exit == SCH_CLI_YES) input->count = count_instructions(input->maxwell.program);
    if (exit == SCH_CLI_YES && input->listed) exit = list(input);
    if (exit == SCH_CLI_YES)
        exit = load_pool(input, 0, input->headers, &to->bindings.headers, &to->bindings.header_bytes);
    if (exit == SCH_CLI_YES)
        exit = load_pool(input, 1, input->samplers, &to->bindings.samplers, &to->bindings.sampler_bytes);
    if (exit == SCH_CLI_YES) exit = load_constants(input, input->constants, to);
    if (exit == SCH_CLI_YES) exit = load_memory(input, input->memory, to);
    if (exit == SCH_CLI_YES && input->setup.textures)
        exit = sch_cli_maxwell_textures_load(&input->setup, input->maxwell.context, to, &input->textures);
    if (exit == SCH_CLI_YES) exit = sch_cli_read(input->vectors, &input->table);
    if (exit != SCH_CLI_YES) return exit;
    warn_of_pools(input);
    struct sch_cli_maxwell *maxwell = &input->maxwell;
    to->dispatch.diagnostics = maxwell->list;
    const enum sch_result result =
        sch_program_create(maxwell->context, maxwell->program, &input->program_options, maxwell->list, &input->program);
    if (result != SCH_OK) sch_cli_print_diagnostics(maxwell->list, &maxwell->input);
    return sch_cli_result(result, maxwell->list, maxwell->input.name);
}

void sch_cli_maxwell_input_init(struct sch_cli_maxwell_input *input, const struct sch_cli_verb *form)
{
    *input = (struct sch_cli_maxwell_input){.verb = form,
                                            .machine = {.bindings = {.size = sizeof input->machine.bindings},
                                                        .dispatch = {.size = sizeof input->machine.dispatch}},
                                            .program_options = {.size = sizeof input->program_options}};
    sch_cli_setup_init(&input->setup);
}

void sch_cli_maxwell_input_release(struct sch_cli_maxwell_input *input)
{
    sch_program_destroy(input->program);
    for (unsigned i = 0; i < 2; i++) {
        sch_free(input->maxwell.context, input->assembled[i]);
        sch_cli_input_release(&input->pools[i]);
    }
    sch_free(input->maxwell.context, input->listing);
    sch_cli_maxwell_textures_release(&input->textures);
    free(input->words);
    free(input->memory);
    sch_cli_input_release(&input->constant_file);
    sch_cli_input_release(&input->memory_file);
    sch_cli_input_release(&input->table);
    sch_cli_maxwell_release(&input->maxwell);
    sch_cli_setup_release(&input->setup);
}

/* ---- lanes ---- */

/* The next line that is a lane; false at the end. Lines that begin with # are none. */
static bool next_line(struct sch_cli_lane_reader *reader, const char **begin, const char **end)
{
    while (reader->at < reader->input->bytes) {
        const char *all_end = reader->input->data + reader->input->bytes;
        *begin = reader->input->data + reader->at;
        *end = memchr(*begin, '\n', (size_t)(all_end - *begin));
        reader->at = *end ? (size_t)(*end - reader->input->data) + 1 : reader->input->bytes;
        reader->line++;
        if (!*end) *end = all_end;
        if (*end > *begin && (*end)[-1] == '\r') (*end)--;
        if (*end > *begin && **begin == '#') continue;
        return true;
    }
    return false;
}

/* R[n]= and a value, P[n]=0 or 1, KILL, OFF. NULL, or what is wrong. */
static const char *read_field(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group, unsigned lane,
                              const char *begin, const char *end, enum sch_cli_lane_state *state)
{
    static const char syntax[] = "a field is R[n]= and a value (1.5, 3i, 0x3), P[n]=0 or 1, KILL or OFF";
    char field[160];
    size_t length = (size_t)(end - begin);
    if (length >= sizeof field) return syntax;
    memcpy(field, begin, length);
    field[length] = 0;
    if (strcmp(field, "KILL") == 0 || strcmp(field, "OFF") == 0) {
        *state = *field == 'K' ? SCH_CLI_LANE_KILLED : SCH_CLI_LANE_OFF;
        return NULL;
    }
    char *bracket = strchr(field, ']');
    if ((field[0] != 'R' && field[0] != 'P') || field[1] != '[' || !bracket || bracket[1] != '=') return syntax;
    *bracket = 0;
    uint64_t number, word;
    bool predicate = field[0] == 'P';
    uint64_t most = (predicate ? (uint64_t)SCH_MAXWELL_GROUP_PREDICATES : SCH_MAXWELL_GROUP_REGISTERS) - 1;
    if (!sch_cli_number(field + 2, 0, most, &number))
        return predicate ? "predicates are P[0] to P[6]" : "registers are R[0] to R[254]";
    if (!predicate) {
        struct sch_cli_spelled value;
        const char *at = bracket + 2;
        const char *problem = sch_cli_value_read(&at, field + length, SCH_CLI_PLACE_LINE, &value);
        if (problem || *at) return problem ? problem : syntax;
        group->registers[number][lane] = value.bits;
        reader->registers[number / 32] |= 1u << number % 32;
        return NULL;
    }
    if (!hexadecimal(bracket + 2, &word) || word > 1) return syntax;
    reader->predicates |= 1u << number;
    if (word)
        group->predicates[number] |= 1u << lane;
    else
        group->predicates[number] &= ~(1u << lane);
    return NULL;
}

static enum sch_cli_exit read_lane(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group, unsigned lane,
                                   const char *begin, const char *end, enum sch_cli_lane_state *state)
{
    *state = SCH_CLI_LANE_ACTIVE;
    for (const char *at = begin; at < end;) {
        const char *stop = memchr(at, '\t', (size_t)(end - at));
        const char *problem = read_field(reader, group, lane, at, stop ? stop : end, state);
        if (problem) {
            struct sch_cli_location location = {reader->input, reader->line, (uint32_t)(at - begin) + 1};
            sch_cli_report(&location, 0, "%s", problem);
            return SCH_CLI_NO;
        }
        at = stop ? stop + 1 : end;
    }
    if (*state != SCH_CLI_LANE_OFF) group->active |= 1u << lane;
    if (*state == SCH_CLI_LANE_KILLED) group->killed |= 1u << lane;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lanes_read(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *count)
{
    const char *begin, *end;
    memset(group, 0, sizeof *group);
    memset(reader->registers, 0, sizeof reader->registers);
    reader->predicates = 0;
    for (*count = 0; *count < SCH_MAXWELL_GROUP_LANES && next_line(reader, &begin, &end);) {
        const enum sch_cli_exit exit = read_lane(reader, group, *count, begin, end, &states[*count]);
        if (exit != SCH_CLI_YES) return exit;
        reader->lines[(*count)++] = reader->line;
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lanes_find(const struct sch_cli_maxwell_input *input, struct sch_cli_lane_reader *reader,
                                     struct sch_cli_warp *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *lane)
{
    *reader = (struct sch_cli_lane_reader){.input = &input->table};
    for (unsigned count = 1; count;) {
        const enum sch_cli_exit exit = sch_cli_lanes_read(reader, group, states, &count);
        if (exit != SCH_CLI_YES) return exit;
        for (*lane = 0; *lane < count; ++*lane)
            if (!input->line || reader->lines[*lane] == input->line) return SCH_CLI_YES;
    }
    if (input->line)
        return sch_cli_fail(SCH_CLI_NO, "%s: line %u is no lane", input->table.name, (unsigned)input->line);
    return sch_cli_fail(SCH_CLI_NO, "%s has no lane", input->table.name);
}
