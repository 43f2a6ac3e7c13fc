/* Shaders: reading any of the written forms, checking, and writing them again. */
#include <string.h>

#include "api/maxwell.h"

#include "base/utf8.h"
#include "d3d/text/find.h"
#include "d3d/text/text.h"
#include "ir/check.h"
#include "isa/errors.h"
#include "tgsi/find.h"
#include "tgsi/tgsi.h"

/* The header word of bare tokens holds the header's size, two words, in its low byte: no text has a byte 2 there. */
static bool looks_like_tokens(const void *data, size_t bytes)
{
    uint32_t header;
    if (bytes < 2 * sizeof header) return false;
    memcpy(&header, data, sizeof header);
    return (header & 0xff) == 2;
}

static enum sch_result read_words(struct sch_context *context, const void *data, size_t bytes,
                                  struct sch_diagnostics *list, struct sch_ir_shader **ir)
{
    if (bytes % sizeof(uint32_t)) {
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_TOKENS_NOT_WORDS, (struct sch_position){.offset = bytes},
                            "tokens are 32-bit words, but the input has %zu bytes", bytes);
        return SCH_ERROR_INVALID;
    }
    size_t count = bytes / sizeof(uint32_t);
    if ((uintptr_t)data % alignof(uint32_t) == 0)
        return sch_tgsi_decode(&context->allocator, &context->limits, data, count, 0, list, ir);

    uint32_t *aligned = sch_api_alloc(context, bytes);
    if (!aligned) return SCH_ERROR_MEMORY;
    memcpy(aligned, data, bytes);
    enum sch_result status = sch_tgsi_decode(&context->allocator, &context->limits, aligned, count, 0, list, ir);
    sch_api_free(context, aligned);
    return status;
}

static enum sch_result read_binary(struct sch_context *context, const void *data, size_t bytes,
                                   struct sch_diagnostics *list, struct sch_ir_shader **ir)
{
    if (sch_tgsi_container_recognise(data, bytes))
        return sch_tgsi_container_read(&context->allocator, &context->limits, data, bytes, list, ir);
    return read_words(context, data, bytes, list, ir);
}

/* The kind that the caller names, or that the first bytes show. */
static enum sch_kind kind_of(enum sch_kind kind, const void *data, size_t bytes)
{
    if (kind != SCH_KIND_AUTO) return sch_api_maxwell_kind(kind, data, bytes);
    const enum sch_kind maxwell = sch_api_recognise_maxwell(data, bytes);
    if (maxwell != SCH_KIND_AUTO) return maxwell;
    if (sch_d3d_container_recognise(data, bytes)) return SCH_KIND_DXBC;
    if (sch_tgsi_container_recognise(data, bytes) || looks_like_tokens(data, bytes)) return SCH_KIND_TGSI_BIN;
    return sch_d3d_text_recognise(data, bytes) || sch_d3d_text_holds(data, bytes) ? SCH_KIND_D3D_ASM : SCH_KIND_TGSI;
}

enum sch_kind sch_shader_recognise(const void *data, size_t bytes)
{
    return kind_of(SCH_KIND_AUTO, data ? data : "", data ? bytes : 0);
}

static enum sch_result read_source(struct sch_context *context, const struct sch_read_options *options,
                                   const void *data, size_t bytes, const char *name, struct sch_diagnostics *list,
                                   struct sch_shader *made)
{
    if (bytes > context->limits.source_bytes) {
        sch_diagnostics_name(list, name);
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_SOURCE_TOO_LARGE,
                            (struct sch_position){.offset = context->limits.source_bytes},
                            "the source has %zu bytes, but the limit is %zu", bytes, context->limits.source_bytes);
        return SCH_ERROR_LIMIT;
    }
    enum sch_kind kind = kind_of(options->kind, data, bytes);
    bool text = kind == SCH_KIND_TGSI || kind == SCH_KIND_D3D_ASM || kind == SCH_KIND_MAXWELL_TEXT;
    made->kind = kind;
    const struct sch_allocator *allocator = &context->allocator;
    const struct sch_limits *limits = &context->limits;
    sch_diagnostics_source(list, name, text ? data : NULL, bytes);
    if (sch_api_is_maxwell(kind)) return sch_api_read_maxwell(made, options, data, bytes, list);
    if (kind == SCH_KIND_DXBC)
        return sch_d3d_shader_read(allocator, limits, data, bytes, options->any_checksum, list, &made->d3d);
    if (text && sch_utf16_begins(data, bytes)) {
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_TEXT_UTF16, (struct sch_position){.line = 1, .column = 1},
                            "the text is UTF-16, and UTF-8 is read");
        return SCH_ERROR_INVALID;
    }
    const uint32_t line = options->line ? options->line : 1;
    if (kind == SCH_KIND_D3D_ASM) return sch_d3d_assemble_part(allocator, limits, data, bytes, line, list, &made->d3d);
    const struct sch_until until = sch_until_ms(options->deadline_ms, options->cancel);
    enum sch_result status = kind == SCH_KIND_TGSI_BIN
                                 ? read_binary(context, data, bytes, list, &made->ir)
                                 : sch_tgsi_parse_part(allocator, limits, data, bytes, line, &until, list, &made->ir);
    const enum sch_dialect dialect = options->dialect ? options->dialect : context->dialect;
    if (status != SCH_OK || dialect == SCH_DIALECT_TGSI) return status;
    return sch_tgsi_read_virgl(made->ir, dialect == SCH_DIALECT_VIRGL, allocator, list);
}

enum sch_result sch_shader_read(struct sch_context *context, const void *data, size_t bytes,
                                const struct sch_read_options *options, struct sch_diagnostics_list *diagnostics,
                                struct sch_shader **shader)
{
    struct sch_api_call call;
    struct sch_read_options wanted;
    sch_api_begin_input(&call, context, diagnostics, __func__, "options");
    if (shader) *shader = NULL;
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, context, "context") ||
        (bytes && !sch_api_given(&call, data, "data")) ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !sch_api_takes(call.list, ".kind", (uint32_t)wanted.kind, 0, SCH_KIND_CUBIN) ||
        !sch_api_takes(call.list, ".dialect", (uint32_t)wanted.dialect, 0, SCH_DIALECT_VIRGL))
        return sch_api_refused(&call);
    enum sch_maxwell_arch arch;
    if (!sch_api_maxwell_arch(wanted.arch, &arch))
        return sch_api_wrong(&call, ".arch", "there is no arch %d", (int)wanted.arch);

    struct sch_shader *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    made->context = context;
    made->name = sch_api_name(context, wanted.name);
    enum sch_result status = SCH_ERROR_MEMORY;
    if (made->name) {
        status = read_source(context, &wanted, data ? data : "", bytes, made->name, call.list, made);
        if (status == SCH_OK && made->d3d) status = sch_api_list_interfaces(made, made->d3d->program);
        if (status == SCH_OK && made->d3d) status = sch_api_list_ranges(made, made->d3d->program);
    }
    status = sch_api_end(&call, status);
    if (status != SCH_OK) {
        sch_shader_destroy(made);
        return status;
    }
    *shader = made;
    return SCH_OK;
}

/* Where the shaders of a text are, by either language's finder; of other inputs all is one. */
struct parts {
    enum sch_kind kind;
    struct sch_tgsi_found tgsi;
    struct sch_d3d_found d3d;
    size_t count;
};

static enum sch_result find_parts(struct sch_context *context, const char *text, size_t bytes, struct parts *parts)
{
    enum sch_result status = SCH_OK;
    *parts = (struct parts){.kind = kind_of(SCH_KIND_AUTO, text, bytes), .count = 1};
    if (parts->kind == SCH_KIND_TGSI) {
        status = sch_tgsi_find(&context->allocator, text, bytes, NULL, &parts->tgsi);
        parts->count = parts->tgsi.count;
    } else if (parts->kind == SCH_KIND_D3D_ASM) {
        status = sch_d3d_find(&context->allocator, text, bytes, &parts->d3d);
        parts->count = parts->d3d.count;
    }
    return status;
}

static void release_parts(struct parts *parts)
{
    if (parts->kind == SCH_KIND_TGSI) sch_tgsi_found_release(&parts->tgsi);
    if (parts->kind == SCH_KIND_D3D_ASM) sch_d3d_found_release(&parts->d3d);
}

static struct sch_text_shader part_at(const struct parts *parts, size_t i, size_t bytes)
{
    struct sch_text_shader made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.bytes = bytes;
    made.line = 1;
    if (parts->kind == SCH_KIND_TGSI) {
        const struct sch_tgsi_span *span = &parts->tgsi.spans[i];
        made.offset = span->line_begin;
        made.bytes = span->end - span->line_begin;
        made.line = span->line;
    } else if (parts->kind == SCH_KIND_D3D_ASM) {
        const struct sch_d3d_span *span = &parts->d3d.spans[i];
        made.offset = span->begin;
        made.bytes = span->end - span->begin;
        made.line = span->line;
    }
    return made;
}

enum sch_result sch_text_shaders(struct sch_context *context, const void *data, size_t bytes,
                                 struct sch_text_shader *list, size_t stride, size_t capacity, size_t *count)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (count) *count = 0;
    if (!sch_api_given(&call, count, "count") || !sch_api_given(&call, context, "context") ||
        (bytes && !sch_api_given(&call, data, "data")) || (capacity && !sch_api_given(&call, list, "list")))
        return sch_api_refused(&call);
    if (capacity && !sch_sized_fits(stride, sizeof *list))
        return sch_api_wrong(&call, "stride", "elements of %zu bytes: they have at least %zu", stride, sizeof *list);
    if (bytes > context->limits.source_bytes) return SCH_ERROR_LIMIT;
    struct parts parts;
    enum sch_result status = find_parts(context, data ? data : "", bytes, &parts);
    for (size_t i = 0; i < parts.count && i < capacity && status == SCH_OK; i++) {
        const struct sch_text_shader made = part_at(&parts, i, bytes);
        sch_sized_write_element((char *)list + i * stride, stride, &made, sizeof made);
    }
    if (status == SCH_OK) *count = parts.count;
    release_parts(&parts);
    return status;
}

void sch_shader_destroy(struct sch_shader *shader)
{
    if (!shader) return;
    sch_ir_destroy(shader->ir);
    sch_d3d_shader_destroy(shader->d3d);
    sch_maxwell_code_destroy(shader->maxwell);
    sch_api_free(shader->context, shader->interfaces);
    sch_api_free(shader->context, shader->ranges);
    sch_d3d_origins_release(&shader->origins);
    sch_api_free(shader->context, shader->name);
    sch_api_free(shader->context, shader);
}

enum sch_language sch_shader_language(const struct sch_shader *shader)
{
    if (shader && shader->maxwell) return SCH_LANGUAGE_MAXWELL;
    return shader && shader->d3d ? SCH_LANGUAGE_D3D : SCH_LANGUAGE_TGSI;
}

enum sch_result sch_shader_check(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (!sch_api_given(&call, shader, "shader")) return sch_api_refused(&call);
    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    enum sch_result status = shader->maxwell ? sch_api_check_maxwell(shader, SCH_SEVERITY_ERROR, list)
                             : shader->d3d   ? sch_api_check_d3d(shader, list)
                                             : sch_ir_check(shader->ir, list);
    return sch_api_end(&call, status);
}

enum sch_result sch_shader_print(const struct sch_shader *shader, const struct sch_print_options *options, char **text,
                                 size_t *bytes)
{
    if (text) *text = NULL;
    if (bytes) *bytes = 0;
    struct sch_api_call call;
    struct sch_print_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, "options");
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, text, "text") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, 2 * sizeof(size_t), options) ||
        !sch_api_takes(call.list, ".listing", (uint32_t)wanted.listing, 0, SCH_LISTING_FXC_DUMP) ||
        !sch_api_takes(call.list, ".floats", (uint32_t)wanted.floats, 0, SCH_FLOAT_TEXT_DECIMAL) ||
        !sch_api_takes(call.list, ".style", (uint32_t)wanted.style, 0, SCH_MAXWELL_TEXT_ISA))
        return sch_api_refused(&call);
    if (wanted.starts && !shader->ir) return sch_api_wrong(&call, "options.starts", "the shader is no TGSI shader");
    size_t length = 0;
    const struct sch_allocator *allocator = &shader->context->allocator;
    const size_t capacity = wanted.starts ? wanted.start_capacity : 0;
    enum sch_result status;
    if (shader->maxwell)
        status = sch_maxwell_code_print(shader->maxwell, wanted.style, wanted.labels, allocator, text, &length);
    else if (shader->d3d)
        status = sch_d3d_print(shader->d3d, wanted.listing, allocator, text, &length);
    else
        status = sch_tgsi_print_lines(shader->ir, wanted.floats, allocator, wanted.starts, capacity, text, &length);
    if (bytes) *bytes = length;
    return sch_api_end(&call, status);
}

enum sch_result sch_shader_tokens(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                  uint32_t **words, size_t *count)
{
    if (words) *words = NULL;
    if (count) *count = 0;
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, words, "words") ||
        !sch_api_given(&call, count, "count"))
        return sch_api_refused(&call);

    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    const struct sch_allocator *allocator = &shader->context->allocator;
    enum sch_result status = shader->maxwell ? sch_api_maxwell_words(shader, words, count)
                             : shader->d3d   ? sch_api_encode_d3d(shader, list, words, count)
                                             : sch_tgsi_encode(shader->ir, allocator, list, words, count);
    return sch_api_delivered(&call, status, (void **)words, count);
}

enum sch_result sch_shader_serialize(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                     void **data, size_t *bytes)
{
    if (data) *data = NULL;
    if (bytes) *bytes = 0;
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, data, "data") ||
        !sch_api_given(&call, bytes, "bytes"))
        return sch_api_refused(&call);

    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    const struct sch_allocator *allocator = &shader->context->allocator;
    enum sch_result status = shader->maxwell ? sch_api_maxwell_bytes(shader, data, bytes)
                             : shader->d3d
                                 ? sch_d3d_container_write(shader->d3d->container, allocator, list, data, bytes)
                                 : sch_tgsi_container_write(shader->ir, allocator, list, data, bytes);
    return sch_api_delivered(&call, status, data, bytes);
}
