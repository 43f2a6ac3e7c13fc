/* What processes can do in a build without libseccomp. Of clients' processes, what is said to be open is, and nothing
 * else; the compiler's makes no process. The sources of both are compiled here without the filter of system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../src/filter/filter.h"
#include "../../../src/jit/confine.h"
#include "../../../src/vtest/sandbox.h"

/* What a process in the sandbox could do. */
enum {
    CLOSED = 1 << 0,
    PROCESS = 1 << 1,
    SOCKET = 1 << 2,
    RIGHTS = 1 << 3,
    SIGNAL = 1 << 4,
    READ = 1 << 5,
    START = 1 << 6
};

static bool makes_process(void)
{
    const pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child;
}

static bool starts_program(void)
{
    static char *const none[] = {NULL};
    int status = 1;
    const pid_t child = fork();
    if (child == 0) {
        execve("/bin/true", none, none);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int attempts(const char *file, pid_t other)
{
    const struct sch_vtest_sandbox sandbox = {.memory = 64 << 20};
    int done = 0;
    if (!sch_vtest_sandbox_close(&sandbox)) done |= CLOSED;
    if (makes_process()) done |= PROCESS;
    if (socket(AF_UNIX, SOCK_DGRAM, 0) >= 0) done |= SOCKET;
    if (chmod(file, 0644) == 0) done |= RIGHTS;
    if (kill(other, 0) == 0) done |= SIGNAL;
    if (open(file, O_RDONLY | O_CLOEXEC) >= 0) done |= READ;
    if (starts_program()) done |= START;
    return done;
}

/* All that a client of such a build might do, in a process of its own. */
static int attempts_of_client(void)
{
    char file[] = "/dev/shm/scheelite-XXXXXX";
    int status = 0;
    const int descriptor = mkstemp(file);
    const pid_t client = fork();
    assert_true(descriptor >= 0);
    if (client == 0) _exit(attempts(file, getppid()));
    assert_int_equal(waitpid(client, &status, 0), client);
    assert_true(WIFEXITED(status));
    close(descriptor);
    unlink(file);
    return WEXITSTATUS(status);
}

static void says(const char *text, const char *what, int done)
{
    if ((strstr(text, what) != NULL) != (done != 0)) fail_msg("\"%s\" and \"%s\": %x", text, what, (unsigned)done);
}

static void test_left_open(void **state)
{
    (void)state;
    const char *text = sch_vtest_sandbox_leaves();
    const int done = attempts_of_client();
    assert_non_null(text);
    print_message("# %s\n", text);
    assert_true(done & CLOSED);
    assert_non_null(strstr(text, "built without libseccomp"));
    says(text, "make processes", done & PROCESS);
    says(text, "use sockets", done & SOCKET);
    says(text, "send signals", done & SIGNAL);
    says(text, "read and write the user's files", done & READ);
    says(text, "start programs", done & START);
    if (sch_filter_landlock()) says(text, "change the rights", done & RIGHTS);
}

/* The system counts processes of a user, but of one who may do everything none. */
static void test_compiler_makes_no_process(void **state)
{
    enum { NOBODY = 65534 };
    int status = 0;
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        const bool confined = !jit_confine(UINT64_C(1) << 40, gettid());
        if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0) _exit(3);
        _exit(!confined ? 1 : makes_process() ? 2 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_left_open),
                                       cmocka_unit_test(test_compiler_makes_no_process)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
