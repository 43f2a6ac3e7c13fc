/* What the handlers of Maxwell code share: what is read of the run, one thread's state, registers, lanes that execute,
 * results, failures. */
#ifndef SCH_MAXWELL_RUN_THREAD_H
#define SCH_MAXWELL_RUN_THREAD_H

#include "exec/engine.h"
#include "exec/job.h"
#include "exec/machine.h"
#include "isa/errors.h"
#include "maxwell/header/surface.h"
#include "maxwell/run/machine.h"
#include "maxwell/run/step.h"
#include "maxwell/run/warp.h"

/* The registers of ADDRESS: the predicates, then the flags. */
enum { SCH_MAXWELL_CC = SCH_MAXWELL_GROUP_PREDICATES, SCH_MAXWELL_ADDRESSES };

/* What a run has. Ranges are in the order of their addresses. */
struct sch_maxwell_run {
    struct sch_maxwell_sharing sharing;
    const struct sch_maxwell_range *ranges;
    uint32_t range_count;
    uint32_t shared_window, local_window; /* 0: there is none */
    void *code;                           /* of machine code (native/native.h) */
};

/* Arrivals of a group at a barrier of its block that is not complete. */
enum { SCH_MAXWELL_BARRIERS = 16 };
struct sch_maxwell_arrival {
    uint32_t threads;       /* 0: none */
    uint32_t expected;      /* threads; 0: all of the block */
    uint32_t truths, lanes; /* BAR.RED: the predicate, of those that ask */
    uint8_t mode;           /* table BARRED */
};
struct sch_maxwell_waiting {
    struct sch_exec_at of; /* the group */
    struct sch_maxwell_arrival barrier[SCH_MAXWELL_BARRIERS];
    uint32_t instruction; /* that it is held at... */
    uint8_t at;           /* ...and the barrier */
};

/* One thread's, or one group's where groups of a block wait for each other. */
struct sch_maxwell_thread {
    struct sch_maxwell_warp warp; /* of texture instructions */
    struct sch_maxwell_machine *machine;
    struct sch_diagnostics reports; /* of the instruction that failed */
    struct sch_maxwell_told *told;  /* NULL: there is no observer */
    struct sch_lanes mask, spare, made[SCH_MAXWELL_TO_COUNT], read[SCH_MAXWELL_FROM_COUNT];
    struct sch_maxwell_waiting waiting;
    struct sch_maxwell_surface surface; /* the last one that was accessed, if any */
    uint32_t surface_index;
    bool has_surface;
    uint32_t reduced; /* what the last BAR.RED has found */
    uint32_t range;   /* the last one that was accessed */
};

/* What a program has: engine_data. */
struct sch_maxwell_program {
    const struct sch_maxwell_instruction *textures; /* by number; of others nothing */
    const struct sch_maxwell_step *steps;           /* of others; of textures the guard alone */
    uint32_t instructions;                          /* of the section, with the NOPs at its end */
};

static inline const struct sch_maxwell_program *sch_maxwell_program_of(const struct sch_exec_machine *machine)
{
    return machine->program->engine_data;
}

static inline const struct sch_maxwell_step *sch_maxwell_step_of(const struct sch_exec_machine *machine,
                                                                 const struct sch_prepared_instruction *in)
{
    return &sch_maxwell_program_of(machine)->steps[in->number];
}

static inline struct sch_lanes *sch_maxwell_register(const struct sch_exec_machine *machine, unsigned number)
{
    return machine->group.space[SCH_SPACE_STATE] + machine->program->prepared.files[SCH_FILE_TEMPORARY].base + number;
}

static inline struct sch_lanes *sch_maxwell_predicate(const struct sch_exec_machine *machine, unsigned number)
{
    return machine->group.space[SCH_SPACE_STATE] + machine->program->prepared.files[SCH_FILE_ADDRESS].base + number;
}

/* The channel of zeros, as the program's space has one. */
static inline const struct sch_lanes *sch_maxwell_zero(const struct sch_exec_machine *machine)
{
    return machine->group.space[SCH_SPACE_PROGRAM];
}

/* As sch_maxwell_instruction_at, in a program. */
static inline uint32_t sch_maxwell_instruction_at_address(const struct sch_exec_machine *machine, int64_t address)
{
    const struct sch_maxwell_section section = {.count = sch_maxwell_program_of(machine)->instructions};
    return sch_maxwell_instruction_at(&section, address);
}

/* A register that is read; RZ is 0. */
static inline const struct sch_lanes *sch_maxwell_read(const struct sch_exec_machine *machine, unsigned number)
{
    return number < SCH_MAXWELL_GROUP_REGISTERS ? sch_maxwell_register(machine, number) : sch_maxwell_zero(machine);
}

/* Lanes of the group whose guard and test of flags hold. */
static inline uint32_t sch_maxwell_lanes(const struct sch_exec_machine *machine, const struct sch_maxwell_step *step)
{
    enum { ALWAYS = 15 };
    uint32_t lanes = machine->group.exec & step->quad_lanes * UINT32_C(0x11111111);
    if (step->guard < SCH_MAXWELL_GROUP_PREDICATES || step->guard_not) {
        const uint32_t truth = step->guard < SCH_MAXWELL_GROUP_PREDICATES
                                   ? machine->ops->nonzero_u32(sch_maxwell_predicate(machine, step->guard))
                                   : UINT32_MAX;
        lanes &= step->guard_not ? ~truth : truth;
    }
    if (step->test != ALWAYS)
        lanes &= machine->ops->maxwell_test(sch_maxwell_predicate(machine, SCH_MAXWELL_CC), step->test);
    return lanes;
}

/* A source's words as lanes: `to[w]`, from where the register is, or from `scratch[w]`. */
void sch_maxwell_source(struct sch_exec_machine *machine, const struct sch_maxwell_source *source, unsigned word,
                        struct sch_lanes *scratch, const struct sch_lanes **to);
/* The truth of a predicate that is a source, as bits. */
uint32_t sch_maxwell_truths(const struct sch_exec_machine *machine, const struct sch_maxwell_source *source);

/* A word of a bank of constants, 0 beyond its end. */
uint32_t sch_maxwell_constant(const struct sch_exec_machine *machine, unsigned bank, uint32_t offset);

/* Writes a register (255: none), a predicate (7: none) or all lanes of one by bits, in `lanes`. */
void sch_maxwell_write(struct sch_exec_machine *machine, unsigned number, const struct sch_lanes *value,
                       uint32_t lanes);
void sch_maxwell_write_truths(struct sch_exec_machine *machine, unsigned number, uint32_t truths, uint32_t lanes);

/* The instruction fails in a lane, with a report; NULL, for handlers to return. */
const struct sch_prepared_instruction *sch_maxwell_fail(struct sch_exec_machine *machine,
                                                        const struct sch_prepared_instruction *in, unsigned lane,
                                                        enum sch_result status, unsigned code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* maxwell/run/barriers.c: engine->meet. */
bool sch_maxwell_meet(struct sch_exec_machine *machines, uint32_t count);

/* maxwell/run/observe.c: engine->find_places, find_barrier, find_reads and find_not_finite. */
uint32_t sch_maxwell_observe_places(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                                    struct sch_exec_touched places[SCH_GROUP_LANES]);
bool sch_maxwell_observe_barrier(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                                 struct sch_exec_arrival *arrival);
uint32_t sch_maxwell_observe_reads(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                                   struct sch_exec_register_read reads[SCH_EXEC_MOST_READS]);
uint32_t sch_maxwell_observe_not_finite(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                                        bool results);

/* maxwell/run/flow.c: what follows after the last instruction. */
extern sch_exec_handler sch_maxwell_after_last;

#endif
