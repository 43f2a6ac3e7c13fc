/* What becomes of instructions when a program is made (ir/prepare*.c), all of it: each
 * row has an instruction and what is decided of its operands, results, place and lookup, in the words of `write_*`
 * here. The expectations follow from ir/prepared.h, ir/lookups.def and the specification's words of the opcodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/words.h"
#include "ir/prepared.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Texts cannot say that a register is below 0: number 99 stands for -1. */
static void make_negative(struct sch_ir_shader *shader)
{
    for (size_t n = 0; n < shader->instruction_count; n++) {
        struct sch_ir_instruction *in = &shader->instructions[n];
        for (unsigned s = 0; s < in->src_count; s++) {
            if (in->src[s].index.index == 99) in->src[s].index.index = -1;
            if (in->src[s].dimension.index == 99) in->src[s].dimension.index = -1;
            if (in->src[s].index.indirect.index == 99) in->src[s].index.indirect.index = -1;
        }
        if (in->dst_count && in->dst[0].index.index == 99) in->dst[0].index.index = -1;
    }
}

static void drop(struct sch_prepared *program)
{
    sch_prepared_release(program);
    free(program);
}

static struct sch_prepared *make(const char *text)
{
    struct sch_diagnostics list;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    struct sch_prepared *program = calloc(1, sizeof *program);
    assert_non_null(program);
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    enum sch_result status = sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    if (shader) make_negative(shader);
    if (status == SCH_OK) status = sch_prepare(shader, &sch_allocator_libc, &list, program);
    if (status != SCH_OK) fail_msg("%s%d %s", text, status, list.count ? list.items[0].message : "");
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return program;
}

/* ---- words for what was decided ---- */

enum { ROOM = 1024 };
static void put_swizzle(struct words *w, const uint8_t swizzle[4])
{
    for (unsigned c = 0; c < 4; c++) put(w, "%c", "xyzw"[swizzle[c]]);
}

/* A number, or one plus the channel of a space: p the program's, r the run's, s the state. */
static void put_index(struct words *w, const struct sch_prepared_index *index)
{
    put(w, "[%d", index->base);
    if (index->is_indirect) put(w, "+%c%u", "prs"[index->space], index -> channel);
    put(w, "]");
}

static const char *const modifiers[SCH_MODIFIER_COUNT] = {
    [SCH_MODIFY_NOTHING] = "",
    [SCH_MODIFY_NEGATE_F32] = "f -",
    [SCH_MODIFY_ABSOLUTE_F32] = "f abs",
    [SCH_MODIFY_NEGATE_ABSOLUTE_F32] = "f -abs",
    [SCH_MODIFY_NEGATE_I32] = "i -",
    [SCH_MODIFY_ABSOLUTE_I32] = "i abs",
    [SCH_MODIFY_NEGATE_ABSOLUTE_I32] = "i -abs",
    [SCH_MODIFY_NEGATE_F64] = "d -",
    [SCH_MODIFY_ABSOLUTE_F64] = "d abs",
    [SCH_MODIFY_NEGATE_ABSOLUTE_F64] = "d -abs",
    [SCH_MODIFY_NEGATE_I64] = "l -",
    [SCH_MODIFY_ABSOLUTE_I64] = "l abs",
    [SCH_MODIFY_NEGATE_ABSOLUTE_I64] = "l -abs",
    [SCH_MODIFY_SATURATE_F32] = "sat f",
    [SCH_MODIFY_SATURATE_F64] = "sat d",
    [SCH_MODIFY_FLUSH_F32] = "flush",
    [SCH_MODIFY_FLUSH_NEGATE_F32] = "flush f -",
    [SCH_MODIFY_FLUSH_ABSOLUTE_F32] = "flush f abs",
    [SCH_MODIFY_FLUSH_NEGATE_ABSOLUTE_F32] = "flush f -abs",
    [SCH_MODIFY_FLUSH_SATURATE_F32] = "flush sat",
};

static void put_src(struct words *w, const struct sch_prepared_src *src)
{
    static const char *const words[] = {"", "register", "constant", "patch", "none"};
    if (src->access == SCH_ACCESS_PLAIN) {
        put(w, "%c", "prs"[src->space]);
        for (unsigned c = 0; c < 4; c++) put(w, c ? ",%u" : "%u", src->channel[c]);
    } else {
        put(w, "%s %u.", words[src->access], src->file);
        put_swizzle(w, src->swizzle);
        put_index(w, &src->index);
        if (src->dimension.base || src->dimension.is_indirect) put_index(w, &src->dimension);
    }
    if (src->modify) put(w, " (%s%s)", modifiers[src->modify], sch_modifier_words(src->modify) == 2 ? " wide" : "");
}

static void put_dst(struct words *w, const struct sch_prepared_dst *dst)
{
    static const char *const words[] = {"", "register", "", "patch", "none"};
    if (dst->access == SCH_ACCESS_PLAIN) {
        put(w, "s%u/%x", dst->channel, dst->mask);
        return;
    }
    put(w, "%s %u/%x", words[dst->access], dst->file, dst->mask);
    put_index(w, &dst->index);
    if (dst->has_vertex) put_index(w, &dst->dimension);
}

static void put_operand(struct words *w, const char *name, struct sch_prepared_operand operand)
{
    if (operand.source >= 0) put(w, " %s %d.%c", name, operand.source, "xyzw"[operand.component]);
}

static void put_lookup(struct words *w, const struct sch_prepared_lookup *lookup)
{
    static const char *const kinds[] = {"SAMPLE",   "PROJECT", "GATHER",  "LOD",     "FETCH",
                                        "FETCH_MS", "SIZE",    "SAMPLES", "POSITION"};
    static const char *const modes[] = {"", " bias", " explicit", " zero", " gradients"};
    put(w, " | %s%s target %u %u%s", kinds[lookup->kind], modes[lookup->mode], lookup->target, lookup->axes,
        lookup->layer ? "+layer" : "");
    put(w, "%s%s%s%s", lookup->compares ? " compares" : "", lookup->handle ? " handle" : "",
        lookup->render_target ? " pixels" : "", lookup->d3d ? " d3d" : "");
    put(w, " view %d", lookup->view);
    if (lookup->sampler >= 0) put(w, " sampler %d", lookup->sampler);
    if (lookup->ddx >= 0) put(w, " ddx %d", lookup->ddx);
    put_operand(w, "value", lookup->value);
    if (lookup->compares) put_operand(w, "reference", lookup->reference);
    put_operand(w, "clamp", lookup->clamp);
    if (lookup->kind == SCH_PREPARED_GATHER && lookup->value.source < 0) put(w, " gathers %u", lookup->component);
    put(w, " ");
    put_swizzle(w, lookup->swizzle);
    for (unsigned n = 0; n < lookup->offsets; n++) {
        put(w, " offset ");
        put_src(w, &lookup->offset[n]);
    }
}

static void put_place(struct words *w, const struct sch_prepared_resource *place)
{
    put(w, " | place %u", place->file);
    put_index(w, &place->index);
    if (place->dimension.base || place->dimension.is_indirect) put_index(w, &place->dimension);
    put(w, " ");
    put_swizzle(w, place->swizzle);
    put(w, " words %x", place->components);
    if (place->written) put(w, " written %x", place->written);
    put(w, "%s%s", place->texture ? " texture" : "", place->raw ? " raw" : "");
    if (place->target != SCH_TARGET_UNKNOWN) put(w, " target %u", place->target);
    put(w, " address %d", place->address);
    if (!place->handle) return;
    put(w, " handle ");
    put_src(w, place->handle);
}

static void put_instruction(struct words *w, const struct sch_prepared_instruction *in)
{
    put(w, "%s", in->direct ? "direct " : "");
    if (in->rules & SCH_RULE_LEGACY_MUL) put(w, "legacy ");
    if (in->rules & SCH_RULE_PRECISE) put(w, "precise ");
    if (in->rules & SCH_RULE_D3D) put(w, "d3d ");
    if (in->modify) put(w, "<%s> ", modifiers[in->modify]);
    for (unsigned d = 0; d < in->dst_count; d++) {
        put(w, d ? " " : "");
        put_dst(w, &in->dst[d]);
    }
    for (unsigned s = 0; s < in->src_count; s++) {
        put(w, s ? "; " : " = ");
        put_src(w, &in->src[s]);
    }
    if (in->lookup) put_lookup(w, in->lookup);
    if (in->resource) put_place(w, in->resource);
}

/* ---- rows ---- */

struct row {
    const char *instruction, *expected;
};

/* The state: TEMP from 0, ADDR from 16, OUT from 24, SV from 36, IN from 44. IMM[0] from 1, IMM[1] from 5. CONST[3] is
 * the first constant of the run. */
#define REGISTERS                                                                                                      \
    "DCL TEMP[0..3]\nDCL ADDR[0..1]\nDCL SV[0..1], VERTEXID\nDCL CONST[0..9]\nDCL CONST[2][0..9]\nDCL SAMP[0..3]\n"    \
    "DCL BUFFER[0..3]\nDCL CONSTBUF[0..3]\nDCL HWATOMIC[0][0..3]\nDCL RES[0], BUFFER, RAW\nDCL RES[1], BUFFER, WR\n"   \
    "DCL RES[2], 2D, RAW, WR\nDCL RES[3], 3D\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"                            \
    "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, RAW\nDCL SVIEW[0], 3D, FLOAT\nDCL SVIEW[2], 2D_ARRAY, FLOAT\n"            \
    "IMM[0] UINT32 {1, 2, 3, 4}\nIMM[1] UINT32 {5, 6, 7, 8}\n"                                                         \
    "MOV TEMP[3], CONST[3]\nUARL ADDR[1], TEMP[3]\n"
enum { BEFORE = 3 };
#define FRAGMENT                                                                                                       \
    "DCL IN[0..2], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\n" REGISTERS  \
    "ADD OUT[2], SV[1], IN[2]\n"

static void check(const char *head, const struct row *rows, size_t count, unsigned before)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        char text[4096];
        char room[ROOM];
        struct words words = words_in(room, sizeof room);
        snprintf(text, sizeof text, "%s%s\nEND\n", head, rows[i].instruction);
        struct sch_prepared *program = make(text);
        assert_int_equal(program->instructions[before].number, before);
        put_instruction(&words, &program->instructions[before]);
        if (strcmp(words.text, rows[i].expected) != 0) {
            print_message("%s\n  got    %s\n  wanted %s\n", rows[i].instruction, words.text, rows[i].expected);
            good = false;
        }
        drop(program);
    }
    assert_true(good);
}

static const struct row operands[] = {
#include "prepared_operands.def"
};
static const struct row direct3d[] = {
#include "prepared_d3d.def"
};
static const struct row lookups[] = {
#include "prepared_lookups.def"
};
static const struct row memory[] = {
#include "prepared_memory.def"
};
static const struct row vertices[] = {
#include "prepared_vertices.def"
};
static const struct row patches[] = {
#include "prepared_patches.def"
};

static void operands_are_places(void **state)
{
    (void)state;
    check("FRAG\n" FRAGMENT, operands, COUNT(operands), BEFORE);
}
static void direct3d_flushes(void **state)
{
    (void)state;
    check("FRAG\nPROPERTY D3D_RULES 1\nPROPERTY LEGACY_MATH_RULES 1\n" FRAGMENT, direct3d, COUNT(direct3d), BEFORE);
}
static void lookups_know_their_operands(void **state)
{
    (void)state;
    check("FRAG\n" FRAGMENT, lookups, COUNT(lookups), BEFORE);
}
static void memory_has_a_place(void **state)
{
    (void)state;
    check("FRAG\n" FRAGMENT, memory, COUNT(memory), BEFORE);
}
static void inputs_of_vertices(void **state)
{
    (void)state;
    check("GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
          "PROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\n"
          "DCL OUT[0..1], GENERIC[0]\nDCL TEMP[0..3]\nDCL ADDR[0]\nMOV TEMP[3], IN[0][1]\nUARL ADDR[0], TEMP[3]\n"
          "MOV OUT[1], TEMP[0]\n",
          vertices, COUNT(vertices), BEFORE);
}
static void outputs_of_patches(void **state)
{
    (void)state;
    check("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH\n"
          "DCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\nDCL OUT[4], PRIM_ID\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
          "MOV TEMP[3], TEMP[0]\nUARL ADDR[0], TEMP[3]\nMOV OUT[4], TEMP[0]\n",
          patches, COUNT(patches), BEFORE);
}

/* ---- whole programs ---- */

/* Where lanes go on, and where loops and calls lead: 19 is the END behind the last. */
static void flow_is_linked(void **state)
{
    (void)state;
    static const char text[] = "VERT\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 3, 4}\n"
                               "UIF TEMP[0].xxxx\nBGNLOOP\nBRK\nCONT\nENDLOOP\nELSE\nSWITCH TEMP[0].xxxx\n"
                               "CASE IMM[0].yyyy\nCAL :14\nCASE -IMM[0].zzzz\nDEFAULT\nENDSWITCH\nENDIF\nEND\n"
                               "BGNSUB\nRET\nUIF TEMP[0].xxxx\nENDIF\nENDSUB\n";
    static const uint32_t reconverges[] = {5, 4, 4, 4, 5, 12, 7, 9, 9, 10, 11, 12, 19, 19, 18, 18, 17, 18, 19, 19};
    struct sch_prepared *program = make(text);
    assert_int_equal(program->instruction_count, 19);
    assert_int_equal(program->flow.max_depth, 4);
    for (uint32_t n = 0; n < COUNT(reconverges); n++) {
        const struct sch_prepared_instruction *in = &program->instructions[n];
        if (in->reconvergence - program->instructions != (ptrdiff_t)reconverges[n])
            fail_msg("%u reconverges at %td, not %u", n, in->reconvergence - program->instructions, reconverges[n]);
        ptrdiff_t target = in->target ? in->target - program->instructions : 0;
        assert_int_equal(target, n == 4 ? 2 : n == 8 ? 15 : 0);
        assert_int_equal(in->number, n);
        assert_int_equal(program->positions[n].line, n < 19 ? n + 4 : 0);
    }
    assert_int_equal(program->instructions[19].opcode, SCH_OP_END);
    drop(program);
}

/* What looks take longer than others counts for more: a lookup 64, memory, streams and interpolation 4. */
static void instructions_have_costs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t extra;
    } rows[] = {{"FRAG\nEND\n", 0},
                {"FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nNOP\nBALLOT TEMP[0], TEMP[0]\nEND\n", 0},
                {"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D\nEND\n", 63},
                {"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTXQ TEMP[0], TEMP[0], SAMP[0], 2D\nMOV TEMP[0], TEMP[0]\nTXQS "
                 "TEMP[0], SAMP[0], 2D\nEND\n",
                 126},
                {"FRAG\nDCL TEMP[0]\nDCL OUT[0], COLOR\nFBFETCH TEMP[0], OUT[0]\nEND\n", 63},
                {"FRAG\nDCL TEMP[0]\nDCL BUFFER[0]\nLOAD TEMP[0], BUFFER[0], TEMP[0]\nEND\n", 3},
                {"FRAG\nDCL TEMP[0]\nDCL BUFFER[0]\nSTORE BUFFER[0], TEMP[0], TEMP[0]\nEND\n", 3},
                {"FRAG\nDCL TEMP[0]\nDCL BUFFER[0]\nATOMUADD TEMP[0].x, BUFFER[0], TEMP[0], TEMP[0]\nEND\n", 3},
                {"FRAG\nDCL TEMP[0]\nDCL IN[0], GENERIC[0], LINEAR\nINTERP_CENTROID TEMP[0], IN[0]\nEND\n", 3},
                {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY "
                 "GS_MAX_OUTPUT_VERTICES 2\nIMM[0] UINT32 {0, 0, 0, 0}\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n",
                 6}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_prepared *program = make(rows[i].text);
        if (program->extra_cost != rows[i].extra)
            fail_msg("%s%llu", rows[i].text, (unsigned long long)program->extra_cost);
        drop(program);
    }
}

#define GEOMETRY "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"

/* What belongs to the stage, and properties at their bounds. */
static void stages_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sch_result status;
        uint32_t lanes, ids, emits;
    } rows[] = {{"VERT\nEND\n", SCH_OK, 32, 1, 0},
                {"FRAG\nEND\n", SCH_OK, 32, 1, 0},
                {"TESS_CTRL\nEND\n", SCH_OK, 32, 32, 0},
                {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 0\nEND\n", SCH_ERROR_INVALID, 0, 0, 0},
                {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nEND\n", SCH_OK, 1, 1, 0},
                {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 32\nEND\n", SCH_OK, 32, 32, 0},
                {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 33\nEND\n", SCH_ERROR_INVALID, 0, 0, 0},
                {GEOMETRY "END\n", SCH_OK, 32, 1, 1024},
                {GEOMETRY "PROPERTY GS_MAX_OUTPUT_VERTICES 7\nPROPERTY GS_INVOCATIONS 5\nEND\n", SCH_OK, 32, 5, 7},
                {GEOMETRY "PROPERTY GS_INVOCATIONS 0\nEND\n", SCH_ERROR_INVALID, 0, 0, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_ir_shader *shader = NULL;
        struct sch_prepared *program = calloc(1, sizeof *program);
        assert_non_null(program);
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        assert_int_equal(
            sch_tgsi_parse(&sch_allocator_libc, &limits, rows[i].text, strlen(rows[i].text), &list, &shader), 0);
        enum sch_result status = sch_prepare(shader, &sch_allocator_libc, &list, program);
        if (status != rows[i].status) fail_msg("%s%d", rows[i].text, status);
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
        if (status != SCH_OK) {
            drop(program);
            continue;
        }
        if (program->of_stage.group_lanes != rows[i].lanes || program->of_stage.invocation_ids != rows[i].ids ||
            program->of_stage.emit_limit != rows[i].emits)
            fail_msg("%s%u %u %u", rows[i].text, program->of_stage.group_lanes, program->of_stage.invocation_ids,
                     program->of_stage.emit_limit);
        drop(program);
    }

    struct sch_prepared *program =
        make("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[2..3], GENERIC[1], CONSTANT\nDCL IN[4..9], COLOR, COLOR\n"
             "DCL TEMP[0]\nMOV TEMP[0], IN[5]\nEND\n");
    static const uint8_t interpolations[] = {SCH_INTERPOLATION_LINEAR,   SCH_INTERPOLATION_PERSPECTIVE,
                                             SCH_INTERPOLATION_CONSTANT, SCH_INTERPOLATION_CONSTANT,
                                             SCH_INTERPOLATION_COLOR,    SCH_INTERPOLATION_COLOR};
    assert_int_equal(program->interface.input_count, 10);
    for (size_t r = 0; r < COUNT(interpolations); r++) {
        assert_int_equal(program->interface.inputs[r].declared, r != 1);
        if (r != 1) assert_int_equal(program->interface.inputs[r].interpolation, interpolations[r]);
    }
    assert_null(program->of_stage.patch_outputs);
    drop(program);

    program = make("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[0], POSITION\nDCL OUT[1..2], PATCH\n"
                   "DCL OUT[3], TESSOUTER\nDCL OUT[4], TESSINNER\nDCL OUT[5], PRIM_ID\nDCL OUT[6], GENERIC[0]\n"
                   "DCL OUT[7..9], PATCH[3]\nDCL TEMP[0]\nMOV OUT[7], TEMP[0]\nEND\n");
    static const bool shared[] = {false, true, true, true, true, true, false, true};
    assert_int_equal(program->files[SCH_FILE_OUTPUT].count, COUNT(shared));
    assert_memory_equal(program->of_stage.patch_outputs, shared, sizeof shared);
    drop(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_is_linked),     cmocka_unit_test(instructions_have_costs),
        cmocka_unit_test(stages_are_listed),  cmocka_unit_test(operands_are_places),
        cmocka_unit_test(direct3d_flushes),   cmocka_unit_test(lookups_know_their_operands),
        cmocka_unit_test(memory_has_a_place), cmocka_unit_test(inputs_of_vertices),
        cmocka_unit_test(outputs_of_patches),
    };
    return cmocka_run_group_tests_name("prepared", tests, NULL, NULL);
}
