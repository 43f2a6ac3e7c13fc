/* Warnings about what a program reads and a dispatch does not give. Which units a program reads is listed when it is
 * made (src/exec/units.c); here each is reported once, by its name in the shader's language. Changes no answer. */
#include "api/run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "d3d/dxbc/ranges.h"
#include "exec/units.h"
#include "isa/errors.h"

/* `told` of a program: for each unit TOLD, or of several registers the one that was found bound last, so that it is
 * looked at first. */
#define TOLD UINT_MAX

enum { NAME_BYTES = 64, NO_ARRAY = 255 };

bool sch_api_watch_units(struct sch_program *program, const struct sch_shader *shader)
{
    uint32_t count;
    sch_exec_units(program->exec, &count);
    if (!sch_api_array(program->context, count + 1, sizeof *program->told, (void **)&program->told) ||
        !sch_api_array(program->context, shader->range_count, sizeof *program->ranges, (void **)&program->ranges))
        return false;
    for (uint32_t u = 0; u <= count; u++) atomic_init(&program->told[u], 0);
    program->told_equations = &program->told[count];
    for (size_t r = 0; r < shader->range_count; r++) program->ranges[r] = shader->ranges[r];
    program->range_count = shader->range_count;
    return true;
}

/* ---- names ---- */

static const struct sch_range_info *find_range(const struct sch_program *program, unsigned kind, uint32_t number)
{
    static const uint8_t arrays[] = {[SCH_EXEC_UNIT_CONSTANTS] = SCH_UNITS_CONSTANTS,
                                     [SCH_EXEC_UNIT_VIEW] = SCH_UNITS_VIEWS,
                                     [SCH_EXEC_UNIT_SAMPLER] = SCH_UNITS_SAMPLERS,
                                     [SCH_EXEC_UNIT_IMAGE] = SCH_UNITS_IMAGES,
                                     [SCH_EXEC_UNIT_BUFFER] = SCH_UNITS_BUFFERS,
                                     [SCH_EXEC_UNIT_COUNTERS] = SCH_UNITS_BUFFERS,
                                     [SCH_EXEC_UNIT_GLOBAL] = NO_ARRAY,
                                     [SCH_EXEC_UNIT_INPUT] = NO_ARRAY,
                                     [SCH_EXEC_UNIT_COLOR] = NO_ARRAY};
    for (size_t r = 0; r < program->range_count; r++) {
        const struct sch_range_info *range = &program->ranges[r];
        if (range->array == arrays[kind] && number >= range->unit && number - range->unit < range->units) return range;
    }
    return NULL;
}

/* For a Direct3D shader as its programs have it: t3, and with register spaces t3,space1. */
static void name_unit(const struct sch_program *program, const struct sch_exec_unit *unit, uint32_t number,
                      char name[NAME_BYTES])
{
    static const char *const classes[] = {"cb", "t", "s", "u"};
    const struct sch_range_info *range = find_range(program, unit->kind, number);
    if (range) {
        uint32_t at = range->first + (number - range->unit);
        snprintf(name, NAME_BYTES, range->spaces ? "%s%u,space%u" : "%s%u", classes[range->kind], at, range->space);
        return;
    }
    const char *file = sch_word_by_number(SCH_WORDS_FILE, unit->file)->word;
    if (unit->kind == SCH_EXEC_UNIT_COLOR)
        snprintf(name, NAME_BYTES, "COLOR[%u]", number);
    else if (unit->file != SCH_FILE_CONSTANT || unit->two_dimensional)
        snprintf(name, NAME_BYTES, "%s[%u]", file, number);
    else
        snprintf(name, NAME_BYTES, "%s", file);
}

/* ---- words ---- */

struct report {
    const struct sch_program *program;
    const struct sch_exec_bindings *bindings;
    const struct sch_exec_unit *unit;
    struct sch_diagnostics *list;
};

/* The first register of the unit; `vector`: of constants, that of the buffer. */
static struct sch_register_name name_of(const struct report *report, uint32_t vector)
{
    const struct sch_exec_unit *unit = report->unit;
    const struct sch_range_info *range = find_range(report->program, unit->kind, unit->first);
    struct sch_register_name name = {.file = (enum sch_file)unit->file, .number = unit->first, .vector = vector};
    if (!range) return name;
    name.number = range->first + (unit->first - range->unit);
    name.is_d3d = true;
    name.has_space = range->spaces;
    name.kind = range->kind;
    name.space = range->space;
    return name;
}

static void warn(const struct report *report, unsigned code, uint32_t vector, const char *message)
{
    if (sch_diagnostics_keeps(report->list)) report->list->about = name_of(report, vector);
    sch_diagnostics_add(report->list, SCH_SEVERITY_WARNING, code, report->unit->position, "%s", message);
}

static const char *what_happens(const struct sch_exec_unit *unit)
{
    if (unit->reads && unit->writes) return "reads 0 and writes nothing";
    return unit->writes ? "writes nothing" : "reads 0";
}

/* The first vector that is not there. */
static void warn_constants(const struct report *report)
{
    const struct sch_exec_unit *unit = report->unit;
    const struct sch_exec_bindings *bindings = report->bindings;
    char name[NAME_BYTES], message[4 * NAME_BYTES], others[NAME_BYTES] = "";
    size_t bytes = unit->first < bindings->constant_count ? bindings->constants[unit->first].bytes : 0;
    uint32_t from = (uint32_t)((bytes + 15) / 16), more = 0, vector = from;
    if (unit->vectors_indexed)
        more = unit->vectors > from ? unit->vectors - from - 1 : 0;
    else
        vector = sch_exec_next_vector(report->program->exec, unit->first, from, &more);
    name_unit(report->program, unit, unit->first, name);
    if (more) snprintf(others, sizeof others, " and %u more", more);
    const char *verb = more ? "read" : "reads";
    if (unit->file == SCH_FILE_CONSTBUF)
        snprintf(message, sizeof message, "%s reads 0: no constants are bound to it", name);
    else if (bytes)
        snprintf(message, sizeof message, "%s[%u]%s %s 0: %zu bytes of constants are bound, which end before", name,
                 vector, others, verb, bytes);
    else
        snprintf(message, sizeof message, "%s[%u]%s %s 0: no constants are bound", name, vector, others, verb);
    warn(report, SCH_D_UNBOUND_CONSTANTS, unit->file == SCH_FILE_CONSTBUF ? 0 : vector, message);
}

static const char *target_word(unsigned target) { return sch_word_by_number(SCH_WORDS_TARGET, target)->word; }

/* For a view or an image: colour buffers are accessed as whatever they are. */
static unsigned bound_target(const struct report *report)
{
    const struct sch_exec_bindings *bindings = report->bindings;
    uint32_t number = report->unit->first;
    return report->unit->kind == SCH_EXEC_UNIT_VIEW ? bindings->views[number].target : bindings->images[number].target;
}

static void warn_mismatch(const struct report *report)
{
    const struct sch_exec_unit *unit = report->unit;
    char name[NAME_BYTES], message[3 * NAME_BYTES];
    name_unit(report->program, unit, unit->first, name);
    if (unit->kind == SCH_EXEC_UNIT_SAMPLER)
        snprintf(message, sizeof message, "%s reads 0: its sampler takes coordinates in texels, which %s has not", name,
                 target_word(unit->target));
    else
        snprintf(message, sizeof message, "%s %s: it is accessed as %s, what is bound is %s", name, what_happens(unit),
                 target_word(unit->target), target_word(bound_target(report)));
    warn(report, SCH_D_UNIT_MISMATCH, 0, message);
}

static const struct {
    unsigned code;
    const char *what;
} missing[] = {[SCH_EXEC_UNIT_CONSTANTS] = {SCH_D_UNBOUND_CONSTANTS, "constants are"},
               [SCH_EXEC_UNIT_VIEW] = {SCH_D_UNBOUND_VIEW, "texture is"},
               [SCH_EXEC_UNIT_SAMPLER] = {SCH_D_UNBOUND_SAMPLER, "sampler is"},
               [SCH_EXEC_UNIT_IMAGE] = {SCH_D_UNBOUND_IMAGE, "image is"},
               [SCH_EXEC_UNIT_BUFFER] = {SCH_D_UNBOUND_MEMORY, "buffer is"},
               [SCH_EXEC_UNIT_COUNTERS] = {SCH_D_UNBOUND_MEMORY, "buffer of counters is"},
               [SCH_EXEC_UNIT_GLOBAL] = {SCH_D_UNBOUND_MEMORY, "GLOBAL memory is"},
               [SCH_EXEC_UNIT_INPUT] = {SCH_D_UNBOUND_MEMORY, "INPUT memory is"},
               [SCH_EXEC_UNIT_COLOR] = {SCH_D_UNBOUND_IMAGE, "color buffer is"}};

static void warn_missing(const struct report *report)
{
    const struct sch_exec_unit *unit = report->unit;
    char name[NAME_BYTES], last[NAME_BYTES], message[4 * NAME_BYTES];
    name_unit(report->program, unit, unit->first, name);
    name_unit(report->program, unit, unit->first + (unit->count - 1), last);
    if (unit->count > 1)
        snprintf(message, sizeof message, "%s to %s: what registers choose of them %s: no %s bound to any", name, last,
                 what_happens(unit), missing[unit->kind].what);
    else
        snprintf(message, sizeof message, "%s %s: no %s bound", name, what_happens(unit), missing[unit->kind].what);
    warn(report, missing[unit->kind].code, 0, message);
}

/* ---- what is reported ---- */

/* A sampler is not missed where the texture that it comes with is not there. */
static bool lacks_its_view(const struct sch_exec_bindings *bindings, const struct sch_exec_unit *unit, uint32_t number)
{
    const struct sch_exec_unit view = {.kind = SCH_EXEC_UNIT_VIEW, .target = SCH_TARGET_UNKNOWN};
    return unit->with_view && sch_exec_unit_state(bindings, &view, number) == SCH_EXEC_UNIT_MISSING;
}

/* No more is reported about a unit; false: another thread was first. */
static bool settle(atomic_uint *told) { return atomic_exchange(told, TOLD) != TOLD; }

/* If an index chooses among registers, one that is bound is enough: what shaders choose is not known here. */
static enum sch_exec_unit_state state_of_any(const struct report *report, atomic_uint *told, unsigned seen)
{
    const struct sch_exec_unit *unit = report->unit;
    bool missed = false;
    for (uint32_t n = 0; n < unit->count; n++) {
        const uint32_t at = (seen + n) % unit->count;
        if (sch_exec_unit_state(report->bindings, unit, unit->first + at) != SCH_EXEC_UNIT_MISSING) {
            atomic_compare_exchange_strong(told, &seen, at);
            return SCH_EXEC_UNIT_BOUND;
        }
        missed = missed || !lacks_its_view(report->bindings, unit, unit->first + at);
    }
    return missed ? SCH_EXEC_UNIT_MISSING : SCH_EXEC_UNIT_BOUND;
}

/* What interfaces choose by default are zeros, which need not be given (docs/d3d.md, "Interfaces"). */
static bool may_be_zero(const struct sch_program *program, const struct sch_exec_unit *unit)
{
    bool interfaces = unit->first == SCH_D3D_CHOSEN_TABLES || unit->first == SCH_D3D_CHOSEN_THIS;
    if (unit->kind != SCH_EXEC_UNIT_CONSTANTS || !interfaces || unit->indexed) return false;
    for (size_t s = 0; s < SCH_INTERFACE_SLOTS; s++)
        if (program->tables[s]) return true;
    return false;
}

static enum sch_exec_unit_state state_of(const struct report *report, atomic_uint *told, unsigned seen)
{
    const struct sch_exec_unit *unit = report->unit;
    if (unit->indexed) return state_of_any(report, told, seen);
    enum sch_exec_unit_state state = sch_exec_unit_state(report->bindings, unit, unit->first);
    if (state == SCH_EXEC_UNIT_BOUND || may_be_zero(report->program, unit)) return SCH_EXEC_UNIT_BOUND;
    bool excused = state == SCH_EXEC_UNIT_MISSING && lacks_its_view(report->bindings, unit, unit->first);
    return excused ? SCH_EXEC_UNIT_BOUND : state;
}

static void tell(const struct report *report, enum sch_exec_unit_state state)
{
    const struct sch_diagnostics *list = report->list;
    const bool full = list->count >= list->limit; /* counted only: names would cost a search each */
    const unsigned kind = report->unit->kind;
    if (full)
        warn(report, state == SCH_EXEC_UNIT_MISMATCH ? SCH_D_UNIT_MISMATCH : missing[kind].code, 0, "");
    else if (state == SCH_EXEC_UNIT_MISMATCH)
        warn_mismatch(report);
    else if (kind == SCH_EXEC_UNIT_CONSTANTS && !report->unit->indexed)
        warn_constants(report);
    else
        warn_missing(report);
}

void sch_api_warn_units(const struct sch_program *program, const struct sch_exec_bindings *bindings,
                        struct sch_diagnostics *list)
{
    uint32_t count;
    if (!sch_diagnostics_hears(list)) return;
    const struct sch_exec_unit *units = sch_exec_units(program->exec, &count);
    for (uint32_t u = 0; u < count; u++) {
        atomic_uint *told = &program->told[u];
        const unsigned seen = atomic_load_explicit(told, memory_order_relaxed);
        if (seen == TOLD) continue;
        const struct report report = {program, bindings, &units[u], list};
        enum sch_exec_unit_state state = state_of(&report, told, seen);
        if (state != SCH_EXEC_UNIT_BOUND && settle(told)) tell(&report, state);
    }
}
