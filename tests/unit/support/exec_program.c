/* See exec_program.h. */
#include "exec_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "ir/check.h"
#include "tgsi/tgsi.h"

static void fail_of(const char *text, const struct sch_diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].severity == SCH_SEVERITY_ERROR)
            fail_msg("%s%u:%u: %s", text, list->items[i].position.line, list->items[i].position.column,
                     list->items[i].message);
    fail_msg("%s", text);
}

static struct sch_ir_shader *read_text(const char *text, bool checked)
{
    struct sch_diagnostics list;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    if (shader && checked) sch_ir_check(shader, &list);
    if (!shader || list.errors) fail_of(text, &list);
    sch_diagnostics_release(&list);
    return shader;
}

struct sch_ir_shader *parsed_shader(const char *text) { return read_text(text, false); }

struct sch_ir_shader *checked_shader(const char *text) { return read_text(text, true); }

struct sch_exec_program *exec_program(const char *text, const struct sch_exec_options *options)
{
    struct sch_diagnostics list;
    struct sch_ir_shader *shader = parsed_shader(text);
    struct sch_exec_program *program = NULL;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    if (sch_exec_create(shader, options, &sch_allocator_libc, &list, &program) != SCH_OK) fail_of(text, &list);
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return program;
}
