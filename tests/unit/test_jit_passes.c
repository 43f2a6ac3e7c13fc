/* The passes of src/jit over LLVM's text, a few lines each: which steps that make a NaN the canonical one may go
 * (nans.c), what becomes a difference or a value of floats (floats.c), and which words are moved into mask registers
 * (mask_words.c). What is right is argued from what each instruction gives of a NaN. Holds nothing that runs. */
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

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define F4           "<4 x float>"
#define I4           "<4 x i32>"
#define NAN_OF(bits) "<float " bits ", float " bits ", float " bits ", float " bits ">"
#define ONE          "<float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>"
#define MINUS_ONE    "<float -1.000000e+00, float -1.000000e+00, float -1.000000e+00, float -1.000000e+00>"
#define CANONICAL    NAN_OF("0x7FF8000000000000")
#define WORD_NAN     "<i32 2143289344, i32 2143289344, i32 2143289344, i32 2143289344>"

static const char declarations[] = "declare " F4 " @llvm.fma.v4f32(" F4 ", " F4 ", " F4 ")\n"
                                   "declare " F4 " @llvm.fabs.v4f32(" F4 ")\n"
                                   "declare " F4 " @llvm.sqrt.v4f32(" F4 ")\n"
                                   "declare " F4 " @llvm.floor.v4f32(" F4 ")\n"
                                   "declare " F4 " @llvm.copysign.v4f32(" F4 ", " F4 ")\n"
                                   "declare " F4 " @llvm.x86.sse.max.ps(" F4 ", " F4 ")\n"
                                   "declare " F4 " @llvm.x86.sse.min.ps(" F4 ", " F4 ")\n"
                                   "declare " I4 " @llvm.x86.sse2.cvttps2dq(" F4 ")\n"
                                   "declare " F4 " @sch_other(" F4 ")\n";

/* A module of one function with this body, which calls what is declared; the caller closes it. */
static struct jit_module open_with(const char *name, const char *declared, const char *attributes, const char *body)
{
    struct jit_module module = {.context = LLVMContextCreate()};
    char text[8192], *why = NULL;
    int length = snprintf(text, sizeof text,
                          "%sdefine void @f(" F4 " %%a, " F4 " %%b, " I4
                          " %%i, i1 %%q, i16 %%w, i16 %%v, i8 %%narrow, ptr %%out) %s {\nstart:\n%s  ret void\n}\n",
                          declared, attributes, body);
    assert_in_range(length, 1, sizeof text - 1);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, (size_t)length, "text");
    if (LLVMParseIRInContext(module.context, buffer, &module.module, &why)) fail_msg("%s: %s", name, why);
    return module;
}

static struct jit_module open_text(const char *name, const char *attributes, const char *body)
{
    return open_with(name, declarations, attributes, body);
}

/* The module is as LLVM wants it; its function's instructions are written to `text`. */
static void close_text(const char *name, struct jit_module *module, char *text, size_t room)
{
    char *why = NULL;
    if (LLVMVerifyModule(module->module, LLVMReturnStatusAction, &why)) fail_msg("%s: %s", name, why);
    LLVMDisposeMessage(why);
    char *function = LLVMPrintValueToString(LLVMGetNamedFunction(module->module, "f"));
    snprintf(text, room, "%s", function);
    LLVMDisposeMessage(function);
    LLVMDisposeModule(module->module);
    LLVMContextDispose(module->context);
}

/* ---- NaNs ---- */

/* Behind a product %x and its canonical step %c, which the rows use. */
#define STEP(to, from, test)                                                                                           \
    "  %n" to " = fcmp uno " F4 " " from ", " test "\n  %" to " = select <4 x i1> %n" to ", " F4 " " CANONICAL ", " F4 \
    " " from "\n"
#define PRODUCT     "  %x = fmul " F4 " %a, %b\n" STEP("c", "%x", "zeroinitializer")
#define STORE(v)    "  store " F4 " " v ", ptr %out, align 16\n"
#define STORE_I(v)  "  store " I4 " " v ", ptr %out, align 16\n"
#define SUM(of)     "  %s = fadd " F4 " " of ", %a\n"
#define CALL1(name) "  %s = call " F4 " @llvm." name "(" F4 " %c)\n"

struct nan_row {
    const char *name, *body;
    unsigned dropped;
};

static const struct nan_row nan_rows[] = {
    /* Who sees the bits of %c's NaN. */
    {"nobody", PRODUCT, 1},
    {"memory", PRODUCT STORE("%c"), 0},
    {"an unknown function", PRODUCT "  %s = call " F4 " @sch_other(" F4 " %c)\n", 0},
    {"the sign's giver", PRODUCT "  %s = call " F4 " @llvm.copysign.v4f32(" F4 " %c, " F4 " %a)\n", 0},
    {"integers", PRODUCT "  %s = bitcast " F4 " %c to " I4 "\n  %t = add " I4 " %s, %i\n" STORE_I("%t"), 0},
    {"halves", PRODUCT "  %s = bitcast " F4 " %c to <8 x i16>\n", 0},
    {"one element", PRODUCT "  %s = extractelement " F4 " %c, i32 0\n  store float %s, ptr %out\n", 0},
    {"words that are stored", PRODUCT "  %s = bitcast " F4 " %c to " I4 "\n" STORE_I("%s"), 0},
    {"words and back, compared",
     PRODUCT "  %s = bitcast " F4 " %c to " I4 "\n  %t = bitcast " I4 " %s to " F4 "\n  %u = fcmp olt " F4 " %t, %a\n"
             "  store <4 x i1> %u, ptr %out\n",
     1},
    {"a comparison", PRODUCT "  %s = fcmp olt " F4 " %c, %a\n  store <4 x i1> %s, ptr %out\n", 1},
    {"an integer of it", PRODUCT "  %s = fptosi " F4 " %c to " I4 "\n" STORE_I("%s"), 1},
    {"an unsigned one", PRODUCT "  %s = fptoui " F4 " %c to " I4 "\n" STORE_I("%s"), 1},
    {"x86's integer", PRODUCT "  %s = call " I4 " @llvm.x86.sse2.cvttps2dq(" F4 " %c)\n" STORE_I("%s"), 1},
    {"a sum that is stored", PRODUCT SUM("%c") STORE("%s"), 0},
    {"a sum that is canonical", PRODUCT SUM("%c") STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"two sums, one is stored",
     PRODUCT SUM("%c") STEP("d", "%s", "zeroinitializer") STORE("%d") "  %e = fsub " F4 " %c, %b\n" STORE("%e"), 0},
    {"a difference", PRODUCT "  %s = fsub " F4 " %c, %a\n" STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a product", PRODUCT "  %s = fmul " F4 " %c, %a\n" STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a quotient", PRODUCT "  %s = fdiv " F4 " %c, %a\n" STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a quotient's rest", PRODUCT "  %s = frem " F4 " %c, %a\n" STEP("d", "%s", "zeroinitializer") STORE("%d"), 0},
    {"the other sign", PRODUCT "  %s = fneg " F4 " %c\n" STORE("%s"), 0},
    {"the other sign of a sum",
     PRODUCT "  %m = fneg " F4 " %c\n" SUM("%m") STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a root", PRODUCT CALL1("sqrt.v4f32") STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a root that is stored", PRODUCT CALL1("sqrt.v4f32") STORE("%s"), 0},
    {"a floor", PRODUCT CALL1("floor.v4f32") STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a fused product",
     PRODUCT "  %s = call " F4 " @llvm.fma.v4f32(" F4 " %a, " F4 " %b, " F4 " %c)\n" STEP("d", "%s", "zeroinitializer")
         STORE("%d"),
     1},
    {"wider numbers", PRODUCT "  %s = fpext " F4 " %c to <4 x double>\n  store <4 x double> %s, ptr %out\n", 0},
    {"wider numbers, compared",
     PRODUCT "  %s = fpext " F4 " %c to <4 x double>\n  %t = fcmp ogt <4 x double> %s, zeroinitializer\n"
             "  store <4 x i1> %t, ptr %out\n",
     1},
    {"a shuffle that is stored",
     PRODUCT "  %s = shufflevector " F4 " %c, " F4 " %a, " I4 " <i32 0, i32 5, i32 2, i32 7>\n" STORE("%s"), 0},
    {"a shuffle that is compared",
     PRODUCT "  %s = shufflevector " F4 " %c, " F4 " %a, " I4 " <i32 0, i32 5, i32 2, i32 7>\n"
             "  %t = fcmp olt " F4 " %s, %a\n  store <4 x i1> %t, ptr %out\n",
     1},
    {"a frozen one", PRODUCT "  %s = freeze " F4 " %c\n" STORE("%s"), 0},
    {"a choice that is stored", PRODUCT "  %s = select i1 %q, " F4 " %c, " F4 " %a\n" STORE("%s"), 0},
    {"a choice that is summed",
     PRODUCT "  %e = select i1 %q, " F4 " %c, " F4 " %a\n" SUM("%e") STEP("d", "%s", "zeroinitializer") STORE("%d"), 1},
    {"a way that is stored",
     PRODUCT "  br i1 %q, label %one, label %two\none:\n  br label %two\n"
             "two:\n  %s = phi " F4 " [%c, %one], [%a, %start]\n" STORE("%s"),
     0},
    {"a way round a loop",
     PRODUCT "  br label %one\none:\n  %e = phi " F4 " [%c, %start], [%d, %one]\n" SUM("%e")
         STEP("d", "%s", "zeroinitializer") "  br i1 %q, label %one, label %two\ntwo:\n",
     2},
    {"a way round a loop, stored behind",
     PRODUCT "  br label %one\none:\n  %e = phi " F4 " [%c, %start], [%d, %one]\n" SUM("%e")
         STEP("d", "%s", "zeroinitializer") "  br i1 %q, label %one, label %two\ntwo:\n" STORE("%d"),
     1},
    /* x86's limits give their second operand where one is a NaN. */
    {"a maximum's first operand", PRODUCT "  %s = call " F4 " @llvm.x86.sse.max.ps(" F4 " %c, " F4 " %a)\n" STORE("%s"),
     1},
    {"a maximum's second operand",
     PRODUCT "  %s = call " F4 " @llvm.x86.sse.max.ps(" F4 " %a, " F4 " %c)\n" STORE("%s"), 0},
    {"a maximum's second operand, compared",
     PRODUCT "  %s = call " F4 " @llvm.x86.sse.max.ps(" F4 " %a, " F4 " %c)\n  %t = fcmp olt " F4 " %s, %a\n"
             "  store <4 x i1> %t, ptr %out\n",
     1},
    {"a minimum's first operand", PRODUCT "  %s = call " F4 " @llvm.x86.sse.min.ps(" F4 " %c, " F4 " %a)\n" STORE("%s"),
     1},
    {"a minimum's second operand",
     PRODUCT "  %s = call " F4 " @llvm.x86.sse.min.ps(" F4 " %a, " F4 " %c)\n" STORE("%s"), 0},
    {"both of a minimum", PRODUCT "  %s = call " F4 " @llvm.x86.sse.min.ps(" F4 " %c, " F4 " %c)\n" STORE("%s"), 0},
};

/* What is chosen by a comparison with itself: ordered ones choose the first where it is a number, the others the
 * second. */
#define CHOICE(predicate, first, second)                                                                               \
    PRODUCT "  %t = fcmp " predicate " " F4 " %c, %a\n  %s = select <4 x i1> %t, " F4 " " first ", " F4 " " second     \
            "\n" STORE("%s")
#define CHOICES(predicate, first_goes, second_goes)                                                                    \
    {predicate ", chosen first", CHOICE(predicate, "%c", "%b"), first_goes},                                           \
    {                                                                                                                  \
        predicate ", chosen second", CHOICE(predicate, "%b", "%c"), second_goes                                        \
    }

static const struct nan_row choice_rows[] = {
    CHOICES("oeq", 1, 0),
    CHOICES("ogt", 1, 0),
    CHOICES("oge", 1, 0),
    CHOICES("olt", 1, 0),
    CHOICES("ole", 1, 0),
    CHOICES("one", 1, 0),
    CHOICES("ord", 1, 0),
    CHOICES("uno", 0, 1),
    CHOICES("ueq", 0, 1),
    CHOICES("ugt", 0, 1),
    CHOICES("uge", 0, 1),
    CHOICES("ult", 0, 1),
    CHOICES("ule", 0, 1),
    CHOICES("une", 0, 1),
    CHOICES("true", 0, 0),
    {"the comparison's second operand",
     PRODUCT "  %t = fcmp olt " F4 " %a, %c\n  %s = select <4 x i1> %t, " F4 " %c, " F4 " %b\n" STORE("%s"), 1},
    {"another comparison",
     PRODUCT "  %t = fcmp olt " F4 " %a, %b\n  %s = select <4 x i1> %t, " F4 " %c, " F4 " %b\n" STORE("%s"), 0},
    {"the magnitude compared",
     PRODUCT "  %m = call " F4 " @llvm.fabs.v4f32(" F4 " %c)\n  %t = fcmp olt " F4 " %m, %a\n"
             "  %s = select <4 x i1> %t, " F4 " %c, " F4 " %b\n" STORE("%s"),
     1},
    {"the other sign chosen",
     PRODUCT "  %m = fneg " F4 " %c\n  %t = fcmp olt " F4 " %c, %a\n  %s = select <4 x i1> %t, " F4 " %m, " F4
             " %b\n" STORE("%s"),
     1},
    {"its words chosen",
     PRODUCT "  %m = bitcast " F4 " %c to " I4 "\n  %t = fcmp ugt " F4 " %c, %a\n  %s = select <4 x i1> %t, " I4
             " %i, " I4 " %m\n" STORE_I("%s"),
     1},
};

/* What is such a step: the canonical NaN where what it gives elsewhere is one. */
static const struct nan_row step_rows[] = {
    {"ordered",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp ord " F4 " %x, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " %x, " F4
     " " CANONICAL "\n",
     1},
    {"ordered, the wrong way",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp ord " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %x\n",
     0},
    {"unordered, the wrong way",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " %x, " F4 " " CANONICAL "\n",
     0},
    {"another comparison",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp une " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %x\n",
     0},
    {"no comparison", "  %x = fmul " F4 " %a, %b\n  %c = select i1 %q, " F4 " " CANONICAL ", " F4 " %x\n", 0},
    {"with itself", "  %x = fmul " F4 " %a, %b\n" STEP("c", "%x", "%x"), 1},
    {"with something else", "  %x = fmul " F4 " %a, %b\n" STEP("c", "%x", "%a"), 0},
    {"of words",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n  %m = bitcast " F4 " %x to " I4
     "\n  %c = select <4 x i1> %n, " I4 " " WORD_NAN ", " I4 " %m\n",
     1},
    {"of other words",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n  %m = bitcast " F4 " %x to " I4
     "\n  %c = select <4 x i1> %n, " I4 " <i32 2143289344, i32 2143289344, i32 2143289344, i32 2143289345>, " I4
     " %m\n",
     0},
    {"with another NaN",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n  %c = select <4 x i1> %n, " F4
     " " NAN_OF("0xFFF8000000000000") ", " F4 " %x\n",
     0},
    {"with a NaN in three lanes",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, "
     "float 0.0>, " F4 " %x\n",
     0},
    {"with a lane of nothing",
     "  %x = fmul " F4 " %a, %b\n  %n = fcmp uno " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " <float 0x7FF8000000000000, float undef, float 0x7FF8000000000000, "
     "float 0x7FF8000000000000>, " F4 " %x\n",
     0},
    {"of a sum, its part tested",
     "  %x = fmul " F4 " %a, %b\n  %s = fadd " F4 " %x, " ONE "\n  %n = fcmp uno " F4
     " %x, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %s\n",
     1},
    {"of a difference, quotient and product",
     "  %x = fmul " F4 " %a, %b\n  %s = fsub " F4 " " ONE ", %x\n  %t = fdiv " F4 " %s, " ONE "\n  %u = fmul " F4
     " " ONE ", %t\n  %n = fcmp uno " F4 " %x, zeroinitializer\n"
     "  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %u\n",
     1},
    {"of a fused product, any operand",
     "  %s = call " F4 " @llvm.fma.v4f32(" F4 " " ONE ", " F4 " " ONE ", " F4 " %a)\n"
     "  %n = fcmp uno " F4 " %a, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %s\n",
     1},
    {"of four steps",
     "  %s = fadd " F4 " %a, " ONE "\n  %t = fadd " F4 " %s, " ONE "\n  %u = fadd " F4 " %t, " ONE "\n  %v1 = fadd " F4
     " %u, " ONE "\n  %n = fcmp uno " F4 " %a, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4
     " %v1\n",
     0},
    {"of a maximum, its part tested",
     "  %s = call " F4 " @llvm.x86.sse.max.ps(" F4 " %a, " F4 " %b)\n  %n = fcmp uno " F4
     " %a, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %s\n",
     0},
    {"of the magnitude of what is tested",
     "  %m = call " F4 " @llvm.fabs.v4f32(" F4 " %a)\n  %n = fcmp uno " F4
     " %a, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %m\n",
     1},
    {"of what has the magnitude that is tested",
     "  %m = call " F4 " @llvm.fabs.v4f32(" F4 " %a)\n  %n = fcmp uno " F4
     " %m, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %a\n",
     1},
    {"of another value",
     "  %n = fcmp uno " F4 " %a, zeroinitializer\n  %c = select <4 x i1> %n, " F4 " " CANONICAL ", " F4 " %b\n", 0},
};

/* Functions of a NaN: what each gives is stored, or its numbers are compared and no more. Those that give the same of
 * every NaN, or numbers that are no floats, never show which it was. */
#define F8 "<8 x float>"
#define FG "<16 x float>"
static const struct {
    const char *result, *function, *arguments, *call;
    bool hides;
} function_rows[] = {
    {F4, "llvm.sqrt.v4f32", F4, F4 " %c", false},
    {F4, "llvm.floor.v4f32", F4, F4 " %c", false},
    {F4, "llvm.ceil.v4f32", F4, F4 " %c", false},
    {F4, "llvm.trunc.v4f32", F4, F4 " %c", false},
    {F4, "llvm.rint.v4f32", F4, F4 " %c", false},
    {F4, "llvm.nearbyint.v4f32", F4, F4 " %c", false},
    {F4, "llvm.roundeven.v4f32", F4, F4 " %c", false},
    {F4, "llvm.fabs.v4f32", F4, F4 " %c", false},
    {F8, "llvm.fabs.v8f32", F8, F8 " %c8", false},
    {F4, "llvm.x86.avx512.mask.rndscale.ps.128", F4 ", i32, " F4 ", i8", F4 " %c, i32 1, " F4 " %a, i8 -1", false},
    {F4, "llvm.x86.avx512.rsqrt14.ps.128", F4 ", " F4 ", i8", F4 " %c, " F4 " %a, i8 -1", false},
    {F4, "v_pow_any", F4, F4 " %c", false},
    {F8, "llvm.x86.avx.max.ps.256", F8 ", " F8, F8 " %b8, " F8 " %c8", false},
    {F8, "llvm.x86.avx.min.ps.256", F8 ", " F8, F8 " %b8, " F8 " %c8", false},
    {FG, "llvm.x86.avx512.max.ps.512", FG ", " FG ", i32", FG " %b16, " FG " %c16, i32 4", false},
    {FG, "llvm.x86.avx512.min.ps.512", FG ", " FG ", i32", FG " %b16, " FG " %c16, i32 4", false},
    {F8, "llvm.x86.avx.max.ps.256", F8 ", " F8, F8 " %c8, " F8 " %b8", true},
    {F8, "llvm.x86.avx.min.ps.256", F8 ", " F8, F8 " %c8, " F8 " %b8", true},
    {FG, "llvm.x86.avx512.max.ps.512", FG ", " FG ", i32", FG " %c16, " FG " %b16, i32 4", true},
    {FG, "llvm.x86.avx512.min.ps.512", FG ", " FG ", i32", FG " %c16, " FG " %b16, i32 4", true},
    {"<8 x i32>", "llvm.x86.avx.cvtt.ps2dq.256", F8, F8 " %c8", true},
    {"<16 x i32>", "llvm.x86.avx512.mask.cvttps2dq.512", FG ", <16 x i32>, i16, i32",
     FG " %c16, <16 x i32> zeroinitializer, i16 -1, i32 4", true},
    {"<16 x i32>", "llvm.x86.avx512.mask.cvttps2udq.512", FG ", <16 x i32>, i16, i32",
     FG " %c16, <16 x i32> zeroinitializer, i16 -1, i32 4", true},
    {"<16 x i1>", "llvm.x86.avx512.fpclass.ps.512", FG ", i32", FG " %c16, i32 1", true},
    {F4, JIT_VALUE_PREFIX "POW", F4 ", " F4, F4 " %a, " F4 " %c", true},
    {F4, JIT_VALUE_PREFIX "EX2", F4, F4 " %c", true},
    {F4, JIT_VALUE_PREFIX "LG2_w8", F4, F4 " %c", true},
    {F4, JIT_VALUE_PREFIX "SIN", F4, F4 " %c", true},
    {F4, JIT_VALUE_PREFIX "COS", F4, F4 " %c", true},
};

/* %c, %b as 8 and 16 floats. */
#define WIDER(of)                                                                                                      \
    "  %" of "8 = shufflevector " F4 " %" of ", " F4 " %a, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 "  \
    "2, i32 3>\n  %" of "16 = shufflevector " F8 " %" of "8, " F8 " %" of                                              \
    "8, <16 x i32> <i32 0, i32 1, i32 2, i32 3, "                                                                      \
    "i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n"

static size_t drop_of(size_t row, const char *use)
{
    char text[8192], called[512], body[4096];
    snprintf(called, sizeof called, "declare %s @%s(%s)\n", function_rows[row].result, function_rows[row].function,
             function_rows[row].arguments);
    snprintf(body, sizeof body, "%s  %%s = call %s @%s(%s)\n%s", PRODUCT WIDER("b") WIDER("c"),
             function_rows[row].result, function_rows[row].function, function_rows[row].call, use);
    struct jit_module module = open_with(function_rows[row].function, called, "", body);
    size_t dropped = jit_drop_nans(&module);
    close_text(function_rows[row].function, &module, text, sizeof text);
    return dropped;
}

static void functions_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(function_rows); i++) {
        const char *result = function_rows[i].result;
        char stored[128], compared[256];
        snprintf(stored, sizeof stored, "  store %s %%s, ptr %%out\n", result);
        snprintf(compared, sizeof compared,
                 "  %%t = fcmp olt %s %%s, zeroinitializer\n  store <%d x i1> %%t, ptr %%out\n", result,
                 atoi(result + 1));
        if (drop_of(i, stored) != function_rows[i].hides) fail_msg("%s, stored", function_rows[i].function);
        if (strstr(result, "float") && drop_of(i, compared) != 1) fail_msg("%s, compared", function_rows[i].function);
    }
}

static void drop_each(const struct nan_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[8192];
        struct jit_module module = open_text(rows[i].name, "", rows[i].body);
        size_t dropped = jit_drop_nans(&module);
        close_text(rows[i].name, &module, text, sizeof text);
        if (dropped != rows[i].dropped)
            fail_msg("%s: %zu dropped, not %u:\n%s", rows[i].name, dropped, rows[i].dropped, text);
    }
}

static void nans_that_nobody_sees_go(void **state)
{
    (void)state;
    drop_each(nan_rows, COUNT(nan_rows));
}

static void nans_that_a_choice_loses_go(void **state)
{
    (void)state;
    drop_each(choice_rows, COUNT(choice_rows));
}

static void steps_are_known(void **state)
{
    (void)state;
    drop_each(step_rows, COUNT(step_rows));
}

/* ---- floats ---- */

#define FUSED(to, x, y, z) "  %" to " = call " F4 " @llvm.fma.v4f32(" F4 " " x ", " F4 " " y ", " F4 " " z ")\n"
#define FLOATS(to, words)  "  %" to " = bitcast " I4 " " words " to " F4 "\n"
#define WORDS(to, floats)  "  %" to " = bitcast " F4 " " floats " to " I4 "\n"

/* The body before and after; `places` were improved. */
struct float_row {
    const char *name, *body;
    unsigned places;
    const char *after;
};

static const struct float_row float_rows[] = {
    {"a product with -1", FUSED("s", "%a", MINUS_ONE, "%b") STORE("%s"), 1, "  %0 = fsub " F4 " %b, %a\n" STORE("%0")},
    {"-1 times it", FUSED("s", MINUS_ONE, "%a", "%b") STORE("%s"), 1, "  %0 = fsub " F4 " %b, %a\n" STORE("%0")},
    {"a product with 1", FUSED("s", "%a", ONE, "%b") STORE("%s"), 0, FUSED("s", "%a", ONE, "%b") STORE("%s")},
    {"with -1 added", FUSED("s", "%a", "%b", MINUS_ONE) STORE("%s"), 0, FUSED("s", "%a", "%b", MINUS_ONE) STORE("%s")},
    {"not -1 in every lane", FUSED("s", "%a", "<float -1.0, float -1.0, float -1.0, float 1.0>", "%b") STORE("%s"), 0,
     FUSED("s", "%a", "<float -1.000000e+00, float -1.000000e+00, float -1.000000e+00, float 1.000000e+00>", "%b")
         STORE("%s")},
    {"the root of -1", "  %s = call " F4 " @llvm.sqrt.v4f32(" F4 " " MINUS_ONE ")\n" STORE("%s"), 0,
     "  %s = call " F4 " @llvm.sqrt.v4f32(" F4 " " MINUS_ONE ")\n" STORE("%s")},
    {"a choice of words of floats",
     WORDS("x", "%a") WORDS("y", "%b") "  %s = select i1 %q, " I4 " %x, " I4 " %y\n" STORE_I("%s"), 1,
     WORDS("x", "%a") WORDS("y", "%b") "  %0 = select i1 %q, " F4 " %a, " F4 " %b\n" WORDS("1", "%0") STORE_I("%1")},
    {"words of floats or other ones", WORDS("x", "%a") "  %s = select i1 %q, " I4 " %x, " I4 " %i\n" STORE_I("%s"), 1,
     WORDS("x", "%a") FLOATS("0", "%i") "  %1 = select i1 %q, " F4 " %a, " F4 " %0\n" WORDS("2", "%1") STORE_I("%2")},
    {"other words or words of floats", WORDS("y", "%b") "  %s = select i1 %q, " I4 " %i, " I4 " %y\n" STORE_I("%s"), 1,
     WORDS("y", "%b") FLOATS("0", "%i") "  %1 = select i1 %q, " F4 " %0, " F4 " %b\n" WORDS("2", "%1") STORE_I("%2")},
    {"other words", "  %s = select i1 %q, " I4 " %i, " I4 " zeroinitializer\n" STORE_I("%s"), 0,
     "  %s = select i1 %q, " I4 " %i, " I4 " zeroinitializer\n" STORE_I("%s")},
    {"halves",
     "  %x = bitcast " F4 " %a to <8 x i16>\n  %s = select i1 %q, <8 x i16> %x, <8 x i16> zeroinitializer\n"
     "  store <8 x i16> %s, ptr %out, align 16\n",
     0,
     "  %x = bitcast " F4 " %a to <8 x i16>\n  %s = select i1 %q, <8 x i16> %x, <8 x i16> zeroinitializer\n"
     "  store <8 x i16> %s, ptr %out, align 16\n"},
    {"one word",
     "  %x = bitcast " F4 " %a to i128\n  %s = select i1 %q, i128 %x, i128 0\n  store i128 %s, ptr %out, align 16\n", 0,
     "  %x = bitcast " F4 " %a to i128\n  %s = select i1 %q, i128 %x, i128 0\n  store i128 %s, ptr %out, align 16\n"},
    {"words that meet",
     WORDS("x", "%a") "  br i1 %q, label %one, label %two\none:\n  br label %two\n"
                      "two:\n  %s = phi " I4 " [%x, %start], [%i, %one]\n" STORE_I("%s"),
     1,
     WORDS("x", "%a") "  br i1 %q, label %one, label %two\n\none:\n" FLOATS(
         "0", "%i") "  br label %two\n\n"
                    "two:\n  %1 = phi " F4 " [ %a, %start ], [ %0, %one ]\n" WORDS("2", "%1") STORE_I("%2")},
    {"words that meet twice from a block",
     WORDS("x", "%a") "  switch i8 %narrow, label %one [ i8 1, label %two\n i8 2, label %two ]\none:\n  br label %two\n"
                      "two:\n  %s = phi " I4 " [%i, %start], [%i, %start], [%x, %one]\n" STORE_I("%s"),
     1,
     WORDS("x", "%a")
         FLOATS("0", "%i") "  switch i8 %narrow, label %one [\n    i8 1, label %two\n    i8 2, label %two\n  "
                           "]\n\none:\n  br label %two\n\n"
                           "two:\n  %1 = phi " F4 " [ %0, %start ], [ %0, %start ], [ %a, %one ]\n" WORDS("2", "%1")
                               STORE_I("%2")},
    {"other words that meet",
     "  br i1 %q, label %one, label %two\none:\n  br label %two\n"
     "two:\n  %s = phi " I4 " [ %i, %start ], [ zeroinitializer, %one ]\n" STORE_I("%s"),
     0,
     "  br i1 %q, label %one, label %two\n\none:\n  br label %two\n\n"
     "two:\n  %s = phi " I4 " [ %i, %start ], [ zeroinitializer, %one ]\n" STORE_I("%s")},
};

/* LLVM writes which block comes from where, and its constants, its own way: comments and repeated types go. */
static void normalise(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == ';') {
            while (to > text && to[-1] == ' ') to--;
            from += strcspn(from, "\n");
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

static void check_text(const char *name, const char *text, const char *after)
{
    char wanted[8192];
    const char *begin = strstr(text, "start:\n");
    assert_non_null(begin);
    snprintf(wanted, sizeof wanted, "start:\n%s  ret void\n}\n", after);
    if (strcmp(begin, wanted) != 0) fail_msg("%s:\n%s\nnot\n%s", name, begin, wanted);
}

static void floats_are_improved(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(float_rows); i++) {
        const struct float_row *row = &float_rows[i];
        char text[8192];
        struct jit_module module = open_text(row->name, "", row->body);
        size_t places = jit_improve_floats(&module);
        close_text(row->name, &module, text, sizeof text);
        normalise(text);
        check_text(row->name, text, row->after);
        if (places != row->places) fail_msg("%s: %zu places, not %u", row->name, places, row->places);
    }
}

/* A value goes through a row of choices, each of which the one before makes one of floats: four rounds and no more. */
static void rounds_end(void **state)
{
    (void)state;
    static const struct {
        unsigned choices, places;
    } rows[] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 4}, {6, 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char body[4096], text[8192];
        int at = snprintf(body, sizeof body, "  br label %%one\n");
        /* The last is in the first block, so that each round does one more, from the end of the text to its start. */
        for (unsigned k = 0; k < rows[i].choices; k++)
            at += snprintf(body + at, sizeof body - (size_t)at,
                           "b%u:\n  %%s%u = select i1 %%q, " I4 " %%s%u, " I4 " %%i\n  br label %%%s%u\n", k, k, k + 1,
                           k ? "b" : "end", k ? k - 1 : 0);
        snprintf(body + at, sizeof body - (size_t)at,
                 "one:\n  %%s%u = bitcast " F4 " %%a to " I4 "\n  br label %%b%u\nend0:\n  store " I4
                 " %%s0, ptr %%out\n",
                 rows[i].choices, rows[i].choices - 1);
        struct jit_module module = open_text("rounds", "", body);
        size_t places = jit_improve_floats(&module);
        close_text("rounds", &module, text, sizeof text);
        if (places != rows[i].places) fail_msg("%u choices: %zu places:\n%s", rows[i].choices, places, text);
    }
}

/* ---- words of masks ---- */

#define BITS(to, word)  "  %" to " = bitcast i16 " word " to <16 x i1>\n"
#define MOVED(to, word) "  %" to " = call i16 asm \"kmovw ${1:k}, $0\", \"=k,r\"(i16 " word ")\n"
#define STORE_B(v)      "  store <16 x i1> " v ", ptr %out, align 2\n"
#define WITH_MASKS      "\"target-features\"=\"+avx,+avx512f,+avx512vl\""

static const struct {
    const char *name, *attributes, *body, *after;
} mask_rows[] = {
    {"a word", WITH_MASKS, BITS("s", "%w") STORE_B("%s"), MOVED("0", "%w") BITS("s", "%0") STORE_B("%s")},
    {"two of them", WITH_MASKS, BITS("s", "%w") STORE_B("%s") BITS("t", "%v") STORE_B("%t"),
     MOVED("0", "%w") BITS("s", "%0") STORE_B("%s") MOVED("1", "%v") BITS("t", "%1") STORE_B("%t")},
    {"a constant", WITH_MASKS, BITS("s", "7") STORE_B("%s"), BITS("s", "7") STORE_B("%s")},
    {"a byte", WITH_MASKS, "  %s = bitcast i8 %narrow to <8 x i1>\n  store <8 x i1> %s, ptr %out, align 1\n",
     "  %s = bitcast i8 %narrow to <8 x i1>\n  store <8 x i1> %s, ptr %out, align 1\n"},
    {"bytes of a word", WITH_MASKS, "  %s = bitcast i16 %w to <2 x i8>\n  store <2 x i8> %s, ptr %out, align 2\n",
     "  %s = bitcast i16 %w to <2 x i8>\n  store <2 x i8> %s, ptr %out, align 2\n"},
    {"a word of a word's size", WITH_MASKS, "  %s = bitcast i16 %w to half\n  store half %s, ptr %out, align 2\n",
     "  %s = bitcast i16 %w to half\n  store half %s, ptr %out, align 2\n"},
    {"bits of a vector", WITH_MASKS,
     "  %t = bitcast i16 %w to <1 x i16>\n  %s = bitcast <1 x i16> %t to <16 x i1>\n" STORE_B("%s"),
     "  %t = bitcast i16 %w to <1 x i16>\n  %s = bitcast <1 x i16> %t to <16 x i1>\n" STORE_B("%s")},
    {"without mask registers", "\"target-features\"=\"+avx,+avx2\"", BITS("s", "%w") STORE_B("%s"),
     BITS("s", "%w") STORE_B("%s")},
    {"nothing is known", "", BITS("s", "%w") STORE_B("%s"), BITS("s", "%w") STORE_B("%s")},
};

static void words_go_to_mask_registers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(mask_rows); i++) {
        char text[8192];
        struct jit_module module = open_text(mask_rows[i].name, mask_rows[i].attributes, mask_rows[i].body);
        jit_keep_mask_words(&module);
        close_text(mask_rows[i].name, &module, text, sizeof text);
        check_text(mask_rows[i].name, text, mask_rows[i].after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nans_that_nobody_sees_go),
        cmocka_unit_test(nans_that_a_choice_loses_go),
        cmocka_unit_test(steps_are_known),
        cmocka_unit_test(functions_are_known),
        cmocka_unit_test(floats_are_improved),
        cmocka_unit_test(rounds_end),
        cmocka_unit_test(words_go_to_mask_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
