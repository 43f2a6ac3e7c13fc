/* A listing line by line: profile, signatures and features, then instructions, then what comments say. */
#include "d3d/text/assembler.h"
#include "d3d/text/find.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

/* Quoted name, or a word whose closing digits are the semantic's index. */
static void take_name(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element)
{
    if (sch_d3d_asm_skip(a) == '"') {
        element->name = sch_d3d_asm_quoted(a);
    } else {
        size_t length = sch_d3d_asm_word_length(a);
        if (!length) sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, a->at, "the name of a semantic is missing here");
        while (length > 1 && sch_d3d_is_digit(a->at[length - 1])) length--;
        element->name = sch_arena_string(&a->shader->arena, a->at, length);
        a->at += length;
        if (!element->name) sch_d3d_asm_memory(a);
    }
    if (a->at < a->end && sch_d3d_is_digit(*a->at)) element->index = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}

static uint8_t take_mask(struct sch_d3d_assembler *a, bool *any)
{
    uint8_t components[4];
    const char *at = a->at;
    unsigned count = sch_d3d_asm_components(a, components);
    *any = count > 0;
    return sch_d3d_asm_mask(a, components, count, at);
}

/* Register: letters, then a number unless it is one of those that have none. */
static void take_register(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element, bool *named)
{
    sch_d3d_asm_skip(a);
    const char *begin = a->at;
    while (a->at < a->end && sch_d3d_is_letter(*a->at)) a->at++;
    element->reg = UINT32_MAX;
    *named = a->at - begin != 4 || memcmp(begin, "none", 4) != 0;
    if (a->at == begin)
        sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, begin, "a register is missing here");
    else if (a->at < a->end && sch_d3d_is_digit(*a->at))
        element->reg = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX - 1);
}

/* .param NAME.mask, REGISTER.used, type, VALUE, PRECISION, mN; the last three may be missing. What is "used" of an
 * output is what is written; the chunk has the rest. */
static void take_element(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element, bool written)
{
    bool masked, any, named;
    take_name(a, element);
    element->mask = take_mask(a, &masked);
    if (!sch_d3d_asm_expect(a, ',')) return;
    take_register(a, element, &named);
    uint8_t used = take_mask(a, &any);
    if (!masked && element->reg == UINT32_MAX && named) { /* vkd3d's listings leave both out */
        element->mask = 1;
        used = 1;
    }
    element->used = written ? (uint8_t)(0xf & ~used) : used;
    if (!sch_d3d_asm_expect(a, ',')) return;
    element->component_type = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_COMPONENT);
    if (!sch_d3d_asm_take(a, ',')) return;
    bool number = sch_d3d_is_digit(sch_d3d_asm_skip(a));
    element->system_value = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_SIGNATURE);
    if (element->system_value >= 64 && !number) element->system_value = 0; /* the name says it */
    if (!sch_d3d_asm_take(a, ',')) return;
    element->min_precision = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_SIGNATURE_PRECISION);
    if (!sch_d3d_asm_take(a, ',')) return;
    if (sch_d3d_asm_skip(a) == 'm') a->at++;
    element->stream = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}

static struct sch_d3d_signature *current(struct sch_d3d_assembler *a)
{
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++)
        if (a->shader->signatures[i].tag == 1) return &a->shader->signatures[i];
    return NULL;
}

static void take_parameter(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_signature *signature = current(a);
    if (!signature) {
        sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, begin, ".param comes after .input, .output or .patch_constant");
        return;
    }
    if (signature->count == SCH_D3D_MOST_ELEMENTS) {
        sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, begin, "a signature has at most %d elements", SCH_D3D_MOST_ELEMENTS);
        return;
    }
    size_t kind = (size_t)(signature - a->shader->signatures);
    if (!signature->elements) {
        signature->elements =
            SCH_ARENA_ARRAY(&a->shader->arena, struct sch_d3d_signature_element, SCH_D3D_MOST_ELEMENTS);
        if (!signature->elements) {
            sch_d3d_asm_memory(a);
            return;
        }
    }
    struct sch_d3d_signature_element element = {0};
    take_element(a, &element, sch_d3d_is_written(a->shader->program->stage, (enum sch_signature_kind)kind));
    if (!a->bad) signature->elements[signature->count++] = element;
}

/* Tag 1: the parameters that follow belong to it; 2: it was there. */
static void open_signature(struct sch_d3d_assembler *a, enum sch_signature_kind kind, const char *begin)
{
    struct sch_d3d_signature *open = current(a);
    if (open) open->tag = 2;
    if (a->shader->signatures[kind].tag)
        sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, begin, "there is a signature of this kind already");
    else
        a->shader->signatures[kind].tag = 1;
}

static void take_features(struct sch_d3d_assembler *a)
{
    a->shader->has_features = true;
    while (sch_d3d_asm_skip(a)) {
        const char *at = a->at;
        uint32_t bit = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_FEATURE);
        if (bit > 63)
            sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, at, "features are bits 0 to 63");
        else
            a->shader->features |= UINT64_C(1) << bit;
    }
}

static void take_directive(struct sch_d3d_assembler *a)
{
    const char *begin = a->at++;
    if (sch_d3d_asm_take_word(a, "input"))
        open_signature(a, SCH_SIGNATURE_INPUT, begin);
    else if (sch_d3d_asm_take_word(a, "output"))
        open_signature(a, SCH_SIGNATURE_OUTPUT, begin);
    else if (sch_d3d_asm_take_word(a, "patch_constant"))
        open_signature(a, SCH_SIGNATURE_PATCH_CONSTANT, begin);
    else if (sch_d3d_asm_take_word(a, "param"))
        take_parameter(a, begin);
    else if (sch_d3d_asm_take_word(a, "features"))
        take_features(a);
    else if (!sch_d3d_asm_resource(a, begin) && !sch_d3d_asm_chunk(a, begin) && !sch_d3d_asm_take_word(a, "text"))
        sch_d3d_asm_report(a, SCH_D_ASM_DIRECTIVE, begin,
                           "no such directive: there are .input, .output, .patch_constant, .param, .features, "
                           ".resources and its kin, .text, .chunk and its kin");
}

bool sch_d3d_is_profile(const char *word, size_t bytes)
{
    return bytes == 6 && word[2] == '_' && word[4] == '_' && sch_d3d_word_find(SCH_D3D_WORDS_STAGE, word, 2);
}

/* "ps_5_0", or "container" where there is no program. */
static void take_profile(struct sch_d3d_assembler *a)
{
    struct sch_d3d_program *program = a->shader->program;
    const char *begin = a->at;
    if (sch_d3d_asm_take_word(a, "container")) return;
    size_t length = sch_d3d_asm_word_length(a);
    const bool good = sch_d3d_is_profile(begin, length);
    const struct sch_d3d_word *stage = good ? sch_d3d_word_find(SCH_D3D_WORDS_STAGE, begin, 2) : NULL;
    unsigned major = good ? (unsigned)(begin[3] - '0') : 0, minor = good ? (unsigned)(begin[5] - '0') : 0;
    if (!good || (major != 4 && major != 5) || minor > 1) {
        sch_d3d_asm_report(a, SCH_D_ASM_PROFILE, begin,
                           "a listing begins with its profile: ps_4_0, vs_5_0 and the like, models 4.0 to 5.1");
        return;
    }
    a->at += length;
    program->stage = stage->number;
    program->major = (uint8_t)major;
    program->minor = (uint8_t)minor;
}

/* What fxc writes before a line: the number of /Ni, the offset of /No. */
static void skip_label(struct sch_d3d_assembler *a) { a->at = sch_d3d_behind_label(a->at, a->end); }

/* "#line 12 "file"": of /Zi; the rest of the line says nothing of the program. */
static bool skip_source_line(struct sch_d3d_assembler *a)
{
    if (a->end - a->at < 5 || strncasecmp(a->at, "#line", 5) != 0) return false;
    while (a->at < a->end && *a->at != '\n') a->at++;
    return true;
}

bool sch_d3d_text_recognise(const void *text, size_t bytes)
{
    struct sch_d3d_assembler a = {.at = (const char *)text + sch_utf8_mark(text, bytes),
                                  .end = (const char *)text + bytes};
    do {
        sch_d3d_asm_skip_lines(&a);
    } while (skip_source_line(&a));
    skip_label(&a);
    if (sch_d3d_asm_take_word(&a, "container")) return true;
    return sch_d3d_is_profile(a.at, sch_d3d_asm_word_length(&a));
}

static void take_line(struct sch_d3d_assembler *a, bool *profile)
{
    a->bad = false;
    if (!sch_d3d_asm_skip(a) || skip_source_line(a)) return;
    skip_label(a);
    if (!sch_d3d_asm_skip(a)) return;
    if (!*profile) {
        take_profile(a);
        *profile = true;
        if (a->bad) a->at = a->end; /* nothing that follows can be read */
    } else if (*a->at == '.') {
        take_directive(a);
    } else if (sch_d3d_has_program(a->shader)) {
        sch_d3d_asm_instruction(a);
    } else {
        sch_d3d_asm_report(a, SCH_D_ASM_PROFILE, a->at, "a container without a profile has no instructions");
    }
    if (sch_d3d_asm_skip(a)) sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "the line should end here");
}

static void take_lines(struct sch_d3d_assembler *a)
{
    bool profile = false;
    while (a->at < a->end && a->status != SCH_ERROR_MEMORY && a->status != SCH_ERROR_LIMIT) {
        take_line(a, &profile); /* all of it: after a report the cursor is at its end */
        sch_d3d_asm_next_line(a);
    }
    a->bad = false;
    if (!profile) sch_d3d_asm_report(a, SCH_D_ASM_PROFILE, a->begin, "the text is empty");
    if (a->open_count && a->status == SCH_OK)
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, a->end, "a structure is not closed by .end");
}

/* The cursor goes to the only listing; an error where there are several. */
static bool choose(struct sch_d3d_assembler *a, const struct sch_d3d_found *found)
{
    if (!found->count) return true;
    const struct sch_d3d_span *span = &found->spans[found->count > 1];
    a->original = a->text;
    a->text = found->text;
    a->begin = a->at = a->line_begin = found->text + span->begin;
    while (a->line_begin > a->text && a->original[a->line_begin - a->text - 1] != '\n') a->line_begin--;
    a->end = found->text + span->end;
    a->first_line = a->line = span->line > UINT32_MAX - a->line ? UINT32_MAX : span->line + a->line - 1;
    if (found->count == 1) return true;
    sch_d3d_asm_report(a, SCH_D_TEXT_WHICH, a->at, "the text holds %zu shaders, of which this is the second",
                       found->count);
    return false;
}

static void assemble(struct sch_d3d_assembler *a)
{
    take_lines(a);
    if (a->status == SCH_OK) sch_d3d_asm_comments(a);
    if (a->status == SCH_OK) a->status = sch_d3d_asm_contain(a);
}

enum sch_result sch_d3d_assemble_part(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                      const char *text, size_t bytes, uint32_t line,
                                      struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader)
{
    *shader = NULL;
    struct sch_d3d_assembler a = {.limits = limits,
                                  .diagnostics = diagnostics,
                                  .text = text,
                                  .begin = text,
                                  .at = text + sch_utf8_mark(text, bytes),
                                  .end = text + bytes,
                                  .line_begin = text,
                                  .line = line,
                                  .first_line = line};
    struct sch_d3d_found found;
    a.status = sch_d3d_find(allocator, text, bytes, &found);
    if (a.status == SCH_ERROR_LIMIT)
        sch_d3d_asm_report(&a, SCH_D_D3D_LIMIT, text, "the text holds more than %d listings", SCH_D3D_FOUND_LIMIT);
    if (a.status == SCH_OK && choose(&a, &found)) {
        a.shader = sch_d3d_shader_create(allocator, limits);
        a.status = a.shader ? SCH_OK : SCH_ERROR_MEMORY;
    }
    if (a.status == SCH_OK) {
        a.arena = &a.shader->program->arena;
        assemble(&a);
    }
    sch_d3d_found_release(&found);
    if (a.status == SCH_OK)
        *shader = a.shader;
    else if (a.shader)
        sch_d3d_shader_destroy(a.shader);
    return a.status;
}

enum sch_result sch_d3d_assemble(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                 const char *text, size_t bytes, struct sch_diagnostics *diagnostics,
                                 struct sch_d3d_shader **shader)
{
    return sch_d3d_assemble_part(allocator, limits, text, bytes, 1, diagnostics, shader);
}
