/* The parts of the compiler that make one piece of LLVM's intermediate representation of another (jit/nans.c,
 * jit/floats.c, jit/mask_words.c), each on functions that are as small as its rules. What must come out is written
 * beside what goes in: a rule is what the head of its file says. Holds no shaders: see test_code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

#include "jit/module.h"

enum { TEXT = 8192 };

static LLVMContextRef context;

/* ---- texts ---- */

static LLVMModuleRef parsed(const char *text)
{
    LLVMModuleRef module;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
    if (LLVMParseIRInContext(context, buffer, &module, &message)) fail_msg("%s\n%s", message, text);
    LLVMSetModuleIdentifier(module, "m", 1);
    LLVMSetSourceFileName(module, "m", 1);
    return module;
}

static void compare_texts(const char *what, LLVMModuleRef made, const char *wanted)
{
    LLVMModuleRef other = parsed(wanted);
    char *a = LLVMPrintModuleToString(made), *b = LLVMPrintModuleToString(other);
    if (strcmp(a, b) != 0) fail_msg("%s: this came out:\n%s\nnot this:\n%s", what, a, b);
    LLVMDisposeMessage(a);
    LLVMDisposeMessage(b);
    LLVMDisposeModule(other);
}

/* A text with every `mark` replaced. */
static void replace(char text[TEXT], const char *from, char mark, const char *with)
{
    size_t at = 0;
    text[0] = 0;
    for (; *from; from++)
        at += (size_t)snprintf(text + at, TEXT - at, *from == mark ? "%s" : "%.1s", *from == mark ? with : from);
    assert_true(at < TEXT);
}

/* ---- NaNs ---- */

#define CANON "splat (float 0x7FF8000000000000)"
#define V     "<4 x float> "
#define I     "<4 x i32> "

static const char nan_head[] = "declare void @show(<4 x float>)\n"
                               "declare void @show_word(i32)\n"
                               "define void @f(" V "%x, " V "%y, ptr %p, <4 x i1> %b, i1 %way) {\n"
                               "entry:\n"
                               "  %a = fadd " V "%x, %y\n";

/* `make`: how %c comes from %a; `use`: what becomes of it, with $ in the place of the name. Where the step is dropped,
 * `make` loses its last line, and the name is that of what the step keeps. */
static void check_nans(const char *name, const char *declarations, const char *make, const char *use, const char *kept)
{
    char text[TEXT], used[TEXT], wanted[TEXT];
    replace(used, use, '$', "%c");
    assert_true(snprintf(text, TEXT, "%s%s%s%s  ret void\n}\n", declarations, nan_head, make, used) < TEXT);
    const char *last = strstr(make, "  %c = ");
    assert_non_null(last);
    replace(used, use, '$', kept ? kept : "%c");
    assert_true(snprintf(wanted, TEXT, "%s%s%.*s%s  ret void\n}\n", declarations, nan_head,
                         kept ? (int)(last - make) : (int)strlen(make), make, used) < TEXT);
    struct jit_module module = {.context = context, .module = parsed(text)};
    const size_t dropped = jit_drop_nans(&module);
    compare_texts(name, module.module, wanted);
    if (dropped != (kept ? 1 : 0)) fail_msg("%s: %zu dropped", name, dropped);
    LLVMDisposeModule(module.module);
}

static const char nan_step[] =
    "  %o = fcmp ord " V "%a, zeroinitializer\n  %c = select <4 x i1> %o, " V "%a, " V CANON "\n";

/* Uses that end the matter: a NaN's bits are seen, or they are not. */
static void nans_are_seen(void **state)
{
    static const struct {
        const char *declarations, *use;
        bool seen;
    } rows[] = {
        {"", "  store " V "$, ptr %p, align 16\n", true},
        {"", "  call void @show(" V "$)\n", true},
        {"", "  call void %p(" V "$)\n", true},
        {"", "  %u = bitcast " V "$ to <2 x i64>\n", true},
        {"", "  %u = bitcast " V "$ to <8 x i16>\n", true},
        {"", "  %u = bitcast " V "$ to i128\n", true},
        {"", "  %u = extractelement " V "$, i64 1\n", true},
        {"", "  %u = insertelement " V "$, float 1.0, i64 1\n", true},
        {"", "  %v = bitcast " V "$ to " I "\n  %u = and " I "%v, splat (i32 7)\n", true},
        {"", "  %v = bitcast " V "$ to " I "\n  %u = icmp eq " I "%v, splat (i32 7)\n", true},
        {"", "  %v = insertvalue { " V "} poison, " V "$, 0\n", true},
        {"declare " V "@llvm.maxnum.v4f32(" V ", " V ")\n", "  %u = call " V "@llvm.maxnum.v4f32(" V "$, " V "%y)\n",
         true},
        {"declare " V "@sch_value_ADD4(" V ")\n", "  %u = call " V "@sch_value_ADD4(" V "$)\n", true},
        {"", "  %u = fcmp oeq " V "$, %y\n", false},
        {"", "  %u = fcmp uno " V "%y, $\n", false},
        {"", "  %u = fptosi " V "$ to " I "\n", false},
        {"", "  %u = fptoui " V "$ to " I "\n", false},
        {"", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_nans(rows[i].use, rows[i].declarations, nan_step, rows[i].use, rows[i].seen ? NULL : "%a");
}

static void check_call(const char *name, bool hides)
{
    char declaration[256], use[256], seen[320], unseen[320];
    snprintf(declaration, sizeof declaration, "declare " V "@%s(" V ", " V ")\n", name);
    snprintf(use, sizeof use, "  %%u = call " V "@%s(" V "$, " V "%%y)\n", name);
    snprintf(seen, sizeof seen, "%s  call void @show(" V "%%u)\n", use);
    snprintf(unseen, sizeof unseen, "%s  %%v = fcmp oeq " V "%%u, %%y\n", use);
    check_nans(name, declaration, nan_step, seen, hides ? "%a" : NULL);
    check_nans(name, declaration, nan_step, unseen, "%a");
}

/* Functions that make the same of every NaN, and those that make a NaN of one: their names' begins decide. */
static void calls_hide_nans_or_pass_them_on(void **state)
{
    static const char *const hide[] = {"llvm.x86.sse2.cvttps2dq",
                                       "llvm.x86.avx.cvtt.ps2dq.256",
                                       "llvm.x86.avx512.mask.cvttps2dq.512",
                                       "llvm.x86.avx512.mask.cvttps2udq.512",
                                       "llvm.x86.avx512.fpclass.ps.512",
                                       "sch_value_POW",
                                       "sch_value_EX2_16",
                                       "sch_value_LG2",
                                       "sch_value_SIN",
                                       "sch_value_COS_4"};
    static const char *const pass[] = {"llvm.fma.v4f32",
                                       "llvm.fabs.v4f32",
                                       "llvm.sqrt.v4f32",
                                       "llvm.floor.v4f32",
                                       "llvm.ceil.v4f32",
                                       "llvm.trunc.v4f32",
                                       "llvm.rint.v4f32",
                                       "llvm.nearbyint.v4f32",
                                       "llvm.roundeven.v4f32",
                                       "llvm.x86.sse41.round.ps",
                                       "llvm.x86.avx.round.ps.256",
                                       "llvm.x86.avx512.mask.rndscale.ps.512",
                                       "llvm.x86.avx512.rsqrt14.ps.512",
                                       "v_pow_any"};
    (void)state;
    for (size_t i = 0; i < sizeof hide / sizeof *hide; i++) check_call(hide[i], true);
    for (size_t i = 0; i < sizeof pass / sizeof *pass; i++) check_call(pass[i], false);
}

/* Instructions whose result is a NaN where the operand is: seen when the result is. */
static void results_pass_nans_on(void **state)
{
    static const char *const uses[] = {
        "  %u = fadd " V "$, %y\n",
        "  %u = fsub " V "%y, $\n",
        "  %u = fmul " V "%y, $\n",
        "  %u = fdiv " V "$, %y\n",
        "  %u = fneg " V "$\n",
        "  %v = fpext " V "$ to <4 x double>\n  %u = fptrunc <4 x double> %v to " V "\n",
        "  br label %next\nnext:\n  %u = phi " V "[ $, %entry ]\n",
        "  br i1 %way, label %one, label %next\none:\n  br label %next\n"
        "next:\n  %u = phi " V "[ %y, %entry ], [ $, %one ]\n",
        "  %u = freeze " V "$\n",
        "  %u = shufflevector " V "$, " V "%y, <4 x i32> <i32 0, i32 1, i32 4, i32 5>\n",
        "  %u = select <4 x i1> %b, " V "$, " V "%y\n",
        "  %u = select <4 x i1> %b, " V "%y, " V "$\n",
        "  %u = select i1 %way, " V "%y, " V "$\n",
        "  %v = bitcast " V "$ to " I "\n  %u = bitcast " I "%v to " V "\n",
        "  %v = fmul " V "$, %y\n  %w = fneg " V "%v\n  %u = fadd " V "%w, %w\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char seen[1024], unseen[1024];
        snprintf(seen, sizeof seen, "%s  call void @show(" V "%%u)\n", uses[i]);
        snprintf(unseen, sizeof unseen, "%s  %%unseen = fcmp oeq " V "%%u, %%y\n", uses[i]);
        check_nans(uses[i], "", nan_step, seen, NULL);
        check_nans(uses[i], "", nan_step, unseen, "%a");
    }
}

/* A step behind another: what the first one keeps is seen by nobody. */
static void a_step_hides_what_precedes_it(void **state)
{
    (void)state;
    check_nans("again", "", nan_step,
               "  %m = fmul " V "$, %y\n  %q = fcmp uno " V "%m, zeroinitializer\n"
               "  %r = select <4 x i1> %q, " V CANON ", " V "%m\n  call void @show(" V "%r)\n",
               "%a");
}

/* x86's maximum and minimum never give the first operand's NaN, and may give the second's. */
static void limits_lose_the_first_operands_nans(void **state)
{
    static const char *const names[] = {"llvm.x86.sse.max.ps",        "llvm.x86.sse.min.ps",
                                        "llvm.x86.avx.max.ps.256",    "llvm.x86.avx.min.ps.256",
                                        "llvm.x86.avx512.max.ps.512", "llvm.x86.avx512.min.ps.512"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char declaration[256], use[512];
        snprintf(declaration, sizeof declaration, "declare " V "@%s(" V ", " V ")\n", names[i]);
        const char *const show = "  call void @show(" V "%u)\n", *const hide = "  %v = fcmp oeq " V "%u, %y\n";
        snprintf(use, sizeof use, "  %%u = call " V "@%s(" V "$, " V "%%y)\n%s", names[i], show);
        check_nans(names[i], declaration, nan_step, use, "%a");
        snprintf(use, sizeof use, "  %%u = call " V "@%s(" V "%%y, " V "$)\n%s", names[i], show);
        check_nans(names[i], declaration, nan_step, use, NULL);
        snprintf(use, sizeof use, "  %%u = call " V "@%s(" V "%%y, " V "$)\n%s", names[i], hide);
        check_nans(names[i], declaration, nan_step, use, "%a");
    }
}

/* A NaN is not what is selected where a comparison that is false for NaNs holds, nor where one that is true for them
 * does not. */
static void comparisons_select_numbers(void **state)
{
    static const struct {
        const char *name;
        char chosen; /* 1, 2: the operand of the select that is never a NaN; 0: none */
    } predicates[] = {{"oeq", 1}, {"ogt", 1}, {"oge", 1},   {"olt", 1}, {"ole", 1}, {"one", 1},
                      {"ord", 1}, {"ueq", 2}, {"ugt", 2},   {"uge", 2}, {"ult", 2}, {"ule", 2},
                      {"une", 2}, {"uno", 2}, {"false", 0}, {"true", 0}};
    static const char *const compared[] = {"$, %y", "%y, $"};
    (void)state;
    for (size_t i = 0; i < sizeof predicates / sizeof *predicates; i++)
        for (unsigned n = 0; n < 8; n++) {
            char use[512];
            const bool second = n & 1, negated = n & 4;
            const char *value = negated ? "%m" : "$";
            snprintf(use, sizeof use,
                     "%s  %%t = fcmp %s " V "%s\n  %%u = select <4 x i1> %%t, " V "%s, " V "%s\n  call void @show(" V
                     "%%u)\n",
                     negated ? "  %m = fneg " V "$\n" : "", predicates[i].name, compared[n >> 1 & 1],
                     second ? "%x" : value, second ? value : "%x");
            check_nans(use, "", nan_step, use, predicates[i].chosen == 1 + second ? "%a" : NULL);
        }
    check_nans("others compared", "", nan_step,
               "  %t = fcmp oeq " V "%x, %y\n  %u = select <4 x i1> %t, " V "$, " V "%x\n  call void @show(" V "%u)\n",
               NULL);
    check_nans("words compared", "", nan_step,
               "  %k = bitcast " V "%x to " I "\n  %t = icmp eq " I "%k, zeroinitializer\n"
               "  %u = select <4 x i1> %t, " V "$, " V "%x\n  call void @show(" V "%u)\n",
               NULL);
}

/* What is such a step, and what is none. */
static void steps_are_found(void **state)
{
#define ORD   "  %o = fcmp ord " V "%a, zeroinitializer\n"
#define UNO   "  %o = fcmp uno " V "%a, zeroinitializer\n"
#define KEEP  "  %c = select <4 x i1> %o, " V "%a, " V
#define KEEP2 "  %c = select <4 x i1> %o, " V "%m, " V
    static const struct {
        const char *make, *kept;
    } rows[] = {
        {UNO "  %c = select <4 x i1> %o, " V CANON ", " V "%a\n", "%a"},
        {"  %o = fcmp ord " V "%a, %a\n" KEEP CANON "\n", "%a"},
        {"  %o = fcmp uno " V "%a, %a\n  %c = select <4 x i1> %o, " V CANON ", " V "%a\n", "%a"},
        {ORD KEEP "<float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float "
                  "0x7FF8000000000000>\n",
         "%a"},
        /* what is tested is what it is made of, to three steps of arithmetic */
        {ORD "  %m = fadd " V "%a, splat (float 1.0)\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = fsub " V "splat (float 1.0), %a\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = fmul " V "%y, %a\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = fdiv " V "%a, %y\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = call " V "@llvm.fma.v4f32(" V "%x, " V "%a, " V "%y)\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = call " V "@llvm.fma.v4f32(" V "%x, " V "%y, " V "%a)\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = call " V "@llvm.sqrt.v4f32(" V "%a)\n" KEEP2 CANON "\n", NULL},
        {ORD "  %m = freeze " V "%a\n" KEEP2 CANON "\n", NULL},
        {ORD "  %i = fmul " V "%a, %x\n  %j = fmul " V "%y, %i\n  %m = fadd " V "%j, %y\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %h = fmul " V "%a, %x\n  %i = fmul " V "%h, %x\n  %j = fmul " V "%y, %i\n  %m = fadd " V
             "%j, %y\n" KEEP2 CANON "\n",
         NULL},
        /* signs and types do not matter */
        {ORD "  %m = fneg " V "%a\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %m = call " V "@llvm.fabs.v4f32(" V "%a)\n" KEEP2 CANON "\n", "%m"},
        {ORD "  %k = bitcast " V "%a to " I "\n  %l = bitcast " I "%k to " V "\n  %m = fneg " V "%l\n" KEEP2 CANON "\n",
         "%m"},
        {ORD "  %k = bitcast " V "%a to <2 x i64>\n  %m = bitcast <2 x i64> %k to " V "\n" KEEP2 CANON "\n", NULL},
        {"  %n = fneg " V "%a\n  %o = fcmp ord " V "%n, zeroinitializer\n" KEEP CANON "\n", "%a"},
        {"  %n = call " V "@llvm.fabs.v4f32(" V "%a)\n  %o = fcmp ord " V "%n, %n\n" KEEP CANON "\n", "%a"},
        /* not that number, not in its place, not that test, not of that */
        {ORD "  %c = select <4 x i1> %o, " V CANON ", " V "%a\n", NULL},
        {UNO KEEP CANON "\n", NULL},
        {"  %o = fcmp oeq " V "%a, %a\n" KEEP CANON "\n", NULL},
        {"  %o = fcmp une " V "%a, %a\n  %c = select <4 x i1> %o, " V CANON ", " V "%a\n", NULL},
        {"  %o = fcmp ord " V "%a, %y\n" KEEP CANON "\n", NULL},
        {"  %o = fcmp ord " V "%a, splat (float 1.0)\n" KEEP CANON "\n", NULL},
        {"  %m = fmul " V "%x, %x\n  %o = fcmp ord " V "%m, zeroinitializer\n" KEEP CANON "\n", NULL},
        {"  %o = icmp eq <4 x i1> %b, %b\n" KEEP CANON "\n", NULL},
        {"  %c = select <4 x i1> %b, " V "%a, " V CANON "\n", NULL},
        {ORD KEEP "splat (float 0x7FF8000020000000)\n", NULL},
        {ORD KEEP "splat (float 0xFFF8000000000000)\n", NULL},
        {ORD KEEP "splat (float 0x7FF0000000000000)\n", NULL},
        {ORD KEEP "zeroinitializer\n", NULL},
        {ORD KEEP "poison\n", NULL},
        {ORD KEEP "%y\n", NULL},
        {ORD KEEP "<float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 1.0>\n", NULL},
        {ORD KEEP "<float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float poison>\n",
         NULL},
        {ORD KEEP "<float undef, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>\n",
         NULL},
    };
    static const char declarations[] = "declare " V "@llvm.fma.v4f32(" V ", " V ", " V ")\n"
                                       "declare " V "@llvm.fabs.v4f32(" V ")\ndeclare " V "@llvm.sqrt.v4f32(" V ")\n";
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_nans(rows[i].make, declarations, rows[i].make, "  %u = fcmp oeq " V "$, %y\n", rows[i].kept);
}

/* The same on words: a write under a mask selects words. */
static void steps_on_words_are_found(void **state)
{
    static const struct {
        const char *number;
        bool found;
    } rows[] = {
        {"splat (i32 2143289344)", true},
        {"<i32 2143289344, i32 2143289344, i32 2143289344, i32 2143289344>", true},
        {"splat (i32 2143289345)", false},
        {"splat (i32 -4194304)", false},
        {"zeroinitializer", false},
        {"<i32 2143289344, i32 2143289344, i32 2143289344, i32 7>", false},
        {"<i32 7, i32 2143289344, i32 2143289344, i32 2143289344>", false},
        {"<i32 2143289344, i32 poison, i32 2143289344, i32 2143289344>", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char make[512];
        snprintf(make, sizeof make,
                 "  %%k = bitcast " V "%%a to " I "\n%s  %%c = select <4 x i1> %%o, " I "%%k, " I "%s\n", ORD,
                 rows[i].number);
        check_nans(make, "", make, "  %v = bitcast " I "$ to " V "\n  %u = fcmp oeq " V "%v, %y\n",
                   rows[i].found ? "%k" : NULL);
        check_nans(make, "", make, "  store " I "$, ptr %p, align 16\n", NULL);
    }
    static const char wide[] =
        "  %d = fpext " V "%a to <4 x double>\n  %o = fcmp ord <4 x double> %d, zeroinitializer\n"
        "  %c = select <4 x i1> %o, <4 x double> %d, <4 x double> splat (double 0x7FF8000000000000)\n";
    check_nans("doubles", "", wide, "  %u = fcmp oeq <4 x double> $, zeroinitializer\n", NULL);
    static const char scalar[] = "  %e = extractelement " V "%a, i64 0\n  %o = fcmp ord float %e, 0.0\n"
                                 "  %c = select i1 %o, float %e, float 0x7FF8000000000000\n";
    check_nans("one lane", "", scalar, "  %u = fcmp oeq float $, 0.0\n", NULL);
}

/* ---- floats ---- */

struct piece {
    const char *name, *text, *wanted;
    size_t count;
};

/* An added product with -1 is a difference. */
static const struct piece differences[] = {
    {"minus one first",
     "  %r = call " V "@llvm.fma.v4f32(" V "splat (float -1.0), " V "%x, " V "%y)\n  call void @show(" V "%r)\n",
     "  %1 = fsub " V "%y, %x\n  call void @show(" V "%1)\n", 1},
    {"minus one second",
     "  %r = call " V "@llvm.fma.v4f32(" V "%x, " V "splat (float -1.0), " V "%y)\n  call void @show(" V "%r)\n",
     "  %1 = fsub " V "%y, %x\n  call void @show(" V "%1)\n", 1},
    {"twice",
     "  %r = call " V "@llvm.fma.v4f32(" V "%x, " V "splat (float -1.0), " V "%y)\n  call void @show(" V "%r)\n"
     "  %s = call " V "@llvm.fma.v4f32(" V "%y, " V "splat (float -1.0), " V "%r)\n  call void @show(" V "%s)\n",
     "  %1 = fsub " V "%y, %x\n  call void @show(" V "%1)\n  %2 = fsub " V "%1, %y\n  call void @show(" V "%2)\n", 2},
    {"one", "  %r = call " V "@llvm.fma.v4f32(" V "%x, " V "splat (float 1.0), " V "%y)\n", NULL, 0},
    {"two", "  %r = call " V "@llvm.fma.v4f32(" V "splat (float -2.0), " V "%x, " V "%y)\n", NULL, 0},
    {"added", "  %r = call " V "@llvm.fma.v4f32(" V "%x, " V "%y, " V "splat (float -1.0))\n", NULL, 0},
    {"not in all lanes",
     "  %r = call " V "@llvm.fma.v4f32(" V "<float -1.0, float -1.0, float -1.0, float 1.0>, " V "%x, " V "%y)\n", NULL,
     0},
    {"not in the second",
     "  %r = call " V "@llvm.fma.v4f32(" V "<float -1.0, float 1.0, float -1.0, float -1.0>, " V "%x, " V "%y)\n", NULL,
     0},
    {"rounded twice", "  %r = call " V "@llvm.fmuladd.v4f32(" V "splat (float -1.0), " V "%x, " V "%y)\n", NULL, 0},
    {"one lane",
     "  %e = extractelement " V "%x, i64 0\n  %r = call float @llvm.fma.f32(float -1.0, float %e, float %e)\n", NULL,
     0},
    {"doubles",
     "  %d = fpext " V "%x to <4 x double>\n"
     "  %r = call <4 x double> @llvm.fma.v4f64(<4 x double> splat (double -1.0), <4 x double> %d, <4 x double> %d)\n",
     NULL, 0},
    {"of a pointer", "  %r = call " V "%p(" V "splat (float -1.0), " V "%x, " V "%y)\n", NULL, 0},
};

/* Selects and phis of words that are floats. */
#define WORDS_OF(name, floats) "  %" name " = bitcast " V floats " to " I "\n"
static const struct piece choices[] = {
    {"both floats",
     WORDS_OF("k", "%x") WORDS_OF("l", "%y") "  %s = select <4 x i1> %b, " I "%k, " I "%l\n  call void @words(" I
                                             "%s)\n",
     WORDS_OF("k", "%x") WORDS_OF("l", "%y") "  %1 = select <4 x i1> %b, " V "%x, " V "%y\n"
                                             "  %2 = bitcast " V "%1 to " I "\n  call void @words(" I "%2)\n",
     1},
    {"the first a float",
     WORDS_OF("k", "%x") "  %s = select <4 x i1> %b, " I "%k, " I "%i\n  call void @words(" I "%s)\n",
     WORDS_OF("k", "%x") "  %1 = bitcast " I "%i to " V "\n  %2 = select <4 x i1> %b, " V "%x, " V "%1\n"
                         "  %3 = bitcast " V "%2 to " I "\n  call void @words(" I "%3)\n",
     1},
    {"the second a float",
     WORDS_OF("k", "%x") "  %s = select <4 x i1> %b, " I "%i, " I "%k\n  call void @words(" I "%s)\n",
     WORDS_OF("k", "%x") "  %1 = bitcast " I "%i to " V "\n  %2 = select <4 x i1> %b, " V "%1, " V "%x\n"
                         "  %3 = bitcast " V "%2 to " I "\n  call void @words(" I "%3)\n",
     1},
    {"neither", "  %s = select <4 x i1> %b, " I "%i, " I "zeroinitializer\n", NULL, 0},
    {"not floats", "  %d = bitcast <2 x i64> %q to " I "\n  %s = select <4 x i1> %b, " I "%d, " I "%i\n", NULL, 0},
    {"not so many lanes",
     "  %d = bitcast <2 x double> zeroinitializer to " I "\n  %s = select <4 x i1> %b, " I "%d, " I "%i\n", NULL, 0},
    {"to other lanes", "  %d = bitcast " V "%x to <2 x i64>\n  %s = select i1 %way, <2 x i64> %d, <2 x i64> %q\n", NULL,
     0},
    {"to one word", "  %d = bitcast " V "%x to i128\n  %s = select i1 %way, i128 %d, i128 0\n", NULL, 0},
    {"from one word", "  %d = bitcast i128 7 to " I "\n  %s = select <4 x i1> %b, " I "%d, " I "%i\n", NULL, 0},
    {"behind one another",
     WORDS_OF("k", "%x") "  %s = select <4 x i1> %b, " I "%k, " I "%i\n  %t = select i1 %way, " I "%s, " I "%i\n"
                         "  call void @words(" I "%t)\n",
     WORDS_OF("k", "%x") "  %1 = bitcast " I "%i to " V "\n  %2 = select <4 x i1> %b, " V "%x, " V "%1\n"
                         "  %3 = bitcast " V "%2 to " I "\n  %4 = bitcast " I "%i to " V "\n  %5 = select i1 %way, " V
                         "%2, " V "%4\n"
                         "  %6 = bitcast " V "%5 to " I "\n  call void @words(" I "%6)\n",
     2},
    {"where two ways meet",
     WORDS_OF("k",
              "%x") "  br i1 %way, label %one, label %two\none:\n  br label %two\n"
                    "two:\n  %s = phi " I
                    "[ %k, %entry ], [ %i, %one ]\n  %t = phi i32 [ 1, %entry ], [ 2, %one ]\n  call void @words(" I
                    "%s)\n",
     WORDS_OF("k",
              "%x") "  br i1 %way, label %one, label %two\none:\n  %1 = bitcast " I "%i to " V "\n  br label %two\n"
                    "two:\n  %2 = phi " V "[ %x, %entry ], [ %1, %one ]\n  %t = phi i32 [ 1, %entry ], [ 2, %one ]\n"
                    "  %3 = bitcast " V "%2 to " I "\n  call void @words(" I "%3)\n",
     1},
    {"where one block is two ways",
     WORDS_OF("k", "%x") "  switch i32 7, label %one [\n    i32 1, label %two\n    i32 2, label %two\n  ]\none:\n  br "
                         "label %two\n"
                         "two:\n  %s = phi " I "[ %i, %entry ], [ %i, %entry ], [ %k, %one ]\n  call void @words(" I
                         "%s)\n",
     WORDS_OF("k", "%x") "  %1 = bitcast " I "%i to " V
                         "\n  switch i32 7, label %one [\n    i32 1, label %two\n    i32 2, label %two\n"
                         "  ]\none:\n  br label %two\ntwo:\n  %2 = phi " V
                         "[ %1, %entry ], [ %1, %entry ], [ %x, %one ]\n"
                         "  %3 = bitcast " V "%2 to " I "\n  call void @words(" I "%3)\n",
     1},
    {"around a loop",
     "  br label %again\nagain:\n  %s = phi " I "[ zeroinitializer, %entry ], [ %l, %again ]\n"
     "  %f = bitcast " I "%s to " V "\n  %g = fadd " V "%f, %x\n  %l = bitcast " V "%g to " I "\n"
     "  br i1 %way, label %again, label %out\nout:\n",
     "  br label %again\nagain:\n  %1 = phi " V "[ zeroinitializer, %entry ], [ %g, %again ]\n  %2 = bitcast " V
     "%1 to " I "\n"
     "  %f = bitcast " I "%2 to " V "\n  %g = fadd " V "%f, %x\n  %l = bitcast " V "%g to " I "\n"
     "  br i1 %way, label %again, label %out\nout:\n",
     1},
    {"words that meet",
     "  br i1 %way, label %one, label %two\none:\n  br label %two\n"
     "two:\n  %s = phi " I "[ zeroinitializer, %entry ], [ %i, %one ]\n  call void @words(" I "%s)\n",
     NULL, 0},
};

/* %x without its part past the point is its floor, which the part was computed with. */
#define FLOOR_OF(whole, x) "  %" whole " = call " V "@llvm.floor.v4f32(" V "%" x ")\n"
#define PART_OF(test, first, second)                                                                                   \
    "  %n = fsub " V "%x, %w\n  %t = fcmp " test "\n  %f = select <4 x i1> %t, " V first ", " V second "\n"
#define FRC_OF              PART_OF("une " V "%x, %w", "%n", "zeroinitializer")
#define DIFFERENCE          "  %d = fsub " V "%x, %f\n  call void @show(" V "%d)\n"
#define WHOLE               "  call void @show(" V "%w)\n"
#define ROUNDED(name, mode) "  %w = call " V "@llvm.x86." name "(" V "%x, i32 " mode ")\n"
static const struct piece floors[] = {
    {"with what is there", FLOOR_OF("w", "x") FRC_OF DIFFERENCE, FLOOR_OF("w", "x") FRC_OF WHOLE, 1},
    {"compared the other way round", FLOOR_OF("w", "x") PART_OF("une " V "%w, %x", "%n", "zeroinitializer") DIFFERENCE,
     FLOOR_OF("w", "x") PART_OF("une " V "%w, %x", "%n", "zeroinitializer") WHOLE, 1},
    {"where it is equal", FLOOR_OF("w", "x") PART_OF("oeq " V "%x, %w", "zeroinitializer", "%n") DIFFERENCE,
     FLOOR_OF("w", "x") PART_OF("oeq " V "%x, %w", "zeroinitializer", "%n") WHOLE, 1},
    {"by an instruction", ROUNDED("sse41.round.ps", "9") FRC_OF DIFFERENCE, ROUNDED("sse41.round.ps", "9") FRC_OF WHOLE,
     1},
    {"with exceptions", ROUNDED("sse41.round.ps", "1") FRC_OF DIFFERENCE, ROUNDED("sse41.round.ps", "1") FRC_OF WHOLE,
     1},
    {"of a product with -1",
     FLOOR_OF("w", "x") FRC_OF "  %d = call " V "@llvm.fma.v4f32(" V "%f, " V "splat (float -1.0), " V
                               "%x)\n  call void @show(" V "%d)\n",
     FLOOR_OF("w", "x") FRC_OF WHOLE, 2},
    /* not down, not the same number, not that part */
    {"up", ROUNDED("sse41.round.ps", "10") FRC_OF DIFFERENCE, NULL, 0},
    {"to zero", "  %w = call " V "@llvm.trunc.v4f32(" V "%x)\n" FRC_OF DIFFERENCE, NULL, 0},
    {"another's floor", FLOOR_OF("w", "y") FRC_OF DIFFERENCE, NULL, 0},
    {"another less the part", FLOOR_OF("w", "x") FRC_OF "  %d = fsub " V "%y, %f\n  call void @show(" V "%d)\n", NULL,
     0},
    {"the part less the number", FLOOR_OF("w", "x") FRC_OF "  %d = fsub " V "%f, %x\n  call void @show(" V "%d)\n",
     NULL, 0},
    {"a sum", FLOOR_OF("w", "x") FRC_OF "  %d = fadd " V "%x, %f\n  call void @show(" V "%d)\n", NULL, 0},
    {"the part where it is an integer",
     FLOOR_OF("w", "x") PART_OF("oeq " V "%x, %w", "%n", "zeroinitializer") DIFFERENCE, NULL, 0},
    {"a NaN's part is 0", FLOOR_OF("w", "x") PART_OF("one " V "%x, %w", "%n", "zeroinitializer") DIFFERENCE, NULL, 0},
    {"compared with another", FLOOR_OF("w", "x") PART_OF("une " V "%x, %y", "%n", "zeroinitializer") DIFFERENCE, NULL,
     0},
    {"not 0", FLOOR_OF("w", "x") PART_OF("une " V "%x, %w", "%n", "%y") DIFFERENCE, NULL, 0},
    {"a product",
     FLOOR_OF("w", "x") "  %n = fmul " V "%x, %w\n  %t = fcmp une " V "%x, %w\n"
                        "  %f = select <4 x i1> %t, " V "%n, " V "zeroinitializer\n" DIFFERENCE,
     NULL, 0},
};

static void check_floats(const struct piece *p)
{
    static const char head[] =
        "declare void @show(<4 x float>)\ndeclare void @words(<4 x i32>)\ndeclare " V "@llvm.fma.v4f32(" V ", " V ", " V
        ")\n"
        "declare " V "@llvm.fmuladd.v4f32(" V ", " V ", " V ")\ndeclare float @llvm.fma.f32(float, float, float)\n"
        "declare " V "@llvm.floor.v4f32(" V ")\ndeclare " V "@llvm.trunc.v4f32(" V ")\n"
        "declare " V "@llvm.x86.sse41.round.ps(" V ", i32)\n"
        "declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)\n"
        "define void @f(" V "%x, " V "%y, " I "%i, <2 x i64> %q, ptr %p, <4 x i1> %b, i1 %way) {\nentry:\n";
    char text[TEXT], wanted[TEXT];
    snprintf(text, TEXT, "%s%s  ret void\n}\n", head, p->text);
    snprintf(wanted, TEXT, "%s%s  ret void\n}\n", head, p->wanted ? p->wanted : p->text);
    struct jit_module module = {.context = context, .module = parsed(text)};
    const size_t count = jit_improve_floats(&module);
    compare_texts(p->name, module.module, wanted);
    if (count != p->count) fail_msg("%s: %zu places", p->name, count);
    LLVMDisposeModule(module.module);
}

static void added_products_with_minus_one_are_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) check_floats(&differences[i]);
}

static void numbers_without_their_parts_are_floors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) check_floats(&floors[i]);
}

static void floats_are_chosen_as_floats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) check_floats(&choices[i]);
}

/* Of more ways a phi stays as it is. */
static void phis_of_many_ways_stay(void **state)
{
    (void)state;
    for (unsigned ways = 31; ways <= 33; ways++) {
        static char text[TEXT], wanted[TEXT];
        static const char head[] =
            "define " I "@f(" V "%x, " I "%i, i32 %w) {\nentry:\n  %k = bitcast " V "%x to " I "\n";
        char cases[2048] = "", plain[2048] = "", floats[2048] = "";
        for (unsigned i = 0; i + 1 < ways; i++) {
            snprintf(cases + strlen(cases), sizeof cases - strlen(cases), "    i32 %u, label %%out\n", i);
            snprintf(plain + strlen(plain), sizeof plain - strlen(plain), "[ %%k, %%entry ], ");
            snprintf(floats + strlen(floats), sizeof floats - strlen(floats), "[ %%x, %%entry ], ");
        }
        snprintf(text, TEXT,
                 "%s  switch i32 %%w, label %%other [\n%s  ]\nother:\n  br label %%out\nout:\n  %%s = phi " I
                 "%s[ %%k, %%other ]\n  ret " I "%%s\n}\n",
                 head, cases, plain);
        snprintf(wanted, TEXT,
                 "%s  switch i32 %%w, label %%other [\n%s  ]\nother:\n  br label %%out\nout:\n  %%1 = phi " V
                 "%s[ %%x, %%other ]\n  %%2 = bitcast " V "%%1 to " I "\n  ret " I "%%2\n}\n",
                 head, cases, floats);
        struct jit_module module = {.context = context, .module = parsed(text)};
        assert_int_equal(jit_improve_floats(&module), ways <= 32);
        compare_texts("many ways", module.module, ways <= 32 ? wanted : text);
        LLVMDisposeModule(module.module);
    }
}

/* ---- masks ---- */

/* Words of 16 bits that become bits do it by an instruction of their own, where the processor has mask registers. */
static void mask_words_are_moved(void **state)
{
#define MOVED "  %1 = call i16 asm \"kmovw ${1:k}, $0\", \"=k,r\"(i16 %w)\n"
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"  %m = bitcast i16 %w to <16 x i1>\n", MOVED "  %m = bitcast i16 %1 to <16 x i1>\n"},
        {"  %m = bitcast i16 %w to <16 x i1>\n  %n = xor <16 x i1> %m, %k\n  %o = bitcast <16 x i1> %n to i16\n",
         MOVED "  %m = bitcast i16 %1 to <16 x i1>\n  %n = xor <16 x i1> %m, %k\n  %o = bitcast <16 x i1> %n to i16\n"},
        {"  %t = trunc i16 %w to i8\n  %m = bitcast i8 %t to <8 x i1>\n", NULL},
        {"  %t = zext i16 %w to i32\n  %m = bitcast i32 %t to <32 x i1>\n", NULL},
        {"  %m = bitcast i16 7 to <16 x i1>\n", NULL},
        {"  %m = bitcast i16 %w to <2 x i8>\n", NULL},
        {"  %m = bitcast i16 %w to half\n", NULL},
        {"  %t = bitcast i16 %w to <1 x half>\n  %m = bitcast <1 x half> %t to <16 x i1>\n", NULL},
        {"  %m = zext i16 %w to i64\n", NULL},
    };
    static const struct {
        const char *features;
        bool has;
    } functions[] = {{"\"target-features\"=\"+sse2,+avx512f,+avx512bw\" ", true},
                     {"\"target-features\"=\"+avx512f,+avx\" ", true},
                     {"\"target-features\"=\"+sse2,+avx512fp16,+avx2\" ", false},
                     {"\"target-features\"=\"+sse2,-avx512f,+avx2\" ", false},
                     {"\"target-cpu\"=\"+avx512f,\" ", false},
                     {"", false}};
    (void)state;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char text[TEXT], wanted[TEXT];
            static const char form[] =
                "define void @f(i16 %%w, <16 x i1> %%k) %s{\nentry:\n%s  br label %%next\nnext:\n  ret void\n}\n";
            snprintf(text, TEXT, form, functions[f].features, rows[i].text);
            snprintf(wanted, TEXT, form, functions[f].features,
                     functions[f].has && rows[i].wanted ? rows[i].wanted : rows[i].text);
            struct jit_module module = {.context = context, .module = parsed(text)};
            jit_keep_mask_words(&module);
            assert_false(LLVMVerifyModule(module.module, LLVMReturnStatusAction, NULL));
            compare_texts(rows[i].text, module.module, wanted);
            LLVMDisposeModule(module.module);
        }
}

static int open_context(void **state)
{
    (void)state;
    context = jit_new_context();
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    LLVMContextDispose(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nans_are_seen),
        cmocka_unit_test(calls_hide_nans_or_pass_them_on),
        cmocka_unit_test(results_pass_nans_on),
        cmocka_unit_test(a_step_hides_what_precedes_it),
        cmocka_unit_test(limits_lose_the_first_operands_nans),
        cmocka_unit_test(comparisons_select_numbers),
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(steps_on_words_are_found),
        cmocka_unit_test(added_products_with_minus_one_are_differences),
        cmocka_unit_test(numbers_without_their_parts_are_floors),
        cmocka_unit_test(floats_are_chosen_as_floats),
        cmocka_unit_test(phis_of_many_ways_stay),
        cmocka_unit_test(mask_words_are_moved),
    };
    return cmocka_run_group_tests_name("jit parts", tests, open_context, close_context);
}
