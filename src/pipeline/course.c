/* What the steps of a draw share: see course.h. */
#include "pipeline/course.h"

struct sch_run_options sch_course_begin_run(struct sch_course *course, bool little)
{
    struct sch_run_options options = course->options;
    *course->report = (struct sch_run_report){0}; /* runs without a group leave it as it is */
    if (course->work != UINT64_MAX) {
        options.work = course->work;
        options.no_work = !course->work;
    }
    /* A bound on the work is found by running again what has passed it, which colours that are blended do not allow. */
    if (little || course->work != UINT64_MAX) options.threads = 1;
    return options;
}

enum sch_result sch_course_end_run(struct sch_course *course, enum sch_stage stage, enum sch_result status)
{
    const uint64_t done = course->report->instructions;
    if (course->work != UINT64_MAX) course->work -= done;
    course->instructions += done;
    course->report->instructions = course->instructions;
    if (status != SCH_OK) *course->stage = stage;
    return status;
}

enum sch_result sch_generation_status(const struct sch_generation *generation)
{
    for (uint32_t c = 0; c < generation->count; c++)
        if (generation->chunks[c].status != SCH_OK) return generation->chunks[c].status;
    return SCH_OK;
}
