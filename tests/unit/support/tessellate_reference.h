/* What a tessellator makes of a patch, from the text of D3D 11.7 and GL 11.2.2 and the rules of docs/pipeline.md,
 * "Tessellation": by splitting points one after the other and looking at cells, as sets of points and triangles without
 * an order. Must not include anything of src. */
#ifndef TESTS_TESSELLATE_REFERENCE_H
#define TESTS_TESSELLATE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum ref_tess_domain { REF_ISOLINES, REF_TRIANGLES, REF_QUADS };
enum ref_tess_spacing { REF_ODD, REF_EVEN, REF_EQUAL, REF_POWER_OF_TWO };
enum { REF_TESS_ONE = 65536, REF_TESS_POINTS = 65 * 65, REF_TESS_PRIMITIVES = 2 * 64 * 64 };

/* u * 2^32 + v, in 1/65536. */
typedef uint64_t ref_place;

struct ref_tess {
    uint32_t points, primitives, corners; /* corners of a primitive: 2, 3 */
    ref_place point[REF_TESS_POINTS];
    ref_place primitive[REF_TESS_PRIMITIVES][3]; /* counter-clockwise where u goes right and v up */
};

void ref_tessellate(enum ref_tess_domain domain, enum ref_tess_spacing spacing, const float outer[4],
                    const float inner[2], struct ref_tess *out);
/* Sorts points and primitives, each triangle turned so that its least corner is first: equal sets are equal bytes. */
void ref_tess_sort(struct ref_tess *out);

#endif
