/* A whole Direct3D shader: container, program, and what its signatures and resources say; from a container, from
 * assembly text, and to both. */
#ifndef SCH_D3D_SHADER_H
#define SCH_D3D_SHADER_H

#include "d3d/container.h"
#include "d3d/program.h"

enum sch_d3d_signature_place {
    SCH_D3D_SIGNATURE_INPUT,
    SCH_D3D_SIGNATURE_OUTPUT,
    SCH_D3D_SIGNATURE_PATCH,
    SCH_D3D_SIGNATURE_COUNT
};

struct sch_d3d_shader {
    struct sch_arena arena;
    struct sch_d3d_container *container;
    struct sch_d3d_program *program;
    struct sch_d3d_signature signatures[SCH_D3D_SIGNATURE_COUNT]; /* tag 0: there is none */
    bool has_resources, has_features;
    struct sch_d3d_resources resources;
    uint64_t features;
};

/* An empty shader with an empty container and program; NULL: no memory. */
struct sch_d3d_shader *sch_d3d_shader_create(const struct sch_allocator *allocator, const struct sch_limits *limits);

/* Puts program, signatures (those with a tag that is not 0), resources and features into the shader's container.
 * LIMIT, MEMORY. */
enum sch_status sch_d3d_shader_contain(struct sch_d3d_shader *shader, struct sch_diagnostics *diagnostics);

/* Which spelling a listing has. */
enum sch_d3d_style { SCH_D3D_STYLE_FXC, SCH_D3D_STYLE_VKD3D };

/* Reads a container with its program, signatures and resources. INVALID, LIMIT, MEMORY. */
enum sch_status sch_d3d_shader_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const void *data, size_t bytes, bool any_checksum,
                                    struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader);
void sch_d3d_shader_destroy(struct sch_d3d_shader *shader);

/* The listing; zero-terminated text from `allocator`. fxc's style assembles to the same program (spare words aside);
 * vkd3d's is that of vkd3d-compiler 2.1, rounds nothing but leaves forms of operands unsaid. */
enum sch_status sch_d3d_print(const struct sch_d3d_shader *shader, enum sch_d3d_style style,
                              const struct sch_allocator *allocator, char **text, size_t *bytes);

/* Whether a text begins with a profile, after comments and empty lines. */
bool sch_d3d_text_recognise(const void *text, size_t bytes);

/* Assembles a listing in any of the accepted spellings (documentation's, fxc's, vkd3d's) into a shader with a
 * container. Reports every line that is wrong. INVALID, LIMIT, MEMORY. */
enum sch_status sch_d3d_assemble(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                 const char *text, size_t bytes, struct sch_diagnostics *diagnostics,
                                 struct sch_d3d_shader **shader);

/* The IR opcodes that carry the meaning of a Direct3D instruction when it is lowered; how many: 0 to 2. */
unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2]);

/* What the slots of interfaces hold, in constant buffers of lowered programs: CONST[16][slot].x is which of its tables
 * an interface has, CONST[17][slot] its instance's constant buffer, vector, texture and sampler. */
enum { SCH_D3D_CHOSEN_TABLES = 16, SCH_D3D_CHOSEN_THIS = 17 };

/* Lowers a program to the intermediate representation (docs/d3d.md). What this version cannot say is refused, each
 * instruction once, with number and place. `signatures`: SCH_D3D_SIGNATURE_COUNT of them. UNSUPPORTED, LIMIT, MEMORY.
 */
struct sch_ir_shader;
enum sch_status sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

/* Makes a shader of model 5.0 of one that sch_ir_check has found right (docs/d3d.md, "From TGSI to Direct3D"), with
 * program, signatures and container. What Direct3D has no word for is refused, each opcode once, with number and place
 * (4360 to 4379). UNSUPPORTED, LIMIT, MEMORY. */
enum sch_status sch_d3d_raise(const struct sch_ir_shader *ir, const struct sch_allocator *allocator,
                              const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                              struct sch_d3d_shader **shader);

#endif
