/* Engine options, constants and textures of the command line, and the program made with them. */
#include "setup.h"

#include "common/code.h"
#include "common/common.h"
#include "lookup_code.h"
#include "registers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "picture/texture_file.h"
#include "texture.h"

enum { CONSTANT_SLOTS = SCH_CLI_CONSTANT_BUFFERS + SCH_CLI_PLACED };

bool sch_cli_constants_put(struct sch_cli_constants *constants, unsigned buffer, unsigned index,
                           const uint32_t words[4])
{
    uint32_t registers = constants->buffer[buffer].registers;
    if (index >= registers) {
        uint32_t *larger = realloc(constants->buffer[buffer].words, ((size_t)index + 1) * 16);
        if (!larger) return false;
        memset(larger + (size_t)registers * 4, 0, (size_t)(index + 1 - registers) * 16);
        constants->buffer[buffer].words = larger;
        constants->buffer[buffer].registers = index + 1;
    }
    memcpy(constants->buffer[buffer].words + (size_t)index * 4, words, 16);
    return true;
}

bool sch_cli_constants_copy(struct sch_cli_constants *to, const struct sch_cli_constants *from)
{
    for (unsigned i = 0; i < CONSTANT_SLOTS; i++) {
        uint32_t registers = from->buffer[i].registers;
        to->buffer[i].registers = 0;
        if (!registers) continue;
        /* The last register makes the room for all; what it holds comes with the others. */
        if (!sch_cli_constants_put(to, i, registers - 1, from->buffer[i].words)) return false;
        memcpy(to->buffer[i].words, from->buffer[i].words, (size_t)registers * 16);
    }
    return true;
}

bool sch_cli_constants_equal(const struct sch_cli_constants *a, const struct sch_cli_constants *b)
{
    for (unsigned i = 0; i < CONSTANT_SLOTS; i++) {
        if (a->buffer[i].registers != b->buffer[i].registers) return false;
        size_t bytes = (size_t)a->buffer[i].registers * 16;
        if (bytes && memcmp(a->buffer[i].words, b->buffer[i].words, bytes) != 0) return false;
    }
    return true;
}

void sch_cli_constants_release(struct sch_cli_constants *constants)
{
    for (unsigned i = 0; i < CONSTANT_SLOTS; i++) free(constants->buffer[i].words);
    memset(constants, 0, sizeof *constants);
}

bool sch_cli_registers(size_t invocations, uint32_t registers, uint32_t **words, size_t *bytes)
{
    *bytes = invocations * registers * 16;
    *words = calloc(1, *bytes + 1); /* at least a byte: NULL means a lack of memory */
    return *words != NULL;
}

void sch_cli_setup_init(struct sch_cli_setup *setup)
{
    *setup = (struct sch_cli_setup){.program = {.size = sizeof setup->program},
                                    .dispatch = {.size = sizeof setup->dispatch}};
}

void sch_cli_setup_release(struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < SCH_CLI_TEXTURES + SCH_CLI_PLACED; i++) {
        sch_sampler_destroy(setup->texture[i].state);
        sch_view_destroy(setup->texture[i].view);
        sch_resource_destroy(setup->texture[i].resource);
        free(setup->texture[i].path);
        sch_sampler_destroy(setup->sampler[i].state);
    }
    sch_cli_constants_release(&setup->constants);
    sch_cli_memory_release(setup);
    sch_cli_machine_release(&setup->machine);
    free(setup->constant_texts);
    free(setup->counters);
    free(setup->arrays.constants);
    free(setup->arrays.views);
    free(setup->arrays.samplers);
    free(setup->arrays.buffers);
    free(setup->arrays.counters);
    free(setup->arrays.images);
    sch_diagnostics_destroy(setup->refused);
    sch_cli_setup_init(setup);
}

const char *sch_cli_engine_word(enum sch_engine engine) { return sch_engine_words[engine]; }

enum sch_engine sch_cli_engine_of(const char *word)
{
    uint32_t number;
    /* "both" begins with the interpreter. */
    return sch_words_find(sch_engine_words, word, strlen(word), &number) ? (enum sch_engine)number
                                                                         : SCH_ENGINE_INTERPRETER;
}

/* A number in brackets. */
static bool read_bracket(const char **at, uint32_t *number)
{
    return *(*at)++ == '[' && sch_cli_read_number(at, number) && *(*at)++ == ']';
}

/* CONST[B][N], of buffer 0 CONST[N]; cbB[N]. */
static bool read_as_listed(const char **at, struct sch_cli_name *buffer, uint32_t *index)
{
    *buffer = (struct sch_cli_name){0};
    if (strncmp(*at, "cb", 2) == 0) {
        *at += 2;
        return sch_cli_read_number(at, &buffer->number) && read_bracket(at, index) && **at == '=';
    }
    *at += strlen("CONST");
    if (!read_bracket(at, index)) return false;
    if (**at != '[') return **at == '=';
    buffer->number = *index;
    return read_bracket(at, index) && **at == '=';
}

/* [SPACE:]B:N, where B may be cbB, before a sign; or as listings have it. */
static bool read_constant(const char **at, struct sch_cli_name *buffer, uint32_t *index)
{
    uint32_t number[3], count = 0;
    const char *bracket = strpbrk(*at, "[=");
    if (bracket && *bracket == '[' && (strncmp(*at, "cb", 2) == 0 || strncmp(*at, "CONST[", 6) == 0))
        return read_as_listed(at, buffer, index);
    const bool spaced = strncmp(*at, "cb", 2) != 0 && strstr(*at, ":cb");
    do {
        if (count && *(*at)++ != ':') return false;
        if (count == (unsigned)spaced && strncmp(*at, "cb", 2) == 0) *at += 2;
        if (!sch_cli_read_number(at, &number[count++])) return false;
    } while (**at == ':' && count < 3);
    if (count < 2 || **at != '=') return false;
    *buffer = (struct sch_cli_name){.number = number[count - 2], .spaced = count > 2};
    if (buffer->spaced) buffer->space = number[0];
    *index = number[count - 1];
    return true;
}

static bool keep_text(struct sch_cli_setup *setup, const struct sch_cli_constant_text *text)
{
    struct sch_cli_constant_text *larger =
        realloc(setup->constant_texts, ((size_t)setup->constant_text_count + 1) * sizeof *larger);
    if (!larger) return false;
    setup->constant_texts = larger;
    larger[setup->constant_text_count++] = *text;
    return true;
}

/* [SPACE:]B:N=x,y,z,w; fewer components leave the rest zero. */
static enum sch_cli_exit take_constant(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    struct sch_cli_name name;
    uint32_t index;
    const char *end = text;
    if (!read_constant(&end, &name, &index))
        return sch_cli_usage_error(verb, "--const is [SPACE:]B:N=x,y,z,w, not %s", text);
    if ((!name.spaced && name.number >= SCH_CLI_CONSTANT_BUFFERS) || index >= SCH_CLI_CONSTANT_REGISTERS)
        return sch_cli_usage_error(verb, "--const: buffers are 0 to %d, registers 0 to %d",
                                   SCH_CLI_CONSTANT_BUFFERS - 1, SCH_CLI_CONSTANT_REGISTERS - 1);
    uint32_t slot = sch_cli_slot_of(&setup->slots[SCH_CLI_CONSTANT_SLOTS], SCH_CLI_CONSTANT_BUFFERS, &name);
    if (slot == UINT32_MAX) return sch_cli_usage_error(verb, "--const: too many buffers of register spaces");

    struct sch_cli_constant_text text_of = {.buffer = name.number, .index = index, .spaced = name.spaced};
    uint32_t words[4] = {0};
    const char *at = end + 1, *all_end = at + strlen(at);
    for (unsigned i = 0; i < 4; i++) {
        text_of.text[i] = at;
        const char *problem = sch_cli_value_read(&at, all_end, SCH_CLI_PLACE_CONSTANT, &text_of.value[i]);
        if (problem) return sch_cli_usage_error(verb, "--const: %s: %s", at, problem);
        text_of.end[i] = at;
        words[i] = text_of.value[i].bits;
        text_of.count++;
        if (*at == 0) break;
        if (*at != ',' || i == 3) return sch_cli_usage_error(verb, "--const: what does %s mean?", at);
        at++;
    }
    if (!keep_text(setup, &text_of)) return sch_cli_no_memory();
    if (!sch_cli_constants_put(&setup->constants, slot, index, words)) return sch_cli_no_memory();
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_interface(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *value)
{
    return sch_cli_interface_option(verb, &setup->interfaces, value);
}

enum sch_cli_exit sch_cli_setup_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct sch_cli_setup *setup = user;
    static const struct {
        enum sch_cli_option_id option;
        enum sch_cli_exit (*take)(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *value);
    } takers[] = {{SCH_OPTION_TEX, sch_cli_texture_option},
                  {SCH_OPTION_SAMPLER, sch_cli_sampler_option},
                  {SCH_OPTION_CONST, take_constant},
                  {SCH_OPTION_INTERFACE, take_interface}};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        if ((int)takers[i].option == option) return takers[i].take(verb, setup, value);
    return sch_cli_memory_option(verb, setup, option, value);
}

static void take_engine(struct sch_cli_setup *setup, const struct sch_cli_values *values)
{
    const char *const engine[] = {values->engine.engine, values->plain_engine.engine, values->of_comparing.engine};
    for (unsigned i = 0; i < sizeof engine / sizeof *engine; i++)
        if (engine[i]) {
            setup->program.engine = sch_cli_engine_of(engine[i]);
            setup->both = strcmp(engine[i], "both") == 0;
        }
}

/* What binds registers that Maxwell code has not. */
static void note_not_of_code(struct sch_cli_setup *setup, const struct sch_cli_arguments *arguments)
{
    for (int id = 0; id < SCH_OPTION_COUNT && !setup->not_of_code; id++) {
        const enum sch_cli_group group = sch_cli_options[id].group;
        const bool binds = group == SCH_GROUP_bindings || group == SCH_GROUP_bound_output;
        const bool is = (binds && id != SCH_OPTION_CONST) || id == SCH_OPTION_SAMPLER || id == SCH_OPTION_LOOKUP_CODE ||
                        id == SCH_OPTION_SAMPLES || id == SCH_OPTION_NTH;
        if (is && arguments->given[id]) setup->not_of_code = sch_cli_options[id].name;
    }
}

enum sch_cli_exit sch_cli_setup_take(struct sch_cli_setup *setup, const struct sch_cli_arguments *arguments)
{
    const struct sch_cli_values *values = &arguments->values;
    struct sch_dispatch_options *dispatch = &setup->dispatch;
    take_engine(setup, values);
    note_not_of_code(setup, arguments);
    setup->lookup_code = values->lookup_code.lookup_code;
    setup->program.width = values->width.width;
    dispatch->unordered = values->order.unordered;
    dispatch->work = values->work.work;
    dispatch->checks =
        (values->checks.check_races ? SCH_CHECK_RACES : 0) | (values->checks.check_unwritten ? SCH_CHECK_UNWRITTEN : 0);
    if (dispatch->checks) setup->both = false; /* the interpreter is what is checked */
    if (values->threads.has_threads) dispatch->threads = values->threads.threads;
    if (values->budget.has_budget) dispatch->budget = values->budget.budget;
    dispatch->deadline_ms = values->deadline.has_deadline ? values->deadline.deadline : values->draw_deadline.deadline;
    enum sch_cli_exit exit_code = sch_cli_cache_check(arguments->verb);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&setup->reading, arguments);
    return exit_code == SCH_CLI_YES ? sch_cli_machine_take(setup, arguments) : exit_code;
}

enum sch_cli_exit sch_cli_setup_parse(struct sch_cli_setup *setup, struct sch_cli_arguments *arguments,
                                      sch_cli_own_fn *take, void *user)
{
    const enum sch_cli_exit exit_code =
        sch_cli_parse(arguments, take ? take : sch_cli_setup_option, take ? user : setup);
    return exit_code == SCH_CLI_YES ? sch_cli_setup_take(setup, arguments) : exit_code;
}

static bool is_code(const struct sch_cli_shader *shader)
{
    return sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL;
}

enum sch_cli_exit sch_cli_setup_load(struct sch_cli_setup *setup, const struct sch_cli_shader *shader)
{
    struct sch_context *context = shader->context;
    enum sch_cli_exit exit_code = sch_cli_exit_of(sch_diagnostics_create(context, &setup->refused));
    setup->dispatch.diagnostics = setup->refused;
    if (exit_code != SCH_CLI_YES) return sch_cli_fail(exit_code, "out of memory");
    if (is_code(shader)) return sch_cli_machine_load(setup, shader, context);
    for (unsigned i = 0; i < setup->textures && exit_code == SCH_CLI_YES; i++)
        if (setup->texture[i].path) exit_code = sch_cli_texture_load(context, &setup->texture[i]);
    for (unsigned i = 0; i < setup->samplers && exit_code == SCH_CLI_YES; i++)
        if (setup->sampler[i].given) exit_code = sch_cli_sampler_load(context, &setup->sampler[i]);
    if (exit_code != SCH_CLI_YES) return exit_code;
    setup->counters = calloc(SCH_CLI_BUFFERS + SCH_CLI_PLACED, sizeof *setup->counters);
    return setup->counters ? sch_cli_memory_load(setup, context) : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_program_create(const struct sch_program_options *options, const struct sch_cli_shader *shader,
                                         struct sch_program **program)
{
    size_t said = sch_diagnostics_count(shader->list);
    enum sch_result result = sch_program_create(shader->context, shader->shader, options, shader->list, program);
    enum sch_cli_exit exit_code = sch_cli_result(result, shader->list, shader->input.name);
    if (exit_code != SCH_CLI_YES || !shader->reported)
        exit_code = sch_cli_worse(exit_code, sch_cli_print_more_diagnostics(shader->list, said, &shader->input));
    if (exit_code == SCH_CLI_YES) return exit_code;
    sch_program_destroy(*program);
    *program = NULL;
    return exit_code;
}

/* Floats of --const that the shader takes for integers. Register spaces have other numbers in the lowered shader. */
static enum sch_cli_exit doubt_constants(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader)
{
    struct sch_cli_registers_of *registers;
    char reg[48], message[256];
    if (!setup->constant_text_count || setup->spaces) return SCH_CLI_YES;
    const enum sch_cli_exit exit_code = sch_cli_registers_create(shader, &registers);
    for (uint32_t i = 0; exit_code == SCH_CLI_YES && i < setup->constant_text_count; i++) {
        const struct sch_cli_constant_text *text = &setup->constant_texts[i];
        enum sch_value_type types[4];
        sch_cli_types_of(registers, SCH_FILE_CONSTANT, text->buffer, text->index, types);
        for (unsigned c = 0; c < text->count && !text->spaced; c++) {
            snprintf(reg, sizeof reg, "CONST[%u][%u].%c", text->buffer, text->index, "xyzw"[c]);
            const char *warning =
                sch_cli_value_doubt(&text->value[c], types[c], text->text[c], text->end[c], reg, message);
            if (warning) sch_cli_warn("--const", warning, "%s", message);
        }
    }
    sch_cli_registers_destroy(registers);
    return exit_code;
}

enum sch_cli_exit sch_cli_setup_program(struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                        struct sch_program **program)
{
    *program = NULL;
    if (is_code(shader) && setup->not_of_code)
        return sch_cli_fail(SCH_CLI_USAGE, "%s is Maxwell code, for which %s means nothing", shader->input.name,
                            setup->not_of_code);
    enum sch_cli_exit exit_code = sch_cli_interfaces_settle(&setup->interfaces, shader->shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_slots_settle(setup, shader->shader);
    if (exit_code == SCH_CLI_YES) exit_code = doubt_constants(setup, shader);
    if (exit_code == SCH_CLI_YES && setup->lookup_code) return sch_cli_lookup_code_program(setup, shader, program);
    return exit_code == SCH_CLI_YES ? sch_cli_program_create(&setup->program, shader, program) : exit_code;
}

static void bind_textures(const struct sch_cli_setup *setup, const struct sch_cli_arrays *to)
{
    uint32_t unit;
    for (unsigned i = 0; i < setup->textures; i++)
        if ((unit = sch_cli_unit(setup, SCH_CLI_TEXTURE_SLOTS, i)) < to->count[SCH_CLI_TEXTURE_SLOTS])
            to->views[unit] = setup->texture[i].view;
    for (unsigned i = 0; i < setup->textures; i++) /* with its sampler, where the shader has that */
        if ((unit = sch_cli_texture_sampler(setup, i)) < to->count[SCH_CLI_SAMPLER_SLOTS])
            to->samplers[unit] = setup->texture[i].state;
    for (unsigned i = 0; i < setup->samplers; i++)
        if (setup->sampler[i].given &&
            (unit = sch_cli_unit(setup, SCH_CLI_SAMPLER_SLOTS, i)) < to->count[SCH_CLI_SAMPLER_SLOTS])
            to->samplers[unit] = setup->sampler[i].state;
}

static void bind_memory(const struct sch_cli_setup *setup, const struct sch_cli_constants *constants,
                        const struct sch_cli_arrays *to)
{
    uint32_t unit;
    for (unsigned i = 0; i < CONSTANT_SLOTS; i++)
        if ((unit = sch_cli_unit(setup, SCH_CLI_CONSTANT_SLOTS, i)) < to->count[SCH_CLI_CONSTANT_SLOTS])
            to->constants[unit] = (struct sch_constant_buffer){.data = constants->buffer[i].words,
                                                               .bytes = (size_t)constants->buffer[i].registers * 16};
    for (unsigned i = 0; i < setup->buffers; i++)
        if ((unit = sch_cli_unit(setup, SCH_CLI_BUFFER_SLOTS, i)) < to->count[SCH_CLI_BUFFER_SLOTS])
            to->buffers[unit] = (struct sch_storage_buffer){setup->buffer[i].data, setup->buffer[i].bytes};
    uint32_t counters = setup->spaces ? setup->buffers : SCH_CLI_BUFFERS;
    for (unsigned i = 0; i < counters && setup->counters; i++)
        if ((unit = sch_cli_unit(setup, SCH_CLI_BUFFER_SLOTS, i)) < to->counter_count)
            to->counters[unit] = (struct sch_storage_buffer){&setup->counters[i], sizeof setup->counters[i]};
    for (unsigned i = 0; i < setup->images; i++)
        if ((unit = sch_cli_unit(setup, SCH_CLI_IMAGE_SLOTS, i)) < to->count[SCH_CLI_IMAGE_SLOTS])
            to->images[unit] = setup->image[i].image;
}

void sch_cli_bind(const struct sch_cli_setup *setup, const struct sch_cli_constants *constants,
                  struct sch_cli_bindings *bound)
{
    *bound = (struct sch_cli_bindings){.bindings = {.size = sizeof bound->bindings}};
    const struct sch_cli_arrays to = setup->arrays;
    bind_textures(setup, &to);
    bind_memory(setup, constants, &to);
    struct sch_bindings *made = &bound->bindings;
    made->interfaces = setup->interfaces.slot;
    made->interface_count = setup->interfaces.count;
    made->hw_atomics = to.counters;
    made->hw_atomic_count = setup->counters ? to.counter_count : 0;
    sch_cli_memory_bind(&setup->memory, to.counters, made->hw_atomic_count, bound->color_buffers, made);
    made->images = to.images;
    made->image_count = to.count[SCH_CLI_IMAGE_SLOTS];
    made->buffers = to.buffers;
    made->buffer_count = to.count[SCH_CLI_BUFFER_SLOTS];
    made->constants = to.constants;
    made->constant_count = to.count[SCH_CLI_CONSTANT_SLOTS];
    made->views = to.views;
    made->view_count = to.count[SCH_CLI_TEXTURE_SLOTS];
    made->samplers = to.samplers;
    made->sampler_count = to.count[SCH_CLI_SAMPLER_SLOTS];
    if (setup->machine.bindings.size) made->maxwell = &setup->machine.bindings;
    if (setup->machine.constants.data) to.constants[0] = setup->machine.constants;
}

enum sch_cli_exit sch_cli_dispatched(const struct sch_cli_setup *setup, enum sch_result result,
                                     const struct sch_dispatch_report *report, const struct sch_cli_shader *shader,
                                     const char *who)
{
    if (report->findings) sch_cli_print_diagnostics(setup->refused, &shader->input);
    if (result == SCH_OK) return report->findings ? SCH_CLI_NO : SCH_CLI_YES;
    if ((result == SCH_ERROR_UNSUPPORTED || result == SCH_ERROR_INVALID) && sch_diagnostics_errors(setup->refused)) {
        sch_cli_print_diagnostics(setup->refused, &shader->input);
        return sch_cli_exit_of(result);
    }
    static const struct {
        enum sch_result result;
        const char *error, *what, *where;
    } ends[] = {{SCH_ERROR_BARRIER, "BARRIER_NOT_REACHED", "the barrier of", " is not reached by"},
                {SCH_ERROR_ABORTED, "ABORTED", "aborted at", ", by"},
                {SCH_ERROR_BUDGET, "BUDGET_SPENT", "the budget ran out at", ", in"},
                {SCH_ERROR_WORK, "WORK_SPENT", "the work of %llu instructions is used up before", ", in"},
                {SCH_ERROR_DEADLINE, "DEADLINE_PASSED", "the deadline of %llu ms passed at", ", in"},
                {SCH_ERROR_CANCELLED, "CANCELLED", "cancelled at", ", in"}};
    const struct sch_cli_location location = {&shader->input, report->line, report->column};
    const unsigned long long bound = result == SCH_ERROR_WORK ? setup->dispatch.work : setup->dispatch.deadline_ms;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char what[80];
        if (ends[i].result != result) continue;
        snprintf(what, sizeof what, ends[i].what, bound);
        sch_cli_report(&location, sch_error_number(ends[i].error), "%s instruction %u%s %s", what, report->instruction,
                       ends[i].where, who);
        return sch_cli_exit_of(result);
    }
    return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", shader->input.name, sch_result_text(result));
}
