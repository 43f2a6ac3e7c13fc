/* Ctrl-C while shaders run: the first one cancels the dispatch, which then says where it was; the second one ends the
 * command at once. Either way the shell sees that the signal ended it. */
#include "cli.h"

#include <signal.h>

static uint32_t interrupted; /* not 0: the dispatches are to end */

static void cancel(int number)
{
    (void)number;
    __atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED);
}

const uint32_t *sch_cli_interruptible(void)
{
    struct sigaction action = {.sa_handler = cancel, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    return &interrupted;
}

void sch_cli_end_interrupted(void)
{
    if (!__atomic_load_n(&interrupted, __ATOMIC_RELAXED)) return;
    raise(SIGINT); /* the handler is gone after one call */
}
