/* Simpler forms of a line of a shader, script or scene: operands without swizzles and signs, narrower masks, zeros for
 * numbers, MOV for other instructions. They need not be valid. Each leads away from where it came from, so that taking
 * one after the other ends. */
#ifndef SCH_CLI_SIMPLIFY_H
#define SCH_CLI_SIMPLIFY_H

#include "shrink.h"

/* Takes a form: true ends the offers. */
typedef bool sch_cli_take_fn(void *user, const char *line);

/* Offers every simpler form of a piece, each differing from it in one place. Whether one was taken. */
bool sch_cli_simplify(const struct sch_cli_pieces *pieces, size_t piece, sch_cli_take_fn *take, void *user);

#endif
