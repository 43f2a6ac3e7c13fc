/* All public headers of libscheelite. files.h belongs to a library of its own, libscheelite-files.
 *
 * Example:
 *
 *     #include <scheelite/scheelite.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         struct sch_context *context;
 *         if (sch_context_create(NULL, &context) != SCH_OK) return 1;
 *         puts(sch_version());
 *         sch_context_destroy(context);
 *         return 0;
 *     }
 */
#ifndef SCHEELITE_SCHEELITE_H
#define SCHEELITE_SCHEELITE_H

#include "base.h"
#include "code.h"
#include "context.h"
#include "d3d.h"
#include "debug.h"
#include "diagnostics.h"
#include "dispatch.h"
#include "draw.h"
#include "launch.h"
#include "lookup.h"
#include "maxwell.h"
#include "resource.h"
#include "shader.h"
#include "state.h"
#include "tables.h"

#endif
