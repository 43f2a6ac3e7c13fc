/* What --heat of replay counts: the draws of a frame that write what it shows, or one draw. */
#ifndef SCH_CLI_REPLAY_HEAT_H
#define SCH_CLI_REPLAY_HEAT_H

#include "shade/heat.h"
#include "trace/recording.h"

struct sch_cli_replay_heat {
    struct sch_cli_heats heats;
    struct sch_cli_recorded_frame frame;
    uint64_t draw; /* from 1; 0: those of the frame */

    /* Its own. */
    struct sch_virgl *virgl;
    uint64_t draws, counted;     /* so far */
    enum sch_cli_exit exit_code; /* of the counts' memory */
};

/* Plays the recording as `options` say to find the frame; nothing for a draw. NO, and said, where there is none. */
enum sch_cli_exit sch_cli_replay_heat_find(struct sch_cli_replay_heat *heat, const struct sch_virgl_options *options,
                                           const struct sch_cli_input *recording);
/* Has a client that plays it count. */
void sch_cli_replay_heat_count(struct sch_cli_replay_heat *heat, struct sch_virgl *virgl);
/* When it has played: writes the pictures, and with `json` a document to standard output. */
enum sch_cli_exit sch_cli_replay_heat_write(const struct sch_cli_replay_heat *heat, const char *file, bool json);

#endif
