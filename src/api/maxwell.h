/* What the files of this folder need to know of shaders of Maxwell code. Implemented in api/maxwell.c. */
#ifndef SCH_API_MAXWELL_H
#define SCH_API_MAXWELL_H

#include <scheelite/maxwell.h>

#include "api/api.h"
#include "maxwell/text/code.h"

/* False: no architecture. DEFAULT is sm_50. */
bool sch_api_maxwell_arch(enum sch_maxwell_arch given, enum sch_maxwell_arch *arch);

/* CUBIN or MAXWELL_TEXT, where the first bytes show it; otherwise AUTO. */
enum sch_kind sch_api_recognise_maxwell(const void *data, size_t bytes);
/* Which of its kinds MAXWELL is; of others the same. */
enum sch_kind sch_api_maxwell_kind(enum sch_kind kind, const void *data, size_t bytes);
static inline bool sch_api_is_maxwell(enum sch_kind kind) { return kind >= SCH_KIND_MAXWELL && kind <= SCH_KIND_CUBIN; }

/* Reads a shader whose `kind` is one of Maxwell code, not MAXWELL. */
enum sch_result sch_api_read_maxwell(struct sch_shader *shader, const struct sch_read_options *options,
                                     const void *data, size_t bytes, struct sch_diagnostics *list);
/* ERROR: what breaks a restriction of the instruction pages makes it INVALID. */
enum sch_result sch_api_check_maxwell(const struct sch_shader *shader, enum sch_severity severity,
                                      struct sch_diagnostics *list);

/* The raw code, as words of 32 bits and as bytes, in memory of the context; its hash. */
enum sch_result sch_api_maxwell_words(const struct sch_shader *shader, uint32_t **words, size_t *count);
enum sch_result sch_api_maxwell_bytes(const struct sch_shader *shader, void **data, size_t *bytes);
enum sch_result sch_api_maxwell_hash(const struct sch_shader *shader, uint64_t *hash);

/* Fill in members of infos that are zero; false past the last. */
bool sch_api_maxwell_instruction(const struct sch_shader *shader, uint32_t number, struct sch_instruction_info *made);
bool sch_api_maxwell_operand(const struct sch_shader *shader, uint32_t instruction, uint32_t number,
                             struct sch_operand_info *made);

/* The registers that the code names, R first. */
enum { SCH_API_MAXWELL_USES = SCH_MAXWELL_GROUP_REGISTERS + SCH_MAXWELL_GROUP_PREDICATES };
void sch_api_maxwell_uses(const struct sch_shader *shader, struct sch_register_use uses[SCH_API_MAXWELL_USES],
                          size_t *count);

#endif
