/* What the inner functions answer; src/api turns it into the public enum sch_result. Details are in the diagnostics. */
#ifndef SCH_BASE_STATUS_H
#define SCH_BASE_STATUS_H

enum sch_status {
    SCH_STATUS_OK,
    SCH_STATUS_MEMORY,
    SCH_STATUS_INVALID,
    SCH_STATUS_UNSUPPORTED,
    SCH_STATUS_LIMIT,
    SCH_STATUS_BUDGET,
    SCH_STATUS_BARRIER,
    SCH_STATUS_ABORTED,
    SCH_STATUS_WORK,
    SCH_STATUS_DEADLINE,
    SCH_STATUS_CANCELLED,
    SCH_STATUS_ARGUMENT,
    SCH_STATUS_INTERNAL
};

#endif
