/* TGSI's two written forms: text (spec: the grammar that Mesa 22.3 accepts, and the specification's RES file) and
 * binary tokens (Mesa 22.3's layout), both ways. Holds no rules about meaning: that is src/ir/check.h. */
#ifndef SCH_TGSI_TGSI_H
#define SCH_TGSI_TGSI_H

#include <scheelite/types.h>

#include "base/until.h"
#include "ir/ir.h"

/* Parses a text, reporting every error that it can find (it continues at the next statement). The text need not be
 * zero-terminated; one zero byte at its end is accepted, as the virgl driver sends one. Beside its one shader it may
 * hold comments and what logs hold (tgsi/find.h). INVALID, LIMIT, MEMORY. */
enum sch_result sch_tgsi_parse(const struct sch_allocator *allocator, const struct sch_limits *limits, const char *text,
                               size_t bytes, struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

/* The same of a part of a text: `line` is the number of its first line, from 1. `until` (may be NULL) is looked at
 * every so many lines. Errors also: DEADLINE, CANCELLED. */
enum sch_result sch_tgsi_parse_part(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const char *text, size_t bytes, uint32_t line, const struct sch_until *until,
                                    struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

/* Makes of a shader of virpipe's dialect what it means in TGSI. `known`: it is one. Else that is found out, and warned
 * of: 1506 of what was changed, 1507 of what was not. MEMORY. */
enum sch_result sch_tgsi_read_virgl(struct sch_ir_shader *shader, bool known, const struct sch_allocator *allocator,
                                    struct sch_diagnostics *diagnostics);

/* The instruction as the shader's dialect writes it; in `room` if that is not how it is. */
const struct sch_ir_instruction *sch_tgsi_as_written(const struct sch_ir_instruction *in,
                                                     struct sch_ir_instruction *room);

/* Prints in Mesa's dump style; zero-terminated text from `allocator`. SCH_FLOAT_TEXT_SOURCE follows the shader's own
 * style (hexadecimal when it has none). */
enum sch_result sch_tgsi_print(const struct sch_ir_shader *shader, enum sch_float_text floats,
                               const struct sch_allocator *allocator, char **text, size_t *bytes);

/* The same. starts[n] receives the byte after the number of instruction n, for the first `start_capacity` ones. */
enum sch_result sch_tgsi_print_lines(const struct sch_ir_shader *shader, enum sch_float_text floats,
                                     const struct sch_allocator *allocator, size_t *starts, size_t start_capacity,
                                     char **text, size_t *bytes);

/* Encodes; words from `allocator`. INVALID when the tokens cannot say it: reported at the item's position. */
enum sch_result sch_tgsi_encode(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                                struct sch_diagnostics *diagnostics, uint32_t **words, size_t *count);

/* Decodes `count` words in host order; positions are byte offsets from the first word, plus `offset`. */
enum sch_result sch_tgsi_decode(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                const uint32_t *words, size_t count, uint64_t offset,
                                struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

/* The container: a magic "SCHTGSI\n", then little-endian words (version, float style, word count, checksum), the
 * tokens. */
enum sch_result sch_tgsi_container_write(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                                         struct sch_diagnostics *diagnostics, void **data, size_t *bytes);
bool sch_tgsi_container_recognise(const void *data, size_t bytes);
enum sch_result sch_tgsi_container_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                        const void *data, size_t bytes, struct sch_diagnostics *diagnostics,
                                        struct sch_ir_shader **shader);

#endif
