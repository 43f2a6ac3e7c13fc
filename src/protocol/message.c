/* See protocol/message.h. Each structure has one function that names its members; the members of a shader are those of
 * its digest (ir/digest.c). */
#include "protocol/message.h"

typedef struct sch_wire wire;

/* ---- shaders ---- */

static void bracket(wire *w, struct sch_ir_bracket *at)
{
    SCH_WIRE_ANY(w, at->index);
    SCH_WIRE_BOOL(w, at->is_indirect);
    if (!at->is_indirect) return;
    SCH_WIRE(w, at->indirect.file, SCH_FILE_COUNT - 1);
    SCH_WIRE(w, at->indirect.component, 3);
    SCH_WIRE_ANY(w, at->indirect.array_id);
    SCH_WIRE_ANY(w, at->indirect.index);
}

static void source(wire *w, struct sch_ir_src *src)
{
    SCH_WIRE(w, src->file, SCH_FILE_COUNT - 1);
    SCH_WIRE_BOOL(w, src->negate);
    SCH_WIRE_BOOL(w, src->absolute);
    SCH_WIRE_BOOL(w, src->has_dimension);
    for (unsigned c = 0; c < 4; c++) SCH_WIRE(w, src->swizzle[c], 3);
    bracket(w, &src->index);
    if (src->has_dimension) bracket(w, &src->dimension);
}

static void destination(wire *w, struct sch_ir_dst *dst)
{
    SCH_WIRE(w, dst->file, SCH_FILE_COUNT - 1);
    SCH_WIRE(w, dst->write_mask, 15);
    SCH_WIRE_BOOL(w, dst->has_dimension);
    bracket(w, &dst->index);
    if (dst->has_dimension) bracket(w, &dst->dimension);
}

static void texel_offset(wire *w, struct sch_ir_texel_offset *offset)
{
    SCH_WIRE(w, offset->file, SCH_FILE_COUNT - 1);
    for (unsigned c = 0; c < 3; c++) SCH_WIRE(w, offset->swizzle[c], 3);
    SCH_WIRE_ANY(w, offset->index);
}

static void instruction(wire *w, struct sch_ir_instruction *in)
{
    SCH_WIRE(w, in->opcode, SCH_OP_LIMIT - 1);
    SCH_WIRE_BOOL(w, in->saturate);
    SCH_WIRE_BOOL(w, in->precise);
    SCH_WIRE_BOOL(w, in->has_label);
    SCH_WIRE_BOOL(w, in->has_texture);
    SCH_WIRE_BOOL(w, in->has_memory);
    if (in->has_label) SCH_WIRE_ANY(w, in->label);
    if (in->has_texture) {
        SCH_WIRE(w, in->target, SCH_TARGET_COUNT);
        SCH_WIRE_ANY(w, in->return_type);
    }
    if (in->has_memory) {
        SCH_WIRE_ANY(w, in->qualifiers);
        SCH_WIRE(w, in->memory_target, SCH_TARGET_COUNT);
        SCH_WIRE(w, in->memory_format, SCH_FORMAT_LIMIT - 1);
    }
    SCH_WIRE(w, in->dst_count, SCH_MAX_DSTS);
    SCH_WIRE(w, in->src_count, SCH_MAX_SRCS);
    SCH_WIRE(w, in->offset_count, SCH_MAX_OFFSETS);
    if (w->failed) return;
    for (unsigned n = 0; n < in->dst_count; n++) destination(w, &in->dst[n]);
    for (unsigned n = 0; n < in->src_count; n++) source(w, &in->src[n]);
    for (unsigned n = 0; n < in->offset_count; n++) texel_offset(w, &in->offset[n]);
}

static void declaration(wire *w, struct sch_ir_declaration *d)
{
    SCH_WIRE(w, d->file, SCH_FILE_COUNT - 1);
    SCH_WIRE(w, d->usage_mask, 15);
    SCH_WIRE_BOOL(w, d->has_dimension);
    SCH_WIRE_BOOL(w, d->has_semantic);
    SCH_WIRE_BOOL(w, d->has_interpolation);
    SCH_WIRE_BOOL(w, d->invariant);
    SCH_WIRE_BOOL(w, d->local);
    SCH_WIRE_BOOL(w, d->atomic);
    SCH_WIRE_BOOL(w, d->raw);
    SCH_WIRE_BOOL(w, d->writable);
    SCH_WIRE(w, d->memory_kind, SCH_MEMORY_KIND_COUNT);
    SCH_WIRE_ANY(w, d->first);
    SCH_WIRE_ANY(w, d->last);
    SCH_WIRE_ANY(w, d->dimension);
    SCH_WIRE_ANY(w, d->array_id);
    SCH_WIRE(w, d->interpolation, SCH_INTERPOLATION_COUNT);
    SCH_WIRE(w, d->location, SCH_LOCATION_COUNT);
    SCH_WIRE_ANY(w, d->semantic);
    SCH_WIRE_ANY(w, d->semantic_index);
    for (unsigned c = 0; c < 4; c++) SCH_WIRE(w, d->stream[c], 3);
    SCH_WIRE(w, d->target, SCH_TARGET_COUNT);
    SCH_WIRE(w, d->format, SCH_FORMAT_LIMIT - 1);
    for (unsigned c = 0; c < 4; c++) SCH_WIRE_ANY(w, d->return_type[c]);
}

static void immediate(wire *w, struct sch_ir_immediate *i)
{
    SCH_WIRE(w, i->type, SCH_IMMEDIATE_COUNT - 1);
    for (unsigned c = 0; c < 4; c++) SCH_WIRE_ANY(w, i->word[c]);
}

static void property(wire *w, struct sch_ir_property *p)
{
    SCH_WIRE(w, p->name, SCH_PROPERTY_COUNT - 1);
    SCH_WIRE(w, p->count, 8);
    for (unsigned n = 0; n < p->count && !w->failed; n++) SCH_WIRE_ANY(w, p->value[n]);
}

static void step(wire *w, struct sch_maxwell_step *step)
{
#define NUMBER(member) SCH_WIRE_ANY(w, step->member);
#define TRUTH(member)  SCH_WIRE_BOOL(w, step->member);
    SCH_MAXWELL_STEP_MEMBERS(NUMBER, TRUTH)
#undef NUMBER
#undef TRUTH
    sch_wire_bytes(w, &step->how, SCH_MAXWELL_HOW_BYTES);
    for (unsigned s = 0; s < SCH_MAXWELL_SOURCES; s++) {
#define NUMBER(member) SCH_WIRE_ANY(w, step->source[s].member);
#define TRUTH(member)  SCH_WIRE_BOOL(w, step->source[s].member);
        SCH_MAXWELL_SOURCE_MEMBERS(NUMBER, TRUTH)
#undef NUMBER
#undef TRUTH
    }
}

/* What comes before the lists. A list cannot be longer than the bytes that are left. */
struct front {
    uint8_t stage;
    bool scalar, has_steps;
    struct sch_limits limits;
    uint64_t declarations, immediates, properties, instructions;
};

static void front(wire *w, struct front *f)
{
    SCH_WIRE(w, f->stage, SCH_STAGE_COUNT - 1);
    SCH_WIRE_BOOL(w, f->scalar);
    SCH_WIRE_BOOL(w, f->has_steps);
    SCH_WIRE_ANY(w, f->limits.instructions);
    SCH_WIRE_ANY(w, f->limits.declarations);
    SCH_WIRE_ANY(w, f->limits.nesting);
    SCH_WIRE_ANY(w, f->limits.registers);
    SCH_WIRE_ANY(w, f->limits.memory);
    uint64_t *counts[] = {&f->declarations, &f->immediates, &f->properties, &f->instructions};
    for (unsigned i = 0; i < 4; i++) SCH_WIRE(w, *counts[i], w->reading ? w->bytes.size - w->at : UINT64_MAX);
}

void sch_message_shader(struct sch_wire *w, const struct sch_ir_shader *shader)
{
    struct front f = {.stage = shader->stage,
                      .scalar = shader->scalar,
                      .has_steps = shader->steps != NULL,
                      .limits = shader->limits,
                      .declarations = shader->declaration_count,
                      .immediates = shader->immediate_count,
                      .properties = shader->property_count,
                      .instructions = shader->instruction_count};
    front(w, &f); /* writing changes nothing of the shader */
    for (size_t n = 0; n < shader->declaration_count; n++) declaration(w, &shader->declarations[n]);
    for (size_t n = 0; n < shader->immediate_count; n++) immediate(w, &shader->immediates[n]);
    for (size_t n = 0; n < shader->property_count; n++) property(w, &shader->properties[n]);
    for (size_t n = 0; n < shader->instruction_count; n++) instruction(w, &shader->instructions[n]);
    for (size_t n = 0; n < shader->instruction_count && shader->steps; n++) {
        struct sch_maxwell_step copy = shader->steps[n];
        step(w, &copy);
    }
}

/* One step for each instruction, where there are any. */
static bool read_steps(wire *w, const struct front *f, struct sch_ir_shader *shader)
{
    if (!f->has_steps) return true;
    struct sch_maxwell_step *steps =
        SCH_ARENA_ARRAY(&shader->arena, struct sch_maxwell_step, (size_t)f->instructions + 1);
    for (uint64_t n = 0; n < f->instructions && steps; n++) step(w, &steps[n]);
    return steps && !w->failed && sch_ir_set_steps(shader, steps) == SCH_OK;
}

static bool add_all(wire *w, const struct front *f, struct sch_ir_shader *shader)
{
    bool good = true;
    for (uint64_t n = 0; n < f->declarations && good; n++) {
        struct sch_ir_declaration d = {0};
        declaration(w, &d);
        good = !w->failed && sch_ir_add_declaration(shader, &d) == SCH_OK;
    }
    for (uint64_t n = 0; n < f->immediates && good; n++) {
        struct sch_ir_immediate i = {0};
        immediate(w, &i);
        good = !w->failed && sch_ir_add_immediate(shader, &i) == SCH_OK;
    }
    for (uint64_t n = 0; n < f->properties && good; n++) {
        struct sch_ir_property p = {0};
        property(w, &p);
        good = !w->failed && sch_ir_add_property(shader, &p) == SCH_OK;
    }
    for (uint64_t n = 0; n < f->instructions && good; n++) {
        struct sch_ir_instruction in = {0};
        instruction(w, &in);
        good = !w->failed && sch_ir_add_instruction(shader, &in) == SCH_OK;
    }
    return good && read_steps(w, f, shader) && w->at == w->bytes.size;
}

struct sch_ir_shader *sch_message_read_shader(struct sch_wire *w, const struct sch_allocator *allocator)
{
    struct front f = {.limits = SCH_LIMITS_DEFAULT};
    front(w, &f);
    struct sch_ir_shader *shader = w->failed ? NULL : sch_ir_create(allocator, (enum sch_stage)f.stage, &f.limits);
    if (shader) shader->scalar = f.scalar;
    if (shader && add_all(w, &f, shader)) return shader;
    sch_ir_destroy(shader);
    return NULL;
}

/* ---- requests ---- */

static void form(wire *w, struct sch_native_lookup_form *f)
{
    struct sch_sampler_key *key = &f->key;
    uint8_t *const any[] = {&key->wrap[0],    &key->wrap[1],   &key->wrap[2],        &key->min_linear,
                            &key->mag_linear, &key->mip,       &key->max_anisotropy, &key->unnormalized,
                            &key->compare,    &key->reduction, &key->seamless,       &f->lod_mode,
                            &f->offsets};
    SCH_WIRE(w, key->format, SCH_FORMAT_LIMIT - 1);
    SCH_WIRE(w, key->target, SCH_TARGET_COUNT - 1);
    SCH_WIRE_ANY(w, key->rules);
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) SCH_WIRE_ANY(w, *any[i]);
    for (unsigned c = 0; c < 4; c++) SCH_WIRE(w, key->swizzle[c], 5);
    SCH_WIRE(w, f->kind, SCH_NATIVE_STORE);
    SCH_WIRE(w, f->component, 3);
    SCH_WIRE_BOOL(w, f->quads);
    SCH_WIRE_BOOL(w, f->biased);
    SCH_WIRE_BOOL(w, f->has_min_lod);
    SCH_WIRE_BOOL(w, f->has_lod);
    SCH_WIRE_BOOL(w, f->in_rows);
    SCH_WIRE_BOOL(w, f->straight);
    SCH_WIRE_BOOL(w, f->from_0_to_1);
}

static void color_key(wire *w, struct sch_color_key *key)
{
    uint8_t *const any[] = {&key->mode,           &key->color_mask,        &key->color_equation,
                            &key->alpha_equation, &key->color_source,      &key->color_destination,
                            &key->alpha_source,   &key->alpha_destination, &key->logic_operation,
                            &key->advanced,       &key->constant};
    SCH_WIRE(w, key->format, SCH_FORMAT_LIMIT - 1);
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) SCH_WIRE_ANY(w, *any[i]);
    SCH_WIRE_BOOL(w, key->clamp);
    SCH_WIRE_BOOL(w, key->reads);
    SCH_WIRE_BOOL(w, key->second_source);
    SCH_WIRE_BOOL(w, key->d3d);
}

static void stencil_face(wire *w, struct sch_stencil_face *face)
{
    SCH_WIRE_BOOL(w, face->enabled);
    SCH_WIRE(w, face->function, SCH_COMPARE_ALWAYS);
    SCH_WIRE(w, face->fail, SCH_STENCIL_INVERT);
    SCH_WIRE(w, face->depth_fail, SCH_STENCIL_INVERT);
    SCH_WIRE(w, face->pass, SCH_STENCIL_INVERT);
    SCH_WIRE_ANY(w, face->value_mask);
    SCH_WIRE_ANY(w, face->write_mask);
}

static void depth_stencil_key(wire *w, struct sch_depth_stencil_key *key)
{
    SCH_WIRE(w, key->format, SCH_FORMAT_LIMIT - 1);
    SCH_WIRE_BOOL(w, key->depth_test);
    SCH_WIRE_BOOL(w, key->depth_writes);
    SCH_WIRE_BOOL(w, key->depth_bounds);
    SCH_WIRE_BOOL(w, key->single);
    SCH_WIRE_BOOL(w, key->two_sided);
    SCH_WIRE(w, key->depth_function, SCH_COMPARE_ALWAYS);
    SCH_WIRE_ANY(w, key->bounds_min);
    SCH_WIRE_ANY(w, key->bounds_max);
    for (unsigned face = 0; face < 2; face++) stencil_face(w, &key->stencil[face]);
}

static void fragment_form(wire *w, struct sch_fragment_form *f)
{
    SCH_WIRE(w, f->input_count, SCH_FRAGMENT_INPUTS);
    SCH_WIRE(w, f->color_count, SCH_FRAGMENT_COLORS);
    SCH_WIRE(w, f->samples, SCH_MAX_SAMPLES);
    SCH_WIRE_BOOL(w, f->lower_left);
    SCH_WIRE_BOOL(w, f->integer_center);
    SCH_WIRE_BOOL(w, f->d3d);
    SCH_WIRE(w, f->tests, SCH_FRAGMENT_LATE);
    SCH_WIRE(w, f->alpha_function, SCH_COMPARE_ALWAYS);
    depth_stencil_key(w, &f->depth_stencil);
    SCH_WIRE_ANY(w, f->alpha);
    SCH_WIRE_ANY(w, f->depth);
    SCH_WIRE_BOOL(w, f->clamp);
    SCH_WIRE_ANY(w, f->depth_layout);
    SCH_WIRE_BOOL(w, f->depth_ranges);
    if (w->failed) return;
    for (unsigned n = 0; n < f->input_count; n++) {
        SCH_WIRE_ANY(w, f->input[n].word);
        SCH_WIRE(w, f->input[n].kind, SCH_FRAGMENT_FIXED);
        SCH_WIRE(w, f->input[n].mask, 15);
    }
    for (unsigned n = 0; n < f->color_count; n++) {
        color_key(w, &f->color[n].key);
        SCH_WIRE_ANY(w, f->color[n].output);
        SCH_WIRE_ANY(w, f->color[n].second);
    }
}

static void span_form(wire *w, struct sch_native_span_form *f)
{
    SCH_WIRE(w, f->plane_count, SCH_NATIVE_PLANES);
    SCH_WIRE(w, f->render_target_count, SCH_NATIVE_RENDER_TARGETS);
    SCH_WIRE(w, f->known.count, SCH_NATIVE_KNOWN_FORMS);
    if (w->failed) return;
    for (uint32_t p = 0; p < f->plane_count; p++) {
        SCH_WIRE_ANY(w, f->channel[p]);
        SCH_WIRE_ANY(w, f->division[p]);
    }
    for (uint32_t c = 0; c < f->render_target_count; c++) SCH_WIRE_ANY(w, f->output[c]);
    for (unsigned s = 0; s < SCH_NATIVE_KNOWN_SLOTS; s++) SCH_WIRE(w, f->known.of_slot[s], f->known.count);
    for (uint32_t n = 0; n < f->known.count; n++) form(w, &f->known.form[n]);
    SCH_WIRE_BOOL(w, f->has_fragments);
    if (f->has_fragments) fragment_form(w, &f->fragments);
}

void sch_message_hello(struct sch_wire *w, struct sch_hello *hello)
{
    SCH_WIRE_ANY(w, hello->version);
    sch_wire_bytes(w, hello->build, sizeof hello->build);
    sch_wire_bytes(w, hello->problem, sizeof hello->problem);
    hello->build[sizeof hello->build - 1] = hello->problem[sizeof hello->problem - 1] = 0;
}

void sch_message_request(struct sch_wire *w, struct sch_request *request)
{
    SCH_WIRE(w, request->kind, SCH_REQUEST_COUNT - 1);
    sch_wire_bytes(w, request->level, sizeof request->level);
    request->level[sizeof request->level - 1] = 0;
    SCH_WIRE_ANY(w, request->cpu_ms);
    sch_wire_block(w, &request->shader, SCH_MESSAGE_MOST_REQUESTED);
    SCH_WIRE_BOOL(w, request->full);
    SCH_WIRE_BOOL(w, request->quads);
    SCH_WIRE_BOOL(w, request->metered);
    SCH_WIRE_BOOL(w, request->has_span);
    if (request->has_span) span_form(w, &request->span);
    if (request->kind == SCH_REQUEST_LOOKUP) form(w, &request->form);
}

void sch_message_reply(struct sch_wire *w, struct sch_reply *reply)
{
    SCH_WIRE(w, reply->status, SCH_ERROR_CANCELLED);
    SCH_WIRE_BOOL(w, reply->out_of_time);
    SCH_WIRE_BOOL(w, reply->too_large);
    SCH_WIRE_BOOL(w, reply->kept);
    SCH_WIRE_ANY(w, reply->build_ms);
    SCH_WIRE_ANY(w, reply->passes_ms);
    SCH_WIRE_ANY(w, reply->code_ms);
    SCH_WIRE_ANY(w, reply->built);
    SCH_WIRE_ANY(w, reply->optimised);
    SCH_WIRE_ANY(w, reply->stack_bytes);
    sch_wire_block(w, &reply->object, SCH_MESSAGE_MOST_REPLIED);
}
