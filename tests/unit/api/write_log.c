/* See write_log.h. */
#include "write_log.h"

#include <stdlib.h>
#include <string.h>

#include "../tgsi/tgsi_support.h"

/* What the log needs beside the shader's own: an index register, whose x is where the next value goes, and y where its
 * number goes; and immediates. No operand reaches index registers by an index, so one more changes nothing. */
struct log {
    const struct sch_ir_shader *from;
    struct sch_ir_shader *to;
    int address, immediate;
    uint32_t *moved; /* the new number of each instruction */
};

/* Components of the first immediate; the numbers of instructions follow in others. */
enum { ZERO, ENTRY, NUMBER, ROW };

bool is_logged(const struct sch_ir_instruction *in, unsigned number)
{
    const unsigned file = in->dst[number].file;
    if (sch_op_info(in->opcode)->dst_type == 'R') return false; /* STORE: a register is a handle */
    return file == SCH_FILE_TEMPORARY || file == SCH_FILE_OUTPUT || file == SCH_FILE_ADDRESS;
}

/* ---- instructions ---- */

static struct sch_ir_src component(struct sch_ir_src src, unsigned c)
{
    memset(src.swizzle, (int)c, sizeof src.swizzle);
    return src;
}

static struct sch_ir_src immediate(const struct log *log, unsigned word)
{
    return component(sch_ir_src(SCH_FILE_IMMEDIATE, log->immediate + (int)(word / 4)), word % 4);
}

static struct sch_ir_src address(const struct log *log, unsigned c)
{
    return component(sch_ir_src(SCH_FILE_ADDRESS, log->address), c);
}

static void add(struct log *log, enum sch_opcode opcode, struct sch_ir_dst dst, unsigned mask,
                const struct sch_ir_src *sources, unsigned count)
{
    struct sch_ir_instruction in = {.opcode = (uint16_t)opcode, .dst_count = 1, .src_count = (uint8_t)count};
    dst.write_mask = (uint8_t)mask;
    in.dst[0] = dst;
    memcpy(in.src, sources, count * sizeof *sources);
    assert_int_equal(sch_ir_add_instruction(log->to, &in), SCH_OK);
}

/* Each invocation takes its number, in the order in which they begin. */
static void add_beginning(struct log *log)
{
    const struct sch_ir_dst own = sch_ir_dst(SCH_FILE_ADDRESS, log->address);
    const struct sch_ir_src count[] = {sch_ir_src(SCH_FILE_BUFFER, LOG_BUFFER + 1), immediate(log, ZERO),
                                       immediate(log, ENTRY)};
    const struct sch_ir_src number[] = {address(log, 0), immediate(log, NUMBER)};
    add(log, SCH_OP_ATOMUADD, own, 1, count, 3);
    add(log, SCH_OP_UADD, own, 2, number, 2);
}

static void add_entry(struct log *log, size_t instruction, const struct sch_ir_dst *dst)
{
    const struct sch_ir_dst buffer = sch_ir_dst(SCH_FILE_BUFFER, LOG_BUFFER);
    struct sch_ir_src written = sch_ir_src((enum sch_file)dst->file, 0);
    written.index = dst->index;
    written.dimension = dst->dimension;
    written.has_dimension = dst->has_dimension;
    const struct sch_ir_src value[] = {address(log, 0), written};
    const struct sch_ir_src number[] = {address(log, 1), immediate(log, 4 + (unsigned)instruction)};
    const struct sch_ir_src next[] = {sch_ir_src(SCH_FILE_ADDRESS, log->address), immediate(log, ROW)};
    add(log, SCH_OP_STORE, buffer, dst->write_mask, value, 2);
    add(log, SCH_OP_STORE, buffer, 1, number, 2);
    add(log, SCH_OP_UADD, sch_ir_dst(SCH_FILE_ADDRESS, log->address), 3, next, 2);
}

/* ---- the shader ---- */

static void add_declaration(struct log *log, enum sch_file file, unsigned first, unsigned last)
{
    const struct sch_ir_declaration made = {
        .file = (uint8_t)file, .usage_mask = 15, .first = (uint16_t)first, .last = (uint16_t)last};
    assert_int_equal(sch_ir_add_declaration(log->to, &made), SCH_OK);
}

static void add_immediate(struct log *log, const uint32_t word[4])
{
    struct sch_ir_immediate made = {.type = SCH_IMMEDIATE_UINT32};
    memcpy(made.word, word, sizeof made.word);
    assert_int_equal(sch_ir_add_immediate(log->to, &made), SCH_OK);
}

static void add_declarations(struct log *log, uint32_t invocations)
{
    const struct sch_ir_shader *from = log->from;
    const uint32_t sizes[4] = {[ENTRY] = sizeof(struct log_entry),
                               [NUMBER] = offsetof(struct log_entry, number),
                               [ROW] = invocations * (uint32_t)sizeof(struct log_entry)};
    for (size_t n = 0; n < from->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &from->declarations[n];
        if (declaration->file == SCH_FILE_ADDRESS && (int)declaration->last >= log->address)
            log->address = (int)declaration->last + 1;
        assert_int_equal(sch_ir_add_declaration(log->to, declaration), SCH_OK);
    }
    add_declaration(log, SCH_FILE_ADDRESS, (unsigned)log->address, (unsigned)log->address);
    add_declaration(log, SCH_FILE_BUFFER, LOG_BUFFER, LOG_BUFFER + 1);
    for (size_t n = 0; n < from->property_count; n++)
        assert_int_equal(sch_ir_add_property(log->to, &from->properties[n]), SCH_OK);
    for (size_t n = 0; n < from->immediate_count; n++)
        assert_int_equal(sch_ir_add_immediate(log->to, &from->immediates[n]), SCH_OK);
    log->immediate = (int)from->immediate_count;
    add_immediate(log, sizes);
    for (uint32_t n = 1; n <= from->instruction_count; n += 4)
        add_immediate(log, (const uint32_t[4]){n, n + 1, n + 2, n + 3});
}

static void add_instructions(struct log *log)
{
    add_beginning(log);
    for (size_t n = 0; n < log->from->instruction_count; n++) {
        const struct sch_ir_instruction *in = &log->from->instructions[n];
        log->moved[n] = (uint32_t)log->to->instruction_count;
        assert_int_equal(sch_ir_add_instruction(log->to, in), SCH_OK);
        for (unsigned d = 0; d < in->dst_count; d++)
            if (is_logged(in, d)) add_entry(log, n, &in->dst[d]);
    }
}

/* CAL names an instruction by its number. */
static void move_labels(const struct log *log)
{
    for (size_t n = 0; n < log->to->instruction_count; n++) {
        struct sch_ir_instruction *in = &log->to->instructions[n];
        if (in->has_label && in->label < log->from->instruction_count) in->label = log->moved[in->label];
    }
}

/* ---- what cannot be logged ---- */

static bool writes(const struct sch_ir_instruction *in, unsigned file, int number)
{
    for (unsigned d = 0; d < in->dst_count; d++)
        if (in->dst[d].file == file && (in->dst[d].index.is_indirect || in->dst[d].index.index == number)) return true;
    return false;
}

static bool is_chosen_by(const struct sch_ir_instruction *in, const struct sch_ir_bracket *bracket)
{
    return bracket->is_indirect && writes(in, bracket->indirect.file, bracket->indirect.index);
}

enum log_refusal log_refuses(const struct sch_ir_shader *shader)
{
    for (size_t n = 0; n < shader->instruction_count; n++) {
        const struct sch_ir_instruction *in = &shader->instructions[n];
        if (in->opcode == SCH_OP_CLOCK) return LOG_CLOCK;
        for (unsigned d = 0; d < in->dst_count; d++) {
            const struct sch_ir_dst *dst = &in->dst[d];
            if (!is_logged(in, d)) continue;
            if (is_chosen_by(in, &dst->index) || (dst->has_dimension && is_chosen_by(in, &dst->dimension)))
                return LOG_CHOSEN;
        }
    }
    return LOG_GRANTED;
}

char *text_with_log(const struct sch_ir_shader *shader, uint32_t invocations)
{
    struct log log = {.from = shader,
                      .to = sch_ir_create(&sch_allocator_libc, (enum sch_stage)shader->stage, &shader->limits),
                      .moved = calloc(shader->instruction_count + 1, sizeof *log.moved)};
    assert_true(log.to && log.moved);
    add_declarations(&log, invocations);
    add_instructions(&log);
    move_labels(&log);
    char *text = print_shader(log.to, (enum sch_float_text)shader->float_style);
    sch_ir_destroy(log.to);
    free(log.moved);
    return text;
}
