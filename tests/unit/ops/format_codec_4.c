/* The codecs at vectors of 4 lanes. */
#define SCH_LANES 4
#include "format_codec.h"
