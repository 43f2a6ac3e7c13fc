/* Engine options, constants and textures of the command line, and the program made with them. */
#include "setup.h"

#include "code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "texture.h"

bool sch_cli_constants_put(struct sch_cli_constants *constants, unsigned buffer, unsigned index,
                           const uint32_t words[4])
{
    uint32_t registers = constants->buffer[buffer].registers, capacity = constants->buffer[buffer].capacity;
    if (index >= capacity) {
        uint32_t wanted = capacity ? capacity : 16;
        while (wanted <= index) wanted *= 2;
        uint32_t *larger = realloc(constants->buffer[buffer].words, (size_t)wanted * 16);
        if (!larger) return false;
        constants->buffer[buffer].words = larger;
        constants->buffer[buffer].capacity = wanted;
    }
    uint32_t *all = constants->buffer[buffer].words;
    if (index >= registers) {
        memset(all + (size_t)registers * 4, 0, (size_t)(index + 1 - registers) * 16);
        constants->buffer[buffer].registers = index + 1;
    }
    memcpy(all + (size_t)index * 4, words, 16);
    return true;
}

static void clear_constants(struct sch_cli_constants *constants)
{
    for (unsigned i = 0; i < SCH_CLI_CONSTANT_BUFFERS; i++) constants->buffer[i].registers = 0;
}

bool sch_cli_constants_copy(struct sch_cli_constants *to, const struct sch_cli_constants *from)
{
    clear_constants(to);
    for (unsigned i = 0; i < SCH_CLI_CONSTANT_BUFFERS; i++) {
        uint32_t registers = from->buffer[i].registers;
        if (!registers) continue;
        /* The last register makes the room for all. */
        if (!sch_cli_constants_put(to, i, registers - 1, from->buffer[i].words + (size_t)(registers - 1) * 4))
            return false;
        memcpy(to->buffer[i].words, from->buffer[i].words, (size_t)registers * 16);
    }
    return true;
}

bool sch_cli_constants_equal(const struct sch_cli_constants *a, const struct sch_cli_constants *b)
{
    for (unsigned i = 0; i < SCH_CLI_CONSTANT_BUFFERS; i++) {
        if (a->buffer[i].registers != b->buffer[i].registers) return false;
        size_t bytes = (size_t)a->buffer[i].registers * 16;
        if (bytes && memcmp(a->buffer[i].words, b->buffer[i].words, bytes) != 0) return false;
    }
    return true;
}

void sch_cli_constants_release(struct sch_cli_constants *constants)
{
    for (unsigned i = 0; i < SCH_CLI_CONSTANT_BUFFERS; i++) free(constants->buffer[i].words);
    memset(constants, 0, sizeof *constants);
}

void sch_cli_setup_init(struct sch_cli_setup *setup)
{
    *setup = (struct sch_cli_setup){.program = {.size = sizeof setup->program},
                                    .dispatch = {.size = sizeof setup->dispatch}};
}

void sch_cli_setup_release(struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < SCH_CLI_TEXTURES; i++) {
        sch_sampler_destroy(setup->texture[i].state);
        sch_view_destroy(setup->texture[i].view);
        sch_resource_destroy(setup->texture[i].resource);
        free(setup->texture[i].path);
        sch_sampler_destroy(setup->sampler[i].state);
    }
    sch_cli_constants_release(&setup->constants);
    sch_cli_buffers_release(setup);
    sch_cli_images_release(setup);
    free(setup->counters);
    sch_diagnostics_destroy(setup->refused);
    sch_cli_setup_init(setup);
}

static const struct {
    const char *word;
    enum sch_engine engine;
} engines[] = {{"auto", SCH_ENGINE_AUTO},
               {"interp", SCH_ENGINE_INTERPRETER},
               {"jit", SCH_ENGINE_JIT},
               {"both", SCH_ENGINE_INTERPRETER},
               {"maxwell", SCH_ENGINE_MAXWELL}};

const char *sch_cli_engine_word(enum sch_engine engine)
{
    size_t i = 0;
    while (engines[i].engine != engine) i++;
    return engines[i].word;
}

static enum sch_cli_exit take_engine(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *word)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(word, engines[i].word) != 0) continue;
        setup->program.engine = engines[i].engine;
        setup->both = strcmp(word, "both") == 0;
        return SCH_CLI_YES;
    }
    return sch_cli_usage_error(verb, "there is no engine %s (auto, interp, jit, both, maxwell)", word);
}

/* A float in decimal, or its bits as 0x and eight hexadecimal digits. */
static bool read_component(const char **at, uint32_t *bits)
{
    const char *text = *at;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        char *end;
        unsigned long value = strspn(text + 2, "0123456789abcdefABCDEF") == 8 ? strtoul(text + 2, &end, 16) : 0;
        if (strspn(text + 2, "0123456789abcdefABCDEF") != 8) return false;
        *bits = (uint32_t)value;
        *at = end;
        return true;
    }
    char *end;
    float value = strtof(text, &end);
    if (end == text) return false;
    memcpy(bits, &value, sizeof value);
    *at = end;
    return true;
}

/* B:N=x,y,z,w; fewer components leave the rest zero. */
static enum sch_cli_exit take_constant(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    char *end;
    errno = 0;
    unsigned long buffer = strtoul(text, &end, 10), index = 0;
    bool good = end != text && *end == ':';
    if (good) {
        const char *begin = end + 1;
        index = strtoul(begin, &end, 10);
        good = end != begin && *end == '=' && errno == 0;
    }
    if (!good) return sch_cli_usage_error(verb, "--const is B:N=x,y,z,w, not %s", text);
    if (buffer >= SCH_CLI_CONSTANT_BUFFERS || index >= SCH_CLI_CONSTANT_REGISTERS)
        return sch_cli_usage_error(verb, "--const: buffers are 0 to %d, registers 0 to %d",
                                   SCH_CLI_CONSTANT_BUFFERS - 1, SCH_CLI_CONSTANT_REGISTERS - 1);

    uint32_t words[4] = {0};
    const char *at = end + 1;
    for (unsigned i = 0; i < 4; i++) {
        if (!read_component(&at, &words[i])) return sch_cli_usage_error(verb, "--const: %s is no number", at);
        if (*at == 0) break;
        if (*at != ',' || i == 3) return sch_cli_usage_error(verb, "--const: what does %s mean?", at);
        at++;
    }
    if (!sch_cli_constants_put(&setup->constants, (unsigned)buffer, (unsigned)index, words))
        return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_setup_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, int option,
                                       const char *value)
{
    enum {
        KIND,
        ENGINE,
        WIDTH,
        THREADS,
        BUDGET,
        CACHE,
        COMPILER,
        PERF_MAP,
        TEX,
        CONST,
        BUFFER,
        BUFFER_OUT,
        IMAGE,
        IMAGE_OUT,
        UNORDERED,
        SAMPLER,
        INTERFACE,
        NTH
    };
    uint64_t number;
    switch (option) {
    case KIND:
        return sch_cli_kind(verb, value, &setup->kind);
    case ENGINE:
        return take_engine(verb, setup, value);
    case WIDTH:
        if (!sch_cli_number(value, 4, 16, &number) || (number != 4 && number != 8 && number != 16))
            return sch_cli_usage_error(verb, "--width is 4, 8 or 16, not %s", value);
        setup->program.width = (uint32_t)number;
        return SCH_CLI_YES;
    case THREADS:
        if (!sch_cli_number(value, 1, 256, &number))
            return sch_cli_usage_error(verb, "--threads is 1 to 256, not %s", value);
        setup->dispatch.threads = (uint32_t)number;
        return SCH_CLI_YES;
    case BUDGET:
        if (!sch_cli_number(value, 1, UINT64_MAX, &number))
            return sch_cli_usage_error(verb, "--budget is a number from 1, not %s", value);
        setup->dispatch.budget = number;
        return SCH_CLI_YES;
    case CACHE:
        if (!*value) return sch_cli_usage_error(verb, "--cache is a folder or none, not nothing");
        sch_cli_code_cache(value);
        return SCH_CLI_YES;
    case COMPILER:
        sch_cli_code_compiler(value);
        return SCH_CLI_YES;
    case PERF_MAP:
        sch_cli_code_perf_map();
        return SCH_CLI_YES;
    case TEX:
        return sch_cli_texture_option(verb, setup, value);
    case CONST:
        return take_constant(verb, setup, value);
    case BUFFER:
        return sch_cli_buffer_option(verb, setup, value);
    case BUFFER_OUT:
        return sch_cli_buffer_output(verb, setup, value);
    case IMAGE:
        return sch_cli_image_option(verb, setup, value);
    case IMAGE_OUT:
        return sch_cli_image_output(verb, setup, value);
    case UNORDERED:
        setup->dispatch.unordered = true;
        return SCH_CLI_YES;
    case SAMPLER:
        return sch_cli_sampler_option(verb, setup, value);
    case INTERFACE:
        return sch_cli_interface_option(verb, &setup->interfaces, value);
    case NTH:
        return sch_cli_nth(verb, value, &setup->nth);
    default:
        return SCH_CLI_INTERNAL;
    }
}

enum sch_cli_exit sch_cli_setup_load(struct sch_cli_setup *setup, struct sch_context *context)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (!setup->refused) exit = sch_cli_exit_of(sch_diagnostics_create(context, &setup->refused));
    setup->dispatch.diagnostics = setup->refused;
    if (exit != SCH_CLI_YES) return sch_cli_fail(exit, "out of memory");
    for (unsigned i = 0; i < setup->textures && exit == SCH_CLI_YES; i++)
        if (setup->texture[i].path) exit = sch_cli_texture_load(context, &setup->texture[i]);
    for (unsigned i = 0; i < setup->samplers && exit == SCH_CLI_YES; i++)
        if (setup->sampler[i].given) exit = sch_cli_sampler_load(context, &setup->sampler[i]);
    if (exit == SCH_CLI_YES) exit = sch_cli_buffers_load(setup);
    if (exit == SCH_CLI_YES && !setup->counters) {
        setup->counters = calloc(SCH_CLI_BUFFERS, sizeof *setup->counters);
        if (!setup->counters) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    }
    return exit == SCH_CLI_YES ? sch_cli_images_load(setup, context) : exit;
}

enum sch_cli_exit sch_cli_setup_write(const struct sch_cli_setup *setup)
{
    enum sch_cli_exit exit = sch_cli_buffers_write(setup);
    return exit == SCH_CLI_YES ? sch_cli_images_write(setup) : exit;
}

enum sch_cli_exit sch_cli_setup_program(struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                        struct sch_program **program)
{
    struct sch_diagnostics_list *list;
    *program = NULL;
    enum sch_cli_exit exit = sch_cli_interfaces_settle(&setup->interfaces, shader->shader);
    if (exit != SCH_CLI_YES) return exit;
    enum sch_result result = sch_diagnostics_create(shader->context, &list);
    if (result == SCH_OK) result = sch_program_create(shader->context, shader->shader, &setup->program, list, program);
    exit = sch_cli_worse(sch_cli_exit_of(result), sch_cli_print_diagnostics(list, &shader->input));
    if (result != SCH_OK && !sch_diagnostics_errors(list))
        sch_cli_fail(sch_cli_exit_of(result), "%s: %s", shader->input.name, sch_result_text(result));
    sch_diagnostics_destroy(list);
    if (exit != SCH_CLI_YES) {
        sch_program_destroy(*program);
        *program = NULL;
    }
    return exit;
}

void sch_cli_bind(const struct sch_cli_setup *setup, const struct sch_cli_constants *constants,
                  struct sch_cli_bindings *bound)
{
    *bound = (struct sch_cli_bindings){.bindings = {.size = sizeof bound->bindings}};
    for (unsigned i = 0; i < SCH_CLI_CONSTANT_BUFFERS; i++)
        bound->constants[i] = (struct sch_constant_buffer){.data = constants->buffer[i].words,
                                                           .bytes = (size_t)constants->buffer[i].registers * 16};
    for (unsigned i = 0; i < setup->textures; i++) {
        bound->views[i] = setup->texture[i].view;
        bound->samplers[i] = setup->texture[i].state;
    }
    for (unsigned i = 0; i < setup->samplers; i++)
        if (setup->sampler[i].given) bound->samplers[i] = setup->sampler[i].state;
    for (unsigned i = 0; i < setup->buffers; i++)
        bound->buffers[i] = (struct sch_storage_buffer){setup->buffer[i].data, setup->buffer[i].bytes};
    for (unsigned i = 0; i < SCH_CLI_BUFFERS && setup->counters; i++)
        bound->counters[i] = (struct sch_storage_buffer){&setup->counters[i], sizeof setup->counters[i]};
    for (unsigned i = 0; i < setup->images; i++) bound->images[i] = setup->image[i].image;
    bound->bindings.interfaces = setup->interfaces.slot;
    bound->bindings.interface_count = setup->interfaces.count;
    bound->bindings.hw_atomics = bound->counters;
    bound->bindings.hw_atomic_count = setup->counters ? SCH_CLI_BUFFERS : 0;
    bound->bindings.images = bound->images;
    bound->bindings.image_count = setup->images;
    bound->bindings.buffers = bound->buffers;
    bound->bindings.buffer_count = setup->buffers;
    bound->bindings.constants = bound->constants;
    bound->bindings.constant_count = SCH_CLI_CONSTANT_BUFFERS;
    bound->bindings.views = bound->views;
    bound->bindings.view_count = setup->textures;
    bound->bindings.samplers = bound->samplers;
    bound->bindings.sampler_count = setup->samplers > setup->textures ? setup->samplers : setup->textures;
}

enum sch_cli_exit sch_cli_dispatched(const struct sch_cli_setup *setup, enum sch_result result,
                                     const struct sch_dispatch_report *report, const struct sch_cli_shader *shader,
                                     const char *who)
{
    if (result == SCH_OK) return SCH_CLI_YES;
    if (result == SCH_ERROR_UNSUPPORTED && sch_diagnostics_errors(setup->refused)) {
        sch_cli_print_diagnostics(setup->refused, &shader->input);
        return sch_cli_exit_of(result);
    }
    if (result != SCH_ERROR_BUDGET && result != SCH_ERROR_BARRIER && result != SCH_ERROR_ABORTED)
        return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", shader->input.name, sch_result_text(result));
    struct sch_cli_place place = {&shader->input, report->line, report->column};
    if (result == SCH_ERROR_BARRIER)
        sch_cli_report(&place, sch_cli_error_number("BARRIER_NOT_REACHED"),
                       "the barrier of instruction %u is not reached by %s", report->instruction, who);
    else if (result == SCH_ERROR_ABORTED)
        sch_cli_report(&place, sch_cli_error_number("ABORTED"), "aborted at instruction %u, by %s", report->instruction,
                       who);
    else
        sch_cli_report(&place, sch_cli_error_number("BUDGET_SPENT"), "the budget ran out at instruction %u, in %s",
                       report->instruction, who);
    return sch_cli_exit_of(result);
}
