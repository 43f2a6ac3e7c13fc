/* When derived state is made again: see derived.h. */
#include "pipeline/derived.h"

#include "pipeline/history.h"

static bool is_known(const struct sch_derived *derived, const struct sch_draw_pipeline *draw)
{
    return draw->number && derived->number == draw->number && derived->live_feedback == draw->live_feedback &&
           !draw->history;
}

void sch_derive(struct sch_derived *derived, const struct sch_draw_pipeline *draw,
                const struct sch_draw_vertices *vertices)
{
    if (is_known(derived, draw)) return;
    derived->number = draw->history ? 0 : draw->number;
    derived->live_feedback = draw->live_feedback;
    sch_clip_layout(draw->link, draw->rasterizer, &derived->layout);
    sch_results_init(&derived->results, draw, SCH_STAGE_VERTEX);
    sch_fragments_init(&derived->fragments, draw, &derived->layout);
    derived->memo = (struct sch_exec_spans_memo){{NULL}};
    derived->fragments.spans.memo = &derived->memo;
    sch_front_init(&derived->front, draw->history ? sch_history_begin_draw(draw->history, draw, vertices) : draw,
                   &derived->layout, &derived->fragments.rules);
}
