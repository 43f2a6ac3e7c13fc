/* Scheelite: all public headers. */
#ifndef SCHEELITE_SCHEELITE_H
#define SCHEELITE_SCHEELITE_H

#include "base.h"
#include "code.h"
#include "context.h"
#include "d3d.h"
#include "debug.h"
#include "diagnostics.h"
#include "dispatch.h"
#include "draw.h"
#include "lookup.h"
#include "maxwell.h"
#include "resource.h"
#include "shader.h"
#include "state.h"
#include "tables.h"

#endif
