/* What a fuzz target of debuggers debugs: a few programs that are opened by a number. Holds no debugger. */
#ifndef SCH_TESTS_FUZZ_DEBUG_SUBJECTS_H
#define SCH_TESTS_FUZZ_DEBUG_SUBJECTS_H

#include "../../src/debug/debug.h"

enum { SCH_FUZZ_SUBJECTS = 4 }; /* a loop with lookups, work groups that share memory, Direct3D, Maxwell */

struct sch_fuzz_opened;

/* NULL: there is no memory. */
struct sch_fuzz_opened *sch_fuzz_open_subject(unsigned number);
void sch_fuzz_close_subject(struct sch_fuzz_opened *opened); /* takes NULL */
const struct sch_debugger_subject *sch_fuzz_subject(const struct sch_fuzz_opened *opened);

#endif
