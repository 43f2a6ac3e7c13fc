/* In place of the terminal's debugger where ncurses is not there. */
#include "debug.h"

#include <stdio.h>

bool sch_debugger_has_terminal(void) { return false; }

bool sch_debugger_terminal(const struct sch_debugger_subject *subject, char problem[256])
{
    (void)subject;
    snprintf(problem, 256, "the terminal needs ncurses, without which this scheelite was built; --dap serves editors");
    return false;
}
