/* Spans of fragments (struct sch_native_span_form, has_fragments): around each group tests, inputs that are
 * interpolated, and colours that are merged with those of the framebuffer. The functions are those of
 * ops/raster/fragment.h with the form as a constant, inlined. Holds no loop over groups (jit/span.c) and no
 * arithmetic. */
#include "jit/fragments.h"

#include <stddef.h>

#include "jit/lookup.h"
#include "jit/specialise.h"

static const struct sch_fragment_form *form_of(const struct jit_emitter *e) { return &e->request->span->fragments; }

/* A body with the form in it; NULL: it cannot be made, and the emitter has failed. */
static LLVMValueRef make_body(struct jit_emitter *e, const char *name)
{
    struct bitcode_function *body = e->bitcode ? jit_bitcode_find(e->bitcode, name) : NULL;
    LLVMValueRef made =
        body ? jit_specialise(e->bitcode, body, form_of(e), sizeof *form_of(e), e->module->module, name) : NULL;
    if (!made) {
        e->status = SCH_ERROR_UNSUPPORTED;
        return NULL;
    }
    LLVMSetLinkage(made, LLVMInternalLinkage);
    jit_add_attribute(e->module, made, "alwaysinline");
    jit_add_attribute(e->module, made, "nounwind");
    return made;
}

static void call(struct jit_emitter *e, const char *name, LLVMValueRef arguments[], unsigned count)
{
    LLVMValueRef body = make_body(e, name);
    if (body) LLVMBuildCall2(e->build, LLVMGlobalGetValueType(body), body, arguments, count, "");
}

/* So many channels in memory of the function's own. */
static LLVMValueRef channels(struct jit_emitter *e, unsigned count)
{
    LLVMValueRef made = jit_variable(e, LLVMArrayType2(e->i32, (uint64_t)count * SCH_GROUP_LANES), "");
    LLVMSetAlignment(made, 64);
    return made;
}

static LLVMValueRef channel(struct jit_emitter *e, LLVMValueRef channels, unsigned number)
{
    return jit_at(e, channels, number * sizeof(struct sch_lanes));
}

static LLVMValueRef member(struct jit_emitter *e, LLVMBuilderRef build, LLVMValueRef fragments, size_t offset)
{
    LLVMValueRef index = jit_long(e, offset);
    return LLVMBuildLoad2(build, e->i32, LLVMBuildInBoundsGEP2(build, e->i8, fragments, &index, 1, ""), "");
}

LLVMValueRef jit_fragment_lanes(struct jit_emitter *e, LLVMBuilderRef build, LLVMValueRef fragments)
{
    return member(e, build, fragments, offsetof(struct sch_tile_group, covered));
}

static void load_planes(struct jit_emitter *e, LLVMValueRef inputs)
{
    const struct sch_fragment_form *form = form_of(e);
    uint32_t plane = 0;
    for (unsigned n = 0; n < form->input_count; n++)
        for (unsigned c = 0; c < 4; c++) {
            if (!(form->input[n].mask >> c & 1) || plane == SCH_NATIVE_PLANES) continue;
            for (unsigned v = 0; v < e->vectors; v++)
                e->planes[plane].part[v] = jit_load_vector(e, channel(e, inputs, 4 * n + c), v, false);
            plane++;
        }
}

LLVMValueRef jit_fragment_keep(struct jit_emitter *e, LLVMValueRef fragments)
{
    LLVMValueRef kept = jit_variable(e, LLVMArrayType2(e->i8, SCH_FRAGMENT_KEPT_BYTES), "kept");
    LLVMSetAlignment(kept, 64);
    call(e, "jit_fragment_keep", (LLVMValueRef[]){LLVMConstNull(e->pointer), fragments, kept}, 3);
    return kept;
}

void jit_fragment_begin(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, LLVMValueRef kept,
                        LLVMBasicBlockRef begin, LLVMBasicBlockRef end)
{
    const struct sch_fragment_form *form = form_of(e);
    const bool tests = form->tests == SCH_FRAGMENT_EARLY;
    LLVMValueRef inputs = channels(e, 4u * form->input_count);
    call(e, "jit_fragment_begin", (LLVMValueRef[]){LLVMConstNull(e->pointer), values, fragments, kept, inputs}, 5);
    if (tests) {
        LLVMValueRef lanes = jit_fragment_lanes(e, e->build, fragments);
        LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, lanes, jit_word(e, 0), ""), begin, end);
    } else {
        LLVMBuildBr(e->build, begin);
    }
    LLVMPositionBuilderAtEnd(e->build, begin);
    load_planes(e, inputs);
}

static void put_color(struct jit_emitter *e, jit_output_fn *output, uint32_t number, LLVMValueRef to, unsigned at)
{
    if (number == SCH_FRAGMENT_NO_REGISTER) return;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned v = 0; v < e->vectors; v++)
            jit_store_vector(e, output(e, number, c, v), channel(e, to, at + c), v);
}

void jit_fragment_end(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, jit_output_fn *output)
{
    const struct sch_fragment_form *form = form_of(e);
    const unsigned second = 4u * form->color_count, alpha = second + 4, depth = alpha + 4;
    LLVMValueRef lanes = LLVMBuildNot(e->build, jit_get(e, e->helpers_variable, e->i32), "");
    LLVMValueRef colors = channels(e, depth + 4);
    for (unsigned n = 0; n < form->color_count; n++) {
        put_color(e, output, form->color[n].output, colors, 4 * n);
        put_color(e, output, form->color[n].second, colors, second);
    }
    put_color(e, output, form->alpha, colors, alpha);
    put_color(e, output, form->depth, colors, depth);
    call(e, "jit_fragment_end", (LLVMValueRef[]){LLVMConstNull(e->pointer), values, fragments, lanes, colors}, 5);
}

void jit_fragment_advance(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, LLVMValueRef kept,
                          LLVMBasicBlockRef again, LLVMBasicBlockRef on)
{
    LLVMBasicBlockRef more = LLVMAppendBasicBlockInContext(e->module->context, e->function, "advance");
    LLVMValueRef repeat = member(e, e->build, fragments, offsetof(struct sch_tile_group, repeat));
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntUGT, repeat, jit_word(e, 1), ""), more, on);
    LLVMPositionBuilderAtEnd(e->build, more);
    call(e, "jit_fragment_advance", (LLVMValueRef[]){LLVMConstNull(e->pointer), values, fragments, kept}, 4);
    LLVMBuildBr(e->build, again);
}
