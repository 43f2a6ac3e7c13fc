/* Debugging in a terminal (debug.h): keys, and what they do. What is drawn is panes.c. */
#include <curses.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "panes.h"

enum { CONTROL_C = 3, QUICK_MS = 300, WAIT_MS = 50, TURN_MS = 500 };

bool sch_debugger_has_terminal(void) { return true; }

/* ---- texts ---- */

static bool split(const char *text, struct sch_debugger_text_lines *lines)
{
    uint32_t count = 0, at = 0;
    for (const char *c = text; *c; c++) count += *c == '\n' || !c[1];
    lines->begin = calloc((size_t)count + 1, sizeof *lines->begin);
    if (!lines->begin) return false;
    const char *c = text;
    while (at < count) {
        lines->begin[at++] = c;
        c += strcspn(c, "\n");
        c += *c == '\n';
    }
    lines->begin[count] = c;
    lines->count = count;
    return true;
}

static bool make(struct sch_debugger_screen *screen, const struct sch_debugger_subject *subject)
{
    screen->subject = subject;
    screen->shows_program = !subject->source;
    return sch_debugger_lines_make(subject, &screen->lines) && split(subject->program, &screen->program) &&
           split(subject->source ? subject->source : "", &screen->source);
}

static void release(struct sch_debugger_screen *screen)
{
    sch_debugger_lines_release(&screen->lines);
    free(screen->program.begin);
    free(screen->source.begin);
    free(screen);
}

/* ---- movement ---- */

/* Where it is now. The lane that is looked at stays, if the group has it. */
static void arrive(struct sch_debugger_screen *screen)
{
    screen->stop = sch_debugger_stop(screen->subject);
    if (!(screen->stop.present >> screen->lane & 1)) screen->lane = sch_debugger_lane_at(&screen->stop);
    screen->cursor = sch_debugger_current_line(screen);
    sch_debugger_reason(&screen->stop, screen->message);
}

struct movement {
    struct sch_debugger_target *target;
    struct sch_debug_go go;
    bool over_line; /* steps over subroutines until the line is another one than `line` */
    uint32_t line;
    enum sch_result result;
    uint32_t done, stops;
};

static bool goes_on(struct movement *movement)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    if (!movement->over_line || movement->result != SCH_OK || __atomic_load_n(&movement->stops, __ATOMIC_ACQUIRE))
        return false;
    sch_debugger_target_get_stop(movement->target, &stop);
    /* What the lowering adds is not a line; the subroutines that it makes of phases are entered. */
    movement->go.step = stop.line ? SCH_DEBUG_STEP_OVER : SCH_DEBUG_STEP_LINE;
    return !stop.ended && stop.reason == SCH_DEBUG_STEP && (!stop.line || stop.line == movement->line);
}

static void *move_on(void *user)
{
    struct movement *movement = user;
    do movement->result = sch_debugger_target_go(movement->target, &movement->go);
    while (goes_on(movement));
    __atomic_store_n(&movement->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static bool is_done(const struct movement *movement) { return __atomic_load_n(&movement->done, __ATOMIC_ACQUIRE); }

/* What is quick leaves the keys that were typed meanwhile; any key ends what takes longer. */
static void wait_for(struct sch_debugger_screen *screen, struct movement *movement)
{
    static const struct timespec little = {.tv_nsec = 1000000};
    bool stops = false;
    for (int n = 0; n < QUICK_MS && !is_done(movement); n++) nanosleep(&little, NULL);
    if (is_done(movement)) return;
    snprintf(screen->message, sizeof screen->message, "It runs; any key stops it.");
    sch_debugger_draw_message(screen);
    timeout(WAIT_MS);
    while (!is_done(movement)) {
        const int key = getch();
        stops = stops || (key != ERR && key != KEY_RESIZE);
        if (!stops) continue;
        __atomic_store_n(&movement->stops, 1, __ATOMIC_RELEASE);
        sch_debugger_target_interrupt(movement->target);
    }
    timeout(TURN_MS);
}

/* Beside the source of a Direct3D shader a step is one of its instructions. */
static void travel(struct sch_debugger_screen *screen, enum sch_debug_step step, bool back)
{
    const bool folds = screen->subject->target->folds && !screen->shows_program;
    struct movement movement = {.target = screen->subject->target,
                                .go = {.size = sizeof movement.go,
                                       .step = folds && step == SCH_DEBUG_STEP_INSTRUCTION ? SCH_DEBUG_STEP_LINE : step,
                                       .back = back,
                                       .events = screen->event ? screen->event->bit : 0},
                                .over_line = folds && step == SCH_DEBUG_STEP_OVER,
                                .line = screen->stop.line};
    pthread_t thread;
    if (pthread_create(&thread, NULL, move_on, &movement) == 0) {
        wait_for(screen, &movement);
        pthread_join(thread, NULL);
    } else {
        move_on(&movement);
    }
    arrive(screen);
    if (movement.result != SCH_OK)
        snprintf(screen->message, sizeof screen->message, "%s", sch_result_text(movement.result));
}

/* ---- keys ---- */

static void change_lane(struct sch_debugger_screen *screen, int by)
{
    if (!screen->stop.present) return;
    do screen->lane = (screen->lane + SCH_DEBUGGER_LANES + (uint32_t)by) % SCH_DEBUGGER_LANES;
    while (!(screen->stop.present >> screen->lane & 1));
}

static void scroll_by(uint32_t *at, int by, uint32_t count)
{
    const int64_t to = (int64_t)*at + by, last = count ? (int64_t)count - 1 : 0;
    *at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static void scroll_pane(struct sch_debugger_screen *screen, int by)
{
    const struct sch_debugger_text_lines *text = screen->shows_program ? &screen->program : &screen->source;
    if (screen->focus == SCH_DEBUGGER_ON_TEXT) scroll_by(&screen->cursor, by, text->count);
    if (screen->focus == SCH_DEBUGGER_ON_REGISTERS)
        scroll_by(&screen->first_register, by, sch_debugger_register_count(screen));
    if (screen->focus == SCH_DEBUGGER_ON_MEMORY)
        scroll_by(&screen->first_word, 2 * by, sch_debugger_word_count(screen) & ~UINT32_C(1));
}

/* On the cursor's line, or the next one with an instruction. */
static void toggle_mark(struct sch_debugger_screen *screen)
{
    const uint32_t *lines = screen->shows_program ? screen->lines.program : screen->lines.source;
    const uint32_t at = sch_debugger_at_line(lines, screen->lines.count, screen->cursor + 1);
    if (at == UINT32_MAX) {
        snprintf(screen->message, sizeof screen->message, "There is no instruction from this line on.");
        return;
    }
    const uint32_t old = sch_debugger_mark_at(screen, lines[at] - 1);
    if (old == UINT32_MAX && screen->mark_count == SCH_DEBUGGER_MARKS) return;
    if (old != UINT32_MAX)
        screen->marks[old] = screen->marks[--screen->mark_count];
    else if (screen->shows_program)
        screen->marks[screen->mark_count++] = (struct sch_debug_breakpoint){
            .kind = SCH_DEBUG_BREAK_INSTRUCTION, .number = at, .compare = SCH_COMPARE_NONE};
    else
        screen->marks[screen->mark_count++] = (struct sch_debug_breakpoint){
            .kind = SCH_DEBUG_BREAK_LINE, .number = lines[at], .compare = SCH_COMPARE_NONE};
    sch_debugger_target_set_breakpoints(screen->subject->target, screen->marks, sizeof *screen->marks,
                                        screen->mark_count);
    snprintf(screen->message, sizeof screen->message, "%s line %" PRIu32 ".",
             old == UINT32_MAX ? "A breakpoint on" : "No breakpoint on", lines[at]);
}

static void next_event(struct sch_debugger_screen *screen)
{
    uint32_t position = 0;
    while (screen->event && sch_debugger_event_at(position) && sch_debugger_event_at(position) != screen->event)
        position++;
    screen->event = sch_debugger_event_at(screen->event ? position + 1 : 0);
}

static void show_other_text(struct sch_debugger_screen *screen)
{
    if (!screen->subject->source) return;
    screen->shows_program = !screen->shows_program;
    screen->first_register = 0;
    screen->cursor = sch_debugger_current_line(screen);
}

/* False: it is over. */
static bool take_key(struct sch_debugger_screen *screen, int key)
{
    switch (key) {
    case 's':
        travel(screen, SCH_DEBUG_STEP_INSTRUCTION, false);
        return true;
    case 'n':
        travel(screen, SCH_DEBUG_STEP_OVER, false);
        return true;
    case 'o':
        travel(screen, SCH_DEBUG_STEP_OUT, false);
        return true;
    case 'b':
        travel(screen, SCH_DEBUG_STEP_INSTRUCTION, true);
        return true;
    case 'r':
        travel(screen, SCH_DEBUG_RUN, false);
        return true;
    case 'R':
        travel(screen, SCH_DEBUG_RUN, true);
        return true;
    case 'p':
        toggle_mark(screen);
        return true;
    case 'e':
        next_event(screen);
        return true;
    case 't':
        show_other_text(screen);
        return true;
    case 'f':
        screen->format = (enum sch_debugger_type)((screen->format + 1) % (SCH_DEBUGGER_HEX + 1));
        return true;
    case '\t':
        screen->focus = (enum sch_debugger_focus)((screen->focus + 1) % SCH_DEBUGGER_FOCI);
        return true;
    case KEY_RESIZE: /* terminals keep what they like */
        clearok(curscr, TRUE);
        return true;
    case KEY_LEFT:
        change_lane(screen, -1);
        return true;
    case KEY_RIGHT:
        change_lane(screen, 1);
        return true;
    case KEY_UP:
        scroll_pane(screen, -1);
        return true;
    case KEY_DOWN:
        scroll_pane(screen, 1);
        return true;
    case KEY_PPAGE:
        scroll_pane(screen, -8);
        return true;
    case KEY_NPAGE:
        scroll_pane(screen, 8);
        return true;
    default: /* a terminal that is gone returns errors forever */
        return key != 'q' && key != CONTROL_C && key != ERR;
    }
}

/* ---- the terminal ---- */

/* ERR: the terminal has gone. A change of size between two waits is seen at the next one. */
static int next_key(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (int key;;)
        if ((key = getch()) != ERR || (poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL)))
            return key;
}

bool sch_debugger_terminal(const struct sch_debugger_subject *subject, char problem[256])
{
    const char *kind = getenv("TERM");
    snprintf(problem, 256, "there is no terminal: standard input and output are something else; --dap serves editors");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return false;
    struct sch_debugger_screen *screen = calloc(1, sizeof *screen);
    SCREEN *terminal =
        screen && sch_debugger_knows_terminal(kind) && make(screen, subject) ? newterm(NULL, stdout, stdin) : NULL;
    if (!terminal) {
        snprintf(problem, 256, "the terminal cannot be used: TERM is %.100s", kind ? kind : "not set");
        if (screen) release(screen);
        return false;
    }
    raw();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    timeout(TURN_MS);
    screen->stop = sch_debugger_stop(subject);
    screen->lane = sch_debugger_lane_at(&screen->stop);
    arrive(screen);
    do sch_debugger_draw(screen);
    while (take_key(screen, next_key()));
    endwin();
    delscreen(terminal);
    release(screen);
    return true;
}
