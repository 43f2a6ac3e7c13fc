/* Times what the library does: `timings [SUBJECT] [OPTION]... [FILE]...`, which ./dev bench runs.
 * docs/performance.md explains subjects and columns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/support/words.h"
#include "timings.h"

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double bench_now(void) { return seconds_of(CLOCK_MONOTONIC); }
double bench_processor(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

int bench_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool bench_good(const char *name, enum sch_result result)
{
    if (result != SCH_OK) fprintf(stderr, "timings: %s: %s\n", name, sch_result_text(result));
    return result == SCH_OK;
}

void bench_print_reports(struct sch_context *context, const struct sch_diagnostics_list *list,
                         const struct bench_source *source)
{
    const struct sch_report_options options = {
        .size = sizeof options, .text = source->data, .text_bytes = source->bytes};
    char *reports = NULL;
    if (sch_diagnostics_print(list, &options, &reports, NULL) == SCH_OK) fputs(reports, stderr);
    sch_free(context, reports);
}

enum sch_result bench_program(struct sch_context *context, const char *name, const char *text,
                              const struct sch_program_options *options, struct sch_program **program)
{
    const struct sch_read_options reading = {.size = sizeof reading, .name = name};
    struct sch_shader *shader = NULL;
    struct sch_diagnostics_list *list;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result != SCH_OK) return result;
    result = sch_shader_read(context, text, strlen(text), &reading, list, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, options, list, program);
    if (result != SCH_OK) bench_print_reports(context, list, &(struct bench_source){name, text, strlen(text)});
    sch_diagnostics_destroy(list);
    sch_shader_destroy(shader);
    return result;
}

void *bench_read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t room = 0;
    *bytes = 0;
    while (file && *bytes == room) {
        char *more = realloc(data, room += 1 << 16);
        if (!more) break;
        data = more;
        *bytes += fread(data + *bytes, 1, room - *bytes, file);
    }
    const bool whole = file && !ferror(file) && *bytes < room;
    if (!whole) fprintf(stderr, "timings: cannot read %s: %s\n", path, strerror(errno));
    if (file) fclose(file);
    if (whole) return data;
    free(data);
    return NULL;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* What is measured, and the options that it takes; FILE: files. */
static const struct subject {
    const char *name, *options;
    bench_table_fn *run;
} subjects[] = {{"", "--engine --width --threads --compiler --milliseconds", bench_shaders},
                {"tex", "--engine --width --threads --compiler --milliseconds", bench_lookups},
                {"compile", "--width --compiler FILE", bench_compile},
                {"d3d", "--milliseconds FILE", bench_d3d},
                {"stop", "--engine --width --threads --compiler", bench_stop},
                {"threads", "--engine --width --compiler --milliseconds", bench_threads},
                {"debug", "--width", bench_debug}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static bool take_number(const char *value, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end;
    const unsigned long long read = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || read < least || read > most) return false;
    *number = (uint32_t)read;
    return true;
}

static bool take_option(struct bench_setup *setup, const char *name, const char *value)
{
    uint32_t milliseconds;
    if (strcmp(name, "--width") == 0)
        return take_number(value, 4, 16, &setup->program.width) && !(setup->program.width & (setup->program.width - 1));
    if (strcmp(name, "--threads") == 0) return take_number(value, 1, 1024, &setup->dispatch.threads);
    if (strcmp(name, "--milliseconds") == 0) {
        if (!take_number(value, 1, 1000000, &milliseconds)) return false;
        setup->seconds = milliseconds * 1e-3;
        return true;
    }
    if (strcmp(name, "--compiler") == 0) {
        setup->compiler = value;
        return true;
    }
    uint32_t engine;
    if (strcmp(name, "--engine") != 0 || !sch_words_find(sch_engine_words, value, strlen(value), &engine)) return false;
    setup->program.engine = (enum sch_engine)engine;
    return engine != SCH_ENGINE_MAXWELL;
}

static const struct subject *take_arguments(int count, char **words, struct bench_setup *setup)
{
    const struct subject *subject = &subjects[0];
    for (size_t i = 1; count > 1 && i < SUBJECTS; i++)
        if (strcmp(words[1], subjects[i].name) == 0) subject = &subjects[i];
    setup->paths = words + 1; /* options leave their place to the files that follow them */
    for (int i = subject == subjects ? 1 : 2; i < count; i++) {
        const bool option = words[i][0] == '-';
        if (!strstr(subject->options, option ? words[i] : "FILE")) return NULL;
        if (!option)
            setup->paths[setup->path_count++] = words[i];
        else if (i + 1 == count || !take_option(setup, words[i], words[i + 1]))
            return NULL;
        else
            i++;
    }
    return subject;
}

static int usage(void)
{
    fputs("usage: ./dev bench [SUBJECT] [OPTION]... [FILE]...\n", stderr);
    for (size_t i = 0; i < SUBJECTS; i++)
        fprintf(stderr, "  ./dev bench%s%s\t%s\n", *subjects[i].name ? " " : "", subjects[i].name, subjects[i].options);
    fputs("--engine is auto, interp or jit; --width 4, 8 or 16; --threads 1 to 1024; --milliseconds 1 to 1000000\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct bench_setup setup = {.program = {.size = sizeof setup.program, .engine = SCH_ENGINE_INTERPRETER},
                                .dispatch = {.size = sizeof setup.dispatch},
                                .seconds = 0.5};
    const struct subject *subject = take_arguments(argc, argv, &setup);
    if (!subject) return usage();
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = setup.compiler};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    /* Processes of their own compile, and must not find a thread or a compiler of this one. */
    if (subject->run != bench_compile && !bench_good("context", sch_context_create(&options, &setup.context))) return 1;
    const bool good = subject->run(&setup);
    sch_context_destroy(setup.context);
    return good ? 0 : 1;
}
