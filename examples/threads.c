/* Many shaders on threads: one context, four threads, each of which reads, checks and runs shaders of its own. What a
 * thread makes belongs to it; the context is shared.
 *
 *   cc threads.c $(pkg-config --cflags --libs scheelite) -pthread -o threads && ./threads */
#include <scheelite/scheelite.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SHADERS = 16, THREADS = 4 };

/* Shader n computes n to the power of 4 (in x) and its square root (in y). */
static const char pattern[] = "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {%d.0, 0.0, 0.0, 0.0}\nDCL TEMP[0]\n"
                              "MUL TEMP[0].x, IMM[0].xxxx, IMM[0].xxxx\nMUL OUT[0].x, TEMP[0].xxxx, TEMP[0].xxxx\n"
                              "SQRT OUT[0].y, IMM[0].xxxx\nEND\n";

struct job {
    struct sch_context *context;
    int number;
    enum sch_result result;
    float x, y;
    char *reports; /* "": there was nothing to report */
};

static enum sch_result run(struct job *job, const struct sch_program *program, struct sch_diagnostics_list *reports)
{
    float outputs[4] = {0};
    const struct sch_invocations one = {.size = sizeof one,
                                        .count = 1,
                                        .outputs = (uint32_t *)(void *)outputs,
                                        .output_bytes = sizeof outputs,
                                        .output_registers = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = reports};
    const enum sch_result result = sch_dispatch(program, NULL, &one, &options, NULL);
    job->x = outputs[0];
    job->y = outputs[1];
    return result;
}

/* Every object but the context is of this thread alone. */
static void do_job(struct job *job)
{
    struct sch_diagnostics_list *reports = NULL;
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    char text[sizeof pattern + 16], name[32];
    snprintf(text, sizeof text, pattern, job->number);
    snprintf(name, sizeof name, "shader %d", job->number);
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_TGSI, .name = name};
    enum sch_result result = sch_diagnostics_create(job->context, &reports);
    if (result == SCH_OK) result = sch_shader_read(job->context, text, strlen(text), &options, reports, &shader);
    if (result == SCH_OK) result = sch_program_create(job->context, shader, NULL, reports, &program);
    if (result == SCH_OK) result = run(job, program, reports);
    if (reports && sch_diagnostics_print(reports, NULL, &job->reports, NULL) != SCH_OK) job->reports = NULL;
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(reports);
    job->result = result;
}

/* A thread does every fourth job. */
struct worker {
    pthread_t thread;
    struct job *first;
    int count;
};

static void *work(void *user)
{
    const struct worker *worker = user;
    for (int i = 0; i < worker->count; i += THREADS) do_job(&worker->first[i]);
    return NULL;
}

int main(void)
{
    struct job jobs[SHADERS];
    struct worker workers[THREADS];
    struct sch_context *context;
    enum sch_result result = sch_context_create(NULL, &context);
    if (result != SCH_OK) return 1;
    for (int i = 0; i < SHADERS; i++) jobs[i] = (struct job){.context = context, .number = i};

    int started = 0;
    for (; started < THREADS; started++) {
        workers[started] = (struct worker){.first = jobs + started, .count = SHADERS - started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started])) break;
    }
    for (int t = started; t < THREADS; t++) { /* what got no thread is done here */
        workers[t] = (struct worker){.first = jobs + t, .count = SHADERS - t};
        work(&workers[t]);
    }
    for (int t = 0; t < started; t++) pthread_join(workers[t].thread, NULL);

    for (int i = 0; i < SHADERS; i++) {
        if (jobs[i].result == SCH_OK)
            printf("%d: %g %.3f\n", i, (double)jobs[i].x, (double)jobs[i].y);
        else
            result = jobs[i].result;
        if (jobs[i].reports) fputs(jobs[i].reports, stderr);
        sch_free(context, jobs[i].reports);
    }
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    sch_context_destroy(context);
    return result != SCH_OK;
}
