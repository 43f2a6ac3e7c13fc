/* What is debugged: where it is, how it moves, what it holds, in the terms of the library's sessions (debug.h there),
 * of which it is one (session.c). Holds nothing of the debugger itself. */
#ifndef SCH_DEBUGGER_TARGET_H
#define SCH_DEBUGGER_TARGET_H

#include <scheelite/scheelite.h>

struct sch_debugger_target;

struct sch_debugger_target {
    const char *const *titles; /* of the files of registers: SCH_DEBUGGER_FILES */
    uint32_t components;       /* of a register: 4, or 1 */
    bool has_names;            /* the source has its own for registers; otherwise they have those of TGSI */
    bool folds;                /* an instruction of the source is a line, however many are executed for it */
};

enum { SCH_DEBUGGER_FILES = SCH_FILE_SYSTEM_VALUE + 1 };

/* A session, which is at the beginning of its group and remains the caller's. `lowered`: the Direct3D shader in whose
 * words it is shown, lowered, or the Maxwell code that runs; NULL: none. `folds`: it has lines, and is stepped by its
 * own instructions. NULL: no memory. */
struct sch_debugger_target *sch_debugger_target_of_session(struct sch_debug *debug, const struct sch_shader *lowered,
                                                           bool folds);

void sch_debugger_target_destroy(struct sch_debugger_target *target); /* takes NULL */

/* The functions do what those of debug.h do that are called likewise. */
enum sch_result sch_debugger_target_go(struct sch_debugger_target *target, const struct sch_debug_go *go);
enum sch_result sch_debugger_target_seek(struct sch_debugger_target *target, uint64_t time);
void sch_debugger_target_interrupt(struct sch_debugger_target *target);
void sch_debugger_target_get_stop(const struct sch_debugger_target *target, struct sch_debug_stop *stop);
enum sch_result sch_debugger_target_get_place(const struct sch_debugger_target *target, uint32_t lane,
                                              struct sch_invocation_place *place);
enum sch_result sch_debugger_target_get_frame(const struct sch_debugger_target *target, uint32_t number,
                                              struct sch_debug_frame *frame);
bool sch_debugger_target_position_at(const struct sch_debugger_target *target, uint32_t number,
                                     struct sch_debug_position *position);
bool sch_debugger_target_register_at(const struct sch_debugger_target *target, uint32_t position,
                                     struct sch_debug_register *found);
enum sch_result sch_debugger_target_read(const struct sch_debugger_target *target,
                                         const struct sch_debug_register *which, uint32_t words[4][32]);
/* For a Direct3D shader what its last instruction wrote, with all that it was lowered to. */
bool sch_debugger_target_change_at(struct sch_debugger_target *target, uint32_t position,
                                   struct sch_debug_change *change);
const void *sch_debugger_target_shared_memory(const struct sch_debugger_target *target, size_t *bytes);
const void *sch_debugger_target_private_memory(const struct sch_debugger_target *target, uint32_t lane, size_t *bytes);
/* Likewise the lookup of its last instruction. */
enum sch_result sch_debugger_target_explain(struct sch_debugger_target *target, uint32_t lane,
                                            struct sch_explanation **explanation);
enum sch_result sch_debugger_target_set_breakpoints(struct sch_debugger_target *target,
                                                    const struct sch_debug_breakpoint *list, size_t stride,
                                                    uint32_t count);

/* The source's own name of a register. False: it has none. */
bool sch_debugger_target_name(const struct sch_debugger_target *target, const struct sch_debug_register *which,
                              char name[SCH_DEBUG_NAME_BYTES]);
/* The register whose own name `text` begins with; moves it past the name. */
bool sch_debugger_target_find(const struct sch_debugger_target *target, const char **text,
                              struct sch_debug_register *which);

#endif
