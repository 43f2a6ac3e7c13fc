/* What `gl` does with the frames that its program shows, and with what it reads back: sums while it runs, pictures when
 * it has ended. Both come to the processes of clients, which are in their sandboxes: they write to descriptors that
 * were opened before. */
#ifndef SCH_CLI_FRAME_OUTPUT_H
#define SCH_CLI_FRAME_OUTPUT_H

#include "../vtest/vtest.h"
#include "common/cli.h"
#include "frames.h"

enum { SCH_CLI_SCREENSHOTS = 64 };

struct sch_cli_frame_output {
    struct sch_cli_sums sums;
    struct sch_cli_screenshot {
        uint64_t number; /* of the frame */
        const char *path;
    } screenshots[SCH_CLI_SCREENSHOTS];
    uint32_t count;
    uint64_t most;                       /* frames; what comes after them is left out. 0: all */
    int pictures;                        /* a descriptor; -1: none */
    struct sch_cli_frame_output_counts { /* in memory that all processes share; NULL: no counts */
        uint64_t frames, reads;          /* so far */
    } * counts;
};

void sch_cli_frame_output_init(struct sch_cli_frame_output *shown);

/* Takes the value of --screenshot, N=FILE, which stays the caller's. */
enum sch_cli_exit sch_cli_frame_output_add(const struct sch_cli_verb *verb, struct sch_cli_frame_output *shown,
                                           const char *value);

/* Opens what the clients' processes write to, and lets these show their frames, if that is wanted. */
enum sch_cli_exit sch_cli_frame_output_open(struct sch_cli_frame_output *shown,
                                            struct sch_vtest_client_options *options);

/* Whether the program has shown as many frames as were wanted; false if all are. */
bool sch_cli_frame_output_enough(const struct sch_cli_frame_output *shown);

/* When all clients are gone: writes the pictures. NO: the program did not show one of the frames, or not as many as
 * were wanted, or nothing of what sums were wanted of. */
enum sch_cli_exit sch_cli_frame_output_write(const struct sch_cli_frame_output *shown);

void sch_cli_frame_output_release(struct sch_cli_frame_output *shown);

#endif
