/* The parts of src/native that need no code: messages between the core and the compiler's process, field by field; the
 * keys that code is kept under; the forms of spans that a program keeps apart; what a program is weighed as. Each
 * structure's fields stand here in a table with the most that each may be, from the headers of the structures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/exec_program.h"
#include "base/pool.h"
#include "exec/job.h"
#include "ir/check.h"
#include "ir/digest.h"
#include "native/program.h"
#include "protocol/message.h"
#include "tgsi/tgsi.h"

/* A field of a structure; `most`: the greatest number that a message may say, ANY: all that it holds. */
struct field {
    const char *name;
    size_t at, bytes;
    uint64_t most;
};
#define ANY UINT64_MAX
#define FIELD(type, member, most)                                                                                      \
    {                                                                                                                  \
#member, offsetof(struct type, member), sizeof(((struct type *)0)->member), most                               \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t greatest(const struct field *field)
{
    const uint64_t holds = field->bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * field->bytes) - 1;
    return field->most < holds ? field->most : holds;
}

static void poke(void *structure, const struct field *field, uint64_t value)
{
    memcpy((char *)structure + field->at, &value, field->bytes);
}

/* ---- what is asked and answered ---- */

static const struct field request_fields[] = {
    FIELD(sch_request, kind, SCH_REQUEST_SIGN),
    FIELD(sch_request, level[0], ANY),
    FIELD(sch_request, level[14], ANY),
    FIELD(sch_request, cpu_ms, ANY),
    FIELD(sch_request, full, 1),
    FIELD(sch_request, quads, 1),
    FIELD(sch_request, metered, 1),
};

#define FORM_FIELDS(at)                                                                                                \
    FIELD(sch_request, at.key.format, SCH_FORMAT_LIMIT - 1), FIELD(sch_request, at.key.target, SCH_TARGET_COUNT - 1),  \
        FIELD(sch_request, at.key.rules, ANY), FIELD(sch_request, at.key.wrap[0], ANY),                                \
        FIELD(sch_request, at.key.wrap[1], ANY), FIELD(sch_request, at.key.wrap[2], ANY),                              \
        FIELD(sch_request, at.key.min_linear, ANY), FIELD(sch_request, at.key.mag_linear, ANY),                        \
        FIELD(sch_request, at.key.mip, ANY), FIELD(sch_request, at.key.max_anisotropy, ANY),                           \
        FIELD(sch_request, at.key.unnormalized, ANY), FIELD(sch_request, at.key.swizzle[0], 5),                        \
        FIELD(sch_request, at.key.swizzle[1], 5), FIELD(sch_request, at.key.swizzle[2], 5),                            \
        FIELD(sch_request, at.key.swizzle[3], 5), FIELD(sch_request, at.key.compare, ANY),                             \
        FIELD(sch_request, at.key.reduction, ANY), FIELD(sch_request, at.key.seamless, ANY),                           \
        FIELD(sch_request, at.kind, SCH_NATIVE_STORE), FIELD(sch_request, at.lod_mode, ANY),                           \
        FIELD(sch_request, at.offsets, ANY), FIELD(sch_request, at.component, 3), FIELD(sch_request, at.quads, 1),     \
        FIELD(sch_request, at.biased, 1), FIELD(sch_request, at.has_min_lod, 1), FIELD(sch_request, at.has_lod, 1),    \
        FIELD(sch_request, at.in_rows, 1), FIELD(sch_request, at.straight, 1), FIELD(sch_request, at.from_0_to_1, 1)

static const struct field lookup_fields[] = {FORM_FIELDS(form)};

/* Of spans with all planes, render targets and forms. */
static const struct field span_fields[] = {
    FIELD(sch_request, span.channel[0], ANY),
    FIELD(sch_request, span.channel[SCH_NATIVE_PLANES - 1], ANY),
    FIELD(sch_request, span.division[0], ANY),
    FIELD(sch_request, span.division[SCH_NATIVE_PLANES - 1], ANY),
    FIELD(sch_request, span.output[0], ANY),
    FIELD(sch_request, span.output[SCH_NATIVE_RENDER_TARGETS - 1], ANY),
    FIELD(sch_request, span.known.of_slot[0], SCH_NATIVE_KNOWN_FORMS),
    FIELD(sch_request, span.known.of_slot[SCH_NATIVE_KNOWN_SLOTS - 1], SCH_NATIVE_KNOWN_FORMS),
    FORM_FIELDS(span.known.form[0]),
    FORM_FIELDS(span.known.form[SCH_NATIVE_KNOWN_FORMS - 1]),
};

/* Of spans of fragments with all inputs and colours. */
#define FRAGMENT(member, most) FIELD(sch_request, span.fragments.member, most)
#define FACE_FIELDS(number)                                                                                            \
    FRAGMENT(depth_stencil.stencil[number].enabled, 1),                                                                \
        FRAGMENT(depth_stencil.stencil[number].function, SCH_COMPARE_ALWAYS),                                          \
        FRAGMENT(depth_stencil.stencil[number].fail, SCH_STENCIL_INVERT),                                              \
        FRAGMENT(depth_stencil.stencil[number].depth_fail, SCH_STENCIL_INVERT),                                        \
        FRAGMENT(depth_stencil.stencil[number].pass, SCH_STENCIL_INVERT),                                              \
        FRAGMENT(depth_stencil.stencil[number].value_mask, ANY),                                                       \
        FRAGMENT(depth_stencil.stencil[number].write_mask, ANY)
#define COLOR_FIELDS(number)                                                                                           \
    FRAGMENT(color[number].key.format, SCH_FORMAT_LIMIT - 1), FRAGMENT(color[number].key.mode, ANY),                   \
        FRAGMENT(color[number].key.color_mask, ANY), FRAGMENT(color[number].key.color_equation, ANY),                  \
        FRAGMENT(color[number].key.alpha_destination, ANY), FRAGMENT(color[number].key.clamp, 1),                      \
        FRAGMENT(color[number].key.reads, 1), FRAGMENT(color[number].key.second_source, 1),                            \
        FRAGMENT(color[number].key.d3d, 1), FRAGMENT(color[number].output, ANY), FRAGMENT(color[number].second, ANY)
static const struct field fragment_fields[] = {
    FRAGMENT(samples, SCH_MAX_SAMPLES),
    FRAGMENT(lower_left, 1),
    FRAGMENT(integer_center, 1),
    FRAGMENT(d3d, 1),
    FRAGMENT(tests, SCH_FRAGMENT_LATE),
    FRAGMENT(alpha_function, SCH_COMPARE_ALWAYS),
    FRAGMENT(depth_stencil.format, SCH_FORMAT_LIMIT - 1),
    FRAGMENT(depth_stencil.depth_test, 1),
    FRAGMENT(depth_stencil.depth_writes, 1),
    FRAGMENT(depth_stencil.depth_bounds, 1),
    FRAGMENT(depth_stencil.single, 1),
    FRAGMENT(depth_stencil.two_sided, 1),
    FRAGMENT(depth_stencil.depth_function, SCH_COMPARE_ALWAYS),
    FRAGMENT(depth_stencil.bounds_min, ANY),
    FRAGMENT(depth_stencil.bounds_max, ANY),
    FACE_FIELDS(0),
    FACE_FIELDS(1),
    FRAGMENT(alpha, ANY),
    FRAGMENT(depth, ANY),
    FRAGMENT(clamp, 1),
    FRAGMENT(depth_layout, ANY),
    FRAGMENT(input[0].word, ANY),
    FRAGMENT(input[SCH_FRAGMENT_INPUTS - 1].kind, SCH_FRAGMENT_FIXED),
    FRAGMENT(input[SCH_FRAGMENT_INPUTS - 1].mask, 15),
    COLOR_FIELDS(0),
    COLOR_FIELDS(SCH_FRAGMENT_COLORS - 1),
};

static const struct field reply_fields[] = {
    FIELD(sch_reply, status, SCH_ERROR_CANCELLED),
    FIELD(sch_reply, out_of_time, 1),
    FIELD(sch_reply, too_large, 1),
    FIELD(sch_reply, kept, 1),
    FIELD(sch_reply, build_ms, ANY),
    FIELD(sch_reply, passes_ms, ANY),
    FIELD(sch_reply, code_ms, ANY),
    FIELD(sch_reply, built, ANY),
    FIELD(sch_reply, optimised, ANY),
    FIELD(sch_reply, stack_bytes, ANY),
};

static const struct field hello_fields[] = {
    FIELD(sch_hello, version, ANY),
    FIELD(sch_hello, build[0], ANY),
    FIELD(sch_hello, build[SCH_MESSAGE_BUILD - 2], ANY),
    FIELD(sch_hello, problem[0], ANY),
    FIELD(sch_hello, problem[SCH_MESSAGE_WORDS - 2], ANY),
};

typedef void walk(struct sch_wire *wire, void *structure);
static void walk_request(struct sch_wire *wire, void *request) { sch_message_request(wire, request); }
static void walk_reply(struct sch_wire *wire, void *reply) { sch_message_reply(wire, reply); }
static void walk_hello(struct sch_wire *wire, void *hello) { sch_message_hello(wire, hello); }

/* Writes a structure; false: it has a number that no message may say. */
static bool write_it(walk *all, void *structure, struct sch_wire *out)
{
    *out = (struct sch_wire){.bytes = {.allocator = &sch_allocator_libc}};
    all(out, structure);
    return !out->failed;
}

static bool read_it(walk *all, const struct sch_wire *out, size_t size, void *structure)
{
    struct sch_wire in = {.bytes = {.data = out->bytes.data, .size = size}, .reading = true};
    all(&in, structure);
    return !in.failed && in.at == in.bytes.size;
}

/* Whether two messages of one length differ in `bytes` bytes at one place only, or a part of these; where. */
static size_t place_of(const struct sch_wire *a, const struct sch_wire *b)
{
    assert_int_equal(a->bytes.size, b->bytes.size);
    size_t at = 0;
    while (at < a->bytes.size && a->bytes.data[at] == b->bytes.data[at]) at++;
    return at;
}

/* Each field comes back, whatever it is; one that is too large is neither written nor read. */
static void check_fields(walk *all, const void *base, size_t bytes, const struct field *fields, size_t count)
{
    char structure[sizeof(struct sch_request)], again[sizeof structure];
    assert_true(bytes <= sizeof structure);
    for (size_t i = 0; i < count; i++) {
        struct sch_wire zero, most, more;
        memcpy(structure, base, bytes);
        poke(structure, &fields[i], 0);
        assert_true(write_it(all, structure, &zero));
        poke(structure, &fields[i], greatest(&fields[i]));
        if (!write_it(all, structure, &most)) fail_msg("%s: the most is refused", fields[i].name);
        const size_t place = place_of(&zero, &most);
        if (place == most.bytes.size) fail_msg("%s is in no message", fields[i].name);
        memset(again, 0, sizeof again);
        assert_true(read_it(all, &most, most.bytes.size, again));
        if (memcmp((char *)again + fields[i].at, structure + fields[i].at, fields[i].bytes) != 0)
            fail_msg("%s comes back as another number", fields[i].name);
        if (fields[i].most != ANY) {
            const uint64_t larger = greatest(&fields[i]) + 1;
            poke(structure, &fields[i], larger);
            if (fields[i].most != 1 && write_it(all, structure, &more))
                fail_msg("%s: too much is written", fields[i].name);
            if (fields[i].most != 1) sch_wire_release(&more);
            memcpy(most.bytes.data + place, &larger, fields[i].bytes);
            if (read_it(all, &most, most.bytes.size, again)) fail_msg("%s: too much is read", fields[i].name);
        }
        sch_wire_release(&zero);
        sch_wire_release(&most);
    }
}

static void cuts_are_refused(walk *all, const void *base, size_t bytes)
{
    char structure[sizeof(struct sch_request)], again[sizeof structure];
    struct sch_wire out;
    memcpy(structure, base, bytes);
    assert_true(write_it(all, structure, &out));
    memset(again, 0, sizeof again);
    assert_true(read_it(all, &out, out.bytes.size, again));
    for (size_t size = 0; size < out.bytes.size; size++) assert_false(read_it(all, &out, size, again));
    sch_wire_release(&out);
}

static struct sch_request some_request(uint8_t kind, bool has_span)
{
    struct sch_request request;
    memset(&request, 0, sizeof request);
    request.kind = kind;
    request.shader = (struct sch_wire_block){"shader", 6};
    request.has_span = has_span;
    if (has_span) {
        request.span.plane_count = SCH_NATIVE_PLANES;
        request.span.render_target_count = SCH_NATIVE_RENDER_TARGETS;
        request.span.known.count = SCH_NATIVE_KNOWN_FORMS;
    }
    return request;
}

static void requests_have_all_fields(void **state)
{
    (void)state;
    const struct sch_request plain = some_request(SCH_REQUEST_PROGRAM, false),
                             spanned = some_request(SCH_REQUEST_PROGRAM, true),
                             lookup = some_request(SCH_REQUEST_LOOKUP, false);
    struct sch_request shaded = spanned;
    shaded.span.has_fragments = true;
    shaded.span.fragments.input_count = SCH_FRAGMENT_INPUTS;
    shaded.span.fragments.color_count = SCH_FRAGMENT_COLORS;
    check_fields(walk_request, &plain, sizeof plain, request_fields + 1, COUNT(request_fields) - 1);
    check_fields(walk_request, &spanned, sizeof spanned, request_fields + 1, COUNT(request_fields) - 1);
    check_fields(walk_request, &spanned, sizeof spanned, span_fields, COUNT(span_fields));
    check_fields(walk_request, &shaded, sizeof shaded, fragment_fields, COUNT(fragment_fields));
    check_fields(walk_request, &lookup, sizeof lookup, lookup_fields, COUNT(lookup_fields));
    cuts_are_refused(walk_request, &plain, sizeof plain);
    cuts_are_refused(walk_request, &spanned, sizeof spanned);
    cuts_are_refused(walk_request, &shaded, sizeof shaded);
    cuts_are_refused(walk_request, &lookup, sizeof lookup);
    for (unsigned kind = 0; kind <= SCH_REQUEST_COUNT; kind++) {
        struct sch_request request = some_request((uint8_t)kind, false), again;
        struct sch_wire out;
        assert_int_equal(write_it(walk_request, &request, &out), kind < SCH_REQUEST_COUNT);
        if (!out.failed) assert_true(read_it(walk_request, &out, out.bytes.size, &again) && again.kind == kind);
        sch_wire_release(&out);
    }
}

static void counts_of_spans_are_bounded(void **state)
{
    (void)state;
    const struct field counts[] = {FIELD(sch_request, span.plane_count, SCH_NATIVE_PLANES),
                                   FIELD(sch_request, span.render_target_count, SCH_NATIVE_RENDER_TARGETS),
                                   FIELD(sch_request, span.known.count, SCH_NATIVE_KNOWN_FORMS)};
    for (unsigned i = 0; i < COUNT(counts); i++)
        for (uint64_t n = 0; n <= counts[i].most + 1; n++) {
            struct sch_request request = some_request(SCH_REQUEST_FITS, true), again;
            struct sch_wire out;
            poke(&request, &counts[i], n);
            memset(&again, 0, sizeof again);
            assert_int_equal(write_it(walk_request, &request, &out), n <= counts[i].most);
            if (!out.failed) assert_true(read_it(walk_request, &out, out.bytes.size, &again));
            if (!out.failed) assert_memory_equal(&again.span, &request.span, sizeof request.span);
            sch_wire_release(&out);
        }
}

static void expect_block(const struct sch_wire_block *made, const char *text)
{
    assert_int_equal(made->size, strlen(text));
    assert_memory_equal(made->bytes, text, made->size);
}

static void blocks_come_back(void **state)
{
    (void)state;
    struct sch_request request = some_request(SCH_REQUEST_SIGN, false), again;
    struct sch_wire out;
    assert_true(write_it(walk_request, &request, &out) && read_it(walk_request, &out, out.bytes.size, &again));
    expect_block(&again.shader, "shader");
    sch_wire_release(&out);
    request = some_request(SCH_REQUEST_SIGN, false); /* names that fill their place */
    memset(request.level, 'x', sizeof request.level);
    assert_true(write_it(walk_request, &request, &out) && read_it(walk_request, &out, out.bytes.size, &again));
    assert_int_equal(strlen(again.level), SCH_MESSAGE_LEVEL - 1);
    sch_wire_release(&out);
    request = some_request(SCH_REQUEST_SIGN, false); /* a message that does not close them */
    memset(request.level, 'x', sizeof request.level - 1);
    assert_true(write_it(walk_request, &request, &out));
    *(char *)memchr(memchr(out.bytes.data, 'x', out.bytes.size), 0, out.bytes.size - 2) = 'y';
    memset(&again, 'z', sizeof again);
    assert_true(read_it(walk_request, &out, out.bytes.size, &again));
    assert_int_equal(again.level[SCH_MESSAGE_LEVEL - 2], 'x');
    assert_int_equal(again.level[SCH_MESSAGE_LEVEL - 1], 0);
    sch_wire_release(&out);
    struct sch_hello hello, heard;
    memset(&hello, 'x', sizeof hello);
    assert_true(write_it(walk_hello, &hello, &out) && read_it(walk_hello, &out, out.bytes.size, &heard));
    assert_int_equal(strlen(heard.build), SCH_MESSAGE_BUILD - 1);
    assert_int_equal(strlen(heard.problem), SCH_MESSAGE_WORDS - 1);
    sch_wire_release(&out);
}

static void blocks_are_bounded(void **state)
{
    (void)state;
    static char words[1];
    const size_t most[] = {SCH_MESSAGE_MOST_REQUESTED, SCH_MESSAGE_MOST_REPLIED};
    for (unsigned i = 0; i < 2; i++) { /* what is too large is refused before a byte of it is read */
        struct sch_wire out = {.bytes = {.allocator = &sch_allocator_libc}};
        struct sch_request request = some_request(SCH_REQUEST_PROGRAM, false);
        struct sch_reply answer = {.object = {words, most[i] + 1}};
        request.shader = (struct sch_wire_block){words, most[i] + 1};
        if (i)
            sch_message_reply(&out, &answer);
        else
            sch_message_request(&out, &request);
        assert_true(out.failed);
        sch_wire_release(&out);
    }
    assert_int_equal(SCH_MESSAGE_MOST_REQUESTED, UINT64_C(512) << 20);
    assert_int_equal(SCH_MESSAGE_MOST_REPLIED, UINT64_C(256) << 20);
}

static void replies_have_all_fields(void **state)
{
    (void)state;
    struct sch_reply answer, again;
    struct sch_hello hello;
    struct sch_wire out;
    memset(&answer, 0, sizeof answer);
    memset(&hello, 0, sizeof hello);
    answer.object = (struct sch_wire_block){"object", 6};
    check_fields(walk_reply, &answer, sizeof answer, reply_fields, COUNT(reply_fields));
    check_fields(walk_hello, &hello, sizeof hello, hello_fields, COUNT(hello_fields));
    cuts_are_refused(walk_reply, &answer, sizeof answer);
    cuts_are_refused(walk_hello, &hello, sizeof hello);
    assert_true(write_it(walk_reply, &answer, &out) && read_it(walk_reply, &out, out.bytes.size, &again));
    expect_block(&again.object, "object");
    sch_wire_release(&out);
}

/* A message of any length, with an allocator that has nothing to give at some time. */
static void wires_grow(void **state)
{
    (void)state;
    for (unsigned size = 1; size < 9000; size = size < 1100 ? size + 1 : size + 513)
        for (unsigned allocations = 0; allocations < 7; allocations++) {
            struct counting counting = {.fail_from = allocations + 1};
            const struct sch_allocator allocator = counting_callbacks(&counting);
            struct sch_wire wire = {.bytes = {.allocator = &allocator}};
            bool written = true;
            for (unsigned i = 0; i < size && written; i++) {
                uint8_t byte = (uint8_t)(i * 7);
                SCH_WIRE_ANY(&wire, byte);
                written = !wire.failed;
            }
            assert_int_equal(counting.live, written || allocations ? 1 : 0);
            const unsigned needed = size <= 256    ? 1
                                    : size <= 512  ? 2
                                    : size <= 1024 ? 3
                                    : size <= 2048 ? 4
                                    : size <= 4096 ? 5
                                    : size <= 8192 ? 6
                                                   : 7;
            assert_int_equal(written, allocations >= needed);
            for (unsigned i = 0; i < size && written; i++) assert_int_equal(wire.bytes.data[i], (uint8_t)(i * 7));
            sch_wire_release(&wire);
            assert_true(!wire.bytes.data && !wire.bytes.size && !wire.bytes.capacity);
        }
}

enum { GUARD = 64 };

/* Memory with so many bytes behind it that nobody may write. */
static size_t guarded_bytes;

static void *allocate_guarded(void *user, size_t bytes)
{
    (void)user;
    uint8_t *made = malloc(bytes + GUARD);
    if (made) memset(made + bytes, 0xa5, GUARD);
    guarded_bytes = bytes;
    return made;
}

static void free_guarded(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

/* Whatever is written in whatever pieces stays inside, and nothing is written after a failure. */
static void wires_keep_to_their_room(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 63, 64, 65, 500, 511, 512, 513, 1023, 1024, 1025, 2048, 3000};
    static uint8_t bytes[3000], read[3000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 13);
    for (unsigned first = 0; first < COUNT(sizes); first++)
        for (unsigned second = 0; second < COUNT(sizes); second++) {
            const struct sch_allocator guarded = {.alloc = allocate_guarded, .free = free_guarded};
            struct sch_wire wire = {.bytes = {.allocator = &guarded}};
            const size_t all = sizes[first] + sizes[second];
            sch_wire_bytes(&wire, bytes, sizes[first]);
            sch_wire_bytes(&wire, bytes, 0);
            sch_wire_bytes(&wire, bytes, sizes[second]);
            assert_true(!wire.failed && wire.bytes.size == all && wire.bytes.capacity == guarded_bytes &&
                        wire.bytes.capacity >= all);
            for (size_t i = 0; i < GUARD; i++) assert_int_equal(wire.bytes.data[wire.bytes.capacity + i], 0xa5);
            assert_memory_equal(wire.bytes.data, bytes, sizes[first]);
            assert_memory_equal(wire.bytes.data + sizes[first], bytes, sizes[second]);
            struct sch_wire in = {.bytes = {.data = wire.bytes.data, .size = all}, .reading = true};
            sch_wire_bytes(&in, read, sizes[first]);
            sch_wire_bytes(&in, read, sizes[second]);
            assert_true(!in.failed && in.at == all);
            assert_memory_equal(read, bytes, sizes[second]);
            sch_wire_bytes(&in, read, 0);
            assert_false(in.failed);
            sch_wire_bytes(&in, read, 1);
            assert_true(in.failed && in.at == all);
            wire.failed = true;
            uint32_t number = 5;
            struct sch_wire_block block = {bytes, 5};
            sch_wire_bytes(&wire, bytes, 1);
            SCH_WIRE_ANY(&wire, number);
            sch_wire_block(&wire, &block, 10);
            assert_int_equal(wire.bytes.size, all);
            in = (struct sch_wire){.bytes = {.data = wire.bytes.data, .size = all}, .reading = true, .failed = true};
            sch_wire_bytes(&in, read, 1);
            SCH_WIRE_ANY(&in, number);
            sch_wire_block(&in, &block, SIZE_MAX);
            assert_true(in.at == 0 && number == 5 && block.size == 5);
            sch_wire_release(&wire);
        }
}

/* ---- shaders ---- */

/* Everything that a shader's words can say, each in some instruction or declaration. */
static const char *const texts[] = {
    "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nDCL IN[0], GENERIC[3], PERSPECTIVE, CENTROID\n"
    "DCL IN[1].xy, GENERIC[4], LINEAR, SAMPLE, INVARIANT\nDCL OUT[0], COLOR[1]\nDCL TEMP[0..3], LOCAL\n"
    "DCL TEMP[4..7], ARRAY(1)\nDCL ADDR[0..1]\nDCL CONST[0][0..7]\nDCL CONST[2][0..3]\nDCL SAMP[0..2]\n"
    "DCL SVIEW[0], 2D, FLOAT, UINT, SINT, UNORM\nDCL SVIEW[1], SHADOWCUBE, FLOAT\nIMM[0] FLT32 {1, 2, -3, 0.5}\n"
    "IMM[1] INT32 {-1, 2, 3, 4}\nMOV_SAT TEMP[0].xz, -|IN[0].wzyx|\nUARL ADDR[0].xy, IN[1].xyyy\n"
    "MOV TEMP[ADDR[0].y+4](1), CONST[2][ADDR[1].z+1]\nTEX TEMP[1], IN[0], SAMP[0], 2D, IMM[1].yzx\n"
    "TXD TEMP[2], IN[0], IN[1], IN[1], SAMP[0], 2D, IMM[1].xyz\nUIF IN[1].xxxx\nMUL_PRECISE TEMP[3], TEMP[2], IN[0]\n"
    "ELSE\nCAL :31\nENDIF\nMOV OUT[0], TEMP[1]\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0], STREAM(0, "
    "1, 2, 3)\n"
    "DCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\nUARL ADDR[0].x, IMM[0].yyyy\nMOV OUT[0], IN[ADDR[0].x+1][0]\nMOV OUT[1], "
    "IN[2][0]\n"
    "EMIT IMM[0].xxxx\nEND\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n"
    "DCL BUFFER[0], ATOMIC\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[1], 3D, PIPE_FORMAT_R32_UINT, RAW\n"
    "DCL TEMP[0..1]\nIMM[0] FLT64 {1, 2}\nIMM[1] UINT64 {3, 4}\nIMM[2] INT64 {-3, 4}\n"
    "LOAD TEMP[0], IMAGE[0], SV[0], COHERENT, VOLATILE, 2D, PIPE_FORMAT_R32_UINT\n"
    "STORE MEMORY[0].xy, SV[0].xxxx, TEMP[0], RESTRICT\nATOMUADD TEMP[1].x, BUFFER[0], SV[0].xxxx, TEMP[0]\nEND\n",
};

static struct sch_ir_shader *send(const struct sch_ir_shader *shader)
{
    struct sch_wire out = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_shader(&out, shader);
    struct sch_wire in = {.bytes = {.data = out.bytes.data, .size = out.bytes.size}, .reading = true};
    struct sch_ir_shader *again = out.failed ? NULL : sch_message_read_shader(&in, &sch_allocator_libc);
    sch_wire_release(&out);
    return again;
}

static void expect_same(const struct sch_ir_shader *shader, const struct sch_ir_shader *again, const char *what)
{
    uint8_t a[SCH_SHA256_BYTES], b[SCH_SHA256_BYTES];
    sch_ir_digest(shader, a);
    sch_ir_digest(again, b);
    if (memcmp(a, b, sizeof a) != 0) fail_msg("%s comes back as another number", what);
    assert_memory_equal(&again->limits, &shader->limits, sizeof shader->limits);
}

static void shaders_come_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT(texts); i++) {
        struct sch_ir_shader *shader = parsed_shader(texts[i]), *again = send(shader);
        assert_non_null(again);
        expect_same(shader, again, "a shader");
        assert_int_equal(again->stage, shader->stage);
        sch_ir_destroy(again);
        sch_ir_destroy(shader);
    }
}

static const struct field declaration_fields[] = {
    FIELD(sch_ir_declaration, file, SCH_FILE_COUNT - 1),
    FIELD(sch_ir_declaration, usage_mask, 15),
    FIELD(sch_ir_declaration, has_dimension, 1),
    FIELD(sch_ir_declaration, has_semantic, 1),
    FIELD(sch_ir_declaration, has_interpolation, 1),
    FIELD(sch_ir_declaration, invariant, 1),
    FIELD(sch_ir_declaration, local, 1),
    FIELD(sch_ir_declaration, atomic, 1),
    FIELD(sch_ir_declaration, raw, 1),
    FIELD(sch_ir_declaration, writable, 1),
    FIELD(sch_ir_declaration, memory_kind, SCH_MEMORY_KIND_COUNT),
    FIELD(sch_ir_declaration, first, ANY),
    FIELD(sch_ir_declaration, last, ANY),
    FIELD(sch_ir_declaration, dimension, ANY),
    FIELD(sch_ir_declaration, array_id, ANY),
    FIELD(sch_ir_declaration, interpolation, SCH_INTERPOLATION_COUNT),
    FIELD(sch_ir_declaration, location, SCH_LOCATION_COUNT),
    FIELD(sch_ir_declaration, semantic, ANY),
    FIELD(sch_ir_declaration, semantic_index, ANY),
    FIELD(sch_ir_declaration, stream[0], 3),
    FIELD(sch_ir_declaration, stream[3], 3),
    FIELD(sch_ir_declaration, target, SCH_TARGET_COUNT),
    FIELD(sch_ir_declaration, format, SCH_FORMAT_LIMIT - 1),
    FIELD(sch_ir_declaration, return_type[0], ANY),
    FIELD(sch_ir_declaration, return_type[3], ANY),
};

static const struct field immediate_fields[] = {FIELD(sch_ir_immediate, type, SCH_IMMEDIATE_COUNT - 1),
                                                FIELD(sch_ir_immediate, word[0], ANY),
                                                FIELD(sch_ir_immediate, word[3], ANY)};

static const struct field property_fields[] = {FIELD(sch_ir_property, name, SCH_PROPERTY_COUNT - 1),
                                               FIELD(sch_ir_property, value[0], ANY),
                                               FIELD(sch_ir_property, value[7], ANY)};

/* Of an instruction that has everything. */
static const struct field instruction_fields[] = {
    FIELD(sch_ir_instruction, opcode, SCH_OP_LIMIT - 1),
    FIELD(sch_ir_instruction, saturate, 1),
    FIELD(sch_ir_instruction, precise, 1),
    FIELD(sch_ir_instruction, label, ANY),
    FIELD(sch_ir_instruction, target, SCH_TARGET_COUNT),
    FIELD(sch_ir_instruction, return_type, ANY),
    FIELD(sch_ir_instruction, qualifiers, ANY),
    FIELD(sch_ir_instruction, memory_target, SCH_TARGET_COUNT),
    FIELD(sch_ir_instruction, memory_format, SCH_FORMAT_LIMIT - 1),
    FIELD(sch_ir_instruction, dst[0].file, SCH_FILE_COUNT - 1),
    FIELD(sch_ir_instruction, dst[0].write_mask, 15),
    FIELD(sch_ir_instruction, dst[0].index.index, ANY),
    FIELD(sch_ir_instruction, dst[0].index.indirect.file, SCH_FILE_COUNT - 1),
    FIELD(sch_ir_instruction, dst[0].index.indirect.component, 3),
    FIELD(sch_ir_instruction, dst[0].index.indirect.array_id, ANY),
    FIELD(sch_ir_instruction, dst[0].index.indirect.index, ANY),
    FIELD(sch_ir_instruction, dst[SCH_MAX_DSTS - 1].dimension.index, ANY),
    FIELD(sch_ir_instruction, src[0].file, SCH_FILE_COUNT - 1),
    FIELD(sch_ir_instruction, src[0].negate, 1),
    FIELD(sch_ir_instruction, src[0].absolute, 1),
    FIELD(sch_ir_instruction, src[0].swizzle[0], 3),
    FIELD(sch_ir_instruction, src[0].swizzle[3], 3),
    FIELD(sch_ir_instruction, src[0].index.index, ANY),
    FIELD(sch_ir_instruction, src[SCH_MAX_SRCS - 1].dimension.index, ANY),
    FIELD(sch_ir_instruction, src[SCH_MAX_SRCS - 1].dimension.indirect.index, ANY),
    FIELD(sch_ir_instruction, offset[0].file, SCH_FILE_COUNT - 1),
    FIELD(sch_ir_instruction, offset[0].swizzle[0], 3),
    FIELD(sch_ir_instruction, offset[0].swizzle[2], 3),
    FIELD(sch_ir_instruction, offset[SCH_MAX_OFFSETS - 1].index, ANY),
};

/* A shader of one of each. */
static struct sch_ir_shader *one_of_each(void)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    assert_non_null(shader);
    struct sch_ir_declaration declaration = {0};
    struct sch_ir_immediate immediate = {0};
    struct sch_ir_property property = {.count = 8};
    struct sch_ir_instruction in = {.has_label = true,
                                    .has_texture = true,
                                    .has_memory = true,
                                    .dst_count = SCH_MAX_DSTS,
                                    .src_count = SCH_MAX_SRCS,
                                    .offset_count = SCH_MAX_OFFSETS};
    for (unsigned i = 0; i < SCH_MAX_DSTS; i++)
        in.dst[i].has_dimension = in.dst[i].index.is_indirect = in.dst[i].dimension.is_indirect = true;
    for (unsigned i = 0; i < SCH_MAX_SRCS; i++)
        in.src[i].has_dimension = in.src[i].index.is_indirect = in.src[i].dimension.is_indirect = true;
    assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
    assert_int_equal(sch_ir_add_immediate(shader, &immediate), SCH_OK);
    assert_int_equal(sch_ir_add_property(shader, &property), SCH_OK);
    assert_int_equal(sch_ir_add_instruction(shader, &in), SCH_OK);
    return shader;
}

static bool shader_is_read(const struct sch_wire *out)
{
    struct sch_wire in = {.bytes = {.data = out->bytes.data, .size = out->bytes.size}, .reading = true};
    struct sch_ir_shader *again = sch_message_read_shader(&in, &sch_allocator_libc);
    sch_ir_destroy(again);
    return again != NULL;
}

/* `item` is one of the shader's. */
static void check_item(const struct sch_ir_shader *shader, void *item, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sch_wire zero = {.bytes = {.allocator = &sch_allocator_libc}}, most = zero, more = zero;
        uint64_t before = 0;
        memcpy(&before, (char *)item + fields[i].at, fields[i].bytes);
        poke(item, &fields[i], 0);
        sch_message_shader(&zero, shader);
        poke(item, &fields[i], greatest(&fields[i]));
        sch_message_shader(&most, shader);
        if (zero.failed || most.failed) fail_msg("%s: the most is refused", fields[i].name);
        if (zero.bytes.size == most.bytes.size) { /* not where what follows depends on it */
            struct sch_ir_shader *again = send(shader);
            if (!again) fail_msg("%s: the most is not read", fields[i].name);
            expect_same(shader, again, fields[i].name);
            sch_ir_destroy(again);
        }
        const size_t place = place_of(&zero, &most);
        if (place == most.bytes.size) fail_msg("%s is in no message", fields[i].name);
        const uint64_t larger = greatest(&fields[i]) + 1;
        if (fields[i].most != ANY) {
            memcpy(most.bytes.data + place, &larger, fields[i].bytes);
            if (shader_is_read(&most)) fail_msg("%s: too much is read", fields[i].name);
        }
        if (fields[i].most != ANY && fields[i].most != 1) {
            poke(item, &fields[i], larger);
            sch_message_shader(&more, shader);
            if (!more.failed) fail_msg("%s: too much is written", fields[i].name);
        }
        poke(item, &fields[i], before);
        sch_wire_release(&zero);
        sch_wire_release(&most);
        sch_wire_release(&more);
    }
}

static void shaders_have_all_fields(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = one_of_each();
    check_item(shader, &shader->declarations[0], declaration_fields, COUNT(declaration_fields));
    check_item(shader, &shader->immediates[0], immediate_fields, COUNT(immediate_fields));
    check_item(shader, &shader->properties[0], property_fields, COUNT(property_fields));
    check_item(shader, &shader->instructions[0], instruction_fields, COUNT(instruction_fields));
    sch_ir_destroy(shader);
}

/* What a flag brings with it is there with it alone; lists are as long as they say. */
static void optional_words_come_with_their_flags(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = one_of_each();
    struct sch_ir_instruction *in = &shader->instructions[0];
    bool *const flags[] = {&in->has_label,
                           &in->has_texture,
                           &in->has_memory,
                           &in->dst[0].has_dimension,
                           &in->dst[0].index.is_indirect,
                           &in->dst[1].dimension.is_indirect,
                           &in->src[0].has_dimension,
                           &in->src[1].index.is_indirect,
                           &in->src[2].dimension.is_indirect};
    const size_t bytes[] = {4, 2, 4, 13, 8, 8, 13, 8, 8};
    struct sch_wire all = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_shader(&all, shader);
    for (unsigned i = 0; i < COUNT(flags); i++) {
        struct sch_wire less = {.bytes = {.allocator = &sch_allocator_libc}};
        *flags[i] = false;
        sch_message_shader(&less, shader);
        if (all.bytes.size - less.bytes.size != bytes[i])
            fail_msg("flag %u brings %zu bytes", i, all.bytes.size - less.bytes.size);
        struct sch_ir_shader *again = send(shader);
        assert_non_null(again);
        expect_same(shader, again, "a flag");
        sch_ir_destroy(again);
        sch_wire_release(&less);
        *flags[i] = true;
    }
    sch_wire_release(&all);
    const struct field counts[] = {FIELD(sch_ir_instruction, dst_count, SCH_MAX_DSTS),
                                   FIELD(sch_ir_instruction, src_count, SCH_MAX_SRCS),
                                   FIELD(sch_ir_instruction, offset_count, SCH_MAX_OFFSETS)};
    for (unsigned i = 0; i < COUNT(counts); i++)
        for (uint64_t n = 0; n <= counts[i].most + 1; n++) {
            poke(in, &counts[i], n);
            struct sch_ir_shader *again = send(shader);
            assert_int_equal(again != NULL, n <= counts[i].most);
            if (again) expect_same(shader, again, counts[i].name);
            sch_ir_destroy(again);
            poke(in, &counts[i], counts[i].most);
        }
    for (unsigned n = 0; n <= 9; n++) {
        shader->properties[0].count = (uint8_t)n;
        struct sch_ir_shader *again = send(shader);
        assert_int_equal(again != NULL, n <= 8);
        if (again) expect_same(shader, again, "a property's count");
        sch_ir_destroy(again);
    }
    sch_ir_destroy(shader);
}

static void fronts_are_checked(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = one_of_each(), *again;
    static const uint64_t numbers[] = {17, 18, 19, 20, 1 << 20};
    shader->limits.instructions = (uint32_t)numbers[0];
    shader->limits.declarations = (uint32_t)numbers[1];
    shader->limits.nesting = (uint32_t)numbers[2];
    shader->limits.registers = (uint32_t)numbers[3];
    shader->limits.memory = (size_t)numbers[4];
    for (unsigned stage = 0; stage <= SCH_STAGE_COUNT; stage++) {
        shader->stage = (uint8_t)stage;
        again = send(shader);
        assert_int_equal(again != NULL, stage < SCH_STAGE_COUNT);
        if (again) expect_same(shader, again, "a stage");
        if (again) assert_int_equal(again->stage, stage);
        sch_ir_destroy(again);
    }
    shader->stage = SCH_STAGE_FRAGMENT;
    /* a byte more is no message, nor is a list that is longer than what follows */
    struct sch_wire out = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_shader(&out, shader);
    uint8_t extra = 0;
    assert_true(shader_is_read(&out));
    SCH_WIRE_ANY(&out, extra);
    assert_false(shader_is_read(&out));
    sch_wire_release(&out);
    sch_ir_destroy(shader);
}

/* ---- keys ---- */

static void key_of(struct sch_native_program_request *request, const uint8_t digest[SCH_SHA256_BYTES],
                   uint8_t key[SCH_SHA256_BYTES])
{
    sch_native_program_key(request, digest, key);
}

/* Each change of what decides code makes another key. */
static void keys_tell_requests_apart(void **state)
{
    (void)state;
    enum { MOST = 256 };
    static uint8_t keys[MOST][SCH_SHA256_BYTES];
    unsigned count = 0;
    uint8_t digest[SCH_SHA256_BYTES] = {1};
    struct sch_request request = some_request(SCH_REQUEST_PROGRAM, true);
    struct sch_native_program_request plain = {.level = "w4"}, spanned = {.level = "w4", .span = &request.span};
    for (unsigned flags = 0; flags < 8; flags++) {
        struct sch_native_program_request *both[] = {&plain, &spanned};
        for (unsigned i = 0; i < 2; i++) {
            both[i]->full = flags & 1;
            both[i]->quads = flags >> 1 & 1;
            both[i]->metered = flags >> 2;
            key_of(both[i], digest, keys[count++]);
        }
    }
    plain.level = "w16";
    key_of(&plain, digest, keys[count++]);
    plain.level = "w4";
    digest[31] = 1;
    key_of(&plain, digest, keys[count++]);
    digest[31] = 0;
    for (unsigned i = 0; i < COUNT(span_fields); i++) {
        const struct sch_request before = request;
        poke(&request, &span_fields[i], 1);
        key_of(&spanned, digest, keys[count++]);
        key_of(&spanned, digest, keys[count]);
        assert_memory_equal(keys[count], keys[count - 1], sizeof keys[0]);
        request = before;
    }
    for (unsigned i = 0; i < 3; i++) {
        uint32_t *const counts[] = {&request.span.plane_count, &request.span.render_target_count,
                                    &request.span.known.count};
        --*counts[i];
        key_of(&spanned, digest, keys[count++]);
        ++*counts[i];
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (memcmp(keys[i], keys[j], sizeof keys[0]) == 0) fail_msg("requests %u and %u have one key", i, j);
    request.span.known.count = 0; /* what stands behind the counts does not decide code */
    key_of(&spanned, digest, keys[0]);
    request.span.known.of_slot[3] = request.span.known.form[0].kind = 2;
    key_of(&spanned, digest, keys[1]);
    assert_memory_equal(keys[0], keys[1], sizeof keys[0]);
}

/* ---- spans ---- */

static struct sch_native_program *new_program(void)
{
    struct sch_native_program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    return program;
}

/* Forms that differ in anything have code of their own, as far as there is room; equal ones share it. */
static void spans_are_told_apart(void **state)
{
    (void)state;
    const struct sch_request request = some_request(SCH_REQUEST_PROGRAM, true);
    for (unsigned i = 0; i < COUNT(span_fields) + 4; i++) {
        struct sch_native_program *program = new_program();
        struct sch_request other = request, same = request, first = request;
        if (i < COUNT(span_fields))
            poke(&other, &span_fields[i], 1);
        else if (i == COUNT(span_fields))
            other.span.metered = true;
        else
            --*(uint32_t *const[]){&other.span.plane_count, &other.span.render_target_count,
                                   &other.span.known.count}[i - COUNT(span_fields) - 1];
        struct sch_native_spans *a = sch_native_spans_of(program, &first.span),
                                *b = sch_native_spans_of(program, &other.span),
                                *c = sch_native_spans_of(program, &same.span);
        if (a != &program->spans[0] || b != &program->spans[1] || c != a) fail_msg("form %u", i);
        assert_int_equal(b->variant.metered, other.span.metered);
        assert_memory_equal(&b->form, &other.span, sizeof b->form);
        free(program);
    }
}

static void spans_have_bounds(void **state)
{
    (void)state;
    struct sch_native_program *program = new_program();
    struct sch_native_span_form span;
    for (uint32_t n = 0; n < 6; n++) { /* four keep what they know of lookups; one more forgets it */
        memset(&span, 0, sizeof span);
        span.plane_count = 1;
        span.known.count = 1;
        span.known.form[0].component = (uint8_t)(n % 4);
        span.known.form[0].kind = (uint8_t)(n / 4);
        struct sch_native_spans *made = sch_native_spans_of(program, &span);
        assert_ptr_equal(made, &program->spans[n < 4 ? n : 4]);
        assert_int_equal(span.known.count, n < 4);
        assert_int_equal(made->form.known.count, n < 4);
    }
    for (uint32_t n = 0; n < 5; n++) { /* and four that know none */
        memset(&span, 0, sizeof span);
        span.plane_count = 1;
        span.channel[0] = n;
        struct sch_native_spans *made = sch_native_spans_of(program, &span);
        assert_ptr_equal(made, n < 4 ? &program->spans[4 + n] : NULL);
    }
    free(program);
}

/* ---- weights ---- */

static const struct weighed {
    const char *text;
    uint64_t weight; /* in units of 10 ns; a lookup is 40 of them */
    uint64_t cost;   /* of compiling it, in microseconds: 1,500, 95 a channel, 1,100 any other instruction or operand */
    unsigned lookups; /* for which functions are compiled: 11,000 each */
    bool in_quads;
    bool keeps_temporaries, keeps_addresses; /* nobody indexes them: they need not be cleared */
} weighed[] = {
#define HEAD                                                                                                           \
    "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0..1]\nDCL SAMP[0..31]\n"     \
    "DCL SVIEW[0..31], 2D, FLOAT\nIMM[0] UINT32 {0, 1, 2, 3}\n"
    {HEAD "MOV OUT[0], IN[0]\nEND\n", 1, 2980, 0, false, true, true},
    {HEAD "MOV OUT[0], IN[0]\nADD OUT[0], IN[0], IN[1]\nUIF IN[0].xxxx\nMOV OUT[0].x, IN[1]\nENDIF\nEND\n", 5, 5655, 0,
     false, true, true},
    {HEAD "DDX OUT[0], IN[0]\nEND\n", 1, 2980, 0, true, true, true},
    {HEAD "KILL_IF IN[0]\nMOV OUT[0], IN[0]\nEND\n", 2, 4080, 0, true, true, true},
    {HEAD "UIF IN[0].xxxx\nKILL\nENDIF\nMOV OUT[0], IN[0]\nEND\n", 4, 6280, 0, true, true, true},
    {HEAD "UIF IN[0].xxxx\nDEMOTE\nENDIF\nMOV OUT[0], IN[0]\nEND\n", 4, 6280, 0, false, true, true},
    {HEAD "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n", 40, 3700, 1, true, true, true},
    {HEAD "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX TEMP[1], IN[1], SAMP[0], 2D\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n", 81,
     5180, 1, true, true, true},
    {HEAD "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX TEMP[1], IN[1], SAMP[1], 2D\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n", 81,
     5180, 2, true, true, true},
    {HEAD "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXL TEMP[1], IN[1], SAMP[0], 2D\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n", 81,
     5180, 2, true, true, true},
    {HEAD "TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX TEMP[1], IN[1], SAMP[0], 2D, IMM[0].xyz\nADD OUT[0], TEMP[0], "
          "TEMP[1]\nEND\n",
     81, 5180, 2, true, true, true},
    {HEAD "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXF TEMP[1], IN[1], SAMP[0], 2D\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n", 81,
     5180, 2, true, true, true},
    {HEAD
     "POW OUT[0].x, IN[0].xxxx, IN[0].yyyy\nSIN OUT[0].y, IN[0].xxxx\nPOW OUT[0].zw, IN[0].xxxx, IN[0].zzzz\nEND\n",
     3, 1500 + 4 * 95 + 1100 + 2 * 12000, 0, false, true, true}, /* each of these opcodes once */
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x], IN[0]\nMOV OUT[0], TEMP[1]\nEND\n", 3, 5655, 0, false,
     false, true},
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[ADDR[0].x]\nEND\n", 2, 4175, 0, false, false, true},
};

static void programs_are_weighed(void **state)
{
    (void)state;
    const struct sch_native_options options = {.compiler = "/none", .inside = true};
    struct sch_native *native;
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    for (unsigned i = 0; i < COUNT(weighed); i++) {
        struct sch_ir_shader *shader = parsed_shader(weighed[i].text);
        struct sch_exec_options exec = {.engine = &sch_engine_auto, .engine_context = native};
        struct sch_exec_program *program;
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        assert_int_equal(sch_exec_create(shader, &exec, &sch_allocator_libc, &list, &program), SCH_OK);
        sch_diagnostics_release(&list);
        const struct sch_native_program *made = program->code;
        const uint64_t own = 100 * weighed[i].cost;
        if (made->own_threshold != own)
            fail_msg("shader %u: %llu, not %llu", i, (unsigned long long)made->own_threshold, (unsigned long long)own);
        assert_int_equal(made->threshold, own + UINT64_C(1100000) * weighed[i].lookups);
        assert_int_equal(made->weight, weighed[i].weight + 1); /* the END */
        assert_int_equal(made->in_quads, weighed[i].in_quads);
        assert_int_equal(program->cleared[SCH_FILE_TEMPORARY], !weighed[i].keeps_temporaries);
        assert_int_equal(program->cleared[SCH_FILE_ADDRESS], !weighed[i].keeps_addresses);
        sch_exec_destroy(program);
        sch_ir_destroy(shader);
    }
    sch_native_destroy(native);
}

/* The threshold of a text; a context's patience takes its place. */
static uint64_t threshold_of(const char *text, uint64_t patience)
{
    const struct sch_native_options options = {.compiler = "/none", .inside = true, .patience = patience};
    struct sch_native *native;
    struct sch_exec_program *program;
    struct sch_diagnostics list;
    struct sch_ir_shader *shader = parsed_shader(text);
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    const struct sch_exec_options exec = {.engine = &sch_engine_auto, .engine_context = native};
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    assert_int_equal(sch_exec_create(shader, &exec, &sch_allocator_libc, &list, &program), SCH_OK);
    sch_diagnostics_release(&list);
    const uint64_t threshold = ((struct sch_native_program *)program->code)->threshold;
    sch_exec_destroy(program);
    sch_ir_destroy(shader);
    sch_native_destroy(native);
    return threshold;
}

/* Of many lookups each is compared with the last sixteen that were new. */
static void some_lookups_are_compared(void **state)
{
    (void)state;
    for (unsigned units = 15; units <= 18; units++)
        for (unsigned again = 0; again < 2; again++) {
            char text[8192];
            unsigned count = units + 1;
            int at = snprintf(text, sizeof text, "%s", HEAD);
            for (unsigned i = 0; i <= units; i++) { /* behind all the first again, or the second */
                const unsigned unit = i < units ? i : again;
                at += snprintf(text + at, sizeof text - (size_t)at, "TEX TEMP[0], IN[0], SAMP[%u], 2D\n", unit);
            }
            snprintf(text + at, sizeof text - (size_t)at, "END\n");
            const unsigned fresh = units + (units > 16 + again);
            const uint64_t threshold = threshold_of(text, 0);
            if (threshold != 150000 + 110000 * (uint64_t)(count + 1) + 1100000 * (uint64_t)fresh)
                fail_msg("%u units, then number %u: %llu", units, again, (unsigned long long)threshold);
            assert_int_equal(threshold_of(text, 12345), 12345);
        }
}

/* Units of the two files, each the same or another. */
static void lookups_differ_by_their_units(void **state)
{
    (void)state;
    static const struct {
        const char *second;
        unsigned fresh;
    } pairs[] = {{"SVIEW[0], SAMP[1]", 1},
                 {"SVIEW[0], SAMP[0]", 2},
                 {"SVIEW[1], SAMP[1]", 2},
                 {"SVIEW[ADDR[0].x], SAMP[1]", 2},
                 {"SVIEW[0], SAMP[ADDR[0].x+1]", 2}};
    for (unsigned i = 0; i < COUNT(pairs); i++) {
        char text[2048];
        snprintf(text, sizeof text, "%sSAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[1]\nSAMPLE OUT[0], IN[0], %s\nEND\n", HEAD,
                 pairs[i].second);
        const uint64_t wanted = 150000 + 110000 * 3 + 1100000 * (uint64_t)pairs[i].fresh;
        if (threshold_of(text, 0) != wanted) fail_msg("%s", pairs[i].second);
    }
}

static struct sch_native_lookup_form lookup_form(enum sch_format format, enum sch_target target, bool linear,
                                                 unsigned mip)
{
    return (struct sch_native_lookup_form){
        .key = {.format = format, .target = target, .min_linear = linear, .mag_linear = linear, .mip = (uint8_t)mip},
        .kind = SCH_NATIVE_SAMPLE};
}

/* Each costs more than the one before it; fetches as much as the nearest texel, but for words, which programs have in
 * them. */
static void forms_have_their_costs(void **state)
{
    (void)state;
    const struct sch_native_lookup_form forms[] = {lookup_form(SCH_FORMAT_R8G8B8A8_UNORM, SCH_TARGET_2D, false, 0),
                                                   lookup_form(SCH_FORMAT_DXT1_RGBA, SCH_TARGET_2D, false, 0),
                                                   lookup_form(SCH_FORMAT_R8G8B8A8_UNORM, SCH_TARGET_2D, true, 0),
                                                   lookup_form(SCH_FORMAT_DXT1_RGBA, SCH_TARGET_2D, true, 1),
                                                   lookup_form(SCH_FORMAT_R8G8B8A8_UNORM, SCH_TARGET_2D, false, 2),
                                                   lookup_form(SCH_FORMAT_R8G8B8A8_SRGB, SCH_TARGET_2D, true, 0),
                                                   lookup_form(SCH_FORMAT_R8G8B8A8_UNORM, SCH_TARGET_3D, true, 0),
                                                   lookup_form(SCH_FORMAT_R8G8B8A8_UNORM, SCH_TARGET_CUBE, true, 2)};
    for (unsigned i = 1; i < COUNT(forms); i++)
        if (sch_native_lookup_weight(&forms[i]) <= sch_native_lookup_weight(&forms[i - 1])) fail_msg("form %u", i);
    struct sch_native_lookup_form fetch = forms[2], gather = forms[2];
    fetch.kind = SCH_NATIVE_FETCH;
    gather.kind = SCH_NATIVE_GATHER;
    assert_true(sch_native_lookup_weight(&gather) > sch_native_lookup_weight(&forms[0]));
    assert_true(sch_native_lookup_weight(&fetch) > sch_native_lookup_weight(&gather));
    fetch.key.format = forms[1].key.format;
    assert_int_equal(sch_native_lookup_weight(&fetch), sch_native_lookup_weight(&forms[1]));
}

/* Spans cost 3.7 ms more than groups, with inputs another 3, and each of their planes 0.35. */
static void spans_have_their_costs(void **state)
{
    (void)state;
    static const uint64_t wanted[] = {370000, 705000, 740000, 775000};
    for (uint32_t planes = 0; planes < COUNT(wanted); planes++) {
        const struct sch_native_span_form form = {.plane_count = planes};
        assert_int_equal(sch_native_weigh_spans(&form), wanted[planes]);
    }
}

/* What is bound counts, each form once. */
static void runs_weigh_what_is_bound(void **state)
{
    (void)state;
    const struct sch_native_lookup_form nearest = lookup_form(SCH_FORMAT_R8_UNORM, SCH_TARGET_2D, false, 0);
    const struct sch_native_lookup_form linear = lookup_form(SCH_FORMAT_R8_UNORM, SCH_TARGET_2D, true, 0);
    struct sch_native_wish wishes[] = {{.there = true, .form = nearest},
                                       {.there = true, .form = linear},
                                       {.there = true, .form = nearest},
                                       {.form = lookup_form(SCH_FORMAT_R8_UNORM, SCH_TARGET_CUBE, true, 0)}};
    struct sch_native_slots slots = {.wishes = wishes};
    const uint64_t one = sch_native_lookup_weight(&nearest), both = one + sch_native_lookup_weight(&linear);
    const uint64_t wanted[] = {0, one, both, both, both};
    for (slots.count = 0; slots.count <= COUNT(wishes); slots.count++)
        assert_int_equal(sch_native_weigh_lookups(&slots), wanted[slots.count]);
}

/* ---- contexts ---- */

/* Without memory there is none, and nothing of it is left; with it there is what the options say. */
static void contexts_are_made_whole(void **state)
{
    (void)state;
    struct counting counting = {0};
    const struct sch_allocator allocator = counting_callbacks(&counting);
    const struct sch_native_options options = {.compiler = "compiler.so",
                                               .cache = "/cache//",
                                               .process = "/process",
                                               .cache_bytes = 12345,
                                               .process_memory = 23456,
                                               .process_ms = 34567,
                                               .patience = 45678};
    const struct sch_native_options *const given[] = {&options, NULL};
    for (unsigned i = 0; i < 2; i++) {
        struct sch_native *native = NULL;
        unsigned needed = 0;
        for (; !native && needed < 50; needed++) {
            counting = (struct counting){.fail_from = needed + 1};
            const enum sch_result status = sch_native_create(&allocator, given[i], &native);
            assert_int_equal(status, native ? SCH_OK : SCH_ERROR_MEMORY);
            if (!native) assert_int_equal(counting.live, 0);
        }
        assert_non_null(native);
        assert_true(needed > 3);
        assert_true(native->compiler_path[0] == '/' && native->process_path[0] == '/');
        assert_int_equal(native->process_memory, i ? UINT64_C(3) << 30 : 23456);
        assert_int_equal(native->process_ms, i ? 60000 : 34567);
        assert_int_equal(native->patience, i ? 0 : 45678);
        assert_int_equal(native->cache.limit, i ? UINT64_C(256) << 20 : 12345);
        assert_int_equal(native->perf_map, -1);
        assert_false(native->inside);
        if (i)
            assert_null(native->cache.folder);
        else
            assert_string_equal(native->cache.folder, "/cache");
        if (!i) assert_string_equal(native->process_path, "/process");
        const struct sch_code_counts counts = sch_native_counted(native), none = {0};
        assert_memory_equal(&counts, &none, sizeof none);
        sch_native_destroy(native);
        assert_int_equal(counting.live, 0);
    }
    sch_native_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_have_all_fields),
        cmocka_unit_test(counts_of_spans_are_bounded),
        cmocka_unit_test(blocks_come_back),
        cmocka_unit_test(blocks_are_bounded),
        cmocka_unit_test(replies_have_all_fields),
        cmocka_unit_test(wires_grow),
        cmocka_unit_test(wires_keep_to_their_room),
        cmocka_unit_test(shaders_come_back),
        cmocka_unit_test(shaders_have_all_fields),
        cmocka_unit_test(optional_words_come_with_their_flags),
        cmocka_unit_test(fronts_are_checked),
        cmocka_unit_test(keys_tell_requests_apart),
        cmocka_unit_test(spans_are_told_apart),
        cmocka_unit_test(spans_have_bounds),
        cmocka_unit_test(programs_are_weighed),
        cmocka_unit_test(some_lookups_are_compared),
        cmocka_unit_test(lookups_differ_by_their_units),
        cmocka_unit_test(forms_have_their_costs),
        cmocka_unit_test(spans_have_their_costs),
        cmocka_unit_test(runs_weigh_what_is_bound),
        cmocka_unit_test(contexts_are_made_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
