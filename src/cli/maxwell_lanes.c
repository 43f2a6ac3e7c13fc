/* scheelite eval and trace of Maxwell code: texture instructions on groups of 32 lanes, a line of registers each. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "maxwell.h"
#include "maxwell_lanes.h"
#include "maxwell_textures.h"
#include "texture.h"

struct wanted {
    const struct sch_cli_verb *verb; /* eval's form or trace's */
    struct sch_cli_maxwell_options options;
    struct sch_maxwell_environment environment;
    const char *file, *vectors, *headers, *samplers, *constants;
    char *memory;               /* up to the @ */
    struct sch_cli_setup setup; /* its textures */
    enum sch_cli_floats floats;
    bool json;
    uint32_t line; /* trace: whose lane is shown; 0: the first one */
};

/* ---- arguments ---- */

static bool hexadecimal(const char *text, uint64_t *number)
{
    if (strncmp(text, "0x", 2) == 0) text += 2;
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *number = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && !text[digits];
}

static enum sch_cli_exit read_memory(struct wanted *wanted, const char *value)
{
    const char *at = strrchr(value, '@');
    wanted->environment.memory_address = 0;
    if (at && !hexadecimal(at + 1, &wanted->environment.memory_address))
        return sch_cli_usage_error(wanted->verb, "--memory FILE@ADDRESS: the address is hexadecimal");
    free(wanted->memory);
    size_t length = at ? (size_t)(at - value) : strlen(value);
    wanted->memory = malloc(length + 1);
    if (!wanted->memory) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    memcpy(wanted->memory, value, length);
    wanted->memory[length] = 0;
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_option(struct wanted *wanted, int option, const char *value)
{
    enum sch_kind shader;
    uint64_t number;
    struct sch_maxwell_environment *environment = &wanted->environment;
    switch (option) {
    case SCH_OPTION_LANES_KIND: {
        enum sch_cli_exit exit = sch_cli_any_kind(wanted->verb, value, &shader, &wanted->options);
        if (exit != SCH_CLI_YES || wanted->options.chosen) return exit;
        return sch_cli_usage_error(wanted->verb, "--headers, --samplers, --cbank and --memory go with -x maxwell");
    }
    case SCH_OPTION_MAXWELL_FLOATS:
        return sch_cli_floats_option(wanted->verb, value, &wanted->floats);
    case SCH_OPTION_MAXWELL_LINE:
        if (!sch_cli_number(value, 1, UINT32_MAX, &number))
            return sch_cli_usage_error(wanted->verb, "--line is a number from 1, not %s", value);
        wanted->line = (uint32_t)number;
        return SCH_CLI_YES;
    case SCH_OPTION_LANES_TEX:
        return sch_cli_texture_option(wanted->verb, &wanted->setup, value);
    case SCH_OPTION_CODE_OFFSET:
        return sch_cli_maxwell_offset(wanted->verb, value, &wanted->options);
    case SCH_OPTION_JSON:
        wanted->json = true;
        return SCH_CLI_YES;
    case SCH_OPTION_VALUE_FLOATS:
        return sch_cli_floats_option(wanted->verb, value, &wanted->floats);
    case SCH_OPTION_ARCH:
        return sch_cli_arch(wanted->verb, value, &wanted->options);
    case SCH_OPTION_WIDTH:
        if (strcmp(value, "4") != 0 && strcmp(value, "8") != 0 && strcmp(value, "16") != 0)
            return sch_cli_usage_error(wanted->verb, "--width is 4, 8 or 16");
        environment->width = (unsigned)strtoul(value, NULL, 10);
        return SCH_CLI_YES;
    case SCH_OPTION_VECTORS:
        wanted->vectors = value;
        return SCH_CLI_YES;
    case SCH_OPTION_HEADERS:
        wanted->headers = value;
        return SCH_CLI_YES;
    case SCH_OPTION_SAMPLERS:
        wanted->samplers = value;
        return SCH_CLI_YES;
    case SCH_OPTION_CBANK:
        wanted->constants = value;
        return SCH_CLI_YES;
    case SCH_OPTION_MEMORY_FILE:
        return read_memory(wanted, value);
    case SCH_OPTION_EVAL_QUADS:
        environment->pixel_shader = true;
        return SCH_CLI_YES;
    case SCH_OPTION_VIA_HEADER:
        environment->via_header_binding = true;
        return SCH_CLI_YES;
    case SCH_OPTION_HALF:
        if (strcmp(value, "nearest") != 0 && strcmp(value, "zero") != 0)
            return sch_cli_usage_error(wanted->verb, "--half is nearest or zero");
        environment->half_toward_zero = *value == 'z';
        return SCH_CLI_YES;
    case SCH_OPTION_LANES_ENGINE:
        if (strcmp(value, "auto") == 0 || strcmp(value, "interp") == 0 || strcmp(value, "maxwell") == 0)
            return SCH_CLI_YES;
        return sch_cli_usage_error(wanted->verb, "Maxwell code has the engine maxwell only, not %s", value);
    case SCH_OPTION_THREADS: /* groups run one after the other, whatever is allowed */
        if (sch_cli_number(value, 1, 256, &number)) return SCH_CLI_YES;
        return sch_cli_usage_error(wanted->verb, "--threads is 1 to 256, not %s", value);
    case SCH_OPTION_BUDGET: /* of loops and calls, which these programs do not have */
        if (sch_cli_number(value, 1, UINT64_MAX, &number)) return SCH_CLI_YES;
        return sch_cli_usage_error(wanted->verb, "--budget is a number from 1, not %s", value);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        if (option == SCH_CLI_FILE) {
            if (wanted->file) return sch_cli_usage_error(wanted->verb, "one program only");
            wanted->file = arguments->value;
            continue;
        }
        enum sch_cli_exit exit = read_option(wanted, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    if (!wanted->file) return sch_cli_usage_error(wanted->verb, "which program?");
    if (!wanted->vectors) return sch_cli_usage_error(wanted->verb, "which lanes? (--vectors)");
    if (wanted->setup.textures && (wanted->headers || wanted->samplers || wanted->memory))
        return sch_cli_usage_error(wanted->verb,
                                   "--tex makes headers, samplers and memory itself: no --headers, --samplers "
                                   "and --memory beside it");
    const char *files[] = {wanted->file,     wanted->vectors,   wanted->headers,
                           wanted->samplers, wanted->constants, wanted->memory};
    unsigned standard = 0;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) standard += files[i] && strcmp(files[i], "-") == 0;
    if (standard > 1) return sch_cli_usage_error(wanted->verb, "only one file can be standard input");
    return SCH_CLI_YES;
}

/* ---- files ---- */

struct files {
    struct sch_cli_maxwell maxwell;
    struct sch_cli_input vectors, pools[2], constants, memory;
    void *assembled[2];
    uint32_t *words;
    struct sch_cli_maxwell_textures textures;
};

/* A pool as bytes, or as the text of `scheelite headers`. */
static enum sch_cli_exit load_pool(struct files *files, unsigned which, const char *path, const void **pool,
                                   size_t *bytes)
{
    struct sch_cli_input *input = &files->pools[which];
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read(path, input);
    if (exit != SCH_CLI_YES) return exit;
    *pool = input->data;
    *bytes = input->bytes;
    if (sch_maxwell_pool_is_text(input->data, input->bytes)) {
        const struct sch_maxwell_pool_options options = {.size = sizeof options,
                                                         .pool = which ? SCH_MAXWELL_POOL_SAMPLERS
                                                                       : SCH_MAXWELL_POOL_HEADERS,
                                                         .name = input->name};
        struct sch_diagnostics_list *list = NULL;
        enum sch_result result = sch_diagnostics_create(files->maxwell.context, &list);
        if (result == SCH_OK)
            result = sch_maxwell_pool_assemble(files->maxwell.context, input->data, input->bytes, &options, list,
                                               &files->assembled[which], bytes);
        exit = sch_cli_result(result, list, input->name);
        sch_cli_print_diagnostics(list, input);
        sch_diagnostics_destroy(list);
        *pool = files->assembled[which];
        return exit;
    }
    if (input->bytes % 32 != 0) return sch_cli_fail(SCH_CLI_NO, "%s: entries have 32 bytes", input->name);
    return SCH_CLI_YES;
}

/* Words, low byte first. */
static enum sch_cli_exit load_constants(struct files *files, const char *path, struct sch_maxwell_environment *to)
{
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read(path, &files->constants);
    if (exit != SCH_CLI_YES) return exit;
    if (files->constants.bytes % 4 != 0) return sch_cli_fail(SCH_CLI_NO, "%s: words have 4 bytes", path);
    to->constant_count = files->constants.bytes / 4;
    files->words = malloc(files->constants.bytes + 4);
    if (!files->words) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    const unsigned char *from = (const unsigned char *)files->constants.data;
    for (size_t i = 0; i < to->constant_count; i++, from += 4)
        files->words[i] = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    to->constants = files->words;
    return SCH_CLI_YES;
}

static enum sch_cli_exit load_memory(struct files *files, const char *path, struct sch_maxwell_environment *to)
{
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_read(path, &files->memory);
    to->memory = files->memory.data;
    to->memory_bytes = files->memory.bytes;
    return exit;
}

static void release(struct files *files)
{
    for (unsigned i = 0; i < 2; i++) {
        sch_free(files->maxwell.context, files->assembled[i]);
        sch_cli_input_release(&files->pools[i]);
    }
    sch_cli_maxwell_textures_release(&files->textures);
    free(files->words);
    sch_cli_input_release(&files->constants);
    sch_cli_input_release(&files->memory);
    sch_cli_input_release(&files->vectors);
    sch_cli_maxwell_release(&files->maxwell);
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

/* R[n]=hex, P[n]=0 or 1, KILL, OFF. NULL, or what is wrong. */
static const char *read_field(struct sch_maxwell_group *group, unsigned lane, const char *begin, const char *end,
                              enum sch_cli_lane_state *state)
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
        const char *problem = sch_cli_value_read(&at, field + length, true, &value);
        if (problem || *at) return problem ? problem : syntax;
        group->registers[number][lane] = value.bits;
        return NULL;
    }
    if (!hexadecimal(bracket + 2, &word) || word > 1) return syntax;
    if (word)
        group->predicates[number] |= 1u << lane;
    else
        group->predicates[number] &= ~(1u << lane);
    return NULL;
}

static enum sch_cli_exit read_lane(struct sch_cli_lane_reader *reader, struct sch_maxwell_group *group, unsigned lane,
                                   const char *begin, const char *end, enum sch_cli_lane_state *state)
{
    *state = SCH_CLI_LANE_ACTIVE;
    for (const char *at = begin; at < end;) {
        const char *stop = memchr(at, '\t', (size_t)(end - at));
        const char *problem = read_field(group, lane, at, stop ? stop : end, state);
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

/* ---- results ---- */

struct results {
    uint32_t registers[8], predicates;
    enum sch_cli_floats floats;
    struct sch_cli_json *json; /* NULL: lines */
};

/* A lane as an object: a Maxwell program does not say what its registers hold. */
static void json_lane(const struct results *results, const struct sch_maxwell_group *group, unsigned lane,
                      enum sch_cli_lane_state state)
{
    static const char *const states[] = {
        [SCH_CLI_LANE_ACTIVE] = "active", [SCH_CLI_LANE_KILLED] = "killed", [SCH_CLI_LANE_OFF] = "off"};
    struct sch_cli_json *json = results->json;
    sch_cli_json_object(json, NULL, true);
    sch_cli_json_text(json, "state", states[state]);
    sch_cli_json_list(json, "registers", true);
    for (unsigned r = 0; state == SCH_CLI_LANE_ACTIVE && r < SCH_MAXWELL_GROUP_REGISTERS; r++) {
        if (!(results->registers[r / 32] >> r % 32 & 1)) continue;
        float value;
        memcpy(&value, &group->registers[r][lane], sizeof value);
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "register", r);
        sch_cli_json_hex(json, "bits", group->registers[r][lane], 8);
        sch_cli_json_float(json, "value", value);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    sch_cli_json_list(json, "predicates", true);
    for (unsigned p = 0; state == SCH_CLI_LANE_ACTIVE && p < SCH_MAXWELL_GROUP_PREDICATES; p++) {
        if (!(results->predicates >> p & 1)) continue;
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "predicate", p);
        sch_cli_json_bool(json, "value", group->predicates[p] >> lane & 1);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    sch_cli_json_close(json);
}

static void print_lane(const struct results *results, const struct sch_maxwell_group *group, unsigned lane)
{
    const char *gap = "";
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++) {
        if (!(results->registers[r / 32] >> r % 32 & 1)) continue;
        char text[SCH_CLI_VALUE_BYTES];
        sch_cli_value_print(group->registers[r][lane], SCH_CLI_TYPE_UNKNOWN, results->floats, text);
        printf("%sR[%u]=%s", gap, r, text);
        gap = "\t";
    }
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) {
        if (!(results->predicates >> p & 1)) continue;
        printf("%sP[%u]=%u", gap, p, group->predicates[p] >> lane & 1);
        gap = "\t";
    }
    putchar('\n');
}

static enum sch_cli_exit run_group(struct files *files, struct sch_maxwell_executor *executor,
                                   const struct results *results, struct sch_maxwell_group *group,
                                   const enum sch_cli_lane_state *states, unsigned count)
{
    enum sch_result result = sch_maxwell_executor_run(executor, 0, group, files->maxwell.list);
    if (result != SCH_OK) {
        sch_cli_print_diagnostics(files->maxwell.list, &files->maxwell.input);
        return sch_cli_result(result, files->maxwell.list, files->maxwell.input.name);
    }
    for (unsigned i = 0; i < count; i++) {
        if (results->json)
            json_lane(results, group, i, states[i]);
        else if (states[i] == SCH_CLI_LANE_ACTIVE)
            print_lane(results, group, i);
        else
            puts(states[i] == SCH_CLI_LANE_KILLED ? "KILL" : "OFF");
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lanes_read(struct sch_cli_lane_reader *reader, struct sch_maxwell_group *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *count)
{
    const char *begin, *end;
    *count = 0;
    memset(group, 0, sizeof *group);
    group->size = sizeof *group;
    while (*count < SCH_MAXWELL_GROUP_LANES && next_line(reader, &begin, &end)) {
        const enum sch_cli_exit exit = read_lane(reader, group, *count, begin, end, &states[*count]);
        if (exit != SCH_CLI_YES) return exit;
        reader->lines[(*count)++] = reader->line;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_groups(struct files *files, struct sch_maxwell_executor *executor,
                                    enum sch_cli_floats floats, struct sch_cli_json *json)
{
    struct sch_cli_lane_reader reader = {.input = &files->vectors};
    struct results results = {.floats = floats, .json = json};
    static struct sch_maxwell_group group;
    enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES];
    unsigned count;
    if (!sch_maxwell_program_results(files->maxwell.program, 0, results.registers, &results.predicates))
        return sch_cli_fail(SCH_CLI_INTERNAL, "internal error");
    for (;;) {
        enum sch_cli_exit exit = sch_cli_lanes_read(&reader, &group, states, &count);
        if (exit != SCH_CLI_YES || !count) return exit;
        exit = run_group(files, executor, &results, &group, states, count);
        if (exit != SCH_CLI_YES) return exit;
    }
}

/* ---- trace ---- */

/* The group of the line, and its lane. NO, and said: there is none. */
static enum sch_cli_exit find_lane(const struct wanted *wanted, struct files *files, struct sch_maxwell_group *group,
                                   unsigned *lane)
{
    struct sch_cli_lane_reader reader = {.input = &files->vectors};
    enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES];
    for (unsigned count = 1; count;) {
        const enum sch_cli_exit exit = sch_cli_lanes_read(&reader, group, states, &count);
        if (exit != SCH_CLI_YES) return exit;
        for (*lane = 0; *lane < count; ++*lane)
            if (!wanted->line || reader.lines[*lane] == wanted->line) return SCH_CLI_YES;
    }
    if (wanted->line)
        return sch_cli_fail(SCH_CLI_NO, "%s: line %u is no lane", files->vectors.name, (unsigned)wanted->line);
    return sch_cli_fail(SCH_CLI_NO, "%s has no lane", files->vectors.name);
}

void sch_cli_lanes_put_register(FILE *file, unsigned number, uint32_t word, enum sch_cli_floats floats)
{
    char text[SCH_CLI_VALUE_BYTES];
    sch_cli_value_print(word, SCH_CLI_TYPE_UNKNOWN, floats, text);
    fprintf(file, "  R%u = %s", number, text);
}

void sch_cli_lanes_put_predicate(FILE *file, unsigned number, bool value)
{
    fprintf(file, "  P%u = %u", number, value);
}

/* Registers that the instruction changed in the lane; one that it wrote what was there already is not told. */
static void print_step(const struct wanted *wanted, const struct sch_maxwell_instruction_info *info, size_t number,
                       const struct sch_maxwell_group *before, const struct sch_maxwell_group *after, unsigned lane)
{
    printf("%6zu", number);
    if (info->line) printf("  line %-4u", (unsigned)info->line);
    printf("  %-44s", info->text);
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        if (before->registers[r][lane] != after->registers[r][lane])
            sch_cli_lanes_put_register(stdout, r, after->registers[r][lane], wanted->floats);
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
        if ((before->predicates[p] ^ after->predicates[p]) >> lane & 1)
            sch_cli_lanes_put_predicate(stdout, p, after->predicates[p] >> lane & 1);
    putchar('\n');
}

static enum sch_cli_exit trace(const struct wanted *wanted, struct files *files, struct sch_maxwell_executor *executor)
{
    static struct sch_maxwell_group group, before;
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    unsigned lane = 0;
    const enum sch_cli_exit exit = find_lane(wanted, files, &group, &lane);
    if (exit != SCH_CLI_YES) return exit;
    printf("%s: lane %u of its group\n", files->maxwell.input.name, lane);
    for (size_t n = 0; sch_maxwell_program_instruction(files->maxwell.program, 0, n, &info); n++) {
        before = group;
        const enum sch_result result = sch_maxwell_executor_step(executor, 0, n, &group, files->maxwell.list);
        if (result != SCH_OK) {
            sch_cli_print_diagnostics(files->maxwell.list, &files->maxwell.input);
            return sch_cli_result(result, files->maxwell.list, files->maxwell.input.name);
        }
        if (info.is_texture) print_step(wanted, &info, n, &before, &group, lane);
    }
    return SCH_CLI_YES;
}

/* One document, whole whatever happens. */
static enum sch_cli_exit run_json(struct files *files, struct sch_maxwell_executor *executor)
{
    struct sch_cli_json json;
    sch_cli_json_begin(&json, stdout, "scheelite-eval-maxwell/1");
    sch_cli_json_text(&json, "file", files->maxwell.file);
    sch_cli_json_list(&json, "lanes", false);
    const enum sch_cli_exit exit = run_groups(files, executor, SCH_CLI_FLOATS_HEX, &json);
    sch_cli_json_close(&json);
    sch_cli_json_bool(&json, "complete", exit == SCH_CLI_YES);
    sch_cli_json_end(&json);
    return exit;
}

static enum sch_cli_exit evaluate(struct wanted *wanted)
{
    struct files files = {0};
    struct sch_maxwell_environment *to = &wanted->environment;
    struct sch_maxwell_executor *executor = NULL;
    enum sch_cli_exit exit = sch_cli_maxwell_load(&wanted->options, wanted->file, &files.maxwell);
    if (exit == SCH_CLI_YES) exit = load_pool(&files, 0, wanted->headers, &to->headers, &to->header_bytes);
    if (exit == SCH_CLI_YES) exit = load_pool(&files, 1, wanted->samplers, &to->samplers, &to->sampler_bytes);
    if (exit == SCH_CLI_YES) exit = load_constants(&files, wanted->constants, to);
    if (exit == SCH_CLI_YES) exit = load_memory(&files, wanted->memory, to);
    if (exit == SCH_CLI_YES && wanted->setup.textures)
        exit = sch_cli_maxwell_textures_load(&wanted->setup, files.maxwell.context, to, &files.textures);
    if (exit == SCH_CLI_YES) exit = sch_cli_read(wanted->vectors, &files.vectors);
    if (exit == SCH_CLI_YES) {
        enum sch_result result = sch_maxwell_executor_create(files.maxwell.program, to, &executor);
        exit = sch_cli_result(result, NULL, files.maxwell.input.name);
    }
    if (exit == SCH_CLI_YES && wanted->verb == &sch_cli_trace_maxwell)
        exit = trace(wanted, &files, executor);
    else if (exit == SCH_CLI_YES && wanted->json)
        exit = run_json(&files, executor);
    else if (exit == SCH_CLI_YES)
        exit = run_groups(&files, executor, wanted->floats, NULL);
    sch_maxwell_executor_destroy(executor);
    release(&files);
    return exit;
}

/* Whether the word is an option that the form has and its verb has not. */
static bool is_own(const struct sch_cli_verb *verb, const struct sch_cli_verb *form, const char *word)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const size_t length = strlen(sch_cli_options[id].name);
        if (!sch_cli_verb_has(form, (enum sch_cli_option_id)id)) continue;
        if (strncmp(word, sch_cli_options[id].name, length) != 0 || (word[length] && word[length] != '=')) continue;
        bool shared = false;
        for (int other = 0; other < SCH_OPTION_COUNT && !shared; other++)
            shared = sch_cli_verb_has(verb, (enum sch_cli_option_id)other) &&
                     strcmp(sch_cli_options[other].name, sch_cli_options[id].name) == 0;
        if (!shared) return true;
    }
    return false;
}

bool sch_cli_maxwell_is_form(const struct sch_cli_verb *verb, const struct sch_cli_verb *form, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_own(verb, form, argv[i])) return true;
        if (strcmp(argv[i], "-x") != 0 || i + 1 >= argc) continue;
        if (strcmp(argv[i + 1], "maxwell") == 0 || strcmp(argv[i + 1], "cubin") == 0) return true;
    }
    return false;
}

enum sch_cli_exit sch_cli_maxwell_lanes(const struct sch_cli_verb *form, int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = form, .argc = argc, .argv = argv};
    struct wanted wanted = {.verb = form, .environment = {.size = sizeof wanted.environment}};
    if (form == &sch_cli_trace_maxwell) wanted.floats = SCH_CLI_FLOATS_BOTH;
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) exit = evaluate(&wanted);
    sch_cli_setup_release(&wanted.setup);
    free(wanted.memory);
    return exit;
}
