/* The codecs at vectors of 8 lanes. */
#define SCH_LANES 8
#include "format_codec.h"
