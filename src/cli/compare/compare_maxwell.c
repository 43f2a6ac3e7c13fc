/* Comparing two files of Maxwell code: what their texture instructions give to registers, where all registers begin
 * with the same values. Of each register all values count that it is given, one after the other: what is overwritten
 * may have been read by instructions that are not there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "compare.h"
#include "inputs/maxwell.h"
#include "lanes/maxwell_lanes.h"
#include "picture/texels.h"

enum {
    LANES = SCH_MAXWELL_GROUP_LANES,
    REGISTERS = SCH_MAXWELL_GROUP_REGISTERS,
    PLACES = REGISTERS + SCH_MAXWELL_GROUP_PREDICATES, /* registers, then predicates */
    MOST_WRITES = 1 << 17                              /* of a file */
};

/* A value that an instruction gives to a register or predicate. */
struct given {
    uint32_t place, instruction;
    uint32_t next; /* the next value of the same place; UINT32_MAX: none */
    uint32_t words[LANES];
};

struct code {
    struct sch_cli_maxwell maxwell;
    struct sch_cli_warp_machine machine;
    struct sch_program *program;
    struct given *given;
    uint32_t count, room;
    uint32_t times[PLACES];               /* values of each */
    uint32_t first[PLACES], last[PLACES]; /* where there are some */
};

/* What is read: of registers as what, bits of enum sch_maxwell_operand_kind; of predicates not 0. */
typedef uint32_t reading;

struct pair {
    struct sch_cli_compare *compare;
    struct code code[2];
    reading readings[PLACES];
    struct sch_cli_named named;         /* the textures that words of the constant bank stand for */
    uint32_t handles[SCH_CLI_TEXTURES]; /* of bound textures */
    uint32_t handle_count;
    struct sch_cli_warp start, before; /* what lanes begin with; room to keep it */
    uint32_t lanes;                    /* how many there are */
};

static enum sch_cli_exit out_of_memory(void) { return sch_cli_fail(SCH_CLI_LIMIT, "out of memory"); }

static void name_place(uint32_t place, char name[16])
{
    snprintf(name, 16, "%c%u", place < REGISTERS ? 'R' : 'P', place < REGISTERS ? place : place - REGISTERS);
}

/* ---- what the code says ---- */

static bool add_given(struct code *code, uint32_t place, uint32_t instruction)
{
    if (code->count == code->room) {
        const uint32_t room = code->room ? 2 * code->room : 64;
        struct given *larger = realloc(code->given, room * sizeof *larger);
        if (!larger) return false;
        code->given = larger;
        code->room = room;
    }
    code->given[code->count] = (struct given){place, instruction, UINT32_MAX, {0}};
    if (code->times[place]++)
        code->given[code->last[place]].next = code->count;
    else
        code->first[place] = code->count;
    code->last[place] = code->count++;
    return true;
}

static bool take_writes(struct code *code, uint32_t number)
{
    struct sch_operand_info operand = {.size = sizeof operand};
    for (uint32_t n = 0; sch_shader_operand(code->maxwell.program, number, n, &operand); n++) {
        const uint32_t index = (uint32_t)operand.index.number;
        if (operand.kind != SCH_OPERAND_DESTINATION) break;
        if (!add_given(code, operand.file == SCH_FILE_ADDRESS ? REGISTERS + index : index, number)) return false;
    }
    return true;
}

static void take_reads(struct pair *pair, const struct sch_maxwell_instruction_info *info)
{
    for (uint32_t i = 0; i < info->operand_count; i++)
        pair->readings[info->operands[i].number] |= 1u << info->operands[i].kind;
    if (info->guard >= 0) pair->readings[REGISTERS + info->guard] = 1;
}

/* A texture that lookups name is of the first one's kind; a query's is that of another one, if there is one. */
static enum sch_cli_exit take_texture(struct pair *pair, unsigned which,
                                      const struct sch_maxwell_instruction_info *info)
{
    const uint32_t word = info->handle < 0 ? 0 : (uint32_t)info->handle;
    const struct sch_cli_setup *setup = &pair->compare->side[0].setup;
    if (word >= SCH_CLI_TEXTURES)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: %s names word %u of the constant bank; --tex binds textures to words 0 to %d",
                            pair->code[which].maxwell.input.name, info->text, word, SCH_CLI_TEXTURES - 1);
    if (info->handle < 0 && setup->textures) return SCH_CLI_YES; /* some are bound */
    if (pair->named.view[word].target && info->target < 0) return SCH_CLI_YES;
    if (!pair->named.view[word].target)
        pair->named.view[word].target = sch_cli_table_word(
            SCH_NAMES_TARGETS, info->target < 0 ? SCH_TARGET_2D : (unsigned)info->target); /* queries take any */
    pair->named.view[word].compares |= info->compares;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_code(struct pair *pair, unsigned which, bool queries)
{
    struct code *code = &pair->code[which];
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (size_t n = 0; sch_maxwell_instruction(code->maxwell.program, (uint32_t)n, &info); n++) {
        if (!info.is_texture || (info.target < 0) != queries) continue;
        exit = take_texture(pair, which, &info);
        if (exit != SCH_CLI_YES) return exit;
    }
    return exit;
}

static enum sch_cli_exit load_code(struct pair *pair, unsigned which)
{
    static const struct sch_cli_maxwell_options options = {.chosen = true}; /* raw code, too */
    struct code *code = &pair->code[which];
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    const enum sch_cli_exit exit = sch_cli_maxwell_load(&options, pair->compare->side[which].file, &code->maxwell);
    if (exit != SCH_CLI_YES) return exit;
    for (size_t n = 0; sch_maxwell_instruction(code->maxwell.program, (uint32_t)n, &info); n++) {
        if (!info.is_texture) continue;
        if (!take_writes(code, (uint32_t)n)) return out_of_memory();
        take_reads(pair, &info);
        if (code->count > MOST_WRITES)
            return sch_cli_fail(SCH_CLI_LIMIT, "%s writes registers more than %d times", code->maxwell.input.name,
                                MOST_WRITES);
    }
    return SCH_CLI_YES;
}

/* ---- what is bound ---- */

/* Options of shaders mean nothing here. */
static enum sch_cli_exit check_options(const struct sch_cli_compare *compare)
{
    for (uint32_t i = 0; i < compare->said.count; i++)
        if (compare->said.list[i].option != SCH_OPTION_TEX)
            return sch_cli_usage_error(&sch_cli_compare,
                                       "%s is for shaders; of two files of Maxwell code --tex binds "
                                       "textures",
                                       sch_cli_options[compare->said.list[i].option].name);
    if (compare->has_engine_b || compare->samples || compare->has_budget)
        return sch_cli_usage_error(&sch_cli_compare, "--engine-b, --samples and --budget are for shaders, not for two "
                                                     "files of Maxwell code");
    return SCH_CLI_YES;
}

static enum sch_cli_exit bind_textures(struct pair *pair)
{
    struct sch_cli_compare *compare = pair->compare;
    struct sch_cli_words made = {0};
    enum sch_cli_exit exit =
        sch_cli_make_bindings(&pair->named, &compare->side[0].setup, "maxwell", &made) ? SCH_CLI_YES : out_of_memory();
    for (uint32_t i = 0; i < made.count && exit == SCH_CLI_YES; i++) {
        const uint32_t said = compare->said.count;
        if (!sch_cli_words_add(&compare->said, made.list[i].option, made.list[i].value)) exit = out_of_memory();
        for (unsigned which = 0; which < 2 && exit == SCH_CLI_YES; which++)
            exit = sch_cli_setup_option(&sch_cli_compare, &compare->side[which].setup, (int)made.list[i].option,
                                        compare->said.list[said].value);
    }
    sch_cli_words_release(&made);
    const struct sch_cli_setup *setup = &compare->side[0].setup;
    for (uint32_t i = 0; i < setup->textures && i < SCH_CLI_TEXTURES; i++)
        if (setup->texture[i].path) pair->handles[pair->handle_count++] = i << 20 | i;
    return exit;
}

static enum sch_cli_exit make_program(struct pair *pair, unsigned which)
{
    struct code *code = &pair->code[which];
    struct sch_cli_setup *setup = &pair->compare->side[which].setup;
    const enum sch_cli_exit exit = sch_cli_machine_make(setup, code->maxwell.context);
    code->machine = (struct sch_cli_warp_machine){.bindings = setup->machine.bindings,
                                                  .constants = setup->machine.constants,
                                                  .dispatch = {.size = sizeof code->machine.dispatch},
                                                  .quads = true};
    code->machine.bindings.size = sizeof code->machine.bindings;
    if (exit != SCH_CLI_YES) return exit;
    code->machine.dispatch.diagnostics = code->maxwell.list;
    const enum sch_result result =
        sch_program_create(code->maxwell.context, code->maxwell.program, NULL, code->maxwell.list, &code->program);
    if (result != SCH_OK) sch_cli_print_diagnostics(code->maxwell.list, &code->maxwell.input);
    return sch_cli_result(result, code->maxwell.list, code->maxwell.input.name);
}

static enum sch_cli_exit load(struct pair *pair)
{
    enum sch_cli_exit exit = check_options(pair->compare);
    for (unsigned which = 0; which < 2 && exit == SCH_CLI_YES; which++) exit = load_code(pair, which);
    for (unsigned step = 0; step < 4 && exit == SCH_CLI_YES; step++) exit = take_code(pair, step & 1, step > 1);
    if (exit == SCH_CLI_YES) exit = bind_textures(pair);
    for (unsigned which = 0; which < 2 && exit == SCH_CLI_YES; which++) exit = make_program(pair, which);
    return exit;
}

static void release(struct pair *pair)
{
    for (unsigned which = 0; which < 2; which++) {
        struct code *code = &pair->code[which];
        sch_program_destroy(code->program);
        sch_cli_maxwell_release(&code->maxwell);
        free(code->given);
    }
    free(pair);
}

/* ---- running ---- */

static uint32_t *word_of(struct sch_cli_warp *group, uint32_t place, unsigned lane)
{
    return &group->registers[place][lane];
}

static void take_words(const struct sch_debug *debug, struct given *given)
{
    const bool predicate = given->place >= REGISTERS;
    const struct sch_debug_register which = {predicate ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY, 0,
                                             predicate ? given->place - REGISTERS : given->place};
    uint32_t words[4][LANES];
    if (sch_debug_read(debug, &which, words) == SCH_OK) memcpy(given->words, words[0], sizeof given->words);
}

/* To behind instruction `number`. */
static enum sch_result step_to(struct sch_debug *debug, uint32_t number)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    enum sch_result result = sch_debug_seek(debug, (uint64_t)number + 1);
    if (result == SCH_OK) result = sch_debug_get_stop(debug, &stop);
    return result == SCH_OK ? stop.result : result;
}

static enum sch_cli_exit run(const struct pair *pair, struct code *code)
{
    struct sch_cli_warp_session session = {code->program, &code->machine, &pair->start, NULL};
    const unsigned lane = pair->start.active ? (unsigned)__builtin_ctz(pair->start.active) : 0;
    enum sch_result result = sch_cli_warp_debug(code->maxwell.context, &session, lane);
    for (uint32_t at = 0; at < code->count && result == SCH_OK;) {
        const uint32_t number = code->given[at].instruction;
        result = step_to(session.debug, number);
        while (at < code->count && code->given[at].instruction == number && result == SCH_OK)
            take_words(session.debug, &code->given[at++]);
    }
    sch_debug_destroy(session.debug);
    if (result == SCH_OK) return SCH_CLI_YES;
    sch_cli_print_diagnostics(code->maxwell.list, &code->maxwell.input);
    return sch_cli_result(result, code->maxwell.list, code->maxwell.input.name);
}

/* Whether a value of A is another one in B, and in which lane. */
static bool given_differs(const struct pair *pair, const struct given *a, const struct given *b,
                          struct sch_cli_difference *difference)
{
    const enum sch_value_type type = a->place < REGISTERS ? SCH_VALUE_UNKNOWN : SCH_VALUE_UINT;
    for (unsigned lane = 0; lane < pair->lanes; lane++) {
        if (sch_cli_compare_is_same(pair->compare, type, a->words[lane], b->words[lane])) continue;
        char name[16];
        name_place(a->place, name);
        difference->kind = SCH_CLI_REGISTER_DIFFERS;
        difference->invocation = lane;
        difference->words[0] = a->words[lane];
        difference->words[1] = b->words[lane];
        snprintf(difference->what, sizeof difference->what, "%s", name);
        return true;
    }
    return false;
}

/* Runs both from the lanes' begin. `*overwritten`: eval does not show the value, a later one took its place. */
static enum sch_cli_exit run_both(struct pair *pair, struct sch_cli_difference *difference, bool *overwritten)
{
    struct code *a = &pair->code[0], *b = &pair->code[1];
    uint32_t next[PLACES];
    *difference = (struct sch_cli_difference){.event = UINT32_MAX};
    enum sch_cli_exit exit = run(pair, a);
    if (exit == SCH_CLI_YES) exit = run(pair, b);
    if (exit != SCH_CLI_YES) return exit;
    memcpy(next, b->first, sizeof next);
    for (uint32_t n = 0; n < a->count; n++) {
        const struct given *given = &a->given[n], *other = &b->given[next[given->place]];
        next[given->place] = other->next;
        *overwritten = given->next != UINT32_MAX;
        if (given_differs(pair, given, other, difference)) return SCH_CLI_YES;
    }
    return SCH_CLI_YES;
}

/* ---- inputs ---- */

static uint32_t make_word(const struct pair *pair, enum sch_maxwell_operand_kind kind, uint64_t round, unsigned lane,
                          uint64_t *state)
{
    const enum sch_cli_compare_style style = sch_cli_compare_style(round);
    const uint32_t random = (uint32_t)(sch_cli_random(state) >> 32);
    switch (kind) {
    case SCH_MAXWELL_READS_HANDLE:
        return pair->handle_count && random & 15 ? pair->handles[(random >> 4) % pair->handle_count] : random;
    case SCH_MAXWELL_READS_LAYER:
        return random & 15 ? random >> 4 & 7 : random & 0xffff;
    case SCH_MAXWELL_READS_LAYER_OFFSETS:
        return random & 0x0fff0007;
    case SCH_MAXWELL_READS_OFFSETS:
        return random;
    case SCH_MAXWELL_READS_INTEGER: /* what texels, levels and samples are there */
        if (random & 3) return random >> 2 & 7;
        return sch_cli_compare_word(pair->compare, style, SCH_VALUE_INT, lane, state);
    default:
        return sch_cli_compare_word(pair->compare, style, SCH_VALUE_FLOAT, lane, state);
    }
}

/* The pixels of a quad lie side by side in a third of the rounds: floats differ by some steps of 1/64. */
static uint32_t move(uint32_t word, unsigned pixel)
{
    float value;
    memcpy(&value, &word, sizeof value);
    if (!(value > -64 && value < 64)) return word;
    value += (float)(pixel & 1) / 64 + (float)(pixel >> 1) / 32;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* One of the kinds that a register is read as. */
static enum sch_maxwell_operand_kind kind_of(reading kinds, uint64_t *state)
{
    const uint32_t count = (uint32_t)__builtin_popcount(kinds);
    for (uint64_t skip = count > 1 ? (sch_cli_random(state) >> 32) % count : 0; skip; skip--) kinds &= kinds - 1;
    return (enum sch_maxwell_operand_kind)__builtin_ctz(kinds);
}

/* Lanes of a quad hold the same kind of value. */
static void fill_register(struct pair *pair, uint32_t place, uint64_t round, uint64_t *state)
{
    enum sch_maxwell_operand_kind kind = SCH_MAXWELL_READS_FLOAT;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (lane % 4 == 0) kind = kind_of(pair->readings[place], state);
        const bool moves = kind == SCH_MAXWELL_READS_FLOAT && round % 3 == 2 && lane % 4;
        *word_of(&pair->start, place, lane) = moves ? move(*word_of(&pair->start, place, lane & ~3u), lane % 4)
                                                    : make_word(pair, kind, round, lane, state);
    }
}

static void fill(struct pair *pair, uint64_t round)
{
    uint64_t state = pair->compare->seed * 0x2545f4914f6cdd1d + round;
    struct sch_cli_warp *group = &pair->start;
    memset(group, 0, sizeof *group);
    group->active = UINT32_MAX;
    pair->lanes = LANES;
    for (uint32_t place = 0; place < REGISTERS; place++)
        if (pair->readings[place]) fill_register(pair, place, round, &state);
    for (uint32_t p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
        if (pair->readings[REGISTERS + p]) group->predicates[p] = (uint32_t)(sch_cli_random(&state) >> 32);
}

/* The lanes of --vectors, group by group. */
static enum sch_cli_exit run_given(struct pair *pair, struct sch_cli_difference *difference, bool *overwritten)
{
    struct sch_cli_input input;
    struct sch_cli_lane_reader reader = {.input = &input};
    enum sch_cli_lane_state states[LANES];
    unsigned count = 1;
    enum sch_cli_exit exit = sch_cli_read(pair->compare->vectors, &input);
    while (exit == SCH_CLI_YES && count && difference->kind == SCH_CLI_SAME) {
        exit = sch_cli_lanes_read(&reader, &pair->start, states, &count);
        pair->lanes = count;
        if (exit != SCH_CLI_YES || !count) break;
        exit = run_both(pair, difference, overwritten);
        pair->compare->done += difference->kind == SCH_CLI_SAME ? count : difference->invocation + 1;
    }
    sch_cli_input_release(&input);
    return exit;
}

static enum sch_cli_exit run_inputs(struct pair *pair, struct sch_cli_difference *difference, bool *overwritten)
{
    struct sch_cli_compare *compare = pair->compare;
    const uint32_t *cancel = sch_cli_interruptible();
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (compare->vectors) exit = run_given(pair, difference, overwritten);
    for (uint64_t done = 0, round = 0; exit == SCH_CLI_YES && done < compare->count; done += LANES, round++) {
        if (difference->kind != SCH_CLI_SAME) break;
        if (__atomic_load_n(cancel, __ATOMIC_RELAXED))
            return sch_cli_fail(SCH_CLI_NO, "%s", sch_result_text(SCH_ERROR_CANCELLED));
        fill(pair, round);
        exit = run_both(pair, difference, overwritten);
        compare->done += difference->kind == SCH_CLI_SAME ? LANES : difference->invocation + 1;
        sch_cli_progress_at(compare->done, compare->all, "inputs");
    }
    return exit;
}

/* ---- the witness ---- */

/* Whether they differ from what the lanes begin with now. Not: it is as it was kept. */
static bool keeps(struct pair *pair)
{
    struct sch_cli_difference difference;
    bool overwritten;
    const bool differs = run_both(pair, &difference, &overwritten) == SCH_CLI_YES && difference.kind != SCH_CLI_SAME;
    if (!differs) pair->start = pair->before;
    return differs;
}

/* One quad of them, or one lane, as the first ones. */
static void keep_lanes(struct pair *pair, unsigned first, unsigned count)
{
    const unsigned lanes = pair->lanes;
    if (first + count > lanes) return;
    pair->before = pair->start;
    struct sch_cli_warp *group = &pair->start;
    for (uint32_t r = 0; r < REGISTERS; r++)
        for (unsigned lane = 0; lane < LANES; lane++)
            group->registers[r][lane] = lane < count ? pair->before.registers[r][first + lane] : 0;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << count) - 1);
    for (uint32_t p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
        group->predicates[p] = pair->before.predicates[p] >> first & mask;
    group->active = pair->before.active >> first & mask;
    group->killed = pair->before.killed >> first & mask;
    pair->lanes = count;
    if (!keeps(pair)) pair->lanes = lanes;
}

/* A register in all lanes. */
static bool try_word(struct pair *pair, uint32_t place, uint32_t word)
{
    pair->before = pair->start;
    for (unsigned lane = 0; lane < pair->lanes; lane++) *word_of(&pair->start, place, lane) = word;
    return keeps(pair);
}

/* 0, else 1, 0.5 or 1.0. */
static void simplify(struct pair *pair)
{
    static const uint32_t words[] = {0, 1, 0x3f000000, 0x3f800000};
    for (uint32_t place = 0; place < REGISTERS; place++)
        for (unsigned w = 0; w < sizeof words / sizeof *words && pair->readings[place]; w++)
            if (try_word(pair, place, words[w])) break;
}

static enum sch_cli_exit reduce(struct pair *pair, struct sch_cli_difference *difference, bool *overwritten)
{
    const unsigned lane = difference->invocation;
    keep_lanes(pair, lane & ~3u, 4);
    if (pair->lanes == 4) keep_lanes(pair, lane & 3, 1);
    simplify(pair);
    return run_both(pair, difference, overwritten);
}

static char *lines_of(const struct pair *pair)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!file) return NULL;
    for (unsigned lane = 0; lane < pair->lanes; lane++) {
        const char *gap = "";
        if (!(pair->start.active >> lane & 1) || pair->start.killed >> lane & 1) {
            fputs(pair->start.active >> lane & 1 ? "KILL" : "OFF", file);
            gap = "\t";
        }
        for (uint32_t r = 0; r < REGISTERS; r++) {
            if (!pair->start.registers[r][lane]) continue;
            fprintf(file, "%sR[%u]=0x%08x", gap, r, pair->start.registers[r][lane]);
            gap = "\t";
        }
        for (uint32_t p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) {
            if (!(pair->start.predicates[p] >> lane & 1)) continue;
            fprintf(file, "%sP[%u]=1", gap, p);
            gap = "\t";
        }
        putc('\n', file);
    }
    return fclose(file) == 0 ? text : NULL;
}

/* Values that others take the place of are shown by `trace`. */
static char *command_of(const struct pair *pair, unsigned which, const struct sch_cli_witness *witness, unsigned lane,
                        bool overwritten)
{
    const struct sch_cli_compare *compare = pair->compare;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!file) return NULL;
    sch_cli_witness_put_begin(file, witness, which, overwritten ? "trace -x maxwell --floats both" : "eval -x maxwell",
                              compare->side[which].file);
    if (overwritten) fprintf(file, " --line %u", lane + 1);
    for (uint32_t i = 0; i < compare->said.count; i++) sch_cli_witness_put_option(file, &compare->said.list[i]);
    return fclose(file) == 0 ? text : NULL;
}

/* ---- traces ---- */

static bool put_values(const struct code *code, uint32_t first, unsigned lane, struct sch_cli_told *told)
{
    const uint32_t instruction = code->given[first].instruction;
    size_t bytes;
    FILE *file = open_memstream(&told->values, &bytes);
    bool good = file != NULL;
    for (uint32_t n = first; good && n < code->count && code->given[n].instruction == instruction; n++) {
        const struct given *given = &code->given[n];
        struct sch_cli_told_write write = {.channels = "x", .words = {given->words[lane]}};
        name_place(given->place, write.name);
        if (given->place < REGISTERS)
            sch_cli_lanes_put_register(file, given->place, given->words[lane], SCH_CLI_FLOATS_BOTH);
        else
            sch_cli_lanes_put_predicate(file, given->place - REGISTERS, given->words[lane]);
        good = sch_cli_told_write(told, &write);
    }
    return file && fclose(file) == 0 && good;
}

static bool take_trace(const struct code *code, unsigned lane, struct sch_cli_trace_told *trace)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    uint32_t at = 0;
    for (size_t n = 0; sch_maxwell_instruction(code->maxwell.program, (uint32_t)n, &info); n++) {
        if (!info.is_texture) continue;
        trace->cut = trace->count == SCH_CLI_TOLD_MOST;
        struct sch_cli_told *told = trace->cut ? NULL : sch_cli_told_add(trace);
        if (!told) return trace->cut;
        struct sch_instruction_info in = {.size = sizeof in};
        sch_shader_instruction(code->maxwell.program, (uint32_t)n, &in);
        told->time = n;
        told->line = in.line;
        told->text = strdup(info.text);
        const bool writes = at < code->count && code->given[at].instruction == n;
        const bool good =
            told->text && (writes ? put_values(code, at, lane, told) : (told->values = strdup("")) != NULL);
        if (!good) return false;
        sch_cli_told_settle(told, true);
        while (at < code->count && code->given[at].instruction == n) at++;
    }
    return true;
}

/* ---- the whole ---- */

static bool fill_witness(const struct pair *pair, const struct sch_cli_difference *difference, bool overwritten,
                         struct sch_cli_witness *witness)
{
    bool good = true;
    for (unsigned which = 0; which < 2 && good; which++) {
        witness->commands[which] = command_of(pair, which, witness, difference->invocation, overwritten);
        good =
            witness->commands[which] && take_trace(&pair->code[which], difference->invocation, &witness->trace[which]);
    }
    witness->traced = good;
    return good;
}

static enum sch_cli_exit show(struct pair *pair, const struct sch_cli_difference *difference, bool overwritten)
{
    struct sch_cli_witness witness = {.quads = true, .lines = {lines_of(pair), lines_of(pair)}};
    bool good = witness.lines[0] && witness.lines[1];
    enum sch_cli_exit exit = good ? sch_cli_witness_write(pair->compare, &witness) : SCH_CLI_YES;
    good = good && fill_witness(pair, difference, overwritten, &witness);
    exit = good ? sch_cli_worse(exit, sch_cli_witness_show(pair->compare, &witness, difference)) : out_of_memory();
    sch_cli_witness_release(&witness);
    return exit;
}

/* Registers that are not given as many values by both. True: there is one, and `text` says which. */
static bool find_reason(const struct pair *pair, char text[160])
{
    for (uint32_t place = 0; place < PLACES; place++) {
        const uint32_t a = pair->code[0].times[place], b = pair->code[1].times[place];
        char name[16];
        if (a == b) continue;
        name_place(place, name);
        if (a && b)
            snprintf(text, 160, "A writes %s %u times, B %u times", name, a, b);
        else
            snprintf(text, 160, "only %s writes %s", a ? "A" : "B", name);
        return true;
    }
    return false;
}

enum sch_cli_exit sch_cli_compare_maxwell(struct sch_cli_compare *compare)
{
    struct sch_cli_difference difference = {0};
    char text[160];
    bool overwritten = false;
    struct pair *pair = calloc(1, sizeof *pair);
    if (!pair) return out_of_memory();
    pair->compare = compare;
    enum sch_cli_exit exit = load(pair);
    if (exit == SCH_CLI_YES && find_reason(pair, text)) {
        exit = sch_cli_compare_apart(compare, "outputs", text);
    } else if (exit == SCH_CLI_YES) {
        exit = run_inputs(pair, &difference, &overwritten);
        if (exit == SCH_CLI_YES && difference.kind == SCH_CLI_SAME)
            exit = sch_cli_compare_equal(compare);
        else if (exit == SCH_CLI_YES && (exit = reduce(pair, &difference, &overwritten)) == SCH_CLI_YES)
            exit = show(pair, &difference, overwritten);
    }
    release(pair);
    return exit;
}
