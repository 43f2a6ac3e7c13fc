/* The checks of d3d_roundtrip.h. */
#include "d3d_roundtrip.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/check/check.h"
#include "d3d/lower/lower.h"
#include "d3d/text/text.h"
#include "exec/exec.h"
#include "ir/check.h"
#include "tgsi/tgsi.h"

/* Signatures that assemble have at most so many elements. */
enum { MOST_ELEMENTS = 1024 };

static struct sch_limits limits_of_fuzzing(void)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.memory = (size_t)64 << 20;
    return limits;
}

static enum sch_result read_container(const void *data, size_t bytes, struct sch_d3d_shader **shader, size_t *errors)
{
    struct sch_limits limits = limits_of_fuzzing();
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status = sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, &list, shader);
    *errors = list.errors;
    sch_diagnostics_release(&list);
    return status;
}

static enum sch_result read_text(const void *data, size_t bytes, struct sch_d3d_shader **shader, size_t *errors)
{
    struct sch_limits limits = limits_of_fuzzing();
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, "fuzz", data, bytes);
    enum sch_result status = sch_d3d_assemble(&sch_allocator_libc, &limits, data, bytes, &list, shader);
    *errors = list.errors;
    sch_diagnostics_release(&list);
    return status;
}

/* What a refusal must be like. */
static const char *judge_refusal(enum sch_result status, size_t errors)
{
    if (status == SCH_ERROR_MEMORY) return NULL;
    if (status != SCH_ERROR_INVALID && status != SCH_ERROR_LIMIT) return "refused with a strange status";
    return errors ? NULL : "refused without a report";
}

static bool compare_programs(const struct sch_d3d_program *a, const struct sch_d3d_program *b, bool words)
{
    uint32_t *one = NULL, *other = NULL;
    size_t left, right;
    bool same = sch_d3d_encode(a, &sch_allocator_libc, NULL, &one, &left) == SCH_OK &&
                sch_d3d_encode(b, &sch_allocator_libc, NULL, &other, &right) == SCH_OK && left == right &&
                (!words || !memcmp(one, other, left * sizeof *one));
    free(one);
    free(other);
    return same;
}

static bool same_program(const struct sch_d3d_program *a, const struct sch_d3d_program *b)
{
    return compare_programs(a, b, true);
}

static bool same_size(const struct sch_d3d_program *a, const struct sch_d3d_program *b)
{
    return compare_programs(a, b, false);
}

static char *print(const struct sch_d3d_shader *shader, enum sch_listing_style style)
{
    char *text;
    size_t bytes;
    return sch_d3d_print(shader, style, &sch_allocator_libc, &text, &bytes) == SCH_OK ? text : NULL;
}

static bool same_bytes(const struct sch_d3d_shader *a, const struct sch_d3d_shader *b)
{
    void *one = NULL, *other = NULL;
    size_t left, right;
    bool same = sch_d3d_container_write(a->container, &sch_allocator_libc, NULL, &one, &left) == SCH_OK &&
                sch_d3d_container_write(b->container, &sch_allocator_libc, NULL, &other, &right) == SCH_OK &&
                left == right && !memcmp(one, other, left);
    free(one);
    free(other);
    return same;
}

/* The listing says everything: it assembles to the container that it is of, a wrong checksum included. */
static const char *check_again(struct sch_d3d_shader *shader, const char *text, const struct sch_d3d_shader *again)
{
    char *second = print(again, SCH_LISTING_FXC);
    const char *finding = second && !strcmp(text, second) ? NULL : "a listing comes back as another";
    free(second);
    shader->container->keeps_checksum = !shader->container->checksum_right;
    if (!finding && !same_bytes(shader, again)) finding = "a listing assembles to another container";
    shader->container->keeps_checksum = false;
    return finding;
}

/* What the spellings of others leave out: words behind operands, lengths in words of their own, the order of extended
 * tokens, tokens that say nothing. Such a program is not asked to come back as the same words. */
static bool operand_is_plain(const struct sch_d3d_operand *operand)
{
    if (operand->extended && !operand->modifier && !operand->precision && !operand->nonuniform) return false;
    for (unsigned i = 0; i < operand->index_count; i++) {
        const struct sch_d3d_index *index = &operand->index[i];
        if (index->relative && !operand_is_plain(index->relative)) return false;
    }
    return true;
}

static bool is_plain(const struct sch_d3d_program *program)
{
    if (program->trailing_count) return false;
    for (size_t i = 0; i < program->count; i++) {
        const struct sch_d3d_instruction *at = &program->instructions[i];
        if (at->spare_count || at->long_length) return false;
        for (unsigned k = 1; k < at->extended_count; k++)
            if ((at->extended[k - 1] & 0x3f) > (at->extended[k] & 0x3f)) return false;
        for (unsigned k = 0; k < at->operand_count; k++)
            if (!operand_is_plain(&at->operands[k])) return false;
    }
    return true;
}

/* The spellings of others assemble to the same program, where they can say all of it; of fxc's, whose floats have six
 * digits after the point, only the number of words is asked for. Names of signatures that tables of comments cannot
 * hold are not asked for. */
static const char *check_spelling(const struct sch_d3d_shader *shader, enum sch_listing_style style)
{
    bool named = false;
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++) named |= shader->signatures[i].count > 0;
    if ((style == SCH_LISTING_FXC_DUMP && named) || !is_plain(shader->program)) return NULL;
    char *text = print(shader, style);
    struct sch_d3d_shader *again = NULL;
    size_t errors;
    enum sch_result status = text ? read_text(text, strlen(text), &again, &errors) : SCH_ERROR_MEMORY;
    const char *finding = status == SCH_ERROR_INVALID ? "a listing in another spelling does not assemble" : NULL;
    const bool rounded = style == SCH_LISTING_FXC_DUMP;
    if (again && !(rounded ? same_size : same_program)(shader->program, again->program))
        finding = "a listing in another spelling assembles to another program";
    sch_d3d_shader_destroy(again);
    free(text);
    return finding;
}

static const char *check_listing(struct sch_d3d_shader *shader)
{
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++)
        if (shader->signatures[i].count > MOST_ELEMENTS) return NULL;
    char *text = print(shader, SCH_LISTING_FXC);
    const char *finding = text ? check_spelling(shader, SCH_LISTING_VKD3D) : "a shader does not print";
    if (!finding) finding = check_spelling(shader, SCH_LISTING_FXC_DUMP);
    struct sch_d3d_shader *again = NULL;
    size_t errors;
    enum sch_result status = finding ? SCH_OK : read_text(text, strlen(text), &again, &errors);
    if (status != SCH_OK && status != SCH_ERROR_LIMIT && status != SCH_ERROR_MEMORY)
        finding = "a listing does not assemble";
    if (again) finding = check_again(shader, text, again);
    sch_d3d_shader_destroy(again);
    free(text);
    return finding;
}

static bool same_listing(const struct sch_d3d_shader *a, const struct sch_d3d_shader *b)
{
    char *one = print(a, SCH_LISTING_FXC), *other = print(b, SCH_LISTING_FXC);
    bool same = one && other && !strcmp(one, other);
    free(one);
    free(other);
    return same;
}

static const char *check_container(const struct sch_d3d_shader *shader)
{
    void *data;
    size_t bytes, errors;
    if (sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes) != SCH_OK)
        return "a container cannot be written";
    struct sch_d3d_shader *again = NULL;
    const char *finding = NULL;
    if (read_container(data, bytes, &again, &errors) != SCH_OK)
        finding = "a written container is refused";
    else if (!again->container->checksum_right && !shader->container->keeps_checksum)
        finding = "a written container has a wrong checksum";
    else if (!same_program(shader->program, again->program))
        finding = "a written container has another program";
    /* A wrong checksum that was read is not written. */
    if (!finding && shader->container->checksum_right && !same_listing(shader, again))
        finding = "a written container has another listing";
    sch_d3d_shader_destroy(again);
    free(data);
    return finding;
}

/* The rules: an answer, and reports where it is no. */
static const char *check_rules(const struct sch_d3d_shader *shader)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status = sch_d3d_check(shader->program, shader->signatures, &list);
    bool agrees = status == SCH_ERROR_MEMORY || (list.errors ? status == SCH_ERROR_INVALID : status == SCH_OK);
    sch_diagnostics_release(&list);
    return agrees ? NULL : "the rules have another answer than reports";
}

/* A lowered shader that passes the check prints as text that reads back, and an engine takes it. */
static const char *check_lowered(const struct sch_ir_shader *ir)
{
    struct sch_limits limits = limits_of_fuzzing();
    if (sch_ir_check(ir, NULL) != SCH_OK) return NULL;
    char *text;
    size_t bytes;
    if (sch_tgsi_print(ir, SCH_FLOAT_TEXT_SOURCE, &sch_allocator_libc, &text, &bytes) != SCH_OK) return NULL;
    struct sch_ir_shader *again = NULL;
    enum sch_result status = sch_tgsi_parse(&sch_allocator_libc, &limits, text, bytes, NULL, &again);
    const char *finding = status == SCH_ERROR_INVALID ? "a lowered shader's text does not read" : NULL;
    sch_ir_destroy(again);
    free(text);
    struct sch_exec_program *program = NULL;
    status = sch_exec_create(ir, NULL, &sch_allocator_libc, NULL, &program);
    if (status != SCH_OK && status != SCH_ERROR_MEMORY && status != SCH_ERROR_LIMIT)
        finding = "a lowered shader cannot be prepared";
    sch_exec_destroy(program);
    return finding;
}

/* Lowering takes any program, also one that breaks rules: an answer, and a report where it is no. */
static const char *check_lowering(const struct sch_d3d_shader *shader)
{
    struct sch_limits limits = limits_of_fuzzing();
    struct sch_diagnostics list;
    struct sch_ir_shader *ir;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status =
        sch_d3d_lower(shader->program, shader->signatures, &sch_allocator_libc, &limits, &list, NULL, &ir);
    const char *finding = NULL;
    if ((status == SCH_OK) != (ir != NULL)) finding = "lowering has another answer than a shader";
    if (status == SCH_ERROR_UNSUPPORTED && !list.errors) finding = "lowering refuses without a report";
    if (ir && !finding) finding = check_lowered(ir);
    sch_ir_destroy(ir);
    sch_diagnostics_release(&list);
    return finding;
}

static const char *check(enum sch_result status, struct sch_d3d_shader *shader, size_t errors)
{
    if (status != SCH_OK) return judge_refusal(status, errors);
    const char *finding = errors ? "accepted with errors" : check_container(shader);
    if (!finding) finding = check_listing(shader);
    if (!finding) finding = check_rules(shader);
    if (!finding && sch_d3d_has_program(shader)) finding = check_lowering(shader);
    sch_d3d_shader_destroy(shader);
    return finding;
}

const char *sch_d3d_roundtrip_container(const void *data, size_t bytes)
{
    struct sch_d3d_shader *shader;
    size_t errors;
    enum sch_result status = read_container(data, bytes, &shader, &errors);
    return check(status, shader, errors);
}

const char *sch_d3d_roundtrip_text(const void *data, size_t bytes)
{
    struct sch_d3d_shader *shader;
    size_t errors;
    enum sch_result status = read_text(data, bytes, &shader, &errors);
    return check(status, shader, errors);
}
