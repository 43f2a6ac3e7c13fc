/* Draws that wait for others (docs/pipeline.md, "Draws"): they end before anything changes that they use. */
#include "client.h"

/* They are lost together. */
void sch_virgl_finish(struct sch_virgl *virgl)
{
    if (!virgl->waits) return;
    virgl->waits = false;
    sch_virgl_list(virgl); /* which no other call has reported to */
    const enum sch_result result = sch_renderer_flush(virgl->sub->renderer, NULL);
    if (result == SCH_OK) return;
    virgl->worst = result;
    virgl->counts.refused++;
    virgl->losses->counts[SCH_VIRGL_LOST_DRAW]++;
    sch_virgl_check(virgl, result, "draws that wait");
}
