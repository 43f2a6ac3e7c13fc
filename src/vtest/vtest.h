/* The virgl server: a socket to which Mesa's virpipe driver connects, in any program that draws with OpenGL. Each
 * client is served by a process of its own, which is closed off from the rest of the system before it reads the
 * client's first byte. docs/opengl.md says how it is used. What it has to say goes to the caller's log, from the
 * server's process and from those of the clients; each of these is made by fork(), so the caller has one thread. */
#ifndef SCH_VTEST_VTEST_H
#define SCH_VTEST_VTEST_H

#include "../virgl/virgl.h"

enum { SCH_VTEST_KEEPS = 3 };

/* The version of the protocol that clients get. In version 2 they read what a window shows when they make the buffer
 * that is its front, which ends a program whose window is not shown yet, by an error of X; in version 0 they do not. */
enum sch_vtest_protocol {
    SCH_VTEST_PROTOCOL_BY_NAME, /* 0 for programs that are known to have such windows, else 2 */
    SCH_VTEST_PROTOCOL_0,
    SCH_VTEST_PROTOCOL_2
};

/* How a client is served. */
struct sch_vtest_client_options {
    const struct sch_context_options *context; /* of each client's context */
    enum sch_engine engine;
    uint32_t width, threads, deadline_ms; /* as struct sch_virgl_options has them */
    uint64_t memory;                      /* bytes that what a client makes may take; and once more shared with it */
    uint32_t seconds;                     /* of processor time that a client may take; 0: any */
    uint32_t first_seconds;               /* until a client's first message must have come whole; 0: any */
    bool open;                            /* without the sandbox: for debuggers */
    enum sch_vtest_protocol protocol;
    /* Optional: a file that the first client is recorded to (sch_virgl_record); those of the next ones have a hyphen
     * and the client's number after the name. Files of these names are replaced; a link is followed by the first name
     * only, and replaced by the others. */
    const char *record;
    /* Optional: are shown what the clients show and what they read back, each in the process of its client, inside the
     * sandbox. There they can make resources of the client's context, and write to standard error and to the
     * descriptors of `keeps`. False: what they should have done with it is lost. */
    bool (*show)(void *user, struct sch_context *context, const struct sch_virgl_frame *frame);
    bool (*read)(void *user, struct sch_context *context, const struct sch_virgl_read *read);
    void *user;
    /* Optional: says who collects the shaders of a client, in the client's process. What that does with them must work
     * in the sandbox: memory that is shared does (sch_vtest_share). */
    void (*collect)(void *collects, uint32_t number, struct sch_virgl_collector *collector);
    void *collects;
    int keeps[SCH_VTEST_KEEPS]; /* greater than 3, the lowest first; 0: none */
};

struct sch_vtest_server_options {
    const char *path;      /* of the socket */
    uint32_t most;         /* clients at once; the next ones wait. 0 counts as 1 */
    bool once;             /* end when the first client has */
    bool ignores_keyboard; /* SIGINT does not end the server: it serves a program that may handle it */
    struct sch_vtest_client_options client;
    struct sch_virgl_log log; /* of all processes together so many lines, and then one a second (lines.h) */
    /* Optional: called in the server's process when a client that has lost something has ended, unless the log has
     * no room for it. */
    void (*lost)(void *user, uint32_t number, const struct sch_virgl_losses *losses);
    void *user;
};

/* How many clients have come, and what those have done that ended by themselves. Closed. */
struct sch_vtest_totals {
    uint64_t clients, messages, refused, bytes, waits;
    uint64_t compiled, from_cache; /* pieces of machine code (struct sch_code_counts) */
    struct sch_virgl_counts of_virgl;
    struct sch_virgl_losses losses; /* of clients whose processes were killed, too, and of the server itself */
};

struct sch_vtest_server;

/* Makes the socket, which clients may connect to from here on. A socket without a server is replaced; one with a
 * server, and anything else of that name, is not. NULL: `problem` says why. */
struct sch_vtest_server *sch_vtest_server_open(const struct sch_vtest_server_options *options, char problem[256]);

/* Serves until SIGTERM, SIGINT, or the end of the only client (`once`). The clients that are there then have a moment
 * to end by themselves. A client that no process can be made for is turned away, and the server continues. All children
 * of the calling process that end meanwhile are waited for, those that it inherits as the system's first process, too.
 * The caller's signals are as they were afterwards. False: it cannot serve, or not the only client, which was
 * reported. */
bool sch_vtest_server_run(struct sch_vtest_server *server);

/* What has been done so far, by processes made after the server was opened, whoever asks. */
struct sch_vtest_totals sch_vtest_server_totals(const struct sch_vtest_server *server);

/* What has been lost so far, also by clients that are still there, whoever asks. */
struct sch_virgl_losses sch_vtest_server_losses(const struct sch_vtest_server *server);

/* For the process that is about to end by SIGTERM a server which another one runs: that first serves the clients that
 * have connected so far, and does what all have asked for, but takes no longer than so many milliseconds. A client that
 * is still in the queue then is lost, which is reported. */
void sch_vtest_server_let_finish(struct sch_vtest_server *server, uint32_t ms);

/* Removes the socket if it still is the server's. Takes NULL. */
void sch_vtest_server_close(struct sch_vtest_server *server);

/* For the process that opened a server which another one runs: leaves the socket to that one, with which it ends. The
 * first keeps the totals. */
void sch_vtest_server_leave(struct sch_vtest_server *server);

/* Frees the server in this process; the socket stays. */
void sch_vtest_server_forget(struct sch_vtest_server *server);

/* Memory, all zero, that the caller shares with the processes which are made after: at addresses that never become code
 * in those of clients. NULL: there is none. Free it with munmap. */
void *sch_vtest_share(size_t bytes);

/* What the sandbox of clients leaves open as it was built, one line; NULL: it was built whole. */
const char *sch_vtest_missing(void);

/* The version of the system's Landlock, which closes files off; 0: it has none. */
unsigned sch_vtest_landlock(void);

#endif
