/* The ASTC decoder at vectors of 8 lanes. */
#define SCH_LANES 8
#include "astc_codec.h"
