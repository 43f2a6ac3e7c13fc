/* The shaders of a script: from text, from words in hexadecimal, from the host's compiler of HLSL. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

void sch_script_shader_release(struct sch_script_loaded *loaded)
{
    sch_player_program_release(&loaded->made);
    sch_shader_destroy(loaded->lowered);
    *loaded = (struct sch_script_loaded){0};
}

static void __attribute__((format(printf, 2, 3))) cannot(struct sch_script_loaded *loaded, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(loaded->reason, sizeof loaded->reason, format, arguments);
    va_end(arguments);
    /* One line of the report. */
    for (char *at = loaded->reason; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

static const enum sch_stage stages[] = {
    [SCH_SCRIPT_PIXEL] = SCH_STAGE_FRAGMENT,   [SCH_SCRIPT_VERTEX] = SCH_STAGE_VERTEX,
    [SCH_SCRIPT_COMPUTE] = SCH_STAGE_COMPUTE,  [SCH_SCRIPT_HULL] = SCH_STAGE_TESS_CTRL,
    [SCH_SCRIPT_DOMAIN] = SCH_STAGE_TESS_EVAL, [SCH_SCRIPT_GEOMETRY] = SCH_STAGE_GEOMETRY};

/* A program's text or container. */
struct source {
    char *data; /* freed by free() */
    size_t bytes;
};

/* The section's lines after as many empty ones as the script has before, so that reports name the script's lines;
 * comments are emptied. */
static bool take_text(const struct sch_script_item *item, struct source *source)
{
    const struct sch_script_string *body = &item->shader.body;
    char *copy = malloc((size_t)item->line + body->bytes + 1);
    if (!copy) return false;
    memset(copy, '\n', item->line);
    char *at = copy + item->line;
    bool begin = true, comment = false;
    for (size_t i = 0; i < body->bytes; i++) {
        char c = body->text[i];
        comment = c != '\n' && (comment || (begin && c == '%'));
        begin = c == '\n';
        if (!comment) *at++ = c;
    }
    *at = 0;
    source->data = copy;
    source->bytes = (size_t)(at - copy);
    return true;
}

static bool put_word(const char *digits, size_t count, struct source *source)
{
    uint32_t word = 0;
    if (count > 8) return false;
    for (size_t i = 0; i < count; i++) {
        int c = tolower((unsigned char)digits[i]);
        word = word << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    for (unsigned b = 0; b < 4; b++) source->data[source->bytes++] = (char)(word >> 8 * b);
    return true;
}

/* 32-bit words in hexadecimal, low byte first in the container. False: something else is there. */
static bool take_words(const struct sch_script_item *item, struct source *source)
{
    const struct sch_script_string *body = &item->shader.body;
    source->data = malloc(body->bytes * 4 + 1); /* a word has one digit at least */
    if (!source->data) return false;
    for (size_t i = 0; i < body->bytes;) {
        char c = body->text[i];
        if (c == '%') {
            while (i < body->bytes && body->text[i] != '\n') i++;
        } else if (isspace((unsigned char)c)) {
            i++;
        } else {
            size_t digits = 0;
            while (i + digits < body->bytes && isxdigit((unsigned char)body->text[i + digits])) digits++;
            if (!digits || !put_word(body->text + i, digits, source)) return false;
            i += digits;
        }
    }
    return true;
}

/* The program that the host has for a section with HLSL. */
static bool compile(struct sch_script_run *run, const struct sch_script_item *item, struct sch_script_loaded *loaded,
                    struct source *source)
{
    struct source text = {0};
    struct sch_player_file program = {.problem = "the HLSL compiler is missing"};
    if (!take_text(item, &text)) {
        sch_script_memory(run);
        return false;
    }
    const struct sch_player_hlsl section = {.stage = stages[item->shader.stage],
                                            .model = run->model,
                                            .number = item->shader.number,
                                            .text = text.data,
                                            .bytes = text.bytes};
    if (run->host->compile) run->host->compile(run->host->user, &section, &program);
    free(text.data);
    if (program.stop) run->stop = SCH_ERROR_CANCELLED;
    if (!program.data) cannot(loaded, "%s", program.problem);
    *source = (struct source){program.data, program.bytes};
    return program.data != NULL;
}

/* The bytes of the program; false: `loaded` says why there are none. */
static bool take_source(struct sch_script_run *run, const struct sch_script_item *item,
                        struct sch_script_loaded *loaded, struct source *source)
{
    switch (item->shader.language) {
    case SCH_SCRIPT_TGSI:
    case SCH_SCRIPT_D3D_ASM:
        if (!take_text(item, source)) sch_script_memory(run);
        return source->data != NULL;
    case SCH_SCRIPT_DXBC_HEX:
        if (take_words(item, source)) return true;
        if (!source->data) sch_script_memory(run);
        cannot(loaded, "the section is not a list of words in hexadecimal");
        loaded->failed = true;
        return false;
    case SCH_SCRIPT_D3DBC_HEX:
        cannot(loaded, "shader models 1 to 3 are not read");
        return false;
    case SCH_SCRIPT_HLSL:
        break;
    }
    if (run->row_major) { /* neither a compiler's calls nor a folder's names have a word for it */
        cannot(loaded, "HLSL with the option row-major");
        return false;
    }
    return compile(run, item, loaded, source);
}

/* ---- from bytes to a program ------------------------------------------------------------------------------------- */

/* What the declarations say beside what struct sch_register_info has: views of multisampled textures. */
static void read_declarations(struct sch_script_loaded *loaded)
{
    struct sch_declaration_info at = {.size = sizeof at};
    for (uint32_t d = 0; sch_shader_declaration(loaded->registers, d, &at); d++) {
        const bool multisampled = at.file == SCH_FILE_SAMPLER_VIEW && at.target == SCH_TARGET_2D_MSAA;
        for (uint32_t i = at.first; multisampled && i <= at.last && at.last < SCH_SCRIPT_SLOTS; i++)
            loaded->multisampled[i / 32] |= 1u << i % 32;
    }
}

static enum sch_result lower(struct sch_script_loaded *loaded, struct sch_diagnostics_list *list)
{
    struct sch_shader *shader = loaded->made.shader;
    const bool d3d = sch_shader_language(shader) == SCH_LANGUAGE_D3D;
    const enum sch_result result = d3d ? sch_shader_lower(shader, list, &loaded->lowered) : SCH_OK;
    loaded->registers = loaded->lowered ? loaded->lowered : shader;
    if (result == SCH_OK) read_declarations(loaded);
    return result;
}

/* Whether a program is refused for want of machine code, not for what it is. */
static bool lacks_code(unsigned number)
{
    enum { FIRST_OF_MACHINE_CODE = 4380, LAST_OF_MACHINE_CODE = 4399 };
    return number >= FIRST_OF_MACHINE_CODE && number <= LAST_OF_MACHINE_CODE;
}

/* What became of reading: nothing but a program, a lack (`cannot`), or a failure. */
static void judge(struct sch_script_run *run, enum sch_result result, const struct sch_diagnostics_list *list,
                  struct sch_script_loaded *loaded)
{
    const struct sch_diagnostic_info why = sch_script_first_error(list, result);
    if (result == SCH_ERROR_MEMORY) {
        sch_script_memory(run);
    } else if (result == SCH_ERROR_UNSUPPORTED) {
        if (lacks_code(why.code)) /* the engine jit never falls back, nor does it leave things out */
            sch_script_lacks_code(run, &why);
        cannot(loaded, "not executed: error %u: %s", why.code, why.message);
    } else if (result != SCH_OK) {
        loaded->failed = true;
        cannot(loaded, "line %u: error %u: %s", why.line, why.code, why.message);
    } else if (loaded->made.other_stage) {
        loaded->failed = true;
        cannot(loaded, "the shader is of another stage than its section");
    }
}

static void read_program(struct sch_script_run *run, const struct sch_script_item *item,
                         struct sch_script_loaded *loaded, const struct source *source)
{
    static const enum sch_kind kinds[] = {[SCH_SCRIPT_HLSL] = SCH_KIND_DXBC,
                                          [SCH_SCRIPT_TGSI] = SCH_KIND_TGSI,
                                          [SCH_SCRIPT_D3D_ASM] = SCH_KIND_D3D_ASM,
                                          [SCH_SCRIPT_DXBC_HEX] = SCH_KIND_DXBC};
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(run->context, &list);
    const struct sch_player_source from = {.kind = kinds[item->shader.language],
                                           .stage = stages[item->shader.stage],
                                           .name = run->script->name,
                                           .data = source->data,
                                           .bytes = source->bytes};
    if (result == SCH_OK)
        result = sch_player_program_make(run->context, &from, &run->options.program, list, &loaded->made);
    if (result == SCH_OK) result = lower(loaded, list);
    judge(run, result, list, loaded);
    sch_diagnostics_destroy(list);
}

void sch_script_shader_load(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_loaded *loaded = &run->shader[item->shader.stage];
    bool must_fail = sch_script_holds(item, 1u << SCH_SCRIPT_FAIL, run->model);
    struct source source = {0};
    sch_player_unlink(&run->player);
    if (item->shader.stage == SCH_SCRIPT_VERTEX) {
        sch_script_shader_release(&run->shader[SCH_SCRIPT_HULL]);
        sch_script_shader_release(&run->shader[SCH_SCRIPT_DOMAIN]);
        sch_script_shader_release(&run->shader[SCH_SCRIPT_GEOMETRY]);
    }
    sch_script_shader_release(loaded);
    loaded->there = true;
    loaded->line = item->line;
    loaded->from_hlsl = item->shader.language == SCH_SCRIPT_HLSL;
    if (item->shader.stage == SCH_SCRIPT_EFFECT) {
        sch_script_skip(run, item->line, 1, "effects are not read");
        return;
    }
    if (must_fail && item->shader.language == SCH_SCRIPT_HLSL) {
        cannot(loaded, "a shader that must not compile");
        sch_script_skip(run, item->line, 1, "asks the HLSL compiler, not the engine");
        return;
    }
    if (take_source(run, item, loaded, &source)) read_program(run, item, loaded, &source);
    free(source.data);
    if (run->stop != SCH_OK) return;
    if (must_fail && loaded->failed) {
        run->report->passed++;
    } else if (must_fail && !*loaded->reason) {
        sch_script_fail(run, item, "the shader is marked fail, but is valid");
        cannot(loaded, "a shader that must not compile");
    } else if (loaded->failed) {
        sch_script_fail(run, item, "the shader is refused: %.200s", loaded->reason);
    }
}
