/* The framebuffer of a script's draws: its render targets and depth buffer, level 0 with all layers. */
#include "run.h"

enum sch_result sch_script_framebuffer_make(struct sch_script_run *run, struct sch_diagnostics_list *list,
                                            struct sch_player_framebuffer *made)
{
    const struct sch_framebuffer_options options = {.size = sizeof options};
    struct sch_player_target targets[SCH_PLAYER_TARGETS] = {{0}};
    unsigned wrong;
    for (unsigned i = 0; i < SCH_PLAYER_TARGETS; i++) {
        const struct sch_script_instance *instance =
            i < SCH_SCRIPT_TARGETS ? &run->instance[SCH_SCRIPT_RTV][i] : &run->instance[SCH_SCRIPT_DSV][0];
        targets[i] = (struct sch_player_target){
            instance->shape != NULL, instance->of.resource, {.size = sizeof targets[i].options}};
    }
    return sch_player_framebuffer_make(run->context, targets, &options, list, made, &wrong);
}
