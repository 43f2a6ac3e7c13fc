/* What comparing two files of Maxwell code has of its own: which registers the code reads, and as what; the values that
 * it gives to registers, one after the other: all of them count, as what is overwritten may have been read by
 * instructions that are not there. */
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "compare.h"
#include "picture/texels.h"

enum { REGISTERS = SCH_MAXWELL_GROUP_REGISTERS, MOST_WRITES = 1 << 17 /* of a file */ };

/* Options of shaders mean nothing here. */
enum sch_cli_exit sch_cli_code_check(const struct sch_cli_compare *compare)
{
    for (uint32_t i = 0; i < compare->said.count; i++)
        if (sch_cli_options[compare->said.list[i].option].type == SCH_CLI_TYPE_OWN &&
            compare->said.list[i].option != SCH_OPTION_TEX)
            return sch_cli_usage_error(&sch_cli_compare,
                                       "%s is for shaders; of two files of Maxwell code --tex binds textures",
                                       sch_cli_options[compare->said.list[i].option].name);
    if (compare->comparing.has_engine || compare->comparing.has_engine_b || compare->samples ||
        compare->comparing.has_budget)
        return sch_cli_usage_error(&sch_cli_compare,
                                   "--engine, --engine-b, --samples and --budget are for shaders, not for two files of "
                                   "Maxwell code");
    return SCH_CLI_YES;
}

/* ---- textures ---- */

/* A texture that lookups name is of the first one's kind; a query's is that of another one, if there is one. */
static enum sch_cli_exit name_texture(const struct sch_cli_compare *compare, const char *file,
                                      const struct sch_maxwell_instruction_info *info, struct sch_cli_named *named)
{
    const uint32_t word = info->handle < 0 ? 0 : (uint32_t)info->handle;
    if (word >= SCH_CLI_TEXTURES)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: %s names word %u of the constant bank; --tex binds textures to words 0 to %d", file,
                            info->text, word, SCH_CLI_TEXTURES - 1);
    if (info->handle < 0 && compare->side[0].setup.textures) return SCH_CLI_YES; /* some are bound */
    if (named->view[word].target && info->target < 0) return SCH_CLI_YES;
    if (!named->view[word].target)
        named->view[word].target = sch_cli_table_word(
            SCH_NAMES_TARGETS, info->target < 0 ? SCH_TARGET_2D : (unsigned)info->target); /* queries take any */
    named->view[word].compares |= info->compares;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_code_name(const struct sch_cli_compare *compare, struct sch_cli_named *named)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (unsigned step = 0; step < 4; step++) { /* lookups of both, then queries of both */
        const struct sch_cli_shader *code = &compare->party[step & 1].shader;
        for (uint32_t n = 0; exit_code == SCH_CLI_YES && sch_maxwell_instruction(code->shader, n, &info); n++)
            if (info.is_texture && (info.target < 0) == (step > 1))
                exit_code = name_texture(compare, code->input.name, &info, named);
    }
    return exit_code;
}

/* ---- registers ---- */

/* As what texture instructions read R, bits of enum sch_maxwell_operand_kind; of P not 0. */
static void take_reads(const struct sch_shader *code, uint32_t reads[], uint32_t predicates[])
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    for (uint32_t n = 0; sch_maxwell_instruction(code, n, &info); n++) {
        for (uint32_t i = 0; i < info.operand_count; i++) reads[info.operands[i].number] |= 1u << info.operands[i].kind;
        if (info.guard >= 0) predicates[info.guard] = 1;
    }
}

static bool add_input(struct sch_cli_compare *compare, enum sch_file file, uint32_t index, uint32_t reads)
{
    const struct sch_cli_seat seat = {.there = true, .file = file, .index = index};
    char name[48];
    if (!reads) return true;
    snprintf(name, sizeof name, "%c%u", file == SCH_FILE_ADDRESS ? 'P' : 'R', index);
    struct sch_cli_pair *pair = sch_cli_pair_add(&compare->inputs, name);
    if (!pair) return false;
    pair->seat[0] = pair->seat[1] = seat;
    pair->reads = reads;
    pair->types[0] = file == SCH_FILE_ADDRESS || !(reads & 1u << SCH_MAXWELL_READS_FLOAT) ? SCH_VALUE_UINT
                     : reads == 1u << SCH_MAXWELL_READS_FLOAT                             ? SCH_VALUE_FLOAT
                                                                                          : SCH_VALUE_UNKNOWN;
    return true;
}

/* Registers that one of both reads, and whether a lane runs, which no instruction says. */
static bool pair_inputs(struct sch_cli_compare *compare)
{
    uint32_t reads[REGISTERS] = {0}, predicates[SCH_MAXWELL_GROUP_PREDICATES] = {0};
    bool good = true;
    for (unsigned which = 0; which < 2; which++) take_reads(compare->party[which].shader.shader, reads, predicates);
    for (uint32_t r = 0; r < REGISTERS && good; r++) good = add_input(compare, SCH_FILE_TEMPORARY, r, reads[r]);
    for (uint32_t p = 0; p < SCH_MAXWELL_GROUP_PREDICATES && good; p++)
        good = add_input(compare, SCH_FILE_ADDRESS, p, predicates[p]);
    struct sch_cli_pair *state = good ? sch_cli_pair_add(&compare->inputs, "") : NULL;
    if (!state) return false;
    state->seat[0] = state->seat[1] = (struct sch_cli_seat){.there = true, .file = SCH_FILE_NULL};
    state->types[0] = SCH_VALUE_UINT;
    sch_cli_pairs_place(&compare->inputs);
    return true;
}

/* A value that an instruction gives to a register. */
static bool add_write(struct sch_cli_compared_side *side, uint32_t instruction, enum sch_file file, uint32_t index)
{
    struct sch_cli_code_write *larger =
        sch_text_grow(side->writes, side->write_count, &side->write_room, sizeof *larger);
    if (!larger) return false;
    side->writes = larger;
    side->writes[side->write_count++] =
        (struct sch_cli_code_write){.instruction = instruction, .which = {.file = file, .index = index}};
    return true;
}

static enum sch_cli_exit take_writes(struct sch_cli_compare *compare, unsigned which)
{
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    const struct sch_cli_shader *code = &compare->party[which].shader;
    struct sch_cli_compared_side *side = &compare->side[which];
    for (uint32_t n = 0; sch_shader_instruction(code->shader, n, &in); n++)
        for (uint32_t o = 0; o < in.destinations && sch_shader_operand(code->shader, n, o, &operand); o++) {
            if (!add_write(side, n, operand.file, (uint32_t)operand.index.number)) return sch_cli_no_memory();
            if (side->write_count > MOST_WRITES)
                return sch_cli_fail(SCH_CLI_LIMIT, "%s writes registers more than %d times", code->input.name,
                                    MOST_WRITES);
        }
    return SCH_CLI_YES;
}

/* The next value of A that a value of B has for a partner; the count: there is none. `*from` is where to look. */
static uint32_t find_partner(const struct sch_cli_pairs *pairs, const struct sch_debug_register *at, uint32_t *from)
{
    for (; *from < pairs->count; ++*from) {
        const struct sch_cli_pair *pair = &pairs->list[*from];
        if (pair->seat[0].there && pair->seat[0].file == at->file && pair->number == at->index) return (*from)++;
    }
    return pairs->count;
}

static bool add_output(struct sch_cli_compare *compare, unsigned which, uint32_t n, uint32_t *from)
{
    const struct sch_debug_register *at = &compare->side[which].writes[n].which;
    struct sch_cli_pairs *pairs = &compare->outputs;
    const uint32_t found = which ? find_partner(pairs, at, from) : pairs->count;
    char name[48];
    snprintf(name, sizeof name, "%c%u", at->file == SCH_FILE_ADDRESS ? 'P' : 'R', at->index);
    struct sch_cli_pair *pair = found < pairs->count ? &pairs->list[found] : sch_cli_pair_add(pairs, name);
    if (!pair) return false;
    pair->seat[which] = (struct sch_cli_seat){.there = true, .file = at->file, .index = n};
    pair->number = at->index;
    pair->types[0] = at->file == SCH_FILE_ADDRESS ? SCH_VALUE_UINT : SCH_VALUE_UNKNOWN;
    return true;
}

/* The values of each register in their order: the n-th of A with the n-th of B. */
static bool pair_writes(struct sch_cli_compare *compare)
{
    uint32_t from[2][REGISTERS] = {{0}}; /* of R, of P */
    for (unsigned which = 0; which < 2; which++)
        for (uint32_t n = 0; n < compare->side[which].write_count; n++) {
            const struct sch_debug_register *at = &compare->side[which].writes[n].which;
            if (!add_output(compare, which, n, &from[at->file == SCH_FILE_ADDRESS][at->index])) return false;
        }
    return true;
}

enum sch_cli_exit sch_cli_code_pair(struct sch_cli_compare *compare)
{
    enum sch_cli_exit exit_code = take_writes(compare, 0);
    if (exit_code == SCH_CLI_YES) exit_code = take_writes(compare, 1);
    if (exit_code != SCH_CLI_YES) return exit_code;
    return pair_inputs(compare) && pair_writes(compare) ? SCH_CLI_YES : sch_cli_no_memory();
}

void sch_cli_code_reason(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, char text[160])
{
    uint32_t times[2] = {0, 0};
    for (uint32_t i = 0; i < compare->outputs.count; i++)
        for (unsigned which = 0; which < 2; which++)
            times[which] +=
                strcmp(compare->outputs.list[i].name, pair->name) == 0 && compare->outputs.list[i].seat[which].there;
    if (times[0] && times[1])
        snprintf(text, 160, "A writes %s %u times, B %u times", pair->name, times[0], times[1]);
    else
        snprintf(text, 160, "only %s writes %s", times[0] ? "A" : "B", pair->name);
}

bool sch_cli_code_overwrites(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair)
{
    for (const struct sch_cli_pair *at = pair + 1; at < compare->outputs.list + compare->outputs.count; at++)
        if (strcmp(at->name, pair->name) == 0) return true;
    return false;
}

/* ---- values ---- */

static uint32_t handle_of(const struct sch_cli_setup *setup, uint32_t random)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < setup->textures; i++) count += setup->texture[i].path != NULL;
    if (!count || !(random & 15)) return random;
    uint32_t left = (random >> 4) % count, i = 0;
    while (!setup->texture[i].path || left--) i++;
    return i << 20 | i;
}

/* Lanes of a quad hold the same kind of value: one of those that the register is read as. */
static enum sch_maxwell_operand_kind kind_of(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair,
                                             uint64_t round, uint32_t invocation)
{
    uint64_t state = compare->asked.seed ^ round << 40 ^ (uint64_t)(invocation / 4) << 20 ^ pair->at;
    uint32_t kinds = pair->reads;
    const uint32_t count = (uint32_t)__builtin_popcount(kinds);
    for (uint64_t skip = count > 1 ? (sch_cli_random(&state) >> 32) % count : 0; skip; skip--) kinds &= kinds - 1;
    return (enum sch_maxwell_operand_kind)__builtin_ctz(kinds);
}

bool sch_cli_code_is_float(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t round,
                           uint32_t invocation)
{
    return pair->seat[0].file == SCH_FILE_TEMPORARY &&
           kind_of(compare, pair, round, invocation) == SCH_MAXWELL_READS_FLOAT;
}

uint32_t sch_cli_code_word(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t round,
                           uint32_t invocation, uint64_t *state)
{
    const enum sch_cli_compare_style style = sch_cli_compare_style(round);
    if (pair->seat[0].file == SCH_FILE_NULL) return 0;
    const uint32_t random = (uint32_t)(sch_cli_random(state) >> 32);
    if (pair->seat[0].file == SCH_FILE_ADDRESS) return random & 1;
    switch (kind_of(compare, pair, round, invocation)) {
    case SCH_MAXWELL_READS_HANDLE:
        return handle_of(&compare->side[0].setup, random);
    case SCH_MAXWELL_READS_LAYER:
        return random & 15 ? random >> 4 & 7 : random & 0xffff;
    case SCH_MAXWELL_READS_LAYER_OFFSETS:
        return random & 0x0fff0007;
    case SCH_MAXWELL_READS_OFFSETS:
        return random;
    case SCH_MAXWELL_READS_INTEGER: /* what texels, levels and samples are there */
        if (random & 3) return random >> 2 & 7;
        return sch_cli_compare_word(compare, style, SCH_VALUE_INT, invocation, state);
    default:
        return sch_cli_compare_word(compare, style, SCH_VALUE_FLOAT, invocation, state);
    }
}

/* ---- running ---- */

bool sch_cli_code_prepare(struct sch_cli_compared_side *side)
{
    free(side->results.outputs);
    if (side->batch.capacity > SCH_CLI_ROUND) side->batch.capacity = SCH_CLI_ROUND;
    side->results.registers = (side->write_count + 3) / 4;
    return sch_cli_registers(side->batch.capacity, side->results.registers, &side->results.outputs,
                             &side->results.output_bytes);
}

static enum sch_result run_code_session(void *user, const struct sch_dispatch_options *options)
{
    const struct sch_cli_compared_side *side = user;
    const struct sch_cli_invocations how = {&side->setup, side->quads, 0};
    return sch_cli_dispatch_batch(&how, &side->batch, side->program, options);
}

static void take_value(struct sch_cli_compared_side *side, const struct sch_debug *debug, uint32_t n)
{
    uint32_t words[4][SCH_CLI_ROUND];
    if (sch_debug_read(debug, &side->writes[n].which, words) != SCH_OK) return;
    for (uint32_t i = 0; i < side->batch.count; i++)
        side->results.outputs[(size_t)i * side->results.registers * 4 + n] = words[0][i];
}

/* Steps instruction by instruction, and takes what each wrote. */
static enum sch_result step(struct sch_cli_compared_side *side, struct sch_debug *debug)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    struct sch_debug_stop stop = {.size = sizeof stop};
    enum sch_result result = sch_debug_get_stop(debug, &stop);
    for (uint32_t at = 0; at < side->write_count && result == SCH_OK;) {
        const uint32_t number = stop.instruction;
        if (stop.ended || stop.reason == SCH_DEBUG_GROUP_END) break;
        result = sch_debug_go(debug, &next);
        sch_debug_get_stop(debug, &stop);
        if (stop.reason == SCH_DEBUG_FAILED) sch_debug_go(debug, &next); /* the run ends, and says why */
        if (result == SCH_OK) result = stop.result;
        for (; result == SCH_OK && at < side->write_count && side->writes[at].instruction <= number; at++)
            take_value(side, debug, at);
    }
    return result;
}

/* A session that is cancelled stops, as at its end: what it has written so far is not a result. */
static bool is_cancelled(const struct sch_cli_compared_side *side)
{
    const uint32_t *cancel = side->setup.dispatch.cancel;
    return cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

enum sch_result sch_cli_code_run(struct sch_cli_compared_side *side, struct sch_context *context, bool quads)
{
    struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_INVOCATION};
    const struct sch_debug_options options = {.size = sizeof options,
                                              .run = run_code_session,
                                              .user = side,
                                              .options = &side->setup.dispatch,
                                              .place = &place,
                                              .diagnostics = side->setup.refused};
    struct sch_debug *debug;
    if (is_cancelled(side)) return SCH_ERROR_CANCELLED;
    memset(side->results.outputs, 0, side->results.output_bytes);
    side->quads = quads;
    while (place.invocation < side->batch.count && side->batch.helpers[place.invocation] == SCH_INVOCATION_OFF)
        place.invocation++;
    if (place.invocation == side->batch.count || !side->write_count) return SCH_OK;
    enum sch_result result = sch_debug_create(context, &options, &debug);
    if (result == SCH_OK) result = step(side, debug);
    sch_debug_destroy(debug);
    return is_cancelled(side) ? SCH_ERROR_CANCELLED : result;
}
