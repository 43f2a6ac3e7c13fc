/* What src/native reads off instructions before they run, against the words of its headers (protocol/slots.h,
 * native/internal.h): which lookups and images have slots, which accesses have views, how much is kept across a
 * BARRIER, what the slots of a run are filled with, and which states of lookups a compiler may know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "native/program.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { TEXT = 1 << 18 };

/* ---- slots and views ---- */

#define FRAG_HEAD                                                                                                      \
    "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0..1]\nDCL SAMP[0..2]\n"      \
    "DCL SVIEW[0..2], 2D, FLOAT\nDCL CONST[0..3]\nIMM[0] UINT32 {0, 1, 2, 3}\nUARL ADDR[0].x, IN[0].xxxx\n"
#define COMP_HEAD                                                                                                      \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL BUFFER[0..1]\n"           \
    "DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[2], 2D, PIPE_FORMAT_R32_UINT, RAW, WR\n"                 \
    "DCL HWATOMIC[0]\nDCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n"

/* One instruction: its slots, and whether it has a query, a known image, a view. */
static const struct slot_case {
    const char *head, *code;
    uint32_t slots;
    bool query, image, view;
    uint8_t component;
} slot_cases[] = {
    {FRAG_HEAD, "MOV OUT[0], IN[0]", 0, false, false, false, 0},
    {FRAG_HEAD, "TEX OUT[0], IN[0], SAMP[0], 2D", 1, false, false, false, 0},
    {FRAG_HEAD, "TXP OUT[0], IN[0], SAMP[1], 2D", 1, false, false, false, 0},
    {FRAG_HEAD, "TXF OUT[0], IN[0], SAMP[0], 2D", 1, false, false, false, 0},
    {FRAG_HEAD, "LODQ OUT[0], IN[0], SAMP[0], 2D", 1, false, false, false, 0},
    {FRAG_HEAD, "TXQ OUT[0], IN[0].xxxx, SAMP[0], 2D", 1, true, false, false, 0},
    {FRAG_HEAD, "TXQ OUT[0], IN[0].xxxx, SAMP[ADDR[0].x], 2D", 0, false, false, false, 0},
    {FRAG_HEAD, "TXL OUT[0], IN[0], SAMP[ADDR[0].x], 2D", 16, false, false, false, 0},
    {FRAG_HEAD, "TXF OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D", 16, false, false, false, 0},
    {FRAG_HEAD, "TG4 OUT[0], IN[0], IMM[0].zzzz, SAMP[0], 2D", 1, false, false, false, 2},
    {FRAG_HEAD, "TG4 OUT[0], IN[0], IMM[0].yyyy, SAMP[0], 2D", 1, false, false, false, 1},
    {FRAG_HEAD, "TG4 OUT[0], IN[0], TEMP[0].xxxx, SAMP[0], 2D", 0, false, false, false, 0},
    {FRAG_HEAD, "TG4 OUT[0], IN[0], CONST[0].xxxx, SAMP[0], 2D", 0, false, false, false, 0},
    {FRAG_HEAD, "SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[1]", 1, false, false, false, 0},
    {FRAG_HEAD, "SAMPLE OUT[0], IN[0], SVIEW[ADDR[0].x], SAMP[1]", 16, false, false, false, 0},
    {FRAG_HEAD, "SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[ADDR[0].x]", 0, false, false, false, 0},
    {FRAG_HEAD, "SAMPLE OUT[0], IN[0], SVIEW[ADDR[0].x], SAMP[ADDR[0].x]", 0, false, false, false, 0},
    {COMP_HEAD, "LOAD TEMP[0], BUFFER[0], SV[0]", 0, false, false, true, 0},
    {COMP_HEAD, "LOAD TEMP[0], BUFFER[ADDR[0].x], SV[0]", 0, false, false, false, 0},
    {COMP_HEAD, "STORE BUFFER[1], SV[0], TEMP[0]", 0, false, false, true, 0},
    {COMP_HEAD, "ATOMUADD TEMP[0].x, MEMORY[0], SV[0], TEMP[0]", 0, false, false, true, 0},
    {COMP_HEAD, "RESQ TEMP[0], BUFFER[0]", 0, false, false, true, 0},
    {COMP_HEAD, "LOAD TEMP[0], IMAGE[0], SV[0], 2D, PIPE_FORMAT_R32_UINT", 1, false, true, true, 0},
    {COMP_HEAD, "STORE IMAGE[1], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT", 1, false, true, true, 0},
    {COMP_HEAD, "ATOMUADD TEMP[0].x, IMAGE[0], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT", 0, false, true, true, 0},
    {COMP_HEAD, "RESQ TEMP[0], IMAGE[0], 2D, PIPE_FORMAT_R32_UINT", 0, false, true, true, 0},
    {COMP_HEAD, "LOAD TEMP[0], IMAGE[ADDR[0].x], SV[0], 2D, PIPE_FORMAT_R32_UINT", 0, false, false, false, 0},
    {COMP_HEAD, "LOAD TEMP[0], IMAGE[2], SV[0], 2D, PIPE_FORMAT_R32_UINT", 0, false, false, false, 0},
};

static char text[TEXT];

/* The instruction that stands before the END. */
static const struct sch_prepared_instruction *last_of(const struct sch_exec_program *program)
{
    return &program->prepared.instructions[program->prepared.instruction_count - 2];
}

static void instructions_have_slots_and_views(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(slot_cases); i++) {
        const struct slot_case *a = &slot_cases[i];
        snprintf(text, sizeof text, "%s%s\nEND\n", a->head, a->code);
        struct sch_exec_program *program = exec_program(text, NULL);
        const struct sch_prepared_instruction *in = last_of(program);
        uint8_t component = 0;
        if (sch_native_slots_of(&program->prepared, in) != a->slots || sch_native_has_query(in) != a->query ||
            sch_native_has_image(in) != a->image || sch_native_has_view(in) != a->view)
            fail_msg("%s: %u slots, query %d, image %d, view %d", a->code, sch_native_slots_of(&program->prepared, in),
                     sch_native_has_query(in), sch_native_has_image(in), sch_native_has_view(in));
        if (in->lookup && !a->query)
            assert_int_equal(sch_native_slot_count(&program->prepared, in, &component), a->slots);
        assert_int_equal(component, a->component);
        sch_exec_destroy(program);
    }
}

/* Numbers have slots in programs of up to 4,096 instructions. */
static void large_programs_have_no_slots_for_numbers(void **state)
{
    (void)state;
    for (unsigned count = 4095; count <= 4097; count++) {
        size_t length = (size_t)snprintf(text, sizeof text, FRAG_HEAD);
        for (unsigned i = 3; i < count; i++) length += (size_t)snprintf(text + length, sizeof text - length, "NOP\n");
        snprintf(text + length, sizeof text - length, "TXL OUT[0], IN[0], SAMP[ADDR[0].x], 2D\nEND\n");
        struct sch_exec_program *program = exec_program(text, NULL);
        assert_int_equal(program->prepared.instruction_count, count);
        assert_int_equal(sch_native_slots_of(&program->prepared, last_of(program)), count <= 4096 ? 16 : 0);
        sch_exec_destroy(program);
    }
}

/* Eight words and 32 lanes of the group; four of a construct, and 32 lanes of a SWITCH; nothing without BARRIER. */
static void words_are_kept_across_barriers(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t words;
    } kept[] = {
        {"NOP\n", 0},
        {"UIF SV[0].xxxx\nENDIF\n", 0},
        {"BARRIER\n", 40},
        {"BARRIER\nUIF SV[0].xxxx\nENDIF\n", 44},
        {"BARRIER\nUIF SV[0].xxxx\nELSE\nENDIF\nIF SV[0].xxxx\nENDIF\n", 48},
        {"BARRIER\nBGNLOOP\nBRK\nENDLOOP\n", 44},
        {"BARRIER\nSWITCH SV[0].xxxx\nDEFAULT\nENDSWITCH\n", 76},
        {"BGNLOOP\nBARRIER\nUIF SV[0].xxxx\nBRK\nENDIF\nENDLOOP\n", 48},
    };
    for (size_t i = 0; i < COUNT(kept); i++) {
        snprintf(text, sizeof text, "%s%sEND\n", COMP_HEAD, kept[i].code);
        struct sch_exec_program *program = exec_program(text, NULL);
        if (sch_native_kept_words(&program->prepared) != kept[i].words)
            fail_msg("%s: %zu words", kept[i].code, sch_native_kept_words(&program->prepared));
        sch_exec_destroy(program);
    }
}

/* ---- what slots are filled with ---- */

static const struct sch_texture texture = {.levels = 1};

static struct sch_exec_bindings bound(uint32_t views)
{
    static struct sch_exec_view view[3];
    static struct sch_exec_sampler sampler[3];
    static struct sch_exec_image image[2];
    for (unsigned i = 0; i < 3; i++) {
        view[i] = (struct sch_exec_view){
            .texture = &texture, .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .swizzle = {0, 1, 2, 3}};
        sampler[i] = (struct sch_exec_sampler){.key = {.wrap = {1, 2, 3}, .mip = (uint8_t)i, .max_anisotropy = 1}};
    }
    for (unsigned i = 0; i < 2; i++)
        image[i] = (struct sch_exec_image){
            .texture = &texture, .format = SCH_FORMAT_R32_UINT, .target = SCH_TARGET_2D, .writable = i == 0};
    return (struct sch_exec_bindings){
        .views = view, .view_count = views, .samplers = sampler, .sampler_count = 3, .images = image, .image_count = 2};
}

/* Of the first slot of an instruction, everything bound. */
static const struct fills {
    const char *head, *code;
    bool there;
    uint8_t kind, lod_mode, offsets, component, mip;
    bool has_lod, has_values;
} fills[] = {
    {FRAG_HEAD, "TEX OUT[0], IN[0], SAMP[0], 2D", true, SCH_NATIVE_SAMPLE, SCH_LOD_IMPLICIT, 0, 0, 0, false, true},
    {FRAG_HEAD, "TXP OUT[0], IN[0], SAMP[2], 2D", true, SCH_NATIVE_SAMPLE, SCH_LOD_IMPLICIT, 0, 0, 2, false, true},
    {FRAG_HEAD, "TXB OUT[0], IN[0], SAMP[1], 2D", true, SCH_NATIVE_SAMPLE, SCH_LOD_BIAS, 0, 0, 1, true, true},
    {FRAG_HEAD, "TXL OUT[0], IN[0], SAMP[1], 2D", true, SCH_NATIVE_SAMPLE, SCH_LOD_EXPLICIT, 0, 0, 1, true, true},
    {FRAG_HEAD, "TXD OUT[0], IN[0], IN[1], IN[1], SAMP[1], 2D", true, SCH_NATIVE_SAMPLE, SCH_LOD_GRADIENTS, 0, 0, 1,
     false, true},
    {FRAG_HEAD, "TEX OUT[0], IN[0], SAMP[1], 2D, IMM[0].xyz", true, SCH_NATIVE_SAMPLE, SCH_LOD_IMPLICIT, 1, 0, 1, false,
     true},
    {FRAG_HEAD, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[1], 2D", true, SCH_NATIVE_GATHER, SCH_LOD_ZERO, 0, 3, 1, false,
     true},
    {FRAG_HEAD, "LODQ OUT[0], IN[0], SAMP[1], 2D", true, SCH_NATIVE_LOD, SCH_LOD_IMPLICIT, 0, 0, 1, false, true},
    {COMP_HEAD, "LOAD TEMP[0], IMAGE[1], SV[0], 2D, PIPE_FORMAT_R32_UINT", true, SCH_NATIVE_FETCH, SCH_LOD_ZERO, 0, 0,
     0, false, false},
    {COMP_HEAD, "STORE IMAGE[0], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT", true, SCH_NATIVE_STORE, SCH_LOD_ZERO, 0, 0,
     0, false, false},
    {COMP_HEAD, "STORE IMAGE[1], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT", false, 0, 0, 0, 0, 0, false, false},
};

static void fill(const char *head, const char *code, const struct sch_exec_bindings *bindings, bool quads,
                 struct sch_arena *arena, struct sch_exec_program **program, struct sch_native_slots *slots)
{
    snprintf(text, sizeof text, "%s%s\nEND\n", head, code);
    *program = exec_program(text, NULL);
    memset(slots, 0, sizeof *slots);
    sch_arena_init(arena, &sch_allocator_libc, 0);
    assert_int_equal(sch_native_fill_slots(*program, bindings, quads, arena, slots), SCH_OK);
}

static void check_functions(const struct fills *f, const struct sch_ops *ops, struct sch_group_slot *slot)
{
    const bool stores = strncmp(f->code, "STORE", 5) == 0, loads = strncmp(f->code, "LOAD", 4) == 0;
    assert_int_equal(atomic_load(&slot->sample) != NULL, !stores && !loads);
    assert_int_equal(atomic_load(&slot->fetch) != NULL, loads);
    assert_int_equal(atomic_load(&slot->store) != NULL, stores);
    sch_sample_fn *sample = f->kind == SCH_NATIVE_GATHER ? ops->texture_gather
                            : f->kind == SCH_NATIVE_LOD  ? ops->lod_query
                                                         : ops->sample;
    if (!f->there) return;
    if (!stores && !loads && atomic_load(&slot->sample) != sample) fail_msg("%s: another function", f->code);
    if (loads) assert_true(atomic_load(&slot->fetch) == ops->fetch);
    if (stores) assert_true(atomic_load(&slot->store) == ops->image_store);
}

static void slots_are_filled(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(fills); i++) {
        const struct fills *f = &fills[i / 2];
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        const struct sch_exec_bindings bindings = bound(3);
        fill(f->head, f->code, &bindings, i & 1, &arena, &program, &slots);
        const struct sch_native_wish *wish = &slots.wishes[0];
        assert_int_equal(slots.count, 1);
        assert_ptr_equal(slots.ops, program->ops);
        check_functions(f, program->ops, &slots.slots[0]);
        if (wish->there != f->there) fail_msg("%s: there %d", f->code, wish->there);
        if (f->there) {
            const struct sch_native_lookup_form *form = &wish->form;
            const bool image = f->head[0] == 'C';
            if (form->kind != f->kind || form->lod_mode != f->lod_mode || form->offsets != f->offsets ||
                form->component != f->component || form->has_lod != f->has_lod || form->key.mip != f->mip)
                fail_msg("%s: kind %u, mode %u, offsets %u, component %u, lod %d", f->code, form->kind, form->lod_mode,
                         form->offsets, form->component, form->has_lod);
            assert_false(form->has_min_lod || form->biased);
            assert_int_equal(form->quads, !image && (i & 1));
            assert_ptr_equal(slots.slots[0].key, &form->key);
            assert_ptr_equal(slots.slots[0].texture, &texture);
        }
        assert_int_equal(slots.slots[0].values != NULL, f->has_values);
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* A query's slot has the texture that it is about, and no function. */
static void queries_have_their_texture(void **state)
{
    (void)state;
    for (uint32_t views = 0; views <= 3; views += 3) {
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        const struct sch_exec_bindings some = bound(views);
        fill(FRAG_HEAD, "TXQ OUT[0], IN[0].xxxx, SAMP[0], 2D", &some, true, &arena, &program, &slots);
        assert_int_equal(slots.count, 1);
        assert_ptr_equal(slots.slots[0].texture, views ? &texture : NULL);
        assert_true(!atomic_load(&slots.slots[0].sample) && !atomic_load(&slots.slots[0].fetch));
        assert_false(slots.wishes[0].there);
        struct sch_arena small; /* nor is there any without memory */
        sch_arena_init(&small, &sch_allocator_libc, 1);
        assert_int_equal(sch_native_fill_slots(program, &some, true, &small, &slots), SCH_ERROR_MEMORY);
        sch_arena_release(&small);
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* Of nothing bound everything answers zeros. */
static void unbound_slots_return_zeros(void **state)
{
    (void)state;
    static const char *const codes[] = {"TEX OUT[0], IN[0], SAMP[0], 2D", "TXF OUT[0], IN[0], SAMP[0], 2D"};
    for (size_t i = 0; i < COUNT(codes); i++) {
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        struct sch_lanes answers[4];
        struct sch_lanes *const to[4] = {&answers[0], &answers[1], &answers[2], &answers[3]};
        const struct sch_exec_bindings none = bound(0);
        fill(FRAG_HEAD, codes[i], &none, true, &arena, &program, &slots);
        memset(answers, 0x55, sizeof answers);
        assert_false(slots.wishes[0].there);
        assert_int_equal(atomic_load(&slots.slots[0].sample) != NULL, i == 0);
        assert_int_equal(atomic_load(&slots.slots[0].fetch) != NULL, i == 1);
        if (i == 0)
            atomic_load (&slots.slots[0].sample)(NULL, NULL, NULL, NULL, to);
        else
            atomic_load (&slots.slots[0].fetch)(NULL, NULL, NULL, to);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) assert_int_equal(answers[c].u[lane], 0);
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* Of numbers, those that are bound, and that the program declares: SVIEW[0..2]. */
static void numbers_are_wanted_where_they_are_declared(void **state)
{
    (void)state;
    for (uint32_t views = 0; views <= 3; views++) {
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        const struct sch_exec_bindings some = bound(views);
        fill(FRAG_HEAD, "TXF TEMP[0], IN[0], SAMP[0], 2D\nTXF OUT[0], IN[0], SAMP[ADDR[0].x], 2D", &some, true, &arena,
             &program, &slots);
        assert_int_equal(slots.count, 17);
        for (uint32_t n = 0; n < 16; n++) assert_int_equal(slots.wishes[1 + n].there, n < views);
        for (uint32_t n = 0; n < 16; n++) assert_true(slots.slots[1 + n].texture == (n < views ? &texture : NULL));
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* ---- what a compiler may know ---- */

/* One level and no filters: little code, which goes into programs. */
static struct sch_exec_bindings bound_plainly(uint32_t views)
{
    static struct sch_exec_sampler sampler[3];
    struct sch_exec_bindings bindings = bound(views);
    for (unsigned i = 0; i < 3; i++) {
        sampler[i] = bindings.samplers[i];
        sampler[i].key.mip = 0;
        sampler[i].key.wrap[2] = (uint8_t)i;
    }
    bindings.samplers = sampler;
    return bindings;
}

static const struct knows {
    const char *head, *code;
    uint32_t views, count; /* of forms */
    uint8_t of_slot[4];
    bool all;
    uint8_t straight[4]; /* of 8 lanes: where several instructions have a state */
} knows[] = {
    {FRAG_HEAD, "MOV OUT[0], IN[0]", 3, 0, {0}, true},
    {FRAG_HEAD, "TEX OUT[0], IN[0], SAMP[0], 2D", 3, 1, {1}, true},
    {FRAG_HEAD, "TEX OUT[0], IN[0], SAMP[0], 2D", 0, 0, {0}, false},
    {FRAG_HEAD, "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[1], 2D", 3, 2, {1, 2}, true},
    {FRAG_HEAD, "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[1], 2D", 1, 1, {1, 0}, false},
    {FRAG_HEAD, "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[0], 2D", 3, 0, {0, 0}, false, {1, 1}},
    {FRAG_HEAD,
     "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXL TEMP[1], IN[0], SAMP[1], 2D\nTEX OUT[0], IN[0], SAMP[0], 2D",
     3,
     2,
     {0, 2, 0},
     false,
     {1, 2, 1}},
    {FRAG_HEAD, "TXQ TEMP[0], IN[0].xxxx, SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[1], 2D", 3, 1, {0, 1}, true},
    {FRAG_HEAD, "TXF OUT[0], IN[0], SAMP[0], 3D", 3, 0, {0}, false},
    {FRAG_HEAD, "TXF TEMP[0], IN[0], SAMP[ADDR[0].x], 2D\nTEX OUT[0], IN[0], SAMP[1], 2D", 3, 1, {0}, false},
    {COMP_HEAD, "LOAD TEMP[0], IMAGE[0], SV[0], 2D, PIPE_FORMAT_R32_UINT", 3, 0, {0}, false},
};

static void check_known(const struct knows *k, uint8_t lanes)
{
    struct sch_arena arena;
    struct sch_exec_program *program;
    struct sch_native_slots slots;
    struct sch_native_known known, none;
    const struct sch_exec_bindings bindings = bound_plainly(k->views);
    const bool straight = lanes == 8 && k->straight[0];
    memset(&known, 0, sizeof known);
    memset(&none, 0, sizeof none);
    fill(k->head, k->code, &bindings, true, &arena, &program, &slots);
    struct sch_ops ops = *slots.ops;
    ops.lanes = lanes;
    slots.ops = &ops;
    const bool all = sch_native_know_lookups(program, &slots, &known);
    const uint32_t count = straight && !k->count ? 1 : k->count;
    if (all != (straight || k->all) || known.count != count ||
        memcmp(known.of_slot, straight ? k->straight : k->of_slot, 4) != 0)
        fail_msg("%s, %u views, %u lanes: all %d, %u forms, slots %u %u %u %u", k->code, k->views, lanes, all,
                 known.count, known.of_slot[0], known.of_slot[1], known.of_slot[2], known.of_slot[3]);
    for (uint32_t n = 0; n < slots.count && n < 4; n++) {
        if (!known.of_slot[n]) continue;
        struct sch_native_lookup_form form = known.form[known.of_slot[n] - 1];
        assert_int_equal(form.in_rows, lanes == 8);
        assert_int_equal(form.straight, straight && known.of_slot[n] == 1);
        form.in_rows = form.straight = form.from_0_to_1 = false;
        assert_memory_equal(&form, &slots.wishes[n].form, sizeof form);
    }
    assert_int_equal(sch_native_same_known(&known, &none), known.count == 0);
    sch_arena_release(&arena);
    sch_exec_destroy(program);
}

static void states_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(knows); i++)
        for (uint8_t lanes = 4; lanes <= 16; lanes *= 2) check_known(&knows[i], lanes);
}

/* What the program gets, by format, target, filters and lanes. */
static void much_code_is_called(void **state)
{
    enum { CALLED, WHOLE, IN_ROWS };
    (void)state;
    static const struct {
        uint16_t format;
        uint8_t wrap, linear, mip, anisotropy, lanes, wanted;
        const char *code; /* NULL: a sample */
    } cases[] = {
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 0, 0, 1, 4, WHOLE},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 0, 0, 1, 8, IN_ROWS},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 0, 0, 1, 16, WHOLE},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 1, 0, 1, 4, CALLED},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 1, 0, 1, 8, IN_ROWS},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_CLAMP_TO_BORDER, 1, 0, 1, 16, IN_ROWS},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_MIRROR_REPEAT, 1, 0, 1, 8, CALLED},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 1, 2, 1, 8, CALLED},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_WRAP_REPEAT, 1, 0, 16, 8, CALLED},
        {SCH_FORMAT_R8G8B8A8_SRGB, SCH_WRAP_REPEAT, 0, 0, 1, 8, IN_ROWS},
        {SCH_FORMAT_R8G8B8A8_SRGB, SCH_WRAP_REPEAT, 1, 0, 1, 8, CALLED},
        {SCH_FORMAT_R32G32B32A32_FLOAT, SCH_WRAP_REPEAT, 0, 0, 1, 8, WHOLE},
        {SCH_FORMAT_R32G32B32A32_FLOAT, SCH_WRAP_REPEAT, 1, 0, 1, 8, CALLED},
        {SCH_FORMAT_DXT1_RGBA, SCH_WRAP_REPEAT, 0, 0, 1, 8, CALLED},
        {SCH_FORMAT_R8G8B8A8_UNORM, 0, 0, 0, 0, 4, CALLED, "TXF OUT[0], IN[0], SAMP[0], 2D"},
        {SCH_FORMAT_R8G8B8A8_UNORM, 0, 0, 0, 0, 8, IN_ROWS, "TXF OUT[0], IN[0], SAMP[0], 2D"},
        {SCH_FORMAT_R32_FLOAT, 0, 0, 0, 0, 16, IN_ROWS, "TXF OUT[0], IN[0], SAMP[0], RECT"},
        {SCH_FORMAT_R8G8B8A8_UNORM, 0, 0, 0, 0, 8, CALLED, "TXF OUT[0], IN[0], SAMP[0], 2D_ARRAY"},
        {SCH_FORMAT_R16G16B16A16_UNORM, 0, 0, 0, 0, 8, CALLED, "TXF OUT[0], IN[0], SAMP[0], 2D"},
        {SCH_FORMAT_DXT1_RGBA, 0, 0, 0, 0, 8, CALLED, "TXF OUT[0], IN[0], SAMP[0], 2D"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        struct sch_native_known known = {0};
        const struct sch_exec_bindings bindings = bound_plainly(1);
        fill(FRAG_HEAD, cases[i].code ? cases[i].code : "TEX OUT[0], IN[0], SAMP[0], 2D", &bindings, true, &arena,
             &program, &slots);
        struct sch_ops ops = *slots.ops;
        struct sch_sampler_key *key = &slots.wishes[0].form.key;
        ops.lanes = cases[i].lanes;
        slots.ops = &ops;
        key->format = cases[i].format;
        key->wrap[0] = key->wrap[1] = cases[i].wrap;
        key->min_linear = key->mag_linear = cases[i].linear;
        key->mip = cases[i].mip;
        key->max_anisotropy = cases[i].anisotropy;
        const bool all = sch_native_know_lookups(program, &slots, &known);
        const unsigned made = !all ? CALLED : known.form[0].in_rows ? IN_ROWS : WHOLE;
        if (made != cases[i].wanted) fail_msg("case %u: %u", (unsigned)i, made);
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* What is known of the linear lookups of a program at a level of so many lanes. */
static struct sch_native_known known_of(const char *code, uint8_t lanes)
{
    struct sch_arena arena;
    struct sch_exec_program *program;
    struct sch_native_slots slots;
    struct sch_native_known known = {0};
    const struct sch_exec_bindings bindings = bound_plainly(1);
    fill(FRAG_HEAD, code, &bindings, true, &arena, &program, &slots);
    struct sch_ops ops = *slots.ops;
    ops.lanes = lanes;
    slots.ops = &ops;
    for (uint32_t n = 0; n < slots.count; n++)
        slots.wishes[n].form.key.min_linear = slots.wishes[n].form.key.mag_linear = 1;
    sch_native_know_lookups(program, &slots, &known);
    sch_arena_release(&arena);
    sch_exec_destroy(program);
    return known;
}

/* One texel a pixel has code of its own where a lookup is in a loop, and where several instructions have it. */
static void loops_look_for_straight_texels(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        uint8_t lanes;
        bool straight;
    } cases[] = {
        {"BGNLOOP\nTEX OUT[0], IN[0], SAMP[0], 2D\nBRK\nENDLOOP", 8, true},
        {"BGNLOOP\nUIF IN[0].xxxx\nTEX OUT[0], IN[0], SAMP[0], 2D\nENDIF\nBRK\nENDLOOP", 8, true},
        {"BGNLOOP\nTXF OUT[0], IN[0], SAMP[0], 2D\nBRK\nENDLOOP", 8, false},
        {"UIF IN[0].xxxx\nTEX OUT[0], IN[0], SAMP[0], 2D\nENDIF", 8, false},
        {"TEX OUT[0], IN[0], SAMP[0], 2D", 8, false},
        {"BGNLOOP\nTEX OUT[0], IN[0], SAMP[0], 2D\nBRK\nENDLOOP", 16, false},
        {"TEX OUT[0], IN[0], SAMP[0], 2D\nTEX OUT[1], IN[0].yxxx, SAMP[0], 2D", 8, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sch_native_known known = known_of(cases[i].code, cases[i].lanes);
        assert_int_equal(known.count, 1);
        if (known.form[0].straight != cases[i].straight) fail_msg("case %u", (unsigned)i);
    }
}

/* Lookups whose places other lookups of a loop decide are called. */
static void scattered_texels_are_not_sought_in_rows(void **state)
{
    (void)state;
#define LOOKUP "TEX TEMP[1], TEMP[0], SAMP[0], 2D\n"
    static const struct {
        const char *code;
        bool called;
    } cases[] = {
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP "ADD TEMP[0], TEMP[0], TEMP[1]\nBRK\nENDLOOP", true},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP
         "MUL TEMP[2], TEMP[1].wzyx, IN[0]\nMAD TEMP[0].y, IN[0], TEMP[2], TEMP[0]\nBRK\nENDLOOP",
         true},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP "DP2 TEMP[0].x, TEMP[1], IN[0]\nBRK\nENDLOOP", true},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP
         "MOV TEMP[2].z, TEMP[1]\nADD TEMP[0].xy, TEMP[0], TEMP[2]\nBRK\nENDLOOP",
         false},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP "ADD TEMP[0].zw, TEMP[0], TEMP[1]\nBRK\nENDLOOP", false},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\n" LOOKUP "ADD TEMP[2], TEMP[2], TEMP[1]\nADD TEMP[0], TEMP[0], IN[0]\n"
         "BRK\nENDLOOP\nMOV OUT[0], TEMP[2]",
         false},
        {"MOV TEMP[0], IN[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], IN[0]\nBRK\nENDLOOP\n" LOOKUP
         "ADD TEMP[0], TEMP[0], TEMP[1]",
         false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sch_native_known known = known_of(cases[i].code, 8);
        if (known.count != !cases[i].called) fail_msg("case %u", (unsigned)i);
    }
#undef LOOKUP
}

/* Eight forms, and those of the first 64 slots: what is beyond is called. */
static void known_states_are_bounded(void **state)
{
    (void)state;
    static const uint32_t fillers[] = {0, 55, 56, 57};
    for (size_t i = 0; i < COUNT(fillers); i++) {
        struct sch_arena arena;
        struct sch_exec_program *program;
        struct sch_native_slots slots;
        struct sch_native_known known;
        static char code[TEXT / 2];
        size_t length = 0;
        for (uint32_t n = 0; n < fillers[i]; n++) /* queries take slots and have no state */
            length += (size_t)snprintf(code + length, sizeof code - length, "TXQ TEMP[0], IN[0].xxxx, SAMP[0], 2D\n");
        for (uint32_t n = 0; n < 9; n++) { /* three modes of three samplers */
            static const char *const names[] = {"TEX", "TXL", "TXB"};
            length += (size_t)snprintf(code + length, sizeof code - length, "%s TEMP[0], IN[0], SAMP[%u], 2D\n",
                                       names[n / 3], n % 3);
        }
        memset(&known, 0, sizeof known);
        const struct sch_exec_bindings bindings = bound_plainly(3);
        fill(FRAG_HEAD, code, &bindings, true, &arena, &program, &slots);
        assert_false(sch_native_know_lookups(program, &slots, &known));
        const uint32_t wanted = fillers[i] == 57 ? 7 : 8;
        assert_int_equal(known.count, wanted);
        for (uint32_t n = 0; n < 8 && fillers[i] + n < SCH_NATIVE_KNOWN_SLOTS; n++)
            assert_int_equal(known.of_slot[fillers[i] + n], n + 1);
        if (fillers[i] + 8 < SCH_NATIVE_KNOWN_SLOTS) assert_int_equal(known.of_slot[fillers[i] + 8], 0);
        sch_arena_release(&arena);
        sch_exec_destroy(program);
    }
}

/* ---- the slow ways ---- */

/* What atomics answer in lanes that do not execute is 0; words of others stay. */
static void updates_return_zero_elsewhere(void **state)
{
    (void)state;
    static const uint32_t masks[] = {UINT32_MAX, 0x5, 0x80000000, 0};
    snprintf(text, sizeof text, "%sATOMUADD TEMP[0].x, BUFFER[0], SV[0], TEMP[0]\nEND\n", COMP_HEAD);
    struct sch_exec_program *program = exec_program(text, NULL);
    const struct sch_prepared_instruction *in = last_of(program);
    struct sch_exec_machine *machine = calloc(1, sizeof *machine + 64), *aligned;
    assert_non_null(machine);
    aligned = (struct sch_exec_machine *)(((uintptr_t)machine + 63) & ~(uintptr_t)63);
    aligned->ops = program->ops;
    aligned->program = program;
    for (size_t i = 0; i < COUNT(masks); i++) {
        uint32_t words[SCH_GROUP_LANES];
        const struct sch_group_view view = {.view = {.data = (uint8_t *)words, .bytes = sizeof words, .writable = true},
                                            .shift = 0};
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            words[lane] = 100 + lane;
            aligned->group.scratch[0][0].u[lane] = 4 * lane;
            aligned->group.scratch[2][0].u[lane] = 1000;
            aligned->group.result[0].u[lane] = 0x55555555;
        }
        sch_native_update_words(&aligned->group, &view, masks[i], in->number);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            const bool executes = masks[i] >> lane & 1;
            assert_int_equal(words[lane], 100 + lane + (executes ? 1000 : 0));
            assert_int_equal(aligned->group.result[0].u[lane], executes ? 100 + lane : 0);
        }
    }
    free(machine);
    sch_exec_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_slots_and_views),
        cmocka_unit_test(large_programs_have_no_slots_for_numbers),
        cmocka_unit_test(words_are_kept_across_barriers),
        cmocka_unit_test(slots_are_filled),
        cmocka_unit_test(queries_have_their_texture),
        cmocka_unit_test(unbound_slots_return_zeros),
        cmocka_unit_test(numbers_are_wanted_where_they_are_declared),
        cmocka_unit_test(states_are_known),
        cmocka_unit_test(much_code_is_called),
        cmocka_unit_test(loops_look_for_straight_texels),
        cmocka_unit_test(scattered_texels_are_not_sought_in_rows),
        cmocka_unit_test(known_states_are_bounded),
        cmocka_unit_test(updates_return_zero_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
