/* The process of one client, from fork() to its end. */
#ifndef SCH_VTEST_CLIENT_H
#define SCH_VTEST_CLIENT_H

#include <stdatomic.h>

#include "lines.h"
#include "vtest.h"

/* Memory that the processes of clients share with the server: what they have done, to which each adds at its end, but
 * for the clients and the losses there, which the server adds; and what each client loses, at once. */
struct sch_vtest_shared_totals {
    atomic_flag busy;
    atomic_uint finish_ms;        /* that SIGTERM leaves the server for what was asked for; 0: it ends */
    struct sch_vtest_lines lines; /* of all */
    struct sch_vtest_totals totals;
    struct sch_vtest_place {
        uint32_t number; /* of the client; the server writes it */
        struct sch_virgl_losses losses;
        atomic_bool busy; /* from its assignment on, but while it waits for a message */
    } places[];
};

/* What the server sends through the control socket of a client's process, with the connection as its descriptor. */
struct sch_vtest_assignment {
    uint32_t number; /* of the client, for the log */
};

struct sch_vtest_client {
    const struct sch_vtest_client_options *options;
    struct sch_virgl_log log;
    struct sch_vtest_shared_totals *shared;
    struct sch_vtest_place *place; /* of this client, in `shared` */
    uint32_t number;               /* of the client that it will have */
    int control; /* the process's end of its control socket; it ends when the server has closed the other one */
    int parent;  /* the server's process */
};

/* The file that a client is recorded to. */
void sch_vtest_record_name(const struct sch_vtest_client_options *options, uint32_t number, char *name, size_t bytes);

/* Sends an assignment. False: the process is gone. */
bool sch_vtest_assign(int control, uint32_t number, int connection);

/* All that the process does, but its end: makes what a client needs, closes the sandbox, waits for its assignment, and
 * serves. Returns the exit status. */
int sch_vtest_client_main(const struct sch_vtest_client *client);

/* Why a process ended with this status, which is not 0. */
const char *sch_vtest_client_problem(int status);

#endif
