/* Sources of work: the interface between what groups are loaded from and stored to (src/run: invocations, a grid, a
 * rectangle) and what runs them: the scheduler, engines, and the handlers that need to know where a lane is. Work is a
 * row of units, which count in their order and may run in any; a unit is a row of groups, which one thread runs in
 * order. */
#ifndef SCH_EXEC_SOURCE_H
#define SCH_EXEC_SOURCE_H

#include "abi/group.h"
#include "exec/machine.h"

struct sch_exec_source;
struct sch_fragment_form; /* abi/fragment.h */

/* Inputs that INTERP_* asks for: component `component` of IN[numbers[i]] in lane i, `offset` pixels from the centre of
 * the lane's pixel. */
struct sch_exec_interpolation {
    const int64_t *numbers;
    const struct sch_lanes *offset; /* x, y */
    unsigned component;
};

struct sch_exec_source_kind {
    const char *name;

    /* When the run begins: what depends on the program, in the arena. May be NULL. */
    enum sch_result (*prepare)(struct sch_exec_source *source, const struct sch_exec_program *program,
                               struct sch_arena *arena);

    /* When a machine begins, whose state is zero: what is the same in all groups. May be NULL. */
    void (*begin)(const struct sch_exec_source *source, struct sch_exec_machine *machine);

    /* Begins a group: which lanes it has, which of them are helpers, registers (exec/group.h). Groups of a unit come in
     * order, each after the one before has been stored, but those that spans had. False: the unit has no such group.
     * The machine has failed afterwards where the run was to end meanwhile. */
    bool (*load)(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group);

    /* Takes the results of a group that has run to its end. NULL: there are none. */
    void (*store)(const struct sch_exec_source *source, const struct sch_exec_machine *machine);

    /* Begins a span of at most `most` groups from `*at` on and below the unit `end`, and moves `*at` after it; the
     * machine is as at the begin of its first group, but for the channels that are planes, and has the span's planes
     * and targets. A span without groups begins nothing: the unit has no more. False: there is none here. Called only
     * of a source with `spans`. */
    bool (*find_span)(const struct sch_exec_source *source, struct sch_exec_machine *machine, struct sch_exec_at *at,
                      uint64_t end, uint64_t most, struct sch_group_span *span);

    /* Says of a lane of a group that has begun which invocation it is: the members that it knows, and their bits of
     * `parts`, in a place that is zero. For observers (exec/watch.h). NULL: its number alone is known. */
    void (*identify)(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place);

    /* The number that reports give the invocation of lane 0 of a group that has begun. NULL: machine->group.first. */
    uint64_t (*number)(const struct sch_exec_source *source, struct sch_exec_at at);

    /* What instructions need while a group runs. FBFETCH: x, y, layer and sample of the lanes' pixels; at first zero.
     * INTERP_CENTROID: the centroids of the lanes' pixels, from their centres; at first zero. INTERP_*: the inputs;
     * NULL: what IN holds. EMIT, ENDPRIM: an event of each of these lanes' invocations, which machine->emission has
     * counted already. Each may be NULL. */
    void (*locate)(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                   struct sch_lanes pixel[4]);
    void (*centroids)(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                      struct sch_lanes offset[2]);
    void (*interpolate)(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                        const struct sch_exec_interpolation *request, struct sch_lanes *value);
    void (*emit)(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lanes,
                 uint32_t event);
};

/* What an engine has found for spans, kept by whoever has the same ones again and again; zero before the first run. A
 * source's program is the same as long as this is. */
struct sch_exec_spans_memo {
    void *found[2]; /* the engine's: where the work is not bounded, and where it is */
};

/* What is around the groups of all spans of a run: which channels of the state are planes, ascending, and which
 * registers of OUT go to the targets. */
struct sch_exec_spans {
    const uint32_t *channels;
    const uint8_t *divisions; /* of the planes: enum sch_plane_division */
    uint32_t plane_count;
    const uint32_t *outputs;
    uint32_t target_count;
    uint64_t groups;                           /* that spans have, at least */
    bool all;                                  /* there are no others */
    const struct sch_fragment_form *fragments; /* NULL: planes and targets; else code does what it says instead */
    struct sch_exec_spans_memo *memo;          /* NULL: nothing is kept */
};

/* The first member of every source. */
struct sch_exec_source {
    const struct sch_exec_source_kind *kind;
    uint64_t units;
    uint32_t groups;          /* of a unit, at most */
    uint64_t all_groups;      /* of all units, about */
    uint64_t grain;           /* units that had better be one thread's; 0: no number of them */
    bool quads;               /* each four lanes are a quad */
    bool counts_texels;       /* `store` wants machine->heat... */
    bool counts_instructions; /* ...also of instructions */
    uint32_t samples;         /* of a pixel; at least 1 */
    uint32_t input_vertices;  /* that IN has; at least 1 */
    uint64_t full_groups;     /* of those that have all lanes and no helper from the start, as far as one can tell */
    bool other_groups;        /* there may be others */
    const struct sch_exec_spans *spans; /* NULL: groups run one by one */
    size_t place_bytes;                 /* that the source keeps in each machine: machine->place... */
    size_t place_unset;                 /* ...at first zero but for so many at its end */
};

/* What reports call a lane of a group that has begun: "thread 3,0,0 of block 1,0,0", or its number where the source
 * knows no threads. */
void sch_exec_name_lane(const struct sch_exec_machine *machine, uint32_t lane, char *text, size_t bytes);

#endif
