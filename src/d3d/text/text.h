/* Direct3D assembly: listings of shaders, and shaders of listings. */
#ifndef SCH_D3D_TEXT_TEXT_H
#define SCH_D3D_TEXT_TEXT_H

#include "d3d/dxbc/shader.h"

/* The listing; zero-terminated text from `allocator`. The first style assembles to the same container, byte for byte;
 * the others to the same program, words after operands and lengths in words of their own aside, and in dumps what six
 * digits after the point do not say of floats. */
enum sch_result sch_d3d_print(const struct sch_d3d_shader *shader, enum sch_listing_style style,
                              const struct sch_allocator *allocator, char **text, size_t *bytes);

/* A line of it: instruction `number` of the program, which there is, with its blanks and a line end. */
enum sch_result sch_d3d_print_instruction(const struct sch_d3d_shader *shader, size_t number,
                                          enum sch_listing_style style, const struct sch_allocator *allocator,
                                          char **text, size_t *bytes);

/* Whether a text begins with a profile, after comments and empty lines. */
bool sch_d3d_text_recognise(const void *text, size_t bytes);

/* Assembles a listing in any of the accepted spellings (documentation's, fxc's, vkd3d's) into a shader with a
 * container; the text may hold it among other lines (find.h). Reports every line that is wrong; `line` is the number of
 * the text's first one. INVALID (also where the text holds several), LIMIT, MEMORY. */
enum sch_result sch_d3d_assemble_part(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                      const char *text, size_t bytes, uint32_t line,
                                      struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader);
enum sch_result sch_d3d_assemble(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                 const char *text, size_t bytes, struct sch_diagnostics *diagnostics,
                                 struct sch_d3d_shader **shader);

#endif
