/* The ASTC decoder at vectors of 16 lanes. */
#define SCH_LANES 16
#include "astc_codec.h"
