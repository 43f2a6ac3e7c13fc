/* A shader in memory (src/ir/ir.h): what is appended, its limits, room made beforehand, and the digest, which tells
 * shaders apart by every member that has a meaning. The rules of the language are test_check's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/digest.h"
#include "ir/ir.h"

static struct sch_ir_shader *make(uint32_t declarations, uint32_t instructions)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.declarations = declarations;
    limits.instructions = instructions;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    assert_non_null(shader);
    return shader;
}

static void items_keep_their_order(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = make(100, 100);
    for (unsigned i = 0; i < 100; i++) {
        const struct sch_ir_declaration declaration = {.first = (uint16_t)i};
        const struct sch_ir_immediate immediate = {.word = {i}};
        const struct sch_ir_property property = {.name = SCH_PROPERTY_FS_DEPTH_LAYOUT, .count = 1, .value = {i}};
        const struct sch_ir_instruction instruction = {.label = i};
        assert_int_equal(sch_ir_add_instruction(shader, &instruction), SCH_OK);
        assert_int_equal(sch_ir_add_property(shader, &property), SCH_OK);
        assert_int_equal(sch_ir_add_immediate(shader, &immediate), SCH_OK);
        assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
    }
    static const uint8_t kinds[] = {SCH_IR_INSTRUCTION, SCH_IR_PROPERTY, SCH_IR_IMMEDIATE, SCH_IR_DECLARATION};
    assert_int_equal(shader->item_count, 400);
    for (unsigned i = 0; i < 400; i++) {
        assert_int_equal(shader->items[i].kind, kinds[i % 4]);
        assert_int_equal(shader->items[i].index, i / 4);
    }
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(shader->declarations[i].first, i);
        assert_int_equal(shader->immediates[i].word[0], i);
        assert_int_equal(shader->properties[i].value[0], i);
        assert_int_equal(shader->instructions[i].label, i);
    }
    sch_ir_destroy(shader);
    sch_ir_destroy(NULL);
}

static void limits_are_exact(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = make(3, 5);
    const struct sch_ir_declaration declaration = {0};
    const struct sch_ir_immediate immediate = {0};
    const struct sch_ir_property property = {0};
    const struct sch_ir_instruction instruction = {0};
    for (unsigned i = 0; i < 7; i++) {
        assert_int_equal(sch_ir_add_declaration(shader, &declaration), i < 3 ? SCH_OK : SCH_ERROR_LIMIT);
        assert_int_equal(sch_ir_add_immediate(shader, &immediate), i < 3 ? SCH_OK : SCH_ERROR_LIMIT);
        assert_int_equal(sch_ir_add_property(shader, &property), i < 3 ? SCH_OK : SCH_ERROR_LIMIT);
        assert_int_equal(sch_ir_add_instruction(shader, &instruction), i < 5 ? SCH_OK : SCH_ERROR_LIMIT);
    }
    assert_int_equal(shader->item_count, 3 * 3 + 5);
    sch_ir_destroy(shader);
}

/* Fills a shader with as many items, and answers whether an array moved or memory was taken. */
static bool moves(struct sch_ir_shader *shader, size_t declarations, size_t immediates, size_t instructions)
{
    const struct sch_ir_declaration declaration = {.first = 7};
    const struct sch_ir_immediate immediate = {.word = {7}};
    const struct sch_ir_instruction instruction = {.label = 7};
    const void *before[] = {shader->items, shader->declarations, shader->immediates, shader->instructions};
    for (size_t i = 0; i < declarations; i++) assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
    for (size_t i = 0; i < immediates; i++) assert_int_equal(sch_ir_add_immediate(shader, &immediate), SCH_OK);
    for (size_t i = 0; i < instructions; i++) assert_int_equal(sch_ir_add_instruction(shader, &instruction), SCH_OK);
    const void *after[] = {shader->items, shader->declarations, shader->immediates, shader->instructions};
    return memcmp(before, after, sizeof before) != 0;
}

static void room_is_made_beforehand(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = make(1000, 1000);
    assert_int_equal(sch_ir_reserve(shader, 0, 0, 0), SCH_OK);
    assert_int_equal(shader->arena.used, 0);
    assert_true(moves(shader, 9, 9, 9));
    assert_int_equal(sch_ir_reserve(shader, 100, 41, 233), SCH_OK);
    assert_int_equal(shader->declaration_count, 9);
    assert_int_equal(shader->declarations[8].first, 7);
    assert_int_equal(shader->immediates[8].word[0], 7);
    assert_int_equal(shader->instructions[8].label, 7);
    assert_int_equal(shader->items[26].index, 8);
    assert_int_equal(shader->declaration_capacity, 109); /* no more than was asked for */
    assert_int_equal(shader->immediate_capacity, 50);
    assert_int_equal(shader->instruction_capacity, 242);
    assert_int_equal(shader->item_capacity, 27 + 374);
    const size_t used = shader->arena.used;
    assert_int_equal(sch_ir_reserve(shader, 100, 41, 233), SCH_OK); /* there is room already */
    assert_int_equal(sch_ir_reserve(shader, 99, 40, 200), SCH_OK);
    assert_int_equal(shader->instruction_capacity, 242);
    assert_false(moves(shader, 100, 41, 233));
    assert_int_equal(shader->arena.used, used);
    assert_true(moves(shader, 1, 0, 0));
    /* Sums and products that are no numbers. */
    assert_int_equal(sch_ir_reserve(shader, SIZE_MAX, 1, 0), SCH_ERROR_MEMORY);
    assert_int_equal(sch_ir_reserve(shader, SIZE_MAX - 1, 1, 1), SCH_ERROR_MEMORY);
    assert_int_equal(sch_ir_reserve(shader, 0, 0, SIZE_MAX), SCH_ERROR_MEMORY);
    assert_int_equal(sch_ir_reserve(shader, 0, SIZE_MAX / 64, 0), SCH_ERROR_MEMORY);
    sch_ir_destroy(shader);
}

static void the_last_value_of_a_property_counts(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = make(10, 10);
    const enum sch_property name = SCH_PROPERTY_FS_DEPTH_LAYOUT, other = SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL;
    static const struct {
        bool other;
        uint8_t count;
        uint32_t value, wanted;
    } rows[] = {{true, 1, 5, 99}, {false, 0, 6, 99}, {false, 1, 7, 7},
                {true, 1, 8, 7},  {false, 2, 9, 9},  {false, 0, 3, 9}};
    assert_int_equal(sch_ir_property_value(shader, name, 99), 99);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sch_ir_property property = {
            .name = (uint8_t)(rows[i].other ? other : name), .count = rows[i].count, .value = {rows[i].value, 1}};
        assert_int_equal(sch_ir_add_property(shader, &property), SCH_OK);
        assert_int_equal(sch_ir_property_value(shader, name, 99), rows[i].wanted);
    }
    assert_int_equal(sch_ir_property_value(shader, other, 99), 8);
    sch_ir_destroy(shader);
}

static void operands_begin_whole(void **state)
{
    (void)state;
    const struct sch_ir_src src = sch_ir_src(SCH_FILE_TEMPORARY, -3);
    const struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_OUTPUT, 12);
    assert_int_equal(src.file, SCH_FILE_TEMPORARY);
    assert_int_equal(src.index.index, -3);
    assert_memory_equal(src.swizzle, ((uint8_t[]){0, 1, 2, 3}), 4);
    assert_false(src.negate || src.absolute || src.has_dimension || src.index.is_indirect);
    assert_int_equal(dst.file, SCH_FILE_OUTPUT);
    assert_int_equal(dst.index.index, 12);
    assert_int_equal(dst.write_mask, 15);
    assert_false(dst.has_dimension || dst.index.is_indirect);
}

/* ---- the digest ---- */

/* One item of each kind, two instructions; every member that an edit may name. */
struct content {
    uint8_t stage;
    struct sch_ir_declaration declaration;
    struct sch_ir_immediate immediate;
    struct sch_ir_property property;
    struct sch_ir_instruction instruction;
    size_t counts[4]; /* of each kind */
};

struct digest {
    uint8_t bytes[SCH_SHA256_BYTES];
};

static struct digest digest_of(const struct content *content)
{
    struct digest digest;
    struct sch_ir_shader *shader = make(100, 100);
    shader->stage = content->stage;
    for (size_t i = 0; i < content->counts[0]; i++) sch_ir_add_declaration(shader, &content->declaration);
    for (size_t i = 0; i < content->counts[1]; i++) sch_ir_add_immediate(shader, &content->immediate);
    for (size_t i = 0; i < content->counts[2]; i++) sch_ir_add_property(shader, &content->property);
    for (size_t i = 0; i < content->counts[3]; i++) sch_ir_add_instruction(shader, &content->instruction);
    sch_ir_digest(shader, digest.bytes);
    sch_ir_destroy(shader);
    return digest;
}

struct edit {
    const char *name;
    size_t at;
    unsigned bytes;
    uint32_t value;
};

#define EDIT(member, value)                                                                                            \
    {                                                                                                                  \
#member, offsetof(struct content, member), sizeof(((struct content *)0)->member), (value)                      \
    }
#define BRACKET(member)                                                                                                \
    EDIT(member.index, 1), EDIT(member.index, 0x8000), EDIT(member.indirect.file, 1),                                  \
        EDIT(member.indirect.component, 1), EDIT(member.indirect.array_id, 1), EDIT(member.indirect.index, 1)

/* Each says something else about the shader than every other. */
static const struct edit meant[] = {
    EDIT(stage, 1),
    EDIT(stage, 2),
    EDIT(counts[0], 2),
    EDIT(counts[1], 2),
    EDIT(counts[2], 2),
    EDIT(counts[3], 2),
    EDIT(declaration.file, 1),
    EDIT(declaration.usage_mask, 1),
    EDIT(declaration.has_dimension, 1),
    EDIT(declaration.has_semantic, 1),
    EDIT(declaration.has_interpolation, 1),
    EDIT(declaration.invariant, 1),
    EDIT(declaration.local, 1),
    EDIT(declaration.atomic, 1),
    EDIT(declaration.raw, 1),
    EDIT(declaration.writable, 1),
    EDIT(declaration.memory_kind, 1),
    EDIT(declaration.first, 1),
    EDIT(declaration.first, 0x8000),
    EDIT(declaration.last, 1),
    EDIT(declaration.dimension, 1),
    EDIT(declaration.dimension, 0x8000),
    EDIT(declaration.array_id, 1),
    EDIT(declaration.interpolation, 1),
    EDIT(declaration.interpolation, 0x80),
    EDIT(declaration.location, 1),
    EDIT(declaration.semantic, 1),
    EDIT(declaration.semantic, 0x80),
    EDIT(declaration.semantic_index, 1),
    EDIT(declaration.stream[0], 1),
    EDIT(declaration.stream[3], 1),
    EDIT(declaration.target, 1),
    EDIT(declaration.target, 0x80),
    EDIT(declaration.format, 1),
    EDIT(declaration.return_type[0], 1),
    EDIT(declaration.return_type[3], 1),
    EDIT(immediate.type, 1),
    EDIT(immediate.word[0], 1),
    EDIT(immediate.word[1], 1),
    EDIT(immediate.word[2], 1),
    EDIT(immediate.word[3], 1),
    EDIT(immediate.word[3], 0x80000000),
    EDIT(property.name, 1),
    EDIT(property.value[0], 1),
    EDIT(property.value[6], 1),
    EDIT(property.count, 1),
    EDIT(property.count, 8),
    EDIT(instruction.opcode, 1),
    EDIT(instruction.saturate, 1),
    EDIT(instruction.precise, 1),
    EDIT(instruction.target, 1),
    EDIT(instruction.target, 0x80),
    EDIT(instruction.return_type, 1),
    EDIT(instruction.label, 1),
    EDIT(instruction.qualifiers, 1),
    EDIT(instruction.qualifiers, 0x80),
    EDIT(instruction.memory_target, 1),
    EDIT(instruction.memory_format, 1),
    EDIT(instruction.dst_count, 1),
    EDIT(instruction.src_count, 1),
    EDIT(instruction.offset_count, 1),
    EDIT(instruction.dst[0].file, 1),
    EDIT(instruction.dst[0].write_mask, 1),
    EDIT(instruction.dst[1].file, 1),
    BRACKET(instruction.dst[0].index),
    BRACKET(instruction.dst[0].dimension),
    EDIT(instruction.src[0].file, 1),
    EDIT(instruction.src[0].negate, 1),
    EDIT(instruction.src[0].absolute, 1),
    EDIT(instruction.src[0].swizzle[0], 1),
    EDIT(instruction.src[0].swizzle[3], 1),
    EDIT(instruction.src[1].file, 1),
    BRACKET(instruction.src[0].index),
    BRACKET(instruction.src[0].dimension),
    EDIT(instruction.offset[0].file, 1),
    EDIT(instruction.offset[0].swizzle[0], 1),
    EDIT(instruction.offset[0].swizzle[2], 1),
    EDIT(instruction.offset[0].index, 1),
    EDIT(instruction.offset[0].index, 0x8000),
    EDIT(instruction.offset[1].index, 1),
};
enum { MEANT = sizeof meant / sizeof *meant };

/* What is said only where something else is: alone these say nothing. */
static const struct edit idle[] = {
    EDIT(instruction.target, 1),
    EDIT(instruction.return_type, 1),
    EDIT(instruction.label, 1),
    EDIT(instruction.qualifiers, 1),
    EDIT(instruction.memory_target, 1),
    EDIT(instruction.memory_format, 1),
    EDIT(instruction.dst[0].index.indirect.file, 1),
    EDIT(instruction.dst[0].dimension.index, 1),
    EDIT(instruction.src[0].index.indirect.index, 1),
    EDIT(instruction.src[0].dimension.index, 1),
    EDIT(instruction.dst[1].file, 1),
    EDIT(instruction.src[1].file, 1),
    EDIT(instruction.offset[1].index, 1),
    EDIT(instruction.position.line, 9),
    EDIT(property.value[2], 1),
};

/* Flags that open words of an instruction; with all members zero they differ by themselves only. */
static const struct edit flags[] = {EDIT(instruction.saturate, 1),
                                    EDIT(instruction.precise, 1),
                                    EDIT(instruction.has_label, 1),
                                    EDIT(instruction.has_texture, 1),
                                    EDIT(instruction.has_memory, 1),
                                    EDIT(instruction.dst[0].has_dimension, 1),
                                    EDIT(instruction.dst[0].index.is_indirect, 1),
                                    EDIT(instruction.src[0].has_dimension, 1),
                                    EDIT(instruction.src[0].negate, 1),
                                    EDIT(instruction.src[0].absolute, 1),
                                    EDIT(instruction.src[0].index.is_indirect, 1)};
enum { FLAGS = sizeof flags / sizeof *flags };

static void edit(struct content *content, const struct edit *edit)
{
    memcpy((char *)content + edit->at, &edit->value, edit->bytes < 4 ? edit->bytes : 4); /* the low byte is first */
}

static struct content plain_content(void)
{
    struct content content;
    memset(&content, 0, sizeof content);
    for (unsigned i = 0; i < 4; i++) content.counts[i] = 1;
    content.property.count = 2;
    content.instruction.dst_count = content.instruction.src_count = content.instruction.offset_count = 1;
    return content;
}

/* All words are there. */
static struct content full_content(void)
{
    struct content content = plain_content();
    struct sch_ir_instruction *in = &content.instruction;
    content.property.count = 7;
    in->has_label = in->has_texture = in->has_memory = true;
    in->dst_count = in->src_count = in->offset_count = 2;
    in->dst[0].has_dimension = in->src[0].has_dimension = true;
    in->dst[0].index.is_indirect = in->dst[0].dimension.is_indirect = true;
    in->src[0].index.is_indirect = in->src[0].dimension.is_indirect = true;
    return content;
}

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(struct digest)); }

static void assert_distinct(struct digest *digests, size_t count)
{
    qsort(digests, count, sizeof *digests, compare);
    for (size_t i = 1; i < count; i++) assert_true(compare(&digests[i - 1], &digests[i]) != 0);
}

/* Every two edits together, and each alone: no two of these shaders are the same. */
static void digests_tell_every_member(void **state)
{
    (void)state;
    struct digest *digests = malloc((MEANT + 1) * (MEANT + 1) * sizeof *digests);
    assert_non_null(digests);
    size_t count = 0;
    struct content content = full_content();
    digests[count++] = digest_of(&content);
    for (size_t i = 0; i < MEANT; i++)
        for (size_t k = i; k < MEANT; k++) {
            if (k > i && meant[k].at == meant[i].at) continue; /* one member */
            content = full_content();
            edit(&content, &meant[i]);
            edit(&content, &meant[k]);
            /* members that one edit takes out of the shader */
            const bool cuts = meant[i].at == offsetof(struct content, property.count) ||
                              meant[k].at == offsetof(struct content, property.count) ||
                              meant[i].at == offsetof(struct content, instruction.dst_count) ||
                              meant[i].at == offsetof(struct content, instruction.src_count) ||
                              meant[i].at == offsetof(struct content, instruction.offset_count);
            if (!cuts || k == i) digests[count++] = digest_of(&content);
        }
    assert_true(count > 3000);
    assert_distinct(digests, count);
    free(digests);
}

static void digests_tell_every_flag(void **state)
{
    (void)state;
    struct digest *digests = malloc(sizeof *digests << FLAGS);
    assert_non_null(digests);
    for (unsigned set = 0; set < 1u << FLAGS; set++) {
        struct content content = plain_content();
        for (unsigned i = 0; i < FLAGS; i++)
            if (set >> i & 1) edit(&content, &flags[i]);
        digests[set] = digest_of(&content);
    }
    assert_distinct(digests, (size_t)1 << FLAGS);
    free(digests);
}

static void digests_tell_nothing_else(void **state)
{
    (void)state;
    struct content content = plain_content();
    const struct digest plain = digest_of(&content);
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        content = plain_content();
        edit(&content, &idle[i]);
        const struct digest other = digest_of(&content);
        if (compare(&plain, &other) != 0) fail_msg("%s", idle[i].name);
    }
    /* Lists of no items, and where one ends: an item more here is none less there. */
    struct digest digests[16];
    for (unsigned set = 0; set < 16; set++) {
        content = plain_content();
        for (unsigned i = 0; i < 4; i++) content.counts[i] = set >> i & 1;
        digests[set] = digest_of(&content);
    }
    assert_distinct(digests, 16);
}

/* Numbers of registers that 16 bits do not hold are told from those that they hold. */
static void digests_tell_wide_numbers(void **state)
{
    (void)state;
    static const int32_t numbers[] = {0,     1,     -1,    INT16_MAX, INT16_MAX + 1, INT16_MIN, INT16_MIN - 1, 65535,
                                      65536, 65537, 65538, 0x1000000, -0x1000000,    INT32_MAX, INT32_MIN};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    struct digest digests[4 * COUNT * COUNT];
    size_t count = 0;
    for (unsigned a = 0; a < COUNT; a++)
        for (unsigned b = 0; b < COUNT; b++) {
            struct content content = plain_content();
            content.instruction.dst[0].index.index = numbers[a];
            content.instruction.src[0].index.index = numbers[b];
            digests[count++] = digest_of(&content);
            if (!a && !b) continue;
            content = plain_content();
            content.declaration.first = (uint32_t)numbers[a];
            content.declaration.last = (uint32_t)numbers[b];
            digests[count++] = digest_of(&content);
        }
    assert_distinct(digests, count);
}

/* Digests name files of users' caches: another digest of the same shader throws these away, which must be meant. */
static void digests_stay(void **state)
{
    (void)state;
    char text[2 * SCH_SHA256_BYTES + 1];
    struct content content = full_content();
    for (size_t i = 0; i < MEANT; i++) {
        if (meant[i].bytes == 1 || meant[i].value < 0x80) edit(&content, &meant[i]);
    }
    const struct digest digest = digest_of(&content);
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) sprintf(text + 2 * i, "%02x", digest.bytes[i]);
    assert_string_equal(text, "d1a1f04a5c1bc058cc42d37095eef821f4e36f17ec0b41b43553ce2459d9e15b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_order),    cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(room_is_made_beforehand),   cmocka_unit_test(the_last_value_of_a_property_counts),
        cmocka_unit_test(operands_begin_whole),      cmocka_unit_test(digests_tell_every_member),
        cmocka_unit_test(digests_tell_every_flag),   cmocka_unit_test(digests_tell_nothing_else),
        cmocka_unit_test(digests_tell_wide_numbers), cmocka_unit_test(digests_stay),
    };
    return cmocka_run_group_tests_name("ir", tests, NULL, NULL);
}
