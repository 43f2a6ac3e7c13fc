/* The ASTC decoder at vectors of 4 lanes. */
#define SCH_LANES 4
#include "astc_codec.h"
