/* What can go wrong: an invalid shader, a wrong argument, and a shader that would run for ever.
 *
 *   cc errors.c $(pkg-config --cflags --libs scheelite) -o errors && ./errors */
#include <scheelite/scheelite.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char invalid[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMUL OUT[0], IN[0], IN[1]\nEND\n";
static const char endless[] = "VERT\nDCL OUT[0], POSITION\nBGNLOOP\nENDLOOP\nMOV OUT[0], OUT[0]\nEND\n";

/* The library calls this while a wrong call runs; a breakpoint here shows who made it. */
static void on_message(void *user, const struct sch_log_message *message)
{
    (void)user;
    if (message->subject == SCH_LOG_CALL) printf("log: %s\n", message->text);
}

static enum sch_result read_program(struct sch_context *context, const char *name, const char *text,
                                    struct sch_diagnostics_list *reports, struct sch_program **program)
{
    struct sch_shader *shader;
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_TGSI, .name = name};
    *program = NULL;
    enum sch_result result = sch_shader_read(context, text, strlen(text), &options, reports, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, NULL, reports, program);
    sch_shader_destroy(shader);
    return result;
}

/* With the source line, out of the source, and a caret. */
static void print_reports(const struct sch_diagnostics_list *reports, const char *source)
{
    char text[1024];
    const struct sch_report_options options = {.size = sizeof options, .text = source, .text_bytes = strlen(source)};
    struct sch_diagnostic_info info = {.size = sizeof info};
    for (size_t i = 0; sch_diagnostics_get(reports, i, &info); i++)
        if (sch_report_format(&info, &options, text, sizeof text)) fputs(text, stdout);
}

static void read_invalid(struct sch_context *context)
{
    struct sch_diagnostics_list *reports;
    struct sch_program *program;
    if (sch_diagnostics_create(context, &reports) != SCH_OK) return;
    const enum sch_result result = read_program(context, "invalid.tgsi", invalid, reports, &program);
    printf("1. %s\n", sch_result_text(result));
    print_reports(reports, invalid);
    sch_program_destroy(program);
    sch_diagnostics_destroy(reports);
}

static void call_wrongly(struct sch_context *context)
{
    struct sch_sampler *sampler;
    struct sch_wrong_call call = {.size = sizeof call};
    const struct sch_sampler_options options = {.size = sizeof options, .min_lod = NAN};
    const enum sch_result result = sch_sampler_create(context, &options, NULL, &sampler);
    printf("2. %s\n", sch_result_text(result));
    if (sch_context_get_wrong_call(context, &call)) printf("%s, %s: %s\n", call.function, call.argument, call.reason);
}

/* `work` ends a run after so many instructions, everywhere at the same one; `deadline_ms` and `cancel` by the clock and
 * by another thread. */
static void run_endless(struct sch_context *context)
{
    struct sch_program *program;
    if (read_program(context, "endless.tgsi", endless, NULL, &program) != SCH_OK) return;
    const struct sch_dispatch_options options = {.size = sizeof options, .work = 1000};
    const struct sch_invocations one = {.size = sizeof one, .count = 1};
    struct sch_dispatch_report report = {.size = sizeof report};
    const enum sch_result result = sch_dispatch(program, NULL, &one, &options, &report);
    printf("3. %s\n", sch_result_text(result));
    printf("in line %u, after %llu instructions\n", report.line, (unsigned long long)report.instructions);
    sch_program_destroy(program);
}

int main(void)
{
    struct sch_context *context;
    const struct sch_log_callback log = {.function = on_message};
    const struct sch_context_options options = {.size = sizeof options, .log = &log};
    const enum sch_result result = sch_context_create(&options, &context);
    if (result != SCH_OK) {
        fprintf(stderr, "%s\n", sch_result_text(result));
        return 1;
    }
    read_invalid(context);
    call_wrongly(context);
    run_endless(context);
    sch_context_destroy(context);
    return 0;
}
