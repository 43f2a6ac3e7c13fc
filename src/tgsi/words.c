/* words.def as arrays. */
#include "tgsi/words.h"

const struct sch_tgsi_field_info sch_tgsi_fields[SCH_F_COUNT] = {
#define FIELD(word_, name_, shift_, width_)                                                                            \
    [SCH_F_##name_] = {.word = #word_, .name = #name_, .shift = shift_, .width = width_},
#include "tgsi/words.def"
#undef FIELD
};
