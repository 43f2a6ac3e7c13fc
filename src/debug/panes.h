/* What a terminal shows of a session: panes for the text, registers, masks and memory. Holds no keys, no movement. */
#ifndef SCH_DEBUGGER_PANES_H
#define SCH_DEBUGGER_PANES_H

#include "place.h"

/* A text as lines. */
struct sch_debugger_text_lines {
    const char **begin; /* of each line, and the end of the last */
    uint32_t count;
};

enum sch_debugger_focus { SCH_DEBUGGER_ON_TEXT, SCH_DEBUGGER_ON_REGISTERS, SCH_DEBUGGER_ON_MEMORY, SCH_DEBUGGER_FOCI };

enum { SCH_DEBUGGER_MARKS = 256 };

struct sch_debugger_screen {
    const struct sch_debugger_subject *subject;
    struct sch_debugger_lines lines;
    struct sch_debugger_text_lines source, program;
    bool shows_program;
    struct sch_debug_stop stop;
    uint32_t lane;
    enum sch_debugger_type format; /* UNKNOWN: what the shader takes registers for */
    enum sch_debugger_focus focus;
    uint32_t cursor; /* a line of the text, from 0 */
    uint32_t first_register, first_word;
    const struct sch_debugger_event *event; /* that runs stop at; NULL: none */
    char message[160];

    struct sch_debug_breakpoint marks[SCH_DEBUGGER_MARKS];
    uint32_t mark_count;
};

/* Draws all of it on the standard screen, whatever its size. */
void sch_debugger_draw(const struct sch_debugger_screen *screen);

/* Only its message: nothing else may be looked at while it runs. */
void sch_debugger_draw_message(const struct sch_debugger_screen *screen);

/* The line of the text that is shown, from 0, of the next instruction. */
uint32_t sch_debugger_current_line(const struct sch_debugger_screen *screen);

/* The number of the mark on a line of the text that is shown; UINT32_MAX: there is none. */
uint32_t sch_debugger_mark_at(const struct sch_debugger_screen *screen, uint32_t line);

/* How many registers and words there are to scroll through. */
uint32_t sch_debugger_register_count(const struct sch_debugger_screen *screen);
uint32_t sch_debugger_word_count(const struct sch_debugger_screen *screen);

/* terminal_kind.c: whether ncurses knows terminals of this kind, which may be NULL. */
bool sch_debugger_knows_terminal(const char *kind);

#endif
