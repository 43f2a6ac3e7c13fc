/* Functions of lookups read (jit/bitcode.c) and evaluated (jit/specialise.c): those of bitcode.ll, which are small,
 * each about one rule, become what bitcode_made.txt says; there "nothing" stands for what cannot be evaluated. Also
 * their pool. Who changes a rule looks at the difference, and sets that file by `test_jit_bitcode --print`. The texts
 * are of one version of LLVM and not compared with another's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>

#include "jit/module.h"
#include "jit/specialise.h"

enum { TEXT = 1 << 17, MOST_CASES = 128, MOST_ARCHIVES = 64 };

static const uint8_t form[16] = {1, 2, 3, 4, 0, 0, 0, 0, 7, 0, 0, 0, 255, 255, 255, 255};

/* ---- archives ---- */

struct archive {
    struct jit_archive_header header;
    struct jit_archive_entry entry;
    char bytes[];
};

/* An archive with one entry, of the bitcode of a text. */
static struct archive *archive_of(const char *text, const char *entry)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    char *message = NULL;
    LLVMMemoryBufferRef source = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
    if (LLVMParseIRInContext(context, source, &module, &message)) fail_msg("%s", message);
    LLVMMemoryBufferRef bits = LLVMWriteBitcodeToMemoryBuffer(module);
    const size_t size = LLVMGetBufferSize(bits);
    struct archive *archive = calloc(1, sizeof *archive + size);
    assert_non_null(archive);
    archive->header.count = 1;
    snprintf(archive->entry.name, sizeof archive->entry.name, "%s", entry);
    archive->entry.offset = offsetof(struct archive, bytes);
    archive->entry.size = size;
    memcpy(archive->bytes, LLVMGetBufferStart(bits), size);
    LLVMDisposeMemoryBuffer(bits);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return archive;
}

/* What is idle in the pool belongs to an archive, so these stay. */
static struct archive *archives[MOST_ARCHIVES];
static unsigned archive_count;

static const struct archive *lasting_archive(const char *text)
{
    assert_true(archive_count < MOST_ARCHIVES);
    return archives[archive_count++] = archive_of(text, JIT_LOOKUP_BITCODE);
}

static struct jit_bitcode *take(const char *text)
{
    struct jit_bitcode *bitcode = jit_bitcode_take(&lasting_archive(text)->header);
    assert_non_null(bitcode);
    return bitcode;
}

/* The module of what comes out, as a text that LLVM frees; NULL: it cannot be evaluated. */
static char *specialised(struct jit_bitcode *bitcode, const char *name, const void *bytes, size_t size)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("m", bitcode->context);
    struct bitcode_function *function = jit_bitcode_find(bitcode, name);
    char *text = NULL;
    if (function && jit_specialise(bitcode, function, bytes, size, module, "made"))
        text = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    return text;
}

/* ---- what comes out ---- */

static char source[TEXT], made_texts[TEXT], names[MOST_CASES][64];
static unsigned name_count;

static void read_file(const char *name, char text[TEXT])
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/unit/jit/%s", getenv("SCH_SOURCE"), name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s", path);
    const size_t bytes = fread(text, 1, TEXT, file);
    fclose(file);
    assert_in_range(bytes, 1, TEXT - 1);
    text[bytes] = 0;
}

static void list_names(void)
{
    for (const char *at = source; (at = strstr(at, "@case_")) != NULL; at++) {
        assert_true(name_count < MOST_CASES);
        snprintf(names[name_count++], sizeof *names, "%.*s", (int)strcspn(at + 1, "("), at + 1);
    }
}

static const char begin_mark[] = "---- ";

/* Part of bitcode_made.txt. */
static void wanted_text(const char *name, char text[TEXT])
{
    char mark[96];
    snprintf(mark, sizeof mark, "\n%s%s\n", begin_mark, name);
    const char *begin = strstr(made_texts, mark);
    if (!begin) fail_msg("nothing in bitcode_made.txt: %s", name);
    begin += strlen(mark);
    const char *end = strstr(begin, "\n---- ");
    snprintf(text, TEXT, "%.*s", end ? (int)(end + 1 - begin) : (int)strlen(begin), begin);
}

static void functions_become_what_is_written(void **state)
{
    static char wanted[TEXT];
    (void)state;
    if (strcmp(LLVM_VERSION, "19.1.7") != 0) skip();
    read_file("bitcode_made.txt", made_texts);
    struct jit_bitcode *bitcode = take(source);
    assert_in_range(name_count, 40, MOST_CASES);
    for (unsigned i = 0; i < name_count; i++) {
        char *text = specialised(bitcode, names[i], form, sizeof form);
        wanted_text(names[i], wanted);
        if (strcmp(text ? text : "nothing\n", wanted) != 0)
            fail_msg("%s: this came out:\n%s\nnot this:\n%s", names[i], text ? text : "nothing", wanted);
        LLVMDisposeMessage(text);
    }
    jit_bitcode_give_back(bitcode);
}

/* Without bytes, the first parameter is one. */
static void parameters_stay(void **state)
{
    (void)state;
    struct jit_bitcode *bitcode = take("define i32 @f(i32 %a, i32 %b) {\n  %r = sub i32 %a, %b\n  ret i32 %r\n}\n");
    char *text = specialised(bitcode, "f", NULL, 0);
    assert_non_null(strstr(text, "%4 = sub i32 %0, %1\n  ret i32 %4\n"));
    LLVMDisposeMessage(text);
    assert_null(jit_bitcode_find(bitcode, "g"));
    jit_bitcode_give_back(bitcode);
}

/* Calls in calls, to 64 of them. */
static void calls_are_so_deep(void **state)
{
    (void)state;
    for (unsigned deep = 63; deep <= 66; deep++) {
        static char text[TEXT];
        size_t at = (size_t)snprintf(text, TEXT, "define void @f1(ptr %%p) {\n  store i8 1, ptr %%p\n  ret void\n}\n");
        for (unsigned n = 2; n <= deep; n++)
            at += (size_t)snprintf(text + at, TEXT - at,
                                   "define void @f%u(ptr %%p) {\n  call void @f%u(ptr %%p)\n  ret void\n}\n", n, n - 1);
        char name[16];
        snprintf(name, sizeof name, "f%u", deep);
        struct jit_bitcode *bitcode = take(text);
        char *made = specialised(bitcode, name, NULL, 0);
        if ((made != NULL) != (deep <= 64)) fail_msg("%u calls", deep);
        LLVMDisposeMessage(made);
        jit_bitcode_give_back(bitcode);
    }
}

/* ---- reading ---- */

/* What a module must not have, and archives without one. */
static void other_archives_are_refused(void **state)
{
    static const char *const texts[] = {"@v = global i32 5\n", "@v = external constant i32\n",
                                        "@v = external global i32\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct archive *archive = archive_of(texts[i], JIT_LOOKUP_BITCODE);
        assert_null(jit_bitcode_take(&archive->header));
        free(archive);
    }
    struct archive *archive = archive_of("@v = constant i32 5\n", "others");
    assert_null(jit_bitcode_take(&archive->header));
    free(archive);
    archive = archive_of("@v = constant i32 5\n", JIT_LOOKUP_BITCODE);
    memset(archive->bytes, 7, 16);
    assert_null(jit_bitcode_take(&archive->header));
    free(archive);
}

/* Functions with something that evaluation does not know are not there. */
static void what_is_not_known_is_not_taken_apart(void **state)
{
    static const char *const texts[] = {
        "declare void @g()\ndefine void @f() {\n  call void @g()\n  ret void\n}\n",
        "define void @f() {\n  call void inttoptr (i64 64 to ptr)()\n  ret void\n}\n",
        "define void @f() {\n  call void asm sideeffect \"\", \"\"()\n  ret void\n}\n",
        "@t = constant i32 5\ndefine i64 @f() {\n  ret i64 ptrtoint (ptr @t to i64)\n}\n",
        "@t = constant i32 5\ndefine ptr @f() {\n  ret ptr getelementptr (i8, ptr @t, i64 ptrtoint (ptr @t to "
        "i64))\n}\n",
        "define ptr @f() {\n  ret ptr getelementptr (i8, ptr inttoptr (i64 64 to ptr), i64 8)\n}\n",
        "declare void @g()\ndefine void @f(i1 %b, ptr %p) {\n  br i1 %b, label %x, label %y\nx:\n  ret void\n"
        "y:\n  call void @g()\n  ret void\n}\n",
        "@t = constant i32 5\ndefine i64 @f(i1 %b) {\n  br i1 %b, label %x, label %y\nx:\n  br label %y\n"
        "y:\n  %r = phi i64 [ ptrtoint (ptr @t to i64), %x ], [ 1, %0 ]\n  ret i64 %r\n}\n",
        "@t = constant i32 5\ndefine void @f() {\n  br i1 icmp eq (ptr @t, ptr null), label %x, label %y\nx:\n  br "
        "label %y\n"
        "y:\n  ret void\n}\n",
        "@t = constant i32 5\ndefine void @f() {\n  switch i64 ptrtoint (ptr @t to i64), label %x [ i64 1, label %y ]\n"
        "x:\n  br label %y\ny:\n  ret void\n}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        LLVMContextRef context = LLVMContextCreate();
        LLVMModuleRef module;
        char *message = NULL;
        LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(texts[i], strlen(texts[i]), "text");
        const bool bad = LLVMParseIRInContext(context, buffer, &module, &message); /* of another LLVM */
        if (bad)
            LLVMDisposeMessage(message);
        else
            LLVMDisposeModule(module);
        LLVMContextDispose(context);
        if (bad) continue;
        struct jit_bitcode *bitcode = take(texts[i]);
        for (unsigned again = 0; again < 2; again++)
            if (jit_bitcode_find(bitcode, "f")) fail_msg("taken apart:\n%s", texts[i]);
        jit_bitcode_give_back(bitcode);
    }
}

/* Blocks that follow each other, loops inside of loops, as jit/bitcode.h. */
static void functions_are_taken_apart(void **state)
{
    static const char text[] =
        "define i32 @f(i32 %a, i1 %b) {\nentry:\n  br label %one\n"
        "one:\n  %i = phi i32 [ 0, %entry ], [ %j, %end ]\n  br label %two\n"
        "two:\n  %k = phi i32 [ 0, %one ], [ %l, %three ]\n  br i1 %b, label %three, label %end\n"
        "three:\n  %l = add i32 %k, %a\n  br label %two\n"
        "end:\n  %j = add i32 %i, 1\n  br i1 %b, label %one, label %out\n"
        "out:\n  ret i32 %k\n"
        "lost:\n  ret i32 7\n}\n";
    static const struct {
        int32_t loop, heads;
        uint32_t phis, count;
    } wanted[] = {{-1, -1, 0, 1}, {0, 0, 1, 2}, {1, 1, 1, 2}, {0, -1, 0, 2}, {-1, -1, 0, 1}, {1, -1, 0, 2}};
    (void)state;
    struct jit_bitcode *bitcode = take(text);
    const struct bitcode_function *f = jit_bitcode_find(bitcode, "f");
    assert_non_null(f);
    assert_int_equal(f->blocks, 6);
    assert_int_equal(f->loops, 2);
    assert_int_equal(f->parameters, 2);
    assert_int_equal(f->values, 2 + 4);
    assert_int_equal(f->loop[0].outer, BITCODE_NONE);
    assert_int_equal(f->loop[1].outer, 0);
    assert_false(f->loop[0].unrolled || f->loop[1].unrolled);
    for (unsigned n = 0; n < 6; n++) {
        assert_int_equal(f->block[n].loop, wanted[n].loop);
        assert_int_equal(f->block[n].heads, wanted[n].heads);
        assert_int_equal(f->block[n].phis, wanted[n].phis);
        assert_int_equal(f->block[n].count, wanted[n].count);
        assert_int_equal(f->loop[0].has[n], wanted[n].loop >= 0);
        assert_int_equal(f->loop[1].has[n], wanted[n].loop == 1);
    }
    jit_bitcode_give_back(bitcode);
}

/* ---- the pool ---- */

static const char small[] = "define void @f() {\n  ret void\n}\n";

static void bitcode_is_kept(void **state)
{
    (void)state;
    const struct archive *one = lasting_archive(small), *two = lasting_archive(small);
    struct jit_bitcode *a = jit_bitcode_take(&one->header), *b = jit_bitcode_take(&two->header);
    assert_true(a->archive == &one->header && b->archive == &two->header);
    jit_bitcode_give_back(a);
    jit_bitcode_give_back(b);
    for (unsigned i = 0; i < 3; i++) {
        assert_ptr_equal(jit_bitcode_take(&one->header), a);
        assert_int_equal(a->uses, i + 1);
        assert_ptr_equal(jit_bitcode_take(&two->header), b);
        jit_bitcode_give_back(a);
        jit_bitcode_give_back(b);
    }
}

/* For 256 lookups: constants and types stay in LLVM's context. */
static void bitcode_is_given_up_in_the_end(void **state)
{
    (void)state;
    const struct archive *archive = lasting_archive(small);
    for (unsigned i = 0; i < 256; i++) {
        struct jit_bitcode *bitcode = jit_bitcode_take(&archive->header);
        assert_int_equal(bitcode->uses, i);
        jit_bitcode_give_back(bitcode);
    }
    struct jit_bitcode *bitcode = jit_bitcode_take(&archive->header);
    assert_int_equal(bitcode->uses, 0);
    jit_bitcode_give_back(bitcode);
}

/* As many as are used at once, but four when they are not. */
static void four_are_kept(void **state)
{
    enum { USED = 6, KEPT = 4 };
    (void)state;
    struct jit_bitcode *others[MOST_ARCHIVES], *used_bitcode[USED];
    const unsigned count = archive_count;
    unsigned used = 0;
    for (unsigned i = 0; i < count; i++) others[i] = jit_bitcode_take(&archives[i]->header); /* nothing is idle */
    const struct archive *archive = lasting_archive(small);
    for (unsigned i = 0; i < USED; i++) used_bitcode[i] = jit_bitcode_take(&archive->header);
    for (unsigned i = 0; i < USED; i++) jit_bitcode_give_back(used_bitcode[i]);
    for (unsigned i = 0; i < USED; i++) {
        used_bitcode[i] = jit_bitcode_take(&archive->header);
        used += used_bitcode[i]->uses;
    }
    assert_int_equal(used, KEPT);
    for (unsigned i = 0; i < USED; i++) jit_bitcode_give_back(used_bitcode[i]);
    for (unsigned i = 0; i < count; i++) jit_bitcode_give_back(others[i]);
}

/* ---- memory that ends, and what is left behind ---- */

static size_t until = SIZE_MAX; /* the request for memory that is refused: so many are granted before it */
static bool refused, of_bytes;  /* that happened; of single bytes */
enum { CONTEXT, MACHINE, LAYOUT, BUILDER, MODULE, BUFFER, MEMORY, KINDS };
static long live[KINDS]; /* made and not given back */

static bool refuses(size_t element)
{
    if (until == SIZE_MAX || until--) return false;
    refused = true;
    of_bytes = element == 1;
    until = SIZE_MAX;
    return true;
}

/* NOLINTBEGIN: the linker gives these names */
#define MAKES(kind, result, name, parameters, arguments)                                                               \
    result __real_##name parameters;                                                                                   \
    result __wrap_##name parameters;                                                                                   \
    result __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        live[kind]++;                                                                                                  \
        return __real_##name arguments;                                                                                \
    }
#define ENDS(kind, name, type)                                                                                         \
    void __real_##name(type what);                                                                                     \
    void __wrap_##name(type what);                                                                                     \
    void __wrap_##name(type what)                                                                                      \
    {                                                                                                                  \
        live[kind] -= what != NULL;                                                                                    \
        __real_##name(what);                                                                                           \
    }
MAKES(CONTEXT, LLVMContextRef, LLVMContextCreate, (void), ())
ENDS(CONTEXT, LLVMContextDispose, LLVMContextRef)
MAKES(MACHINE, LLVMTargetMachineRef, LLVMCreateTargetMachine,
      (LLVMTargetRef target, const char *triple, const char *processor, const char *features, LLVMCodeGenOptLevel level,
       LLVMRelocMode relocation, LLVMCodeModel model),
      (target, triple, processor, features, level, relocation, model))
ENDS(MACHINE, LLVMDisposeTargetMachine, LLVMTargetMachineRef)
MAKES(LAYOUT, LLVMTargetDataRef, LLVMCreateTargetDataLayout, (LLVMTargetMachineRef machine), (machine))
ENDS(LAYOUT, LLVMDisposeTargetData, LLVMTargetDataRef)
MAKES(BUILDER, LLVMBuilderRef, LLVMCreateBuilderInContext, (LLVMContextRef context), (context))
ENDS(BUILDER, LLVMDisposeBuilder, LLVMBuilderRef)
MAKES(BUFFER, LLVMMemoryBufferRef, LLVMCreateMemoryBufferWithMemoryRange,
      (const char *data, size_t size, const char *name, LLVMBool zero), (data, size, name, zero))
ENDS(BUFFER, LLVMDisposeMemoryBuffer, LLVMMemoryBufferRef)
ENDS(MODULE, LLVMDisposeModule, LLVMModuleRef)
MAKES(MEMORY, void *, malloc, (size_t size), (size))
ENDS(MEMORY, free, void *)

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    if (refuses(size)) return NULL;
    live[MEMORY]++;
    return __real_calloc(count, size);
}

LLVMBool __real_LLVMParseBitcodeInContext2(LLVMContextRef context, LLVMMemoryBufferRef buffer, LLVMModuleRef *module);
LLVMBool __wrap_LLVMParseBitcodeInContext2(LLVMContextRef context, LLVMMemoryBufferRef buffer, LLVMModuleRef *module);
LLVMBool __wrap_LLVMParseBitcodeInContext2(LLVMContextRef context, LLVMMemoryBufferRef buffer, LLVMModuleRef *module)
{
    const LLVMBool bad = __real_LLVMParseBitcodeInContext2(context, buffer, module);
    live[MODULE] += !bad;
    return bad;
}

#define ARENA(result, name, element, parameters, arguments)                                                            \
    result __real_##name parameters;                                                                                   \
    result __wrap_##name parameters;                                                                                   \
    result __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        if (!refuses(element)) return __real_##name arguments;                                                         \
        arena->failed = true;                                                                                          \
        return 0;                                                                                                      \
    }
ARENA(void *, sch_arena_alloc, bytes, (struct sch_arena * arena, size_t bytes, size_t align), (arena, bytes, align))
ARENA(void *, sch_arena_array, element, (struct sch_arena * arena, size_t count, size_t element, size_t align),
      (arena, count, element, align))
ARENA(bool, sch_arena_grow, element,
      (struct sch_arena * arena, void **items, size_t *capacity, size_t count, size_t element),
      (arena, items, capacity, count, element))
/* NOLINTEND */

/* Something of everything that asks for memory. */
static const char greedy[] =
    "@words = private constant [2 x i32] [i32 5, i32 6]\n"
    "define internal i32 @part(ptr %p, i32 %x) {\n  %a = load i32, ptr %p\n  %b = mul i32 %a, %x\n  ret i32 %b\n}\n"
    "define i32 @f(ptr %form, i32 %x, i1 %b) {\nentry:\n  %v = alloca i32\n  store i32 3, ptr %v\n"
    "  %w = load i32, ptr getelementptr (i8, ptr @words, i64 4)\n  %c = call i32 @part(ptr %v, i32 %x)\n"
    "  switch i32 %x, label %head [ i32 7, label %out ]\n"
    "head:\n  %i = phi i32 [ 0, %entry ], [ %j, %head ]\n  %j = add i32 %i, %w\n  br i1 %b, label %head, label %out\n"
    "out:\n  %r = phi i32 [ %c, %entry ], [ %j, %head ]\n  ret i32 %r\n}\n";

/* The text of the greedy step, without anything left behind; NULL: memory was out. */
static char *tried(const struct archive *archive)
{
    long before[KINDS];
    memcpy(before, live, sizeof before);
    struct jit_bitcode *bitcode = jit_bitcode_take(&archive->header);
    char *text = bitcode ? specialised(bitcode, "f", form, sizeof form) : NULL;
    until = SIZE_MAX;
    live[MODULE] += bitcode ? 1 : 0; /* that of `specialised` */
    if (bitcode) {
        bitcode->uses = 255; /* the last use */
        jit_bitcode_give_back(bitcode);
    }
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (live[kind] != before[kind]) fail_msg("%ld of kind %u are left", live[kind] - before[kind], kind);
    return text;
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    struct archive *archive = archive_of(greedy, JIT_LOOKUP_BITCODE);
    char *whole = tried(archive);
    assert_non_null(whole);
    assert_non_null(strstr(whole, "add i32"));
    for (size_t n = 0;; n++) {
        until = n;
        refused = false;
        char *text = tried(archive);
        if (!refused) assert_string_equal(text, whole);
        if (refused && text && !of_bytes) fail_msg("request %zu is refused, and a step comes out", n);
        LLVMDisposeMessage(text);
        if (!refused) {
            assert_in_range(n, 30, 300);
            break;
        }
    }
    LLVMDisposeMessage(whole);
    free(archive);
}

/* What works on a whole module gives back what it takes. */
static void passes_leave_nothing_behind(void **state)
{
    (void)state;
    struct jit_module module = {.context = LLVMContextCreate()};
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(greedy, strlen(greedy), "text");
    if (LLVMParseIRInContext(module.context, buffer, &module.module, NULL)) fail();
    const long memory = live[MEMORY], builders = live[BUILDER];
    assert_int_equal(jit_drop_nans(&module), 0);
    assert_int_equal(jit_improve_floats(&module), 0);
    jit_keep_mask_words(&module);
    assert_int_equal(live[MEMORY], memory);
    assert_int_equal(live[BUILDER], builders);
    LLVMDisposeModule(module.module);
    LLVMContextDispose(module.context);
}

static void print_all(void)
{
    struct jit_bitcode *bitcode = take(source);
    puts("What test_jit_bitcode --print printed: what becomes of each function of bitcode.ll. Holds nothing else.");
    for (unsigned i = 0; i < name_count; i++) {
        char *text = specialised(bitcode, names[i], form, sizeof form);
        printf("%s%s\n%s", begin_mark, names[i], text ? text : "nothing\n");
        LLVMDisposeMessage(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bitcode_is_kept),
        cmocka_unit_test(bitcode_is_given_up_in_the_end),
        cmocka_unit_test(four_are_kept),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(passes_leave_nothing_behind),
        cmocka_unit_test(functions_become_what_is_written),
        cmocka_unit_test(parameters_stay),
        cmocka_unit_test(calls_are_so_deep),
        cmocka_unit_test(other_archives_are_refused),
        cmocka_unit_test(what_is_not_known_is_not_taken_apart),
        cmocka_unit_test(functions_are_taken_apart),
    };
    read_file("bitcode.ll", source);
    list_names();
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        print_all();
    else
        return cmocka_run_group_tests_name("jit bitcode", tests, NULL, NULL);
    return 0;
}
