/* The codecs at vectors of 16 lanes. */
#define SCH_LANES 16
#include "format_codec.h"
