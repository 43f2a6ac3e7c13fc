/* Listings in a text: what people keep of them are comments of HLSL, logs, what engines export, and string literals.
 * Finds where listings are, and makes a copy of the text in which prefixes of their lines are blank, and all but the
 * contents of literals, so that places in the copy are places in the text. Reading is sch_d3d_assemble. docs/d3d.md,
 * "Listings in other texts". */
#ifndef SCH_D3D_TEXT_FIND_H
#define SCH_D3D_TEXT_FIND_H

#include "base/arena.h"

/* A listing: bytes from `begin` to before `end`; `line` (from 1) begins there. */
struct sch_d3d_span {
    size_t begin, end;
    uint32_t line;
};

struct sch_d3d_found {
    struct sch_arena arena;
    const char *text; /* the copy, or the text itself where nothing had to be blanked */
    size_t count, capacity;
    struct sch_d3d_span *spans; /* of a text that begins with a profile, and has no other, the whole text */
};

enum { SCH_D3D_FOUND_LIMIT = 1 << 16 };

/* LIMIT: there are more than SCH_D3D_FOUND_LIMIT. Release it whatever the answer was. */
enum sch_result sch_d3d_find(const struct sch_allocator *allocator, const char *text, size_t bytes,
                             struct sch_d3d_found *found);
void sch_d3d_found_release(struct sch_d3d_found *found);

/* Whether there is one. */
bool sch_d3d_text_holds(const char *text, size_t bytes);

#endif
