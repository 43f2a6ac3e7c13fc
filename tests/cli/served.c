/* The command once more, as a server of itself: linked in front of its main() (--wrap=main), so that tests, whose many
 * calls take longer to begin than to run, begin one and let it fork for every call. With a number in
 * SCH_SERVE it serves the socket of that number; without, it is the command. Calls come as one packet each, with the
 * descriptors 0, 1 and 2 of the call; see command.py. Holds no check. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PACKET = 1 << 18, WORDS = 4096, STREAMS = 3 };

/* NOLINTBEGIN: the linker gives these names */
int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
/* NOLINTEND */

/* watch.c, where that is loaded. */
__attribute__((weak)) void watch_begin(void);

struct call {
    char text[PACKET];  /* folder, number of words, these, environment; each ends with 0 */
    char *words[WORDS]; /* NULL behind the arguments, and behind the environment */
    int count, streams[STREAMS];
};

static void give_up(const char *what)
{
    perror(what);
    _exit(126);
}

/* Whether there was one: at the end of the connection there is none. */
static int receive(int connection, struct call *call, size_t *bytes)
{
    union {
        char room[CMSG_SPACE(sizeof call->streams)];
        struct cmsghdr align;
    } control;
    struct iovec part = {call->text, sizeof call->text};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(connection, &message, 0);
    if (got == 0) return 0;
    const struct cmsghdr *streams = CMSG_FIRSTHDR(&message);
    if (got < 0 || !streams || streams->cmsg_len != CMSG_LEN(sizeof call->streams) || message.msg_flags & MSG_TRUNC)
        give_up("served: a call");
    memcpy(call->streams, CMSG_DATA(streams), sizeof call->streams);
    *bytes = (size_t)got;
    return 1;
}

/* Points to the words of a packet. Returns the environment. */
static char **split(struct call *call, size_t bytes)
{
    const char *number = call->text + strlen(call->text) + 1;
    char *at = call->text + (number - call->text) + strlen(number) + 1, **to = call->words;
    call->count = atoi(number);
    for (; at < call->text + bytes; at += strlen(at) + 1) {
        if (to == call->words + call->count) *to++ = NULL;
        if (to + 1 >= call->words + WORDS) give_up("served: words");
        *to++ = at;
    }
    *to = NULL;
    return call->words + call->count + 1;
}

/* The command itself, in a child. What the sanitizer does at a program's end is left out, for the time it takes. */
static void begin(struct call *call, size_t bytes)
{
    char **environment = split(call, bytes);
    if (chdir(call->text) != 0) give_up("served: a folder");
    environ = environment;
    for (int i = 0; i < STREAMS; i++)
        if (dup2(call->streams[i], i) < 0) give_up("served: a stream");
    closefrom(STREAMS);
    if (watch_begin) watch_begin();
    const int code = __real_main(call->count, call->words);
    if (watch_begin) exit(code); /* it looks at what was not given back */
    fflush(NULL);
    _exit(code);
}

int __wrap_main(int argc, char **argv)
{
    static struct call call;
    const char *serve = getenv("SCH_SERVE");
    if (!serve) return __real_main(argc, argv);
    const int connection = atoi(serve);
    size_t bytes;
    while (receive(connection, &call, &bytes)) {
        const pid_t child = fork();
        if (child < 0) give_up("served: fork");
        if (child == 0) begin(&call, bytes);
        for (int i = 0; i < STREAMS; i++) close(call.streams[i]);
        int status;
        if (waitpid(child, &status, 0) != child) give_up("served: wait");
        const int32_t answer = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
        if (send(connection, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) return 0;
    }
    return 0;
}
