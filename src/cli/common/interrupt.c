/* Ctrl-C while shaders run: the first one cancels the dispatch, which then says where it was; the second one ends the
 * command at once. Either way the shell sees that the signal ended it. */
#include "cli.h"

#include <signal.h>

static uint32_t interrupted; /* not 0: the dispatches are to end, by the signal of this number */

static void cancel(int number) { __atomic_store_n(&interrupted, (uint32_t)number, __ATOMIC_RELAXED); }

static void take_signal(int number)
{
    struct sigaction action = {.sa_handler = cancel, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

const uint32_t *sch_cli_interruptible(void)
{
    take_signal(SIGINT);
    return &interrupted;
}

const uint32_t *sch_cli_endable(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        /* What nohup ignores stays so. */
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) take_signal(numbers[i]);
    }
    return &interrupted;
}

void sch_cli_end_interrupted(void)
{
    const int number = (int)__atomic_load_n(&interrupted, __ATOMIC_RELAXED);
    if (number) raise(number); /* the handler is gone after one call */
}
