/* A warp of Maxwell code for tests: its registers one by one, run through the public interface as 32 invocations. */
#ifndef TEST_MAXWELL_GROUP_H
#define TEST_MAXWELL_GROUP_H

#include <scheelite/scheelite.h>

enum { GROUP_LANES = SCH_MAXWELL_GROUP_LANES };

struct maxwell_group {
    uint32_t registers[SCH_MAXWELL_GROUP_REGISTERS][GROUP_LANES];
    uint32_t predicates[SCH_MAXWELL_GROUP_PREDICATES]; /* a bit for each lane */
    uint32_t active, killed;                           /* likewise; of active ones, helpers */
};

/* What code sees: the machine, constant bank 0, whether quads have derivatives, lanes of a vector, threads. */
struct maxwell_environment {
    struct sch_maxwell_bindings machine;
    const uint32_t *constants;
    size_t constant_count;
    bool pixel_shader;
    unsigned width, threads;
};

/* Reads Maxwell code; of options without a kind, and without options, that is MAXWELL. */
enum sch_result maxwell_read(struct sch_context *context, const void *data, size_t bytes,
                             const struct sch_read_options *options, struct sch_diagnostics_list *list,
                             struct sch_shader **shader);

/* Runs a program on a group, which stays as it is unless OK. `list` may be NULL. */
enum sch_result maxwell_dispatch(const struct sch_program *program, const struct maxwell_environment *environment,
                                 struct maxwell_group *group, struct sch_diagnostics_list *list);
/* The same, with a program that is made of the shader. */
enum sch_result maxwell_run(struct sch_context *context, const struct sch_shader *shader,
                            const struct maxwell_environment *environment, struct maxwell_group *group,
                            struct sch_diagnostics_list *list);

/* A session that stands before the first instruction of lane `lane` of a group. It needs the group until it ends. */
struct maxwell_session {
    const struct sch_program *program;
    const struct maxwell_environment *environment;
    struct maxwell_group *group;
    struct sch_debug *debug;
};
enum sch_result maxwell_debug(struct sch_context *context, struct maxwell_session *session, uint32_t lane);

#endif
