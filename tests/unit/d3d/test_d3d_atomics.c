/* Every Direct3D atomic instruction on every memory it takes: bytes, structures, typed buffers and textures of uints
 * and ints, shared bytes and structures, with random words, modifiers, swizzles, indexed destinations, inactive
 * invocations and addresses outside, at every width, against what the specification's table says of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/by_code.h"
#include <scheelite/scheelite.h>

#include "../support/random_number.h"

enum { THREADS = 32, SLOTS = 32, TRIALS = 24, TEXT = 4096, DATA = 8, UNTOUCHED = 0x5eed };

/* ---- what they do to a word ---- */

typedef uint32_t step(uint32_t old, uint32_t compare, uint32_t value);
static uint32_t and_(uint32_t old, uint32_t compare, uint32_t value) { return (void)compare, old & value; }
static uint32_t or_(uint32_t old, uint32_t compare, uint32_t value) { return (void)compare, old | value; }
static uint32_t xor_(uint32_t old, uint32_t compare, uint32_t value) { return (void)compare, old ^ value; }
static uint32_t iadd(uint32_t old, uint32_t compare, uint32_t value) { return (void)compare, old + value; }
static uint32_t exch(uint32_t old, uint32_t compare, uint32_t value) { return (void)old, (void)compare, value; }
static uint32_t cmp(uint32_t old, uint32_t compare, uint32_t value) { return old == compare ? value : old; }
static uint32_t umax(uint32_t old, uint32_t compare, uint32_t value)
{
    return (void)compare, old > value ? old : value;
}
static uint32_t umin(uint32_t old, uint32_t compare, uint32_t value)
{
    return (void)compare, old < value ? old : value;
}
static uint32_t imax(uint32_t old, uint32_t compare, uint32_t value)
{
    return (void)compare, (int32_t)old > (int32_t)value ? old : value;
}
static uint32_t imin(uint32_t old, uint32_t compare, uint32_t value)
{
    return (void)compare, (int32_t)old < (int32_t)value ? old : value;
}

/* Two of one address may come in any order: `ordered` where that shows in what is left. Negation is for ints. */
static const struct operation {
    const char *name;
    step *next;
    bool returns, compares, ordered, negates;
} operations[] = {
    {"atomic_and", and_, .returns = false},
    {"atomic_or", or_, .returns = false},
    {"atomic_xor", xor_, .returns = false},
    {"atomic_cmp_store", cmp, .compares = true, .ordered = true},
    {"atomic_iadd", iadd, .negates = true},
    {"atomic_imax", imax, .negates = true},
    {"atomic_imin", imin, .negates = true},
    {"atomic_umax", umax, .returns = false},
    {"atomic_umin", umin, .returns = false},
    {"imm_atomic_iadd", iadd, .returns = true},
    {"imm_atomic_and", and_, .returns = true},
    {"imm_atomic_or", or_, .returns = true},
    {"imm_atomic_xor", xor_, .returns = true},
    {"imm_atomic_exch", exch, .returns = true, .ordered = true},
    {"imm_atomic_cmp_exch", cmp, .returns = true, .compares = true, .ordered = true},
    {"imm_atomic_imax", imax, .returns = true, .negates = true},
    {"imm_atomic_imin", imin, .returns = true, .negates = true},
    {"imm_atomic_umax", umax, .returns = true},
    {"imm_atomic_umin", umin, .returns = true},
};

/* ---- the memories ---- */

enum kind {
    RAW,
    STRUCTURED,
    BUFFER_UINT,
    BUFFER_SINT,
    TEXTURE_UINT,
    TEXTURE_SINT,
    SHARED_RAW,
    SHARED_STRUCTURED,
    KINDS
};
static const struct memory {
    const char *declaration, *name, *address;
} memories[KINDS] = {
    {"dcl_uav_raw u1\n", "u1", "r1.x"},
    {"dcl_uav_structured u1, 8\n", "u1", "r1.xyxx"},
    {"dcl_uav_typed_buffer (uint,uint,uint,uint) u1\n", "u1", "r1.xxxx"},
    {"dcl_uav_typed_buffer (sint,sint,sint,sint) u1\n", "u1", "r1.xxxx"},
    {"dcl_uav_typed_texture2d (uint,uint,uint,uint) u1\n", "u1", "r1.xyxx"},
    {"dcl_uav_typed_texture2d (sint,sint,sint,sint) u1\n", "u1", "r1.xyxx"},
    {"dcl_tgsm_raw g0, 128\n", "g0", "r1.x"},
    {"dcl_tgsm_structured g0, 8, 16\n", "g0", "r1.xyxx"},
};

static bool is_shared(enum kind kind) { return kind >= SHARED_RAW; }
static bool is_typed(enum kind kind) { return kind >= BUFFER_UINT && kind <= TEXTURE_SINT; }

/* Where a slot is; SLOTS and above lie outside. */
static void place(enum kind kind, uint32_t slot, uint32_t at[2])
{
    bool structured = kind == STRUCTURED || kind == SHARED_STRUCTURED;
    bool texture = kind == TEXTURE_UINT || kind == TEXTURE_SINT;
    at[1] = 0;
    if (structured) {
        at[0] = slot / 2;
        at[1] = slot % 2 * 4;
    } else if (texture) {
        at[0] = slot % 8;
        at[1] = slot / 8;
    } else
        at[0] = is_typed(kind) ? slot : slot * 4;
}

/* ---- trials ---- */

static uint64_t seed;
static uint64_t next(void) { return random_number(&seed); }
static uint32_t below(uint32_t limit) { return (uint32_t)(next() >> 33) % limit; }
static uint32_t random_word(void)
{
    static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    uint32_t kind = below(4);
    return kind == 0 ? (uint32_t)next() : kind == 1 ? below(4) : edges[below(sizeof edges / sizeof *edges)];
}

struct trial {
    const struct operation *operation;
    enum kind kind;
    bool distinct, negated, literal, indexed;
    uint32_t value; /* the literal */
    uint32_t data[THREADS][DATA], slot[THREADS], start[SLOTS];
    char text[TEXT];
};

/* r1: address, address, value, compare; r2.x: whether the invocation takes part, r2.y: the slot's first word. */
static void write_program(struct trial *t)
{
    const struct memory *memory = &memories[t->kind];
    char value[32], result[40] = "", compare[16] = "", before[160] = "", after[200] = "";
    snprintf(value, sizeof value, t->negated ? "-r1.z" : "r1.z");
    if (t->literal) snprintf(value, sizeof value, "l(%u)", t->value);
    if (t->operation->returns) snprintf(result, sizeof result, t->indexed ? "x0[r3.x + 1].y, " : "r3.y, ");
    if (t->operation->compares) snprintf(compare, sizeof compare, "r1.w, ");
    const char *store = t->kind == SHARED_RAW ? "raw g0.x, r3.z" : "structured g0.x, r3.z, r3.w";
    const char *load = t->kind == SHARED_RAW ? "raw r3.y, r3.z, g0.xxxx" : "structured r3.y, r3.z, r3.w, g0.xxxx";
    const char *split = t->kind == SHARED_RAW ? "mov r3.z, r0.y\n" : "ushr r3.z, r0.y, l(3)\nand r3.w, r0.y, l(4)\n";
    if (is_shared(t->kind)) {
        snprintf(before, sizeof before, "%sstore_%s, r2.y\nsync_g_t\n", split, store);
        snprintf(after, sizeof after, "sync_g_t\n%sld_%s\niadd r0.y, r0.y, l(128)\nstore_raw u0.x, r0.y, r3.y\n", split,
                 load);
    }
    int length =
        snprintf(t->text, TEXT,
                 "cs_5_0\ndcl_resource_raw t0\ndcl_uav_raw u0\n%sdcl_input vThreadIDInGroupFlattened\ndcl_temps 4\n"
                 "dcl_indexableTemp x0[2], 4\ndcl_thread_group 32, 1, 1\n"
                 "ishl r0.xy, vThreadIDInGroupFlattened.xxxx, l(5, 2, 0, 0)\nld_raw r1.xyzw, r0.x, t0.xyzw\n"
                 "iadd r0.z, r0.x, l(16)\nld_raw r2.xyzw, r0.z, t0.xyzw\n%smov r3.xy, l(0, %u, 0, 0)\n"
                 "mov x0[1].y, l(%u)\nif_nz r2.x\n%s %s%s, %s, %s%s\nendif\n%sstore_raw u0.x, r0.y, r3.y\n%sret\n",
                 memory->declaration, before, UNTOUCHED, UNTOUCHED, t->operation->name, result, memory->name,
                 memory->address, compare, value, t->indexed ? "mov r3.y, x0[1].y\n" : "", after);
    assert_true(length > 0 && length < TEXT);
}

static void make(struct trial *t, const struct operation *operation, enum kind kind)
{
    *t = (struct trial){.operation = operation, .kind = kind, .distinct = operation->returns || operation->ordered};
    t->distinct = t->distinct || below(2);
    t->literal = below(4) == 0;
    t->negated = operation->negates && below(2);
    t->indexed = operation->returns && below(2);
    t->value = random_word();
    uint32_t order[SLOTS];
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t other = below(i + 1);
        order[i] = order[other];
        order[other] = i;
        t->start[i] = random_word();
    }
    for (unsigned i = 0; i < THREADS; i++) {
        t->slot[i] = t->distinct ? order[i] : below(6);
        if (!is_shared(kind) && below(6) == 0)
            t->slot[i] = below(2) ? SLOTS + below(64) : SLOTS + (uint32_t)(next() >> 36);
        uint32_t *data = t->data[i];
        place(kind, t->slot[i], data);
        data[2] = random_word();
        data[3] = t->slot[i] < SLOTS && below(2) ? t->start[t->slot[i]] : random_word();
        data[4] = below(5) ? random_word() | 1 : 0;
        data[5] = t->start[i];
    }
    write_program(t);
}

/* What is left in the slots, and what each invocation got: UNTOUCHED where it took no part or none returns. "out of
 * range u#: nothing", and what comes back is undefined. */
static void expect(const struct trial *t, uint32_t slots[SLOTS], uint32_t old[THREADS])
{
    memcpy(slots, t->start, sizeof t->start);
    for (unsigned i = 0; i < THREADS; i++) {
        const uint32_t *data = t->data[i];
        old[i] = UNTOUCHED;
        if (!data[4] || t->slot[i] >= SLOTS) continue;
        uint32_t *word = &slots[t->slot[i]], value = t->literal ? t->value : t->negated ? 0 - data[2] : data[2];
        if (t->operation->returns) old[i] = *word;
        *word = t->operation->next(*word, data[3], value);
    }
}

/* ---- running ---- */

static struct sch_image *make_image(struct sch_context *context, const struct trial *t, struct sch_resource **resource)
{
    bool texture = t->kind == TEXTURE_UINT || t->kind == TEXTURE_SINT;
    bool ints = t->kind == BUFFER_SINT || t->kind == TEXTURE_SINT;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = texture ? SCH_TARGET_2D : SCH_TARGET_BUFFER,
                                               .format = sch_format_by_name(ints ? "R32_SINT" : "R32_UINT"),
                                               .width = texture ? 8 : SLOTS,
                                               .height = texture ? 4 : 1};
    struct sch_image *image;
    assert_int_equal(sch_resource_create(context, &shape, NULL, resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(*resource, t->start, sizeof t->start), SCH_OK);
    assert_int_equal(sch_image_create(*resource, NULL, &image), SCH_OK);
    return image;
}

static void compare(const struct trial *t, const uint32_t slots[SLOTS], const uint32_t old[THREADS], unsigned width)
{
    uint32_t want[SLOTS], got[THREADS];
    expect(t, want, got);
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i] != want[i])
            fail_msg("width %u: slot %u holds %08x, not %08x:\n%s", width, i, slots[i], want[i], t->text);
    for (unsigned i = 0; i < THREADS; i++) {
        bool free = t->operation->returns && t->data[i][4] && t->slot[i] >= SLOTS;
        if (old[i] != got[i] && !free)
            fail_msg("width %u: invocation %u got %08x, not %08x:\n%s", width, i, old[i], got[i], t->text);
    }
}

static void run(const struct trial *t, unsigned width)
{
    enum { FIRST_VIEW = 64 };
    struct sch_context *context;
    struct sch_shader *shader;
    struct sch_program *program;
    struct sch_resource *resource = NULL;
    struct sch_image *images[2] = {NULL, NULL};
    uint32_t results[THREADS + SLOTS] = {0}, memory[SLOTS];
    struct sch_storage_buffer buffers[FIRST_VIEW + 1] = {{0}};
    memcpy(memory, t->start, sizeof memory);
    buffers[0] = (struct sch_storage_buffer){results, sizeof results};
    buffers[1] = (struct sch_storage_buffer){memory, sizeof memory};
    buffers[FIRST_VIEW] = (struct sch_storage_buffer){(void *)(uintptr_t)t->data, sizeof t->data};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    if (sch_shader_read(context, t->text, strlen(t->text), NULL, NULL, &shader) != SCH_OK)
        fail_msg("not read:\n%s", t->text);
    const struct sch_program_options options = {.size = sizeof options, .width = width};
    if (sch_program_create(context, shader, &options, NULL, &program) != SCH_OK) fail_msg("no program:\n%s", t->text);
    if (is_typed(t->kind)) images[1] = make_image(context, t, &resource);
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .buffers = buffers,
                                          .buffer_count = FIRST_VIEW + 1,
                                          .images = images,
                                          .image_count = 2};
    const uint32_t grid[3] = {1, 1, 1};
    assert_int_equal(sch_dispatch_grid(program, &bindings, grid, NULL, NULL, NULL), SCH_OK);
    const uint32_t *slots = is_shared(t->kind) ? results + THREADS : memory;
    if (is_typed(t->kind)) assert_int_equal(sch_resource_read_all(resource, memory, sizeof memory), SCH_OK);
    compare(t, slots, results, width);
    sch_image_destroy(images[1]);
    sch_resource_destroy(resource);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void test_operation(void **state)
{
    const struct operation *operation = *state;
    static struct trial t;
    seed = (uint64_t)(operation - operations) + 1;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < TRIALS; i++) {
            make(&t, operation, (enum kind)kind);
            for (unsigned width = 4; width <= 16; width *= 2)
                if (!by_code_skips(80)) run(&t, width);
        }
}

int main(void)
{
    enum { OPERATIONS = sizeof operations / sizeof *operations };
    static struct CMUnitTest tests[OPERATIONS];
    for (unsigned i = 0; i < OPERATIONS; i++)
        tests[i] =
            (struct CMUnitTest){operations[i].name, test_operation, NULL, NULL, (void *)(uintptr_t)&operations[i]};
    return cmocka_run_group_tests_name("d3d atomics", tests, NULL, NULL);
}
