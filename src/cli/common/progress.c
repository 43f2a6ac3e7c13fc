/* See progress.h. A timer's signal draws the line, so that no thread is needed, and nothing that works has to look at a
 * clock. Its handler calls nothing but write(). */
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

enum { FIRST_S = 1, EACH_NS = 200000000, WAIT_NS = 100000000, LINE_BYTES = 200 };

static struct {
    const char *verb;  /* NULL: nothing is shown */
    const char *units; /* NULL: nothing is counted */
    uint64_t done, all;
    struct sch_dispatch_progress dispatch;
    time_t begun;
    bool shown; /* there is a line on the terminal */
    bool taken; /* by a handler, or by the thread of the verb: the other one comes later, or not at all */
    timer_t timer;
} state;

/* ---- the line ---- */

struct line {
    char text[LINE_BYTES];
    size_t bytes;
};

static void put_in_line(struct line *line, const char *text)
{
    for (; *text && line->bytes < sizeof line->text; text++) line->text[line->bytes++] = *text;
}

static void put_number(struct line *line, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    put_in_line(line, digits + at);
}

static uint64_t per_cent(uint64_t done, uint64_t all)
{
    if (done >= all) return 100;
    return all < UINT64_MAX / 100 ? done * 100 / all : done / (all / 100);
}

static const char erasure[] = "\r\033[K";

static void write_line(const char *text, size_t bytes)
{
    const ssize_t written = write(STDERR_FILENO, text, bytes); /* if the terminal is gone, nothing is lost */
    (void)written;
}

static void draw_progress(void)
{
    struct line line = {.bytes = 0};
    struct timespec now;
    const uint64_t done = __atomic_load_n(&state.dispatch.done, __ATOMIC_RELAXED),
                   all = __atomic_load_n(&state.dispatch.all, __ATOMIC_RELAXED);
    clock_gettime(CLOCK_MONOTONIC, &now);
    put_in_line(&line, erasure);
    put_in_line(&line, state.verb);
    put_in_line(&line, ": ");
    if (state.units) {
        put_number(&line, state.done);
        if (state.all) put_in_line(&line, " of ");
        if (state.all) put_number(&line, state.all);
        put_in_line(&line, " ");
        put_in_line(&line, state.units);
        put_in_line(&line, ", ");
    }
    if (all) {
        put_number(&line, per_cent(done, all));
        put_in_line(&line, " %, ");
    }
    put_number(&line, (uint64_t)(now.tv_sec - state.begun));
    put_in_line(&line, " s");
    write_line(line.text, line.bytes);
    state.shown = true;
}

/* ---- who has the line ---- */

static bool take_line(void) { return !__atomic_exchange_n(&state.taken, true, __ATOMIC_ACQUIRE); }
static void leave(void) { __atomic_store_n(&state.taken, false, __ATOMIC_RELEASE); }

/* By whatever thread the system has chosen. */
static void tick(int number)
{
    const int kept = errno;
    (void)number;
    if (!take_line()) return;
    if (state.verb) draw_progress();
    leave();
    errno = kept;
}

/* A handler in another thread ends soon; in this one there is none. */
static bool wait_for_it(void)
{
    if (!state.verb) return false;
    while (!take_line()) continue;
    return true;
}

/* The next line comes not before what is printed now is there. */
static void delay(void)
{
    struct itimerspec times;
    if (timer_gettime(state.timer, &times) != 0 || times.it_value.tv_sec || times.it_value.tv_nsec > WAIT_NS) return;
    times.it_value.tv_nsec = WAIT_NS;
    timer_settime(state.timer, 0, &times, NULL);
}

static void erase(void)
{
    if (state.shown) write_line(erasure, sizeof erasure - 1);
    state.shown = false;
}

/* ---- the verb ---- */

static bool is_wanted(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0) && !sch_cli_quiet();
}

static bool start_timer(void)
{
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    const struct itimerspec times = {.it_value = {.tv_sec = FIRST_S}, .it_interval = {.tv_nsec = EACH_NS}};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGRTMIN, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &state.timer) == 0 &&
           timer_settime(state.timer, 0, &times, NULL) == 0;
}

void sch_cli_progress_begin(const struct sch_cli_verb *verb, bool prints)
{
    struct timespec now;
    if (state.verb || !is_wanted() || (prints && isatty(STDOUT_FILENO))) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state.begun = now.tv_sec;
    state.verb = verb->name;
    if (!start_timer()) state.verb = NULL; /* the verb does not need it */
}

void sch_cli_progress_at(uint64_t done, uint64_t all, const char *units)
{
    if (!wait_for_it()) return;
    state.done = done;
    state.all = all;
    state.units = units;
    leave();
}

struct sch_dispatch_progress *sch_cli_progress_of_dispatch(void) { return state.verb ? &state.dispatch : NULL; }

void sch_cli_progress_clear(void)
{
    if (!wait_for_it()) return;
    erase();
    delay();
    leave();
}

void sch_cli_progress_end(void)
{
    if (!wait_for_it()) return;
    timer_delete(state.timer);
    erase();
    state.verb = NULL;
    leave();
}
