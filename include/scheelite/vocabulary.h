/* The vocabulary of shaders and textures, with stable numbers. tools/gen-types writes this file from the tables of
 * src/isa. Included by types.h.
 *
 * Example, with a vertex shader:
 *
 *     struct sch_register_info output = {.size = sizeof output};
 *     for (uint32_t n = 0; sch_shader_register(shader, SCH_FILE_OUTPUT, n, &output); n++)
 *         if (output.semantic == SCH_SEMANTIC_POSITION) printf("OUT[%u]\n", output.index); // prints OUT[0]
 */
#ifndef SCHEELITE_VOCABULARY_H
#define SCHEELITE_VOCABULARY_H
/* clang-format off */

/* Stages of the pipeline, by TGSI's numbers. */
enum sch_stage {
    SCH_STAGE_VERTEX = 0,    /* vertex shader */
    SCH_STAGE_TESS_CTRL = 1, /* tessellation control shader */
    SCH_STAGE_TESS_EVAL = 2, /* tessellation evaluation shader */
    SCH_STAGE_GEOMETRY = 3,  /* geometry shader */
    SCH_STAGE_FRAGMENT = 4,  /* fragment shader */
    SCH_STAGE_COMPUTE = 5    /* compute shader */
};

/* Texture targets, by TGSI's numbers. The SHADOW ones are lookups, not textures. */
enum sch_target {
    SCH_TARGET_BUFFER = 0,            /* a buffer of texels */
    SCH_TARGET_1D = 1,                /* one-dimensional */
    SCH_TARGET_2D = 2,                /* two-dimensional */
    SCH_TARGET_3D = 3,                /* three-dimensional */
    SCH_TARGET_CUBE = 4,              /* six faces, addressed by a direction */
    SCH_TARGET_RECT = 5,              /* two-dimensional with coordinates in texels */
    SCH_TARGET_SHADOW1D = 6,          /* one-dimensional with comparison */
    SCH_TARGET_SHADOW2D = 7,          /* two-dimensional with comparison */
    SCH_TARGET_SHADOWRECT = 8,        /* rectangle with comparison */
    SCH_TARGET_1D_ARRAY = 9,          /* layers of one-dimensional textures */
    SCH_TARGET_2D_ARRAY = 10,         /* layers of two-dimensional textures */
    SCH_TARGET_SHADOW1D_ARRAY = 11,   /* layers of one-dimensional textures with comparison */
    SCH_TARGET_SHADOW2D_ARRAY = 12,   /* layers of two-dimensional textures with comparison */
    SCH_TARGET_SHADOWCUBE = 13,       /* cube with comparison */
    SCH_TARGET_2D_MSAA = 14,          /* two-dimensional, several samples a texel */
    SCH_TARGET_2D_ARRAY_MSAA = 15,    /* layers, several samples a texel */
    SCH_TARGET_CUBE_ARRAY = 16,       /* layers of cubes */
    SCH_TARGET_SHADOWCUBE_ARRAY = 17, /* layers of cubes with comparison */
    SCH_TARGET_UNKNOWN = 18           /* not stated: SAMPLE opcodes take it from the view's declaration */
};

/* Register files, by TGSI's numbers. */
enum sch_file {
    SCH_FILE_NULL = 0,          /* no register: a destination that is dropped */
    SCH_FILE_CONSTANT = 1,      /* constants, uniform over the draw; one or two brackets (buffer, register) */
    SCH_FILE_INPUT = 2,         /* inputs of the stage */
    SCH_FILE_OUTPUT = 3,        /* outputs of the stage */
    SCH_FILE_TEMPORARY = 4,     /* temporaries of one invocation, zero at the start */
    SCH_FILE_SAMPLER = 5,       /* samplers, with their textures for TEX opcodes */
    SCH_FILE_ADDRESS = 6,       /* integer registers for indirect operands */
    SCH_FILE_IMMEDIATE = 7,     /* immediate values */
    SCH_FILE_SYSTEM_VALUE = 8,  /* values that the stage's hardware supplies */
    SCH_FILE_IMAGE = 9,         /* images for LOAD, STORE and atomics */
    SCH_FILE_SAMPLER_VIEW = 10, /* sampler views */
    SCH_FILE_BUFFER = 11,       /* shader storage buffers */
    SCH_FILE_MEMORY = 12,       /* memory of the grid, work group or invocation */
    SCH_FILE_CONSTBUF = 13,     /* constant buffers as memory for LOAD */
    SCH_FILE_HW_ATOMIC = 14,    /* hardware atomic counters */
    SCH_FILE_RESOURCE = 15      /* the specification's resources (text only) */
};

/* How an input is interpolated over a primitive, by TGSI's numbers. */
enum sch_interpolation {
    SCH_INTERPOLATION_CONSTANT = 0,    /* the provoking vertex's value */
    SCH_INTERPOLATION_LINEAR = 1,      /* linear in window space */
    SCH_INTERPOLATION_PERSPECTIVE = 2, /* perspective-correct */
    SCH_INTERPOLATION_COLOR = 3        /* as the rasterizer's flat-shading state says */
};

/* Where in a pixel an input is interpolated, by TGSI's numbers. */
enum sch_location {
    SCH_LOCATION_CENTER = 0,   /* at the pixel's centre */
    SCH_LOCATION_CENTROID = 1, /* at a place inside the primitive */
    SCH_LOCATION_SAMPLE = 2    /* at each sample */
};

/* Which memory a register of MEMORY is, by TGSI's numbers. */
enum sch_memory_kind {
    SCH_MEMORY_GLOBAL = 0,  /* seen by all work groups */
    SCH_MEMORY_SHARED = 1,  /* seen by one work group */
    SCH_MEMORY_PRIVATE = 2, /* seen by one invocation */
    SCH_MEMORY_INPUT = 3    /* the grid's parameters, read only */
};

/* What instructions say of accesses to memory: bits. */
enum sch_qualifier {
    SCH_QUALIFIER_COHERENT = 1,           /* writes are seen by other invocations */
    SCH_QUALIFIER_RESTRICT = 2,           /* no other name reaches the memory */
    SCH_QUALIFIER_VOLATILE = 4,           /* every access reaches memory */
    SCH_QUALIFIER_STREAM_CACHE_POLICY = 8 /* data that is used once */
};

/* What lookups through a sampler view return, by TGSI's numbers. */
enum sch_return_type {
    SCH_RETURN_UNORM = 0, /* unsigned numbers in [0, 1], as floats */
    SCH_RETURN_SNORM = 1, /* signed numbers in [-1, 1], as floats */
    SCH_RETURN_SINT = 2,  /* signed integers */
    SCH_RETURN_UINT = 3,  /* unsigned integers */
    SCH_RETURN_FLOAT = 4  /* floats */
};

/* How an immediate is written, by TGSI's numbers. */
enum sch_immediate_type {
    SCH_IMMEDIATE_FLT32 = 0,  /* four 32-bit floats */
    SCH_IMMEDIATE_UINT32 = 1, /* four 32-bit unsigned integers */
    SCH_IMMEDIATE_INT32 = 2,  /* four 32-bit signed integers */
    SCH_IMMEDIATE_FLT64 = 3,  /* two 64-bit floats */
    SCH_IMMEDIATE_UINT64 = 4, /* two 64-bit unsigned integers */
    SCH_IMMEDIATE_INT64 = 5   /* two 64-bit signed integers */
};

/* What vertices are put together to, by TGSI's and gallium's numbers. */
enum sch_primitive {
    SCH_PRIMITIVE_POINTS = 0,                    /* points */
    SCH_PRIMITIVE_LINES = 1,                     /* lines of two vertices each */
    SCH_PRIMITIVE_LINE_LOOP = 2,                 /* a strip of lines whose last vertex meets the first */
    SCH_PRIMITIVE_LINE_STRIP = 3,                /* a strip of lines */
    SCH_PRIMITIVE_TRIANGLES = 4,                 /* triangles of three vertices each */
    SCH_PRIMITIVE_TRIANGLE_STRIP = 5,            /* a strip of triangles */
    SCH_PRIMITIVE_TRIANGLE_FAN = 6,              /* a fan of triangles */
    SCH_PRIMITIVE_QUADS = 7,                     /* quadrilaterals of four vertices each */
    SCH_PRIMITIVE_QUAD_STRIP = 8,                /* a strip of quadrilaterals */
    SCH_PRIMITIVE_POLYGON = 9,                   /* one polygon */
    SCH_PRIMITIVE_LINES_ADJACENCY = 10,          /* lines with a vertex before and after each: four vertices */
    SCH_PRIMITIVE_LINE_STRIP_ADJACENCY = 11,     /* a strip of lines with a vertex before it and one after */
    SCH_PRIMITIVE_TRIANGLES_ADJACENCY = 12,      /* triangles with a vertex beyond each edge: six vertices */
    SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY = 13, /* a strip of triangles with vertices beyond the edges */
    SCH_PRIMITIVE_PATCHES = 14                   /* patches of as many vertices as the caller says */
};

/* What registers mean to other stages or to the system, by TGSI's numbers; Scheelite's own are numbered from 64.
 * sch_semantic_name (tables.h) has the words that text has. Source: tgsi.rst, "Declaration Semantic". */
enum sch_semantic {
    SCH_SEMANTIC_NONE = -1,                     /* the register has none */
    /* vertex stages: clip-space position; fragment input: window position (x, y, depth, 1/w); fragment output: z is the
     * depth */
    SCH_SEMANTIC_POSITION = 0,
    SCH_SEMANTIC_COLOR = 1,                     /* an R,G,B,A color */
    SCH_SEMANTIC_BCOLOR = 2,                    /* color of back-facing polygons */
    SCH_SEMANTIC_FOG = 3,                       /* fog coordinate */
    SCH_SEMANTIC_PSIZE = 4,                     /* point size (S, 0, 0, 1) */
    SCH_SEMANTIC_GENERIC = 5,                   /* any attribute; the index matches outputs with inputs */
    SCH_SEMANTIC_NORMAL = 6,                    /* normal vector of a vertex */
    /* front facing: as an input a float (F, 0, 0, 1), positive for front; as a system value an integer (F, 0, 0, 1),
     * all ones for front */
    SCH_SEMANTIC_FACE = 7,
    SCH_SEMANTIC_EDGEFLAG = 8,                  /* edge flag, 0.0 or 1.0 in x */
    SCH_SEMANTIC_PRIMID = 9,                    /* primitive id in x */
    SCH_SEMANTIC_INSTANCEID = 10,               /* instance id in x, without the base instance */
    SCH_SEMANTIC_VERTEXID = 11,                 /* vertex id in x, with the base vertex */
    SCH_SEMANTIC_STENCIL = 12,                  /* stencil reference value in y */
    SCH_SEMANTIC_CLIPDIST = 13,                 /* clip distances, then cull distances */
    SCH_SEMANTIC_CLIPVERTEX = 14,               /* vertex position against user clip planes */
    SCH_SEMANTIC_GRID_SIZE = 15,                /* work groups in the grid (x, y, z) */
    SCH_SEMANTIC_BLOCK_ID = 16,                 /* the work group in the grid (x, y, z) */
    SCH_SEMANTIC_BLOCK_SIZE = 17,               /* invocations in a work group (x, y, z) */
    SCH_SEMANTIC_THREAD_ID = 18,                /* the invocation in the work group (x, y, z) */
    SCH_SEMANTIC_TEXCOORD = 19,                 /* texture coordinate that point sprites may replace; index at most 7 */
    SCH_SEMANTIC_PCOORD = 20,                   /* sprite coordinate (x, y, 0, 1) */
    SCH_SEMANTIC_VIEWPORT_INDEX = 21,           /* viewport in x */
    SCH_SEMANTIC_LAYER = 22,                    /* layer of the framebuffer in x */
    SCH_SEMANTIC_SAMPLEID = 23,                 /* sample in x */
    SCH_SEMANTIC_SAMPLEPOS = 24,                /* position of the sample in the pixel (x, y) */
    SCH_SEMANTIC_SAMPLEMASK = 25,               /* covered samples in x */
    SCH_SEMANTIC_INVOCATIONID = 26,             /* invocation of the geometry or tessellation control shader in x */
    SCH_SEMANTIC_VERTEXID_NOBASE = 27,          /* vertex id in x, without the base vertex */
    SCH_SEMANTIC_BASEVERTEX = 28,               /* base vertex in x */
    SCH_SEMANTIC_PATCH = 29,                    /* attribute of a whole patch */
    SCH_SEMANTIC_TESSCOORD = 30,                /* coordinate of the vertex in the patch (x, y, z) */
    SCH_SEMANTIC_TESSOUTER = 31,                /* outer tessellation levels */
    SCH_SEMANTIC_TESSINNER = 32,                /* inner tessellation levels */
    SCH_SEMANTIC_VERTICESIN = 33,               /* vertices of the input patch in x */
    SCH_SEMANTIC_HELPER_INVOCATION = 34,        /* all ones in x for an invocation that was started as a helper */
    SCH_SEMANTIC_BASEINSTANCE = 35,             /* base instance in x */
    SCH_SEMANTIC_DRAWID = 36,                   /* draw of a multi-draw in x */
    SCH_SEMANTIC_WORK_DIM = 37,                 /* dimensions of the grid in x */
    SCH_SEMANTIC_SUBGROUP_SIZE = 38,            /* 32 in x */
    SCH_SEMANTIC_SUBGROUP_INVOCATION = 39,      /* lane of the invocation in x */
    SCH_SEMANTIC_SUBGROUP_EQ_MASK = 40,         /* mask of this lane */
    SCH_SEMANTIC_SUBGROUP_GE_MASK = 41,         /* mask of this lane and later ones */
    SCH_SEMANTIC_SUBGROUP_GT_MASK = 42,         /* mask of later lanes */
    SCH_SEMANTIC_SUBGROUP_LE_MASK = 43,         /* mask of this lane and earlier ones */
    SCH_SEMANTIC_SUBGROUP_LT_MASK = 44,         /* mask of earlier lanes */
    SCH_SEMANTIC_CS_USER_DATA_AMD = 45,         /* user data of one driver */
    SCH_SEMANTIC_VIEWPORT_MASK = 46,            /* viewports that receive the primitive */
    SCH_SEMANTIC_TESS_DEFAULT_OUTER_LEVEL = 47, /* default outer tessellation levels */
    SCH_SEMANTIC_TESS_DEFAULT_INNER_LEVEL = 48, /* default inner tessellation levels */
    /* bit 0 in x: the primitive covers the whole pixel (Direct3D); our own: binary tokens have no number for it */
    SCH_SEMANTIC_INNER_COVERAGE = 64
};

/* Direct3D's system values, by the numbers of D3D_NAME; the words are those of the signatures in fxc's listings
 * (struct sch_signature_info). */
enum sch_system_value {
    SCH_SYSTEM_VALUE_NONE = 0,       /* an attribute of the program's own */
    SCH_SYSTEM_VALUE_POS = 1,        /* SV_Position */
    SCH_SYSTEM_VALUE_CLIPDST = 2,    /* SV_ClipDistance */
    SCH_SYSTEM_VALUE_CULLDST = 3,    /* SV_CullDistance */
    SCH_SYSTEM_VALUE_RTINDEX = 4,    /* SV_RenderTargetArrayIndex */
    SCH_SYSTEM_VALUE_VPINDEX = 5,    /* SV_ViewportArrayIndex */
    SCH_SYSTEM_VALUE_VERTID = 6,     /* SV_VertexID */
    SCH_SYSTEM_VALUE_PRIMID = 7,     /* SV_PrimitiveID */
    SCH_SYSTEM_VALUE_INSTID = 8,     /* SV_InstanceID */
    SCH_SYSTEM_VALUE_FFACE = 9,      /* SV_IsFrontFace */
    SCH_SYSTEM_VALUE_SAMPLE = 10,    /* SV_SampleIndex */
    SCH_SYSTEM_VALUE_QUADEDGE = 11,  /* SV_TessFactor of quads */
    SCH_SYSTEM_VALUE_QUADINT = 12,   /* SV_InsideTessFactor of quads */
    SCH_SYSTEM_VALUE_TRIEDGE = 13,   /* SV_TessFactor of triangles */
    SCH_SYSTEM_VALUE_TRIINT = 14,    /* SV_InsideTessFactor of triangles */
    SCH_SYSTEM_VALUE_LINEDET = 15,   /* SV_TessFactor of lines: their detail */
    SCH_SYSTEM_VALUE_LINEDEN = 16,   /* SV_TessFactor of lines: their density */
    SCH_SYSTEM_VALUE_TARGET = 64,    /* SV_Target */
    SCH_SYSTEM_VALUE_DEPTH = 65,     /* SV_Depth */
    SCH_SYSTEM_VALUE_COVERAGE = 66,  /* SV_Coverage */
    SCH_SYSTEM_VALUE_DEPTHGE = 67,   /* SV_DepthGreaterEqual */
    SCH_SYSTEM_VALUE_DEPTHLE = 68,   /* SV_DepthLessEqual */
    SCH_SYSTEM_VALUE_STENCILREF = 69 /* SV_StencilRef */
};

/* Texel formats, by gallium's names and numbers. `scheelite list formats` has their layouts. */
enum sch_format {
    SCH_FORMAT_NONE = 0, SCH_FORMAT_R64_UINT = 1, SCH_FORMAT_R64G64_UINT = 2, SCH_FORMAT_R64G64B64_UINT = 3,
    SCH_FORMAT_R64G64B64A64_UINT = 4, SCH_FORMAT_R64_SINT = 5, SCH_FORMAT_R64G64_SINT = 6,
    SCH_FORMAT_R64G64B64_SINT = 7, SCH_FORMAT_R64G64B64A64_SINT = 8, SCH_FORMAT_R64_FLOAT = 9,
    SCH_FORMAT_R64G64_FLOAT = 10, SCH_FORMAT_R64G64B64_FLOAT = 11, SCH_FORMAT_R64G64B64A64_FLOAT = 12,
    SCH_FORMAT_R32_FLOAT = 13, SCH_FORMAT_R32G32_FLOAT = 14, SCH_FORMAT_R32G32B32_FLOAT = 15,
    SCH_FORMAT_R32G32B32A32_FLOAT = 16, SCH_FORMAT_R32_UNORM = 17, SCH_FORMAT_R32G32_UNORM = 18,
    SCH_FORMAT_R32G32B32_UNORM = 19, SCH_FORMAT_R32G32B32A32_UNORM = 20, SCH_FORMAT_R32_USCALED = 21,
    SCH_FORMAT_R32G32_USCALED = 22, SCH_FORMAT_R32G32B32_USCALED = 23, SCH_FORMAT_R32G32B32A32_USCALED = 24,
    SCH_FORMAT_R32_SNORM = 25, SCH_FORMAT_R32G32_SNORM = 26, SCH_FORMAT_R32G32B32_SNORM = 27,
    SCH_FORMAT_R32G32B32A32_SNORM = 28, SCH_FORMAT_R32_SSCALED = 29, SCH_FORMAT_R32G32_SSCALED = 30,
    SCH_FORMAT_R32G32B32_SSCALED = 31, SCH_FORMAT_R32G32B32A32_SSCALED = 32, SCH_FORMAT_R16_UNORM = 33,
    SCH_FORMAT_R16G16_UNORM = 34, SCH_FORMAT_R16G16B16_UNORM = 35, SCH_FORMAT_R16G16B16A16_UNORM = 36,
    SCH_FORMAT_R16_USCALED = 37, SCH_FORMAT_R16G16_USCALED = 38, SCH_FORMAT_R16G16B16_USCALED = 39,
    SCH_FORMAT_R16G16B16A16_USCALED = 40, SCH_FORMAT_R16_SNORM = 41, SCH_FORMAT_R16G16_SNORM = 42,
    SCH_FORMAT_R16G16B16_SNORM = 43, SCH_FORMAT_R16G16B16A16_SNORM = 44, SCH_FORMAT_R16_SSCALED = 45,
    SCH_FORMAT_R16G16_SSCALED = 46, SCH_FORMAT_R16G16B16_SSCALED = 47, SCH_FORMAT_R16G16B16A16_SSCALED = 48,
    SCH_FORMAT_R8_UNORM = 49, SCH_FORMAT_R8G8_UNORM = 50, SCH_FORMAT_R8G8B8_UNORM = 51, SCH_FORMAT_B8G8R8_UNORM = 52,
    SCH_FORMAT_R8G8B8A8_UNORM = 53, SCH_FORMAT_B8G8R8A8_UNORM = 54, SCH_FORMAT_R8_USCALED = 55,
    SCH_FORMAT_R8G8_USCALED = 56, SCH_FORMAT_R8G8B8_USCALED = 57, SCH_FORMAT_B8G8R8_USCALED = 58,
    SCH_FORMAT_R8G8B8A8_USCALED = 59, SCH_FORMAT_B8G8R8A8_USCALED = 60, SCH_FORMAT_A8B8G8R8_USCALED = 61,
    SCH_FORMAT_R8_SNORM = 62, SCH_FORMAT_R8G8_SNORM = 63, SCH_FORMAT_R8G8B8_SNORM = 64, SCH_FORMAT_B8G8R8_SNORM = 65,
    SCH_FORMAT_R8G8B8A8_SNORM = 66, SCH_FORMAT_B8G8R8A8_SNORM = 67, SCH_FORMAT_R8_SSCALED = 68,
    SCH_FORMAT_R8G8_SSCALED = 69, SCH_FORMAT_R8G8B8_SSCALED = 70, SCH_FORMAT_B8G8R8_SSCALED = 71,
    SCH_FORMAT_R8G8B8A8_SSCALED = 72, SCH_FORMAT_B8G8R8A8_SSCALED = 73, SCH_FORMAT_A8B8G8R8_SSCALED = 74,
    SCH_FORMAT_A8R8G8B8_UNORM = 75, SCH_FORMAT_R32_FIXED = 76, SCH_FORMAT_R32G32_FIXED = 77,
    SCH_FORMAT_R32G32B32_FIXED = 78, SCH_FORMAT_R32G32B32A32_FIXED = 79, SCH_FORMAT_R16_FLOAT = 80,
    SCH_FORMAT_R16G16_FLOAT = 81, SCH_FORMAT_R16G16B16_FLOAT = 82, SCH_FORMAT_R16G16B16A16_FLOAT = 83,
    SCH_FORMAT_R8_UINT = 84, SCH_FORMAT_R8G8_UINT = 85, SCH_FORMAT_R8G8B8_UINT = 86, SCH_FORMAT_B8G8R8_UINT = 87,
    SCH_FORMAT_R8G8B8A8_UINT = 88, SCH_FORMAT_B8G8R8A8_UINT = 89, SCH_FORMAT_R8_SINT = 90, SCH_FORMAT_R8G8_SINT = 91,
    SCH_FORMAT_R8G8B8_SINT = 92, SCH_FORMAT_B8G8R8_SINT = 93, SCH_FORMAT_R8G8B8A8_SINT = 94,
    SCH_FORMAT_B8G8R8A8_SINT = 95, SCH_FORMAT_R16_UINT = 96, SCH_FORMAT_R16G16_UINT = 97,
    SCH_FORMAT_R16G16B16_UINT = 98, SCH_FORMAT_R16G16B16A16_UINT = 99, SCH_FORMAT_R16_SINT = 100,
    SCH_FORMAT_R16G16_SINT = 101, SCH_FORMAT_R16G16B16_SINT = 102, SCH_FORMAT_R16G16B16A16_SINT = 103,
    SCH_FORMAT_R32_UINT = 104, SCH_FORMAT_R32G32_UINT = 105, SCH_FORMAT_R32G32B32_UINT = 106,
    SCH_FORMAT_R32G32B32A32_UINT = 107, SCH_FORMAT_R32_SINT = 108, SCH_FORMAT_R32G32_SINT = 109,
    SCH_FORMAT_R32G32B32_SINT = 110, SCH_FORMAT_R32G32B32A32_SINT = 111, SCH_FORMAT_R10G10B10A2_UNORM = 112,
    SCH_FORMAT_R10G10B10A2_SNORM = 113, SCH_FORMAT_R10G10B10A2_USCALED = 114, SCH_FORMAT_R10G10B10A2_SSCALED = 115,
    SCH_FORMAT_B10G10R10A2_UNORM = 116, SCH_FORMAT_B10G10R10A2_SNORM = 117, SCH_FORMAT_B10G10R10A2_USCALED = 118,
    SCH_FORMAT_B10G10R10A2_SSCALED = 119, SCH_FORMAT_R11G11B10_FLOAT = 120, SCH_FORMAT_R10G10B10A2_UINT = 121,
    SCH_FORMAT_R10G10B10A2_SINT = 122, SCH_FORMAT_B10G10R10A2_UINT = 123, SCH_FORMAT_B10G10R10A2_SINT = 124,
    SCH_FORMAT_B8G8R8X8_UNORM = 125, SCH_FORMAT_X8B8G8R8_UNORM = 126, SCH_FORMAT_X8R8G8B8_UNORM = 127,
    SCH_FORMAT_B5G5R5A1_UNORM = 128, SCH_FORMAT_R4G4B4A4_UNORM = 129, SCH_FORMAT_B4G4R4A4_UNORM = 130,
    SCH_FORMAT_R5G6B5_UNORM = 131, SCH_FORMAT_B5G6R5_UNORM = 132, SCH_FORMAT_L8_UNORM = 133, SCH_FORMAT_A8_UNORM = 134,
    SCH_FORMAT_I8_UNORM = 135, SCH_FORMAT_L8A8_UNORM = 136, SCH_FORMAT_L16_UNORM = 137, SCH_FORMAT_UYVY = 138,
    SCH_FORMAT_YUYV = 139, SCH_FORMAT_Z16_UNORM = 140, SCH_FORMAT_Z16_UNORM_S8_UINT = 141, SCH_FORMAT_Z32_UNORM = 142,
    SCH_FORMAT_Z32_FLOAT = 143, SCH_FORMAT_Z24_UNORM_S8_UINT = 144, SCH_FORMAT_S8_UINT_Z24_UNORM = 145,
    SCH_FORMAT_Z24X8_UNORM = 146, SCH_FORMAT_X8Z24_UNORM = 147, SCH_FORMAT_S8_UINT = 148, SCH_FORMAT_L8_SRGB = 149,
    SCH_FORMAT_R8_SRGB = 150, SCH_FORMAT_L8A8_SRGB = 151, SCH_FORMAT_R8G8_SRGB = 152, SCH_FORMAT_R8G8B8_SRGB = 153,
    SCH_FORMAT_B8G8R8_SRGB = 154, SCH_FORMAT_A8B8G8R8_SRGB = 155, SCH_FORMAT_X8B8G8R8_SRGB = 156,
    SCH_FORMAT_B8G8R8A8_SRGB = 157, SCH_FORMAT_B8G8R8X8_SRGB = 158, SCH_FORMAT_A8R8G8B8_SRGB = 159,
    SCH_FORMAT_X8R8G8B8_SRGB = 160, SCH_FORMAT_R8G8B8A8_SRGB = 161, SCH_FORMAT_DXT1_RGB = 162,
    SCH_FORMAT_DXT1_RGBA = 163, SCH_FORMAT_DXT3_RGBA = 164, SCH_FORMAT_DXT5_RGBA = 165, SCH_FORMAT_DXT1_SRGB = 166,
    SCH_FORMAT_DXT1_SRGBA = 167, SCH_FORMAT_DXT3_SRGBA = 168, SCH_FORMAT_DXT5_SRGBA = 169, SCH_FORMAT_RGTC1_UNORM = 170,
    SCH_FORMAT_RGTC1_SNORM = 171, SCH_FORMAT_RGTC2_UNORM = 172, SCH_FORMAT_RGTC2_SNORM = 173,
    SCH_FORMAT_R8G8_B8G8_UNORM = 174, SCH_FORMAT_G8R8_G8B8_UNORM = 175, SCH_FORMAT_R8SG8SB8UX8U_NORM = 176,
    SCH_FORMAT_R5SG5SB6U_NORM = 177, SCH_FORMAT_A8B8G8R8_UNORM = 178, SCH_FORMAT_B5G5R5X1_UNORM = 179,
    SCH_FORMAT_R9G9B9E5_FLOAT = 180, SCH_FORMAT_Z32_FLOAT_S8X24_UINT = 181, SCH_FORMAT_R1_UNORM = 182,
    SCH_FORMAT_R10G10B10X2_USCALED = 183, SCH_FORMAT_R10G10B10X2_SNORM = 184, SCH_FORMAT_L4A4_UNORM = 185,
    SCH_FORMAT_A2R10G10B10_UNORM = 186, SCH_FORMAT_A2B10G10R10_UNORM = 187, SCH_FORMAT_R10SG10SB10SA2U_NORM = 188,
    SCH_FORMAT_R8G8Bx_SNORM = 189, SCH_FORMAT_R8G8B8X8_UNORM = 190, SCH_FORMAT_B4G4R4X4_UNORM = 191,
    SCH_FORMAT_X24S8_UINT = 192, SCH_FORMAT_S8X24_UINT = 193, SCH_FORMAT_X32_S8X24_UINT = 194,
    SCH_FORMAT_R3G3B2_UNORM = 195, SCH_FORMAT_B2G3R3_UNORM = 196, SCH_FORMAT_L16A16_UNORM = 197,
    SCH_FORMAT_A16_UNORM = 198, SCH_FORMAT_I16_UNORM = 199, SCH_FORMAT_LATC1_UNORM = 200, SCH_FORMAT_LATC1_SNORM = 201,
    SCH_FORMAT_LATC2_UNORM = 202, SCH_FORMAT_LATC2_SNORM = 203, SCH_FORMAT_A8_SNORM = 204, SCH_FORMAT_L8_SNORM = 205,
    SCH_FORMAT_L8A8_SNORM = 206, SCH_FORMAT_I8_SNORM = 207, SCH_FORMAT_A16_SNORM = 208, SCH_FORMAT_L16_SNORM = 209,
    SCH_FORMAT_L16A16_SNORM = 210, SCH_FORMAT_I16_SNORM = 211, SCH_FORMAT_A16_FLOAT = 212, SCH_FORMAT_L16_FLOAT = 213,
    SCH_FORMAT_L16A16_FLOAT = 214, SCH_FORMAT_I16_FLOAT = 215, SCH_FORMAT_A32_FLOAT = 216, SCH_FORMAT_L32_FLOAT = 217,
    SCH_FORMAT_L32A32_FLOAT = 218, SCH_FORMAT_I32_FLOAT = 219, SCH_FORMAT_YV12 = 220, SCH_FORMAT_YV16 = 221,
    SCH_FORMAT_IYUV = 222, SCH_FORMAT_NV12 = 223, SCH_FORMAT_NV21 = 224, SCH_FORMAT_Y8_400_UNORM = 225,
    SCH_FORMAT_Y8_U8_V8_422_UNORM = 226, SCH_FORMAT_Y8_U8V8_422_UNORM = 227, SCH_FORMAT_Y8_U8_V8_444_UNORM = 228,
    SCH_FORMAT_Y16_U16_V16_420_UNORM = 229, SCH_FORMAT_Y16_U16_V16_422_UNORM = 230,
    SCH_FORMAT_Y16_U16V16_422_UNORM = 231, SCH_FORMAT_Y16_U16_V16_444_UNORM = 232, SCH_FORMAT_A4R4_UNORM = 233,
    SCH_FORMAT_R4A4_UNORM = 234, SCH_FORMAT_R8A8_UNORM = 235, SCH_FORMAT_A8R8_UNORM = 236, SCH_FORMAT_A8_UINT = 237,
    SCH_FORMAT_I8_UINT = 238, SCH_FORMAT_L8_UINT = 239, SCH_FORMAT_L8A8_UINT = 240, SCH_FORMAT_A8_SINT = 241,
    SCH_FORMAT_I8_SINT = 242, SCH_FORMAT_L8_SINT = 243, SCH_FORMAT_L8A8_SINT = 244, SCH_FORMAT_A16_UINT = 245,
    SCH_FORMAT_I16_UINT = 246, SCH_FORMAT_L16_UINT = 247, SCH_FORMAT_L16A16_UINT = 248, SCH_FORMAT_A16_SINT = 249,
    SCH_FORMAT_I16_SINT = 250, SCH_FORMAT_L16_SINT = 251, SCH_FORMAT_L16A16_SINT = 252, SCH_FORMAT_A32_UINT = 253,
    SCH_FORMAT_I32_UINT = 254, SCH_FORMAT_L32_UINT = 255, SCH_FORMAT_L32A32_UINT = 256, SCH_FORMAT_A32_SINT = 257,
    SCH_FORMAT_I32_SINT = 258, SCH_FORMAT_L32_SINT = 259, SCH_FORMAT_L32A32_SINT = 260, SCH_FORMAT_A8R8G8B8_UINT = 261,
    SCH_FORMAT_A8B8G8R8_UINT = 262, SCH_FORMAT_A2R10G10B10_UINT = 263, SCH_FORMAT_A2B10G10R10_UINT = 264,
    SCH_FORMAT_R5G6B5_UINT = 265, SCH_FORMAT_B5G6R5_UINT = 266, SCH_FORMAT_R5G5B5A1_UINT = 267,
    SCH_FORMAT_B5G5R5A1_UINT = 268, SCH_FORMAT_A1R5G5B5_UINT = 269, SCH_FORMAT_A1B5G5R5_UINT = 270,
    SCH_FORMAT_R4G4B4A4_UINT = 271, SCH_FORMAT_B4G4R4A4_UINT = 272, SCH_FORMAT_A4R4G4B4_UINT = 273,
    SCH_FORMAT_A4B4G4R4_UINT = 274, SCH_FORMAT_R3G3B2_UINT = 275, SCH_FORMAT_B2G3R3_UINT = 276,
    SCH_FORMAT_ETC1_RGB8 = 277, SCH_FORMAT_R8G8_R8B8_UNORM = 278, SCH_FORMAT_G8R8_B8R8_UNORM = 279,
    SCH_FORMAT_R8G8B8X8_SNORM = 280, SCH_FORMAT_R8G8B8X8_SRGB = 281, SCH_FORMAT_R8G8B8X8_UINT = 282,
    SCH_FORMAT_R8G8B8X8_SINT = 283, SCH_FORMAT_B10G10R10X2_UNORM = 284, SCH_FORMAT_R16G16B16X16_UNORM = 285,
    SCH_FORMAT_R16G16B16X16_SNORM = 286, SCH_FORMAT_R16G16B16X16_FLOAT = 287, SCH_FORMAT_R16G16B16X16_UINT = 288,
    SCH_FORMAT_R16G16B16X16_SINT = 289, SCH_FORMAT_R32G32B32X32_FLOAT = 290, SCH_FORMAT_R32G32B32X32_UINT = 291,
    SCH_FORMAT_R32G32B32X32_SINT = 292, SCH_FORMAT_R8A8_SNORM = 293, SCH_FORMAT_R16A16_UNORM = 294,
    SCH_FORMAT_R16A16_SNORM = 295, SCH_FORMAT_R16A16_FLOAT = 296, SCH_FORMAT_R32A32_FLOAT = 297,
    SCH_FORMAT_R8A8_UINT = 298, SCH_FORMAT_R8A8_SINT = 299, SCH_FORMAT_R16A16_UINT = 300, SCH_FORMAT_R16A16_SINT = 301,
    SCH_FORMAT_R32A32_UINT = 302, SCH_FORMAT_R32A32_SINT = 303, SCH_FORMAT_B5G6R5_SRGB = 304,
    SCH_FORMAT_BPTC_RGBA_UNORM = 305, SCH_FORMAT_BPTC_SRGBA = 306, SCH_FORMAT_BPTC_RGB_FLOAT = 307,
    SCH_FORMAT_BPTC_RGB_UFLOAT = 308, SCH_FORMAT_G8R8_UNORM = 309, SCH_FORMAT_G8R8_SNORM = 310,
    SCH_FORMAT_G16R16_UNORM = 311, SCH_FORMAT_G16R16_SNORM = 312, SCH_FORMAT_A8B8G8R8_SNORM = 313,
    SCH_FORMAT_X8B8G8R8_SNORM = 314, SCH_FORMAT_ETC2_RGB8 = 315, SCH_FORMAT_ETC2_SRGB8 = 316,
    SCH_FORMAT_ETC2_RGB8A1 = 317, SCH_FORMAT_ETC2_SRGB8A1 = 318, SCH_FORMAT_ETC2_RGBA8 = 319,
    SCH_FORMAT_ETC2_SRGBA8 = 320, SCH_FORMAT_ETC2_R11_UNORM = 321, SCH_FORMAT_ETC2_R11_SNORM = 322,
    SCH_FORMAT_ETC2_RG11_UNORM = 323, SCH_FORMAT_ETC2_RG11_SNORM = 324, SCH_FORMAT_ASTC_4x4 = 325,
    SCH_FORMAT_ASTC_5x4 = 326, SCH_FORMAT_ASTC_5x5 = 327, SCH_FORMAT_ASTC_6x5 = 328, SCH_FORMAT_ASTC_6x6 = 329,
    SCH_FORMAT_ASTC_8x5 = 330, SCH_FORMAT_ASTC_8x6 = 331, SCH_FORMAT_ASTC_8x8 = 332, SCH_FORMAT_ASTC_10x5 = 333,
    SCH_FORMAT_ASTC_10x6 = 334, SCH_FORMAT_ASTC_10x8 = 335, SCH_FORMAT_ASTC_10x10 = 336, SCH_FORMAT_ASTC_12x10 = 337,
    SCH_FORMAT_ASTC_12x12 = 338, SCH_FORMAT_ASTC_4x4_SRGB = 339, SCH_FORMAT_ASTC_5x4_SRGB = 340,
    SCH_FORMAT_ASTC_5x5_SRGB = 341, SCH_FORMAT_ASTC_6x5_SRGB = 342, SCH_FORMAT_ASTC_6x6_SRGB = 343,
    SCH_FORMAT_ASTC_8x5_SRGB = 344, SCH_FORMAT_ASTC_8x6_SRGB = 345, SCH_FORMAT_ASTC_8x8_SRGB = 346,
    SCH_FORMAT_ASTC_10x5_SRGB = 347, SCH_FORMAT_ASTC_10x6_SRGB = 348, SCH_FORMAT_ASTC_10x8_SRGB = 349,
    SCH_FORMAT_ASTC_10x10_SRGB = 350, SCH_FORMAT_ASTC_12x10_SRGB = 351, SCH_FORMAT_ASTC_12x12_SRGB = 352,
    SCH_FORMAT_ASTC_3x3x3 = 353, SCH_FORMAT_ASTC_4x3x3 = 354, SCH_FORMAT_ASTC_4x4x3 = 355, SCH_FORMAT_ASTC_4x4x4 = 356,
    SCH_FORMAT_ASTC_5x4x4 = 357, SCH_FORMAT_ASTC_5x5x4 = 358, SCH_FORMAT_ASTC_5x5x5 = 359, SCH_FORMAT_ASTC_6x5x5 = 360,
    SCH_FORMAT_ASTC_6x6x5 = 361, SCH_FORMAT_ASTC_6x6x6 = 362, SCH_FORMAT_ASTC_3x3x3_SRGB = 363,
    SCH_FORMAT_ASTC_4x3x3_SRGB = 364, SCH_FORMAT_ASTC_4x4x3_SRGB = 365, SCH_FORMAT_ASTC_4x4x4_SRGB = 366,
    SCH_FORMAT_ASTC_5x4x4_SRGB = 367, SCH_FORMAT_ASTC_5x5x4_SRGB = 368, SCH_FORMAT_ASTC_5x5x5_SRGB = 369,
    SCH_FORMAT_ASTC_6x5x5_SRGB = 370, SCH_FORMAT_ASTC_6x6x5_SRGB = 371, SCH_FORMAT_ASTC_6x6x6_SRGB = 372,
    SCH_FORMAT_FXT1_RGB = 373, SCH_FORMAT_FXT1_RGBA = 374, SCH_FORMAT_P010 = 375, SCH_FORMAT_P012 = 376,
    SCH_FORMAT_P016 = 377, SCH_FORMAT_Y210 = 378, SCH_FORMAT_Y212 = 379, SCH_FORMAT_Y216 = 380, SCH_FORMAT_Y410 = 381,
    SCH_FORMAT_Y412 = 382, SCH_FORMAT_Y416 = 383, SCH_FORMAT_R10G10B10X2_UNORM = 384, SCH_FORMAT_A1R5G5B5_UNORM = 385,
    SCH_FORMAT_A1B5G5R5_UNORM = 386, SCH_FORMAT_X1B5G5R5_UNORM = 387, SCH_FORMAT_R5G5B5A1_UNORM = 388,
    SCH_FORMAT_A4R4G4B4_UNORM = 389, SCH_FORMAT_A4B4G4R4_UNORM = 390, SCH_FORMAT_G8R8_SINT = 391,
    SCH_FORMAT_A8B8G8R8_SINT = 392, SCH_FORMAT_X8B8G8R8_SINT = 393, SCH_FORMAT_ATC_RGB = 394,
    SCH_FORMAT_ATC_RGBA_EXPLICIT = 395, SCH_FORMAT_ATC_RGBA_INTERPOLATED = 396,
    SCH_FORMAT_Z24_UNORM_S8_UINT_AS_R8G8B8A8 = 397, SCH_FORMAT_AYUV = 398, SCH_FORMAT_XYUV = 399,
    SCH_FORMAT_R8_G8B8_420_UNORM = 400, SCH_FORMAT_G8_B8R8_420_UNORM = 401, SCH_FORMAT_G8_B8_R8_420_UNORM = 402,
    SCH_FORMAT_Y8_UNORM = 403, SCH_FORMAT_B8G8R8X8_SNORM = 404, SCH_FORMAT_B8G8R8X8_UINT = 405,
    SCH_FORMAT_B8G8R8X8_SINT = 406, SCH_FORMAT_A8R8G8B8_SNORM = 407, SCH_FORMAT_A8R8G8B8_SINT = 408,
    SCH_FORMAT_X8R8G8B8_SNORM = 409, SCH_FORMAT_X8R8G8B8_SINT = 410, SCH_FORMAT_R5G5B5X1_UNORM = 411,
    SCH_FORMAT_X1R5G5B5_UNORM = 412, SCH_FORMAT_R4G4B4X4_UNORM = 413, SCH_FORMAT_B10G10R10X2_SNORM = 414,
    SCH_FORMAT_R5G6B5_SRGB = 415, SCH_FORMAT_R10G10B10X2_SINT = 416, SCH_FORMAT_B10G10R10X2_SINT = 417,
    SCH_FORMAT_G16R16_SINT = 418
};

/* clang-format on */
#endif
