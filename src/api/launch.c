/* Launching kernels of Maxwell code: what their code expects beside the bindings of a grid (scheelite/launch.h). */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/maxwell.h"
#include "base/checked.h"
#include "maxwell/text/code.h"

enum {
    BANKS = 18,              /* constant banks that words can name */
    BANK_BYTES = 65536,      /* of each */
    ADDRESS_BYTES = 8,       /* of an argument that is memory */
    LEAST_LOCAL = 16384,     /* bytes of a lane, where the cubin asks for less, or does not know */
    GREATEST_LOCAL = 524288, /* what sm_50 has; deeper recursion must be asked for */
    UNKNOWN = -1
};

/* Addresses of the library's choice begin 4096 bytes before a multiple of 2^32, as low words that carry are what code
 * gets wrong, and leave as many between two memories: what runs over the end of one is not in the next. */
static const uint64_t first_address = UINT64_C(0x7fffff000), gap = 4096, alignment = 256;

/* Where c[0x0] has what. */
enum {
    WORD_SHARED_WINDOW = 0x00 / 4,
    WORD_LOCAL_WINDOW = 0x04 / 4,
    WORD_BLOCK = 0x08 / 4,
    WORD_GRID = 0x14 / 4,
    WORD_LOCAL_BYTES = 0x20 / 4
};

/* A launch that is being put together. */
struct launching {
    struct sch_context *context;
    const struct sch_maxwell_code *code;
    struct sch_launch is;
    struct sch_bindings bindings;        /* the caller's, with what is below in place of its own */
    struct sch_maxwell_bindings maxwell; /* likewise */
    struct sch_constant_buffer banks[BANKS];
    struct sch_maxwell_range *ranges;
    uint32_t *words; /* c[0x0] */
    uint32_t end;    /* of the parameters so far, in bytes */
};

/* ---- parameters ---- */

/* Says how many arguments there are, and what the kernel wants. */
static bool refuse_count(const struct launching *launching, struct sch_diagnostics *list)
{
    enum { TEXT = 160, LEAST = 16 };
    const uint32_t wanted = launching->code->sections[0].parameters;
    uint32_t number = 0;
    char sizes[TEXT] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < launching->is.argument_count; i++) number += !launching->is.arguments[i].hidden;
    for (uint32_t p = 0; p < wanted; p++) {
        const struct sch_maxwell_argument *parameter = sch_maxwell_code_argument(launching->code, 0, p);
        const bool cut = length + LEAST > sizeof sizes;
        const char *before = !p ? ", of " : cut ? ", ..." : p + 1 < wanted ? ", " : " and ";
        length += (size_t)snprintf(sizes + length, sizeof sizes - length, "%s", before);
        if (cut) break;
        length += (size_t)snprintf(sizes + length, sizeof sizes - length, "%" PRIu32, parameter ? parameter->bytes : 0);
    }
    return sch_refuse_argument(list, ".argument_count",
                               "%" PRIu32 " argument%s: the kernel has %" PRIu32 " parameter%s%s%s", number,
                               number == 1 ? "" : "s", wanted, wanted == 1 ? "" : "s", sizes, wanted ? " bytes" : "");
}

/* Where an argument is in c[0x0]; 0: nowhere, and refused. */
static uint32_t place_of(const struct launching *launching, uint32_t i, uint32_t number, struct sch_diagnostics *list)
{
    const struct sch_launch_argument *argument = &launching->is.arguments[i];
    const size_t bytes = argument->memory ? ADDRESS_BYTES : argument->bytes;
    uint32_t offset = argument->offset;
    if (!offset && launching->code->parameter_count) {
        const struct sch_maxwell_argument *parameter = sch_maxwell_code_argument(launching->code, 0, number);
        if (!parameter) {
            refuse_count(launching, list);
            return 0;
        }
        if (parameter->bytes != bytes) {
            sch_refuse_element(list, ".arguments[#]", i, "argument %" PRIu32 " has %zu bytes, its parameter %" PRIu32,
                               number, bytes, parameter->bytes);
            return 0;
        }
        offset = SCH_LAUNCH_PARAMETERS + parameter->offset;
    } else if (!offset) {
        const uint32_t align = bytes >= ADDRESS_BYTES && bytes % ADDRESS_BYTES == 0 ? ADDRESS_BYTES
                               : bytes % 4 == 0                                     ? 4
                               : bytes % 2 == 0                                     ? 2
                                                                                    : 1;
        offset = (launching->end + align - 1) / align * align;
    }
    if (offset >= SCH_LAUNCH_PARAMETERS && offset <= BANK_BYTES && bytes <= BANK_BYTES - offset) return offset;
    sch_refuse_element(list, ".arguments[#]", i, "argument %" PRIu32 ": %zu bytes at 0x%" PRIx32 " of c[0x0]", number,
                       bytes, offset);
    return 0;
}

static bool argument_holds(const struct sch_launch_argument *argument, uint32_t i, struct sch_diagnostics *list)
{
    if (argument->memory && argument->value)
        return sch_refuse_element(list, ".arguments[#]", i, "argument %" PRIu32 " is memory and a value", i);
    if (argument->hidden && !(argument->memory && argument->address))
        return sch_refuse_element(list, ".arguments[#]", i, "argument %" PRIu32 " is hidden and has no address", i);
    return argument->memory || argument->value || !argument->bytes ||
           sch_refuse_element(list, ".arguments[#]", i, "argument %" PRIu32 ": %zu bytes of no memory", i,
                              argument->bytes);
}

/* The bytes of a parameter. Words of c[0x0] are the machine's, low byte first. */
static void put(uint32_t *words, uint32_t offset, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = offset + (uint32_t)i;
        words[at / 4] |= (uint32_t)bytes[i] << at % 4 * 8;
    }
}

/* A caller who gives no offsets has an argument for each parameter; one who does may leave parameters 0. */
static bool put_arguments(struct launching *launching, struct sch_diagnostics *list)
{
    uint64_t next = first_address;
    uint32_t number = 0, placed = 0;
    for (uint32_t i = 0; i < launching->is.argument_count; i++) {
        const struct sch_launch_argument *argument = &launching->is.arguments[i];
        if (!argument_holds(argument, i, list)) return false;
        uint64_t address = argument->address;
        if (argument->memory) {
            if (!address) address = next + (uintptr_t)argument->memory % ADDRESS_BYTES;
            if (address == next + (uintptr_t)argument->memory % ADDRESS_BYTES)
                next = (address + argument->bytes + gap + alignment - 1) / alignment * alignment;
            launching->ranges[launching->maxwell.range_count++] =
                (struct sch_maxwell_range){.address = address,
                                           .data = argument->memory,
                                           .bytes = argument->bytes,
                                           .writable = !argument->read_only};
        }
        if (argument->hidden) continue;
        const uint32_t offset = place_of(launching, i, number++, list);
        if (!offset) return false;
        unsigned char bytes[ADDRESS_BYTES];
        for (unsigned b = 0; b < ADDRESS_BYTES; b++) bytes[b] = (unsigned char)(address >> 8 * b);
        const size_t count = argument->memory ? ADDRESS_BYTES : argument->bytes;
        put(launching->words, offset, argument->memory ? bytes : argument->value, count);
        if (offset + count > launching->end) launching->end = offset + (uint32_t)count;
        placed += argument->offset != 0;
    }
    const uint32_t wanted = launching->code->parameter_count ? launching->code->sections[0].parameters : 0;
    return placed || number >= wanted || refuse_count(launching, list);
}

/* ---- the rest of the machine ---- */

static uint32_t at_least(uint32_t value, uint32_t least) { return value < least ? least : value; }

/* Local memory of a lane: the stack with all that is called, and frames in case that says nothing. */
static uint32_t local_bytes(const struct launching *launching)
{
    const struct sch_maxwell_section *section = &launching->code->sections[0];
    if (launching->is.local_bytes) return launching->is.local_bytes;
    const uint32_t stack = section->stack == (uint32_t)UNKNOWN ? 0 : section->stack;
    const uint32_t bytes = at_least(at_least(section->local, stack), LEAST_LOCAL);
    return (bytes > GREATEST_LOCAL ? GREATEST_LOCAL : bytes) / 16 * 16;
}

static void put_machine(struct launching *launching, uint32_t local)
{
    uint32_t *words = launching->words;
    words[WORD_SHARED_WINDOW] = SCH_LAUNCH_SHARED_WINDOW;
    words[WORD_LOCAL_WINDOW] = SCH_LAUNCH_LOCAL_WINDOW;
    words[WORD_LOCAL_BYTES] = local;
    for (unsigned d = 0; d < 3; d++) {
        words[WORD_BLOCK + d] = at_least(launching->is.block[d], 1);
        words[WORD_GRID + d] = at_least(launching->is.grid[d], 1);
    }
}

static void bind_banks(struct launching *launching)
{
    const struct sch_bindings *given = &launching->bindings;
    launching->banks[0] =
        (struct sch_constant_buffer){launching->words, at_least(launching->end, SCH_LAUNCH_PARAMETERS)};
    for (uint32_t i = 1; i < BANKS; i++) {
        const struct sch_maxwell_bank *bank = sch_maxwell_code_bank(launching->code, 0, i);
        if (bank) launching->banks[i] = (struct sch_constant_buffer){bank->data, bank->bytes};
        if (i < given->constant_count && given->constants[i].data) launching->banks[i] = given->constants[i];
    }
    launching->bindings.constants = launching->banks;
    launching->bindings.constant_count = BANKS;
}

/* The caller's bindings, as far as they are used; false: refused. */
static bool take_bindings(struct launching *launching, struct sch_diagnostics *list)
{
    struct sch_bindings *bindings = &launching->bindings;
    if (!sch_api_read_inner(list, ".bindings", bindings, sizeof *bindings, sizeof *bindings, launching->is.bindings))
        return false;
    if (bindings->constant_count && !bindings->constants)
        return sch_refuse_argument(list, ".bindings.constants", "%" PRIu32 " of no array", bindings->constant_count);
    if (bindings->maxwell &&
        !sch_api_read_inner(list, ".bindings.maxwell", &launching->maxwell, sizeof launching->maxwell,
                            sizeof launching->maxwell, bindings->maxwell))
        return false;
    if (launching->maxwell.range_count > SCH_MAXWELL_MOST_RANGES)
        return sch_refuse_argument(list, ".bindings.maxwell.range_count", "%" PRIu32 " ranges, of at most %d",
                                   launching->maxwell.range_count, SCH_MAXWELL_MOST_RANGES);
    if (launching->maxwell.range_count && !launching->maxwell.ranges)
        return sch_refuse_argument(list, ".bindings.maxwell.ranges", "%" PRIu32 " of no array",
                                   launching->maxwell.range_count);
    return true;
}

/* Memory for the words of c[0x0], and for the ranges of arguments after the caller's own. */
static bool make_room(struct launching *launching)
{
    const uint32_t own = launching->maxwell.range_count;
    const struct sch_maxwell_range *given = launching->maxwell.ranges;
    launching->words = sch_api_alloc(launching->context, BANK_BYTES);
    launching->ranges =
        sch_api_alloc(launching->context, ((size_t)own + launching->is.argument_count) * sizeof *launching->ranges);
    if (!launching->words || !launching->ranges) return false;
    for (uint32_t i = 0; i < own; i++) launching->ranges[i] = given[i];
    launching->maxwell.ranges = launching->ranges;
    launching->maxwell.size = sizeof launching->maxwell;
    launching->bindings.size = sizeof launching->bindings;
    launching->bindings.maxwell = &launching->maxwell;
    launching->end = SCH_LAUNCH_PARAMETERS;
    return true;
}

static bool launch_holds(const struct sch_launch *is, const struct sch_shader *kernel, struct sch_diagnostics *list)
{
    if (!kernel->maxwell || kernel->maxwell->section_count != 1)
        return sch_refuse_argument(list, "kernel", "the shader is not Maxwell code of one section");
    uint64_t lanes = 1;
    for (unsigned d = 0; d < 3; d++)
        if (lanes <= SCH_LAUNCH_LANES) lanes *= at_least(is->block[d], 1);
    if (lanes > SCH_LAUNCH_LANES)
        return sch_refuse_argument(
            list, ".block",
            "a block of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " threads: sm_50 has at most %d in a block",
            at_least(is->block[0], 1), at_least(is->block[1], 1), at_least(is->block[2], 1), SCH_LAUNCH_LANES);
    if (is->argument_count > SCH_LAUNCH_ARGUMENTS)
        return sch_refuse_argument(list, ".argument_count", "%" PRIu32 " arguments, of at most %d", is->argument_count,
                                   SCH_LAUNCH_ARGUMENTS);
    return is->arguments || !is->argument_count ||
           sch_refuse_argument(list, ".arguments", "%" PRIu32 " of no array", is->argument_count);
}

/* All that the launch has beside its bindings. */
static enum sch_result put_together(struct launching *launching, uint32_t local, struct sch_diagnostics *list)
{
    if (!make_room(launching)) return SCH_ERROR_MEMORY;
    if (!put_arguments(launching, list)) return SCH_ERROR_ARGUMENT;
    put_machine(launching, local);
    bind_banks(launching);
    return SCH_OK;
}

/* Runs what was put together. Shared memory has the bytes that the kernel declares and the launch adds, unless the
 * options say more. */
static enum sch_result run(struct launching *launching, const struct sch_program *program,
                           const struct sch_dispatch_options *options, uint32_t shared, uint32_t local,
                           struct sch_dispatch_report *report)
{
    struct sch_dispatch_options wanted = {.size = sizeof wanted};
    if (options && !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, options))
        return sch_dispatch_grid(program, &launching->bindings, launching->is.grid, launching->is.block, options,
                                 report);
    wanted.size = sizeof wanted;
    wanted.private_bytes = local;
    if (shared) wanted.shared_bytes = shared;
    return sch_dispatch_grid(program, &launching->bindings, launching->is.grid, launching->is.block, &wanted, report);
}

enum sch_result sch_launch_kernel(const struct sch_program *program, const struct sch_shader *kernel,
                                  const struct sch_launch *launch, const struct sch_dispatch_options *options,
                                  struct sch_dispatch_report *report)
{
    struct sch_api_call call;
    struct launching launching = {.context = SCH_API_CONTEXT_OF(program)};
    struct sch_launch *is = &launching.is;
    uint32_t shared;
    sch_api_begin(&call, launching.context, NULL, __func__, "launch");
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, kernel, "kernel") ||
        !sch_api_given(&call, launch, "launch") || !sch_api_read(&call, "launch", is, sizeof *is, sizeof *is, launch) ||
        !launch_holds(is, kernel, call.list))
        return sch_api_refused(&call);
    launching.code = kernel->maxwell;
    if (!take_bindings(&launching, call.list)) return sch_api_refused(&call);
    if (__builtin_add_overflow(kernel->maxwell->sections[0].shared, is->shared_bytes, &shared))
        return sch_api_wrong(&call, "launch.shared_bytes", "%" PRIu32 " bytes", is->shared_bytes);
    const uint32_t local = local_bytes(&launching);
    enum sch_result status = sch_api_end(&call, put_together(&launching, local, call.list));
    if (status == SCH_OK) status = run(&launching, program, options, shared, local, report);
    sch_api_free(launching.context, launching.words);
    sch_api_free(launching.context, launching.ranges);
    return status;
}
