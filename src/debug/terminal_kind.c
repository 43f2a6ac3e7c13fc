/* Which kinds of terminals are known. By itself, since the macros of <term.h> are names that others use. */
#include "panes.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

/* newterm would say so, too, but keeps memory where it fails. */
bool sch_debugger_knows_terminal(const char *kind)
{
    int problem;
    if (!kind || setupterm(kind, STDOUT_FILENO, &problem) != OK) return false;
    del_curterm(cur_term);
    return true;
}
