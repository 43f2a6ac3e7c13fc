/* Shaders in another language. */
#include <string.h>

#include "api/api.h"
#include "base/bytes.h"
#include "ir/check.h"
#include "maxwell/lower/lower.h"
#include "maxwell/text/text.h"
#include "tgsi/tgsi.h"

/* A program whose lookups were lowered, and the text that grows. */
struct translation {
    const struct sch_exec_program *program;
    const struct sch_maxwell_lowered *lowered;
    struct sch_bytes out;
};

static void write_text(struct translation *t, const char *text) { sch_bytes_text(&t->out, text); }

static const char *target_word(int target) { return sch_word_by_number(SCH_WORDS_TARGET, (unsigned)target)->word; }

static void write_constants(struct translation *t)
{
    for (uint32_t n = 0; n < t->lowered->handle_count; n++) {
        const struct sch_maxwell_handle *handle = &t->lowered->handles[n];
        sch_bytes_format(&t->out, "// c[0x%x]: view %d as %s", n, handle->view, target_word(handle->target));
        if (handle->samples) sch_bytes_format(&t->out, ", sampler %d", handle->sampler);
        write_text(t, "\n");
    }
}

static void write_steps(struct translation *t, const struct sch_maxwell_lowered_step *steps, unsigned count)
{
    char text[SCH_MAXWELL_STEP_TEXT];
    for (unsigned n = 0; n < count; n++) {
        sch_maxwell_step_print(&steps[n], text);
        sch_bytes_format(&t->out, "//     %s\n", text);
    }
}

static void write_results(struct translation *t, const struct sch_prepared_instruction *in,
                          const struct sch_maxwell_plan *plan)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(plan->written >> c & 1)) continue;
        sch_bytes_format(&t->out, in->modify ? "//     dst.%c = saturate(R%u)\n" : "//     dst.%c = R%u\n", "xyzw"[c],
                         plan -> result[c]);
    }
}

static void write_plan(struct translation *t, uint32_t number)
{
    const struct sch_maxwell_plan *plan = t->lowered->plans[number];
    if (plan->refusal) {
        sch_bytes_format(&t->out, "//     refused: %s\n", sch_maxwell_refusal_words(plan->refusal));
        return;
    }
    char line[SCH_MAXWELL_LINE];
    write_steps(t, plan->steps, plan->before);
    if (plan->computes_level && t->program->prepared.instructions[number].lookup->axes == 2)
        write_text(t, "//     the same lookup where the sampler's max_anisotropy is 1\n");
    sch_maxwell_print(&plan->texture, SCH_MAXWELL_TEXT_NVDISASM, NULL, line);
    sch_bytes_format(&t->out, "%s\n", line);
    write_steps(t, plan->steps + plan->before, plan->after);
    write_results(t, &t->program->prepared.instructions[number], plan);
}

/* The lines of a printed shader that begin with a number are its instructions, in order. */
static void write_lookups(struct translation *t, const char *text)
{
    uint32_t number = 0;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n'), *at = line;
        size_t length = end ? (size_t)(end - line) : strlen(line);
        while (*at == ' ') at++;
        if (*at >= '0' && *at <= '9') {
            if (t->lowered->plans[number]) {
                write_text(t, "\n// ");
                sch_bytes_append(&t->out, at, length - (size_t)(at - line));
                write_text(t, "\n");
                write_plan(t, number);
            }
            number++;
        }
        line += length + (end != NULL);
    }
}

static void write_summary(struct translation *t)
{
    sch_bytes_format(&t->out, "\n// %u lookups: %u lowered, %u refused\n", t->lowered->lookups,
                     t->lowered->lookups - t->lowered->refused, t->lowered->refused);
}

static enum sch_result write_maxwell(struct translation *t, const struct sch_shader *shader,
                                     const struct sch_ir_shader *ir, char **text, size_t *bytes)
{
    char *tgsi;
    size_t length;
    enum sch_result status = sch_tgsi_print(ir, SCH_FLOAT_TEXT_SOURCE, &shader->context->allocator, &tgsi, &length);
    if (status != SCH_OK) return status;
    write_text(t, "// Texture lookups as Maxwell code. Comments show the moves of operands and results.\n");
    write_constants(t);
    write_lookups(t, tgsi);
    write_summary(t);
    sch_api_free(shader->context, tgsi);
    return sch_bytes_take_text(&t->out, text, bytes);
}

static enum sch_result translate_program(const struct sch_shader *shader, const struct sch_ir_shader *ir,
                                         const struct sch_exec_program *program, struct sch_diagnostics *list,
                                         char **text, size_t *bytes)
{
    struct sch_maxwell_lowered lowered;
    struct sch_arena arena;
    sch_arena_init(&arena, &shader->context->allocator, ir->limits.memory);
    enum sch_result status = sch_maxwell_lower(&program->prepared, &arena, list, &lowered);
    struct translation t = {.program = program, .lowered = &lowered, .out = {.allocator = &shader->context->allocator}};
    if (status == SCH_OK) status = write_maxwell(&t, shader, ir, text, bytes);
    if (status == SCH_OK && lowered.refused) status = SCH_ERROR_UNSUPPORTED;
    sch_bytes_release(&t.out);
    sch_arena_release(&arena);
    return status;
}

static enum sch_result translate_maxwell(const struct sch_shader *shader, const struct sch_ir_shader *ir,
                                         struct sch_diagnostics *list, char **text, size_t *bytes)
{
    enum sch_result status = sch_ir_check(ir, list);
    struct sch_exec_program *program = NULL;
    if (status == SCH_OK) status = sch_exec_create(ir, NULL, &shader->context->allocator, list, &program);
    if (status == SCH_OK) status = translate_program(shader, ir, program, list, text, bytes);
    sch_exec_destroy(program);
    return status;
}

enum sch_result sch_shader_translate(const struct sch_shader *shader, const struct sch_translate_options *options,
                                     struct sch_diagnostics_list *diagnostics, char **text, size_t *bytes)
{
    struct sch_translate_options wanted;
    size_t length = 0;
    if (text) *text = NULL;
    if (bytes) *bytes = 0;
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, "options");
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, text, "text") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !sch_api_takes(call.list, ".to", (uint32_t)wanted.to, SCH_TRANSLATE_TGSI, SCH_TRANSLATE_MAXWELL))
        return sch_api_refused(&call);
    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    if (shader->maxwell) return sch_api_wrong(&call, "shader", "Maxwell code is not translated");
    struct sch_api_ir opened;
    enum sch_result status = sch_api_open(shader, list, &opened);
    if (status == SCH_OK && wanted.to == SCH_TRANSLATE_MAXWELL)
        status = translate_maxwell(shader, opened.ir, list, text, &length);
    else if (status == SCH_OK)
        status = sch_tgsi_print(opened.ir, SCH_FLOAT_TEXT_SOURCE, &shader->context->allocator, text, &length);
    sch_api_close(&opened);
    status = sch_api_delivered(&call, status, (void **)text, &length);
    if (bytes) *bytes = length;
    return status;
}
