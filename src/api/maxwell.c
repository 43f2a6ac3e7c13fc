/* Maxwell programs and single instructions behind the public header: reading any form, checking, printing, words. What
 * they mean is in src/maxwell. */
#include "api/maxwell.h"

#include <string.h>

#include "api/api.h"
#include "isa/errors.h"
#include "maxwell/slots/slots.h"
#include "maxwell/text/tables.h"

bool sch_api_maxwell_arch(enum sch_maxwell_arch given, enum sch_maxwell_arch *arch)
{
    *arch = given == SCH_MAXWELL_ARCH_DEFAULT ? SCH_MAXWELL_SM_50 : given;
    return sch_maxwell_arch_is(*arch);
}

static bool style_is(enum sch_maxwell_text_style style)
{
    return style == SCH_MAXWELL_TEXT_NVDISASM || style == SCH_MAXWELL_TEXT_ISA;
}

/* ---- kinds ---- */

static bool is_elf(const void *data, size_t bytes) { return bytes >= 4 && memcmp(data, "\177ELF", 4) == 0; }

/* Whether all bytes are characters, white space or UTF-8: raw code, whose control words have zero bytes, never is. */
static bool is_text(const unsigned char *text, size_t bytes)
{
    unsigned follow = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = text[i];
        if (follow) {
            if ((c & 0xc0) != 0x80) return false;
            follow--;
        } else if (c >= 0xc2 && c <= 0xf4)
            follow = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        else if (c >= 0x7f || (c < 0x20 && (c < '\t' || c > '\r')))
            return false;
    }
    return true;
}

/* Skips white space and comments. */
static size_t skip_blanks(const char *text, size_t bytes, size_t at)
{
    while (at < bytes) {
        const char *end = NULL;
        if (strchr(" \t\r\n\f\v;", text[at]) && text[at])
            at++;
        else if (bytes - at >= 2 && memcmp(text + at, "//", 2) == 0) {
            end = memchr(text + at, '\n', bytes - at);
            at = end ? (size_t)(end - text) : bytes;
        } else if (bytes - at >= 2 && memcmp(text + at, "/*", 2) == 0) {
            for (at += 2; bytes - at >= 2 && memcmp(text + at, "*/", 2) != 0;) at++;
            at = bytes - at >= 2 ? at + 2 : bytes;
        } else
            break;
    }
    return at;
}

static bool is_word(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/* The first statement of a Maxwell text: a directive, a brace, a guard, or a texture operation. */
static bool is_statement(const char *text, size_t bytes)
{
    static const char *const beginnings[] = {".arch ",     ".arch\t", ".section ", ".section\t", ".control ",
                                             ".control\t", ".word ",  ".word\t",   ".bits ",     ".bits\t",
                                             "{ ",         "@P",      "@!P"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i]);
        if (bytes >= length && memcmp(text, beginnings[i], length) == 0) return true;
    }
    for (size_t i = 0; i < SCH_MAXWELL_OPERATIONS; i++) {
        size_t length = strlen(sch_maxwell_operation_names[i]);
        if (bytes < length || memcmp(text, sch_maxwell_operation_names[i], length) != 0) continue;
        if (bytes == length || !is_word(text[length])) return true;
    }
    return false;
}

enum sch_maxwell_kind sch_maxwell_recognise(const void *data, size_t bytes)
{
    if (!data) return SCH_MAXWELL_KIND_AUTO;
    if (is_elf(data, bytes)) return SCH_MAXWELL_KIND_CUBIN;
    size_t at = skip_blanks(data, bytes, 0);
    return is_statement((const char *)data + at, bytes - at) ? SCH_MAXWELL_KIND_TEXT : SCH_MAXWELL_KIND_AUTO;
}

/* ---- reading ---- */

static enum sch_result read_code(struct sch_maxwell_program *program, const void *data, size_t bytes,
                                 const struct sch_maxwell_read_options *options, struct sch_diagnostics *list)
{
    struct sch_context *context = program->context;
    if (bytes > context->limits.source_bytes) {
        sch_diagnostics_name(list, program->name);
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_SOURCE_TOO_LARGE,
                            (struct sch_position){.offset = context->limits.source_bytes},
                            "the source has %zu bytes, but the limit is %zu", bytes, context->limits.source_bytes);
        return SCH_ERROR_LIMIT;
    }
    struct sch_maxwell_read how = {
        .allocator = &context->allocator, .limits = &context->limits, .diagnostics = list, .arch = options->arch};
    program->kind = options->kind;
    if (program->kind == SCH_MAXWELL_KIND_AUTO)
        program->kind = is_elf(data, bytes)    ? SCH_MAXWELL_KIND_CUBIN
                        : is_text(data, bytes) ? SCH_MAXWELL_KIND_TEXT
                                               : SCH_MAXWELL_KIND_RAW;
    bool text = program->kind == SCH_MAXWELL_KIND_TEXT;
    sch_diagnostics_source(list, program->name, text ? data : NULL, bytes);
    if (text) return sch_maxwell_read_text(&how, data, bytes, &program->code);
    if (program->kind == SCH_MAXWELL_KIND_CUBIN) return sch_maxwell_read_cubin(&how, data, bytes, &program->code);
    return sch_maxwell_read_raw(&how, data, bytes, &program->code);
}

enum sch_result sch_maxwell_program_read(struct sch_context *context, const void *data, size_t bytes,
                                         const struct sch_maxwell_read_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_maxwell_program **program)
{
    struct sch_api_call call;
    struct sch_maxwell_read_options wanted;
    enum sch_maxwell_arch arch;
    sch_api_begin_input(&call, context, diagnostics, __func__, "options");
    if (program) *program = NULL;
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, context, "context") ||
        (bytes && !sch_api_given(&call, data, "data")) ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, offsetof(struct sch_maxwell_read_options, schedule),
                      options) ||
        !sch_api_takes(call.list, ".kind", (uint32_t)wanted.kind, 0, SCH_MAXWELL_KIND_CUBIN))
        return sch_api_refused(&call);
    if (!sch_api_maxwell_arch(wanted.arch, &arch))
        return sch_api_wrong(&call, ".arch", "arch %d is none", (int)wanted.arch);

    struct sch_maxwell_program *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    made->context = context;
    made->name = sch_api_name(context, wanted.name);
    enum sch_result status = SCH_ERROR_MEMORY;
    if (made->name) status = read_code(made, data ? data : "", bytes, &wanted, call.list);
    if (status == SCH_OK && wanted.schedule)
        status = sch_maxwell_slots_make(made->code, &context->allocator, context->limits.memory);
    status = sch_api_end(&call, status);
    if (status != SCH_OK) {
        sch_maxwell_program_destroy(made);
        return status;
    }
    *program = made;
    return SCH_OK;
}

void sch_maxwell_program_destroy(struct sch_maxwell_program *program)
{
    if (!program) return;
    sch_maxwell_code_destroy(program->code);
    sch_api_free(program->context, program->name);
    sch_api_free(program->context, program);
}

/* ---- programs ---- */

static enum sch_result check(const char *function, const struct sch_maxwell_program *program,
                             enum sch_severity severity, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(program), diagnostics, function, NULL);
    if (!sch_api_given(&call, program, "program")) return sch_api_refused(&call);
    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, program->name);
    const bool broken = sch_maxwell_code_check(program->code, severity, list) && severity == SCH_SEVERITY_ERROR;
    const struct sch_context *context = program->context;
    sch_maxwell_targets_check(program->code, list);
    enum sch_result status = sch_maxwell_slots_check(program->code, &context->allocator, context->limits.memory, list);
    if (broken && status == SCH_OK) status = SCH_ERROR_INVALID;
    return sch_api_end(&call, status);
}

enum sch_result sch_maxwell_program_check(const struct sch_maxwell_program *program,
                                          struct sch_diagnostics_list *diagnostics)
{
    return check(__func__, program, SCH_SEVERITY_ERROR, diagnostics);
}

enum sch_result sch_maxwell_program_warn(const struct sch_maxwell_program *program,
                                         struct sch_diagnostics_list *diagnostics)
{
    return check(__func__, program, SCH_SEVERITY_WARNING, diagnostics);
}

enum sch_result sch_maxwell_program_print(const struct sch_maxwell_program *program,
                                          const struct sch_maxwell_print_options *options, char **text, size_t *bytes)
{
    if (text) *text = NULL;
    if (bytes) *bytes = 0;
    struct sch_api_call call;
    struct sch_maxwell_print_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, "options");
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, text, "text") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, offsetof(struct sch_maxwell_print_options, labels),
                      options))
        return sch_api_refused(&call);
    if (!style_is(wanted.style)) return sch_api_wrong(&call, ".style", "style %d is none", (int)wanted.style);
    size_t length = 0;
    enum sch_result status = sch_maxwell_code_print(program->code, wanted.style, wanted.labels != 0,
                                                    &program->context->allocator, text, &length);
    if (bytes) *bytes = length;
    return sch_api_end(&call, status);
}

enum sch_result sch_maxwell_program_words(const struct sch_maxwell_program *program, uint64_t **words, size_t *count)
{
    if (words) *words = NULL;
    if (count) *count = 0;
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, NULL);
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, words, "words") ||
        !sch_api_given(&call, count, "count"))
        return sch_api_refused(&call);
    size_t length = sch_maxwell_code_words(program->code);
    uint64_t *made = sch_api_alloc(program->context, length * sizeof *made);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    sch_maxwell_code_write(program->code, made);
    *words = made;
    *count = length;
    return SCH_OK;
}

enum sch_result sch_maxwell_program_get_info(const struct sch_maxwell_program *program,
                                             struct sch_maxwell_program_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, NULL);
    if (!sch_api_given(&call, program, "program") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    uint64_t *words, hash = SCH_API_HASH_OF_NOTHING;
    size_t count;
    enum sch_result result = sch_maxwell_program_words(program, &words, &count);
    if (result != SCH_OK) return result;
    for (size_t i = 0; i < count; i++) hash = sch_api_hash(hash, words[i], sizeof *words);
    sch_api_free(program->context, words);
    const struct sch_maxwell_code *code = program->code;
    struct sch_maxwell_program_info known;
    memset(&known, 0, sizeof known); /* padding, too */
    known.kind = program->kind;
    known.arch = (enum sch_maxwell_arch)code->arch;
    known.sections = (uint32_t)code->section_count;
    known.instructions = (uint32_t)code->instructions;
    known.textures = (uint32_t)code->textures;
    known.hash = hash;
    known.unknown = (uint32_t)code->unknown;
    sch_sized_write(info, &known, sizeof known);
    return SCH_OK;
}

bool sch_maxwell_program_section(const struct sch_maxwell_program *program, size_t index,
                                 struct sch_maxwell_section_info *info)
{
    if (!program || !info || !sch_sized_fits(info->size, offsetof(struct sch_maxwell_section_info, barriers)))
        return false;
    if (index >= program->code->section_count) return false;
    const struct sch_maxwell_section *section = &program->code->sections[index];
    struct sch_maxwell_section_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = section->name;
    made.instructions = (uint32_t)section->count;
    made.textures = (uint32_t)section->textures;
    made.registers = section->registers;
    made.is_kernel = section->entry;
    made.barriers = section->barriers;
    made.shared_bytes = section->shared;
    made.local_bytes = section->local;
    made.stack_bytes = section->stack;
    made.constant_bytes = section->constants;
    made.parameters = section->parameters;
    made.parameter_bytes = section->parameter_bytes;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_maxwell_program_note(const struct sch_maxwell_program *program, size_t index,
                              struct sch_maxwell_note_info *info)
{
    if (!program || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (index >= program->code->note_count) return false;
    const struct sch_maxwell_note *note = &program->code->notes[index];
    struct sch_maxwell_note_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.kind = (enum sch_maxwell_note_kind)note->kind;
    made.section = note->section == SCH_MAXWELL_NOTE_FILE ? -1 : (int32_t)note->section;
    made.offset = note->offset;
    made.name = note->name;
    made.text = note->text;
    sch_sized_write(info, &made, sizeof made);
    return true;
}
