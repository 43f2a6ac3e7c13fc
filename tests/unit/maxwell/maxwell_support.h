/* What tests of Maxwell's executor share: a machine with textures of the test's own, a group with registers that are
 * all different, operands packed by the tables of the instruction pages (not by src/maxwell/text/operands.c), and the
 * whole state of a group afterwards. */
#ifndef MAXWELL_SUPPORT_H
#define MAXWELL_SUPPORT_H

#include "maxwell/run/warp.h"

/* The operands that a test gives, by the letters of its packing rows: l layer, s t r, H handle, L level or bias, O
 * packed offset, P Q the two words of .PTP, D reference, M sample, X layer and offsets of TXD, 1..6 derivatives (ds/dx,
 * ds/dy, dt/dx, dt/dy, dr/dx, dr/dy). */
struct operands {
    struct sch_lanes value[128];
};

/* Packing of the vector operations: letters of Ra and of Rb for what the instruction has. */
void vector_packing(const struct sch_maxwell_instruction *in, char a[16], char b[16]);

/* The forms of TEXS and TLDS, as the tables have them. */
struct scalar_form {
    uint8_t operation, code, parameter, lod;
    bool offset, multisample, compare;
    const char *a, *b;
};
extern const struct scalar_form scalar_forms[];
extern const unsigned scalar_form_count;

/* Every register another value; reproducible from the seed. */
void fill_group(struct sch_maxwell_warp *warp, uint64_t seed);

/* Writes the operands of letters `a` from register ra, `b` from rb. */
void place_operands(struct sch_maxwell_warp *warp, const struct operands *operands, const char *a, unsigned ra,
                    const char *b, unsigned rb);

/* Encodes the instruction for sm_52, decodes the word and executes what came back. */
enum sch_result run_word(struct sch_maxwell_machine *machine, const struct sch_maxwell_instruction *in,
                         struct sch_maxwell_warp *warp, struct sch_diagnostics *diagnostics);

/* The group that must come of `before`: components `words` (R, G, B, A; by lane) of the write mask into rd and rd1, two
 * registers and then the others for operations with Rd1; halves packed. */
void expect_results(const struct sch_maxwell_instruction *in, const struct sch_lanes words[4], uint32_t lanes,
                    bool toward_zero, struct sch_maxwell_warp *group);

/* binary16 of a float, by whole numbers. */
uint32_t half_word(uint32_t bits, bool toward_zero);

#endif
