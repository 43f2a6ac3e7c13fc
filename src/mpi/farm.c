/* See farm.h. Rank 0 has a thread that does work, while its first thread talks to the other ranks; these do work and
 * take turns talking. A waiting rank sleeps: MPI's own waiting would take a processor from the children. */
#include "mpi/farm.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

enum { TAG_READY = 1, TAG_WORK, TAG_END, TAG_ANSWER, TAG_OUTPUT };
enum { CHUNK = 1 << 28, LEAST_SLEEP_US = 20, LONGEST_SLEEP_US = 1000 };

/* ---- messages ---- */

static void send_bytes(const void *data, uint64_t bytes, int rank, int tag)
{
    const char *from = data;
    for (; bytes > CHUNK; from += CHUNK, bytes -= CHUNK) MPI_Send(from, CHUNK, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
    MPI_Send(from, (int)bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

static void receive_bytes(void *data, uint64_t bytes, int rank, int tag)
{
    char *to = data;
    for (; bytes > CHUNK; to += CHUNK, bytes -= CHUNK)
        MPI_Recv(to, CHUNK, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(to, (int)bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void out_of_memory(void)
{
    sch_mpi_fail(SCH_MPI_LIMIT, "a rank is out of memory");
    MPI_Abort(MPI_COMM_WORLD, SCH_MPI_LIMIT);
    _exit(SCH_MPI_LIMIT);
}

/* What an answer's outputs follow. */
struct answer_head {
    uint64_t number;
    struct sch_mpi_record record;
};

static void send_answer(const struct sch_mpi_answer *answer)
{
    struct answer_head head;
    memset(&head, 0, sizeof head);
    head.number = answer->number;
    head.record = answer->record;
    send_bytes(&head, sizeof head, 0, TAG_ANSWER);
    send_bytes(answer->out.data, answer->out.size, 0, TAG_OUTPUT);
    send_bytes(answer->err.data, answer->err.size, 0, TAG_OUTPUT);
}

static void receive_output(struct sch_mpi_bytes *bytes, uint64_t size, int rank)
{
    bytes->data = malloc((size_t)size + 1);
    if (!bytes->data) out_of_memory();
    bytes->size = bytes->capacity = (size_t)size;
    receive_bytes(bytes->data, size, rank, TAG_OUTPUT);
}

static void receive_answer(int rank, struct sch_mpi_answer *answer)
{
    struct answer_head head;
    receive_bytes(&head, sizeof head, rank, TAG_ANSWER);
    *answer = (struct sch_mpi_answer){.number = head.number, .record = head.record};
    receive_output(&answer->out, head.record.out_bytes, rank);
    receive_output(&answer->err, head.record.err_bytes, rank);
}

/* ---- the other ranks ---- */

static void sleep_us(unsigned us)
{
    const struct timespec time = {.tv_nsec = (long)us * 1000};
    nanosleep(&time, NULL);
}

static unsigned longer(unsigned us) { return us * 2 < LONGEST_SLEEP_US ? us * 2 : LONGEST_SLEEP_US; }

void sch_mpi_serve(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, MPI_COMM_WORLD);
    for (unsigned pause = LEAST_SLEEP_US;;) {
        MPI_Status status;
        int there, count;
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there) {
            sleep_us(pause);
            pause = longer(pause);
            continue;
        }
        MPI_Get_count(&status, MPI_BYTE, &count);
        struct sch_mpi_bytes work = {.data = malloc((size_t)count + 1), .size = (size_t)count};
        if (!work.data) out_of_memory();
        receive_bytes(work.data, (uint64_t)count, 0, status.MPI_TAG);
        if (status.MPI_TAG == TAG_WORK) {
            struct sch_mpi_answer answer;
            sch_mpi_execute(&work, (unsigned)rank, &answer);
            send_answer(&answer);
            sch_mpi_answer_release(&answer);
        }
        sch_mpi_bytes_release(&work);
        if (status.MPI_TAG == TAG_END) return;
        pause = LEAST_SLEEP_US;
    }
}

/* ---- rank 0's own work ---- */

enum own_state { OWN_IDLE, OWN_WORK, OWN_DONE, OWN_END };
struct own {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum own_state state;
    struct sch_mpi_bytes work;
    struct sch_mpi_answer answer;
    int done[2]; /* a pipe: a byte for each answer */
    bool started;
};

static void *do_own_work(void *argument)
{
    struct own *own = argument;
    pthread_mutex_lock(&own->mutex);
    for (;;) {
        while (own->state == OWN_IDLE || own->state == OWN_DONE) pthread_cond_wait(&own->changed, &own->mutex);
        if (own->state == OWN_END) break;
        pthread_mutex_unlock(&own->mutex);
        sch_mpi_execute(&own->work, 0, &own->answer);
        pthread_mutex_lock(&own->mutex);
        own->state = OWN_DONE;
        const ssize_t put = write(own->done[1], "", 1);
        (void)put;
    }
    pthread_mutex_unlock(&own->mutex);
    return NULL;
}

static enum own_state own_state(struct own *own)
{
    pthread_mutex_lock(&own->mutex);
    const enum own_state state = own->state;
    pthread_mutex_unlock(&own->mutex);
    return state;
}

static void set_own(struct own *own, enum own_state state)
{
    pthread_mutex_lock(&own->mutex);
    own->state = state;
    pthread_cond_signal(&own->changed);
    pthread_mutex_unlock(&own->mutex);
}

static bool start_own(struct own *own)
{
    *own = (struct own){.state = OWN_IDLE};
    if (pipe(own->done) != 0) return false;
    pthread_mutex_init(&own->mutex, NULL);
    pthread_cond_init(&own->changed, NULL);
    own->started = pthread_create(&own->thread, NULL, do_own_work, own) == 0;
    return own->started;
}

static void end_own(struct own *own)
{
    if (!own->started) return;
    set_own(own, OWN_END);
    pthread_join(own->thread, NULL);
    close(own->done[0]);
    close(own->done[1]);
}

/* ---- rank 0 ---- */

/* Another rank, as rank 0 sees it. While its items are short it gets the next one before it has answered: waiting for
 * it would take as long as the item. Long ones are not given ahead, since another rank could come free earlier. */
enum { DEPTH = 2, SHORT_MS = 100 };
struct rank {
    unsigned room;             /* items that it can have at a time; 0: it has not said that it is there */
    unsigned busy;             /* items that it has */
    struct sch_mpi_bytes sent; /* the last one, until it is on its way */
    MPI_Request sending;
};

struct farm {
    const struct sch_mpi_source *source;
    int ranks;
    struct rank *rank; /* by number; the first one is not used */
    unsigned busy;
    struct own own;
    enum sch_mpi_exit exit_code;
};

static bool next_work(const struct farm *farm, struct sch_mpi_bytes *work)
{
    *work = (struct sch_mpi_bytes){0};
    if (farm->exit_code != SCH_MPI_YES || !farm->source->next(farm->source->user, work)) return false;
    if (work->failed) out_of_memory();
    return true;
}

static void take(struct farm *farm, struct sch_mpi_answer *answer)
{
    farm->busy--;
    const enum sch_mpi_exit exit_code = farm->source->take(farm->source->user, answer);
    if (farm->exit_code == SCH_MPI_YES) farm->exit_code = exit_code;
    sch_mpi_answer_release(answer);
}

/* Takes one message; false: there is none. */
static bool listen(struct farm *farm)
{
    MPI_Status status;
    int there = 0;
    if (farm->ranks > 1) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) return false;
    struct rank *rank = &farm->rank[status.MPI_SOURCE];
    if (status.MPI_TAG == TAG_READY) {
        MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        rank->room = 1;
        return true;
    }
    struct sch_mpi_answer answer;
    receive_answer(status.MPI_SOURCE, &answer);
    rank->busy--;
    rank->room = answer.record.ms < SHORT_MS ? DEPTH : 1;
    take(farm, &answer);
    return true;
}

/* Whether the rank can be given one more, as the `depth`th that it has. */
static bool has_room(struct rank *rank, unsigned depth)
{
    int sent = 1;
    if (rank->busy >= depth || rank->room < depth) return false;
    if (rank->sending != MPI_REQUEST_NULL) MPI_Test(&rank->sending, &sent, MPI_STATUS_IGNORE);
    return sent;
}

/* The message goes while rank 0 does other things: one that is long is only taken when the rank looks for it. */
static bool give(struct farm *farm, int number)
{
    struct rank *rank = &farm->rank[number];
    sch_mpi_bytes_release(&rank->sent);
    if (!next_work(farm, &rank->sent)) return false;
    if (rank->sent.size > INT_MAX) out_of_memory();
    MPI_Isend(rank->sent.data, (int)rank->sent.size, MPI_BYTE, number, TAG_WORK, MPI_COMM_WORLD, &rank->sending);
    rank->busy++;
    farm->busy++;
    return true;
}

/* Everyone gets one item before anyone gets two. */
static void hand_out(struct farm *farm)
{
    for (unsigned depth = 1; depth <= DEPTH; depth++) {
        for (int rank = 1; rank < farm->ranks; rank++)
            if (has_room(&farm->rank[rank], depth) && !give(farm, rank)) return;
        if (own_state(&farm->own) != OWN_IDLE) continue;
        if (!next_work(farm, &farm->own.work)) return;
        farm->busy++;
        set_own(&farm->own, OWN_WORK);
    }
}

static bool take_own(struct farm *farm)
{
    char byte;
    if (own_state(&farm->own) != OWN_DONE || read(farm->own.done[0], &byte, 1) != 1) return false;
    sch_mpi_bytes_release(&farm->own.work);
    set_own(&farm->own, OWN_IDLE);
    take(farm, &farm->own.answer);
    return true;
}

static void work_all(struct farm *farm)
{
    for (unsigned pause = LEAST_SLEEP_US;;) {
        hand_out(farm);
        if (!farm->busy) return;
        bool moved = take_own(farm);
        while (listen(farm)) moved = true;
        if (moved) {
            pause = LEAST_SLEEP_US;
            continue;
        }
        struct pollfd own = {.fd = farm->own.done[0], .events = POLLIN};
        const struct timespec time = {.tv_nsec = (long)pause * 1000};
        ppoll(&own, 1, farm->ranks > 1 ? &time : NULL, NULL);
        pause = longer(pause);
    }
}

/* Each rank reports that it is ready before it can be asked to end. */
static void end_ranks(struct farm *farm)
{
    for (int rank = 1; rank < farm->ranks; rank++) {
        if (!farm->rank[rank].room) MPI_Recv(NULL, 0, MPI_BYTE, rank, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&farm->rank[rank].sending, MPI_STATUS_IGNORE);
        sch_mpi_bytes_release(&farm->rank[rank].sent);
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_END, MPI_COMM_WORLD);
    }
}

enum sch_mpi_exit sch_mpi_farm(const struct sch_mpi_source *source)
{
    struct farm farm = {.source = source, .exit_code = SCH_MPI_YES};
    MPI_Comm_size(MPI_COMM_WORLD, &farm.ranks);
    farm.rank = calloc((size_t)farm.ranks, sizeof *farm.rank);
    if (!farm.rank) out_of_memory();
    for (int rank = 0; rank < farm.ranks; rank++) farm.rank[rank].sending = MPI_REQUEST_NULL;
    if (source && !start_own(&farm.own)) farm.exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "cannot start a thread");
    if (source && farm.exit_code == SCH_MPI_YES) work_all(&farm);
    end_own(&farm.own);
    end_ranks(&farm);
    free(farm.rank);
    return farm.exit_code;
}
