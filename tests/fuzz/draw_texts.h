/* The programs of fuzz_draw.c: each has something that draws treat in a way of its own. Holds texts only. */
#ifndef SCH_TESTS_FUZZ_DRAW_TEXTS_H
#define SCH_TESTS_FUZZ_DRAW_TEXTS_H

static const char *const vertex_texts[] = {
    "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], COLOR\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[1]\nEND\n",
    "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\nDCL OUT[3], GENERIC[0]\n"
    "DCL OUT[4], PSIZE\nDCL OUT[5], CLIPDIST\nDCL OUT[6], FOG\nDCL OUT[7], EDGEFLAG\nMOV OUT[0], IN[0]\n"
    "MOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\nMOV OUT[4].x, IN[3].xxxx\nMOV OUT[5], IN[2]\n"
    "MOV OUT[6], IN[1]\nMOV OUT[7].x, IN[2].xxxx\nEND\n",
    "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_INDEX\nDCL OUT[3], GENERIC[0]\n"
    "DCL SV[0], INSTANCEID\nMOV OUT[0], IN[0]\nMOV OUT[1].x, SV[0].xxxx\nMOV OUT[2].x, IN[1].xxxx\n"
    "MOV OUT[3], IN[1]\nEND\n",
    "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "DCL TEMP[0]\nIMM[0] FLT32 {16.0, 16.0, 1.0, 1.0}\nMAD TEMP[0], IN[0], IMM[0], IMM[0]\nMOV OUT[0], TEMP[0]\n"
    "MOV OUT[1], IN[1]\nEND\n",
    "VERT\nDCL IN[0..1]\nDCL SV[0], VERTEXID\nDCL BUFFER[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL "
    "TEMP[0]\n"
    "IMM[0] UINT32 {4, 1, 0, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
    "STORE BUFFER[0].x, TEMP[0].xxxx, IN[0].xxxx\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].zzzz, IMM[0].yyyy\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n",
    "VERT\nPROPERTY NUM_CLIPDIST_ENABLED 2\nPROPERTY NUM_CULLDIST_ENABLED 2\nDCL IN[0..2]\nDCL OUT[0], POSITION\n"
    "DCL OUT[1], CLIPDIST\nDCL OUT[2], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nEND\n",
    "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPVERTEX\nDCL OUT[2], GENERIC[0]\nMOV OUT[0], IN[0]\n"
    "MOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nEND\n",
    "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] FLT32 {0.5, 0.0, 0.0, 0.0}\n"
    "MOV TEMP[0], IN[0]\nBGNLOOP\nFSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].yyyy\nBRK\nENDIF\n"
    "ADD TEMP[0].x, TEMP[0].xxxx, IN[1].xxxx\nENDLOOP\nMOV OUT[0], IN[0]\nEND\n",
};

/* Of points, lines and triangles: passed on; multiplied, on several streams; without an end; with layers. */
static const char *const geometry_texts[] = {
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
    "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"
    "MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\n"
    "EMIT IMM[0].xxxx\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 9\nPROPERTY GS_INVOCATIONS 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
    "DCL SV[0], PRIM_ID\nDCL SV[1], INVOCATIONID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0..1]\n"
    "IMM[0] UINT32 {0, 1, 3, 7}\nIMM[1] FLT32 {0.25, 0.5, 0.0, 0.0}\nMOV TEMP[0].x, IMM[0].xxxx\nMOV TEMP[1], "
    "IN[0][0]\n"
    "BGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\nUIF TEMP[0].yyyy\nBRK\nENDIF\nMOV OUT[0], TEMP[1]\n"
    "MOV OUT[1], IN[0][1]\nUADD TEMP[0].z, TEMP[0].xxxx, SV[1].xxxx\nAND TEMP[0].z, TEMP[0].zzzz, IMM[0].yyyy\n"
    "EMIT TEMP[0].zzzz\nADD TEMP[1].x, TEMP[1].xxxx, IMM[1].xxxx\nADD TEMP[1].y, IN[0][1].xxxx, -TEMP[1].yyyy\n"
    "AND TEMP[0].z, TEMP[0].xxxx, IMM[0].zzzz\nUSEQ TEMP[0].z, TEMP[0].zzzz, IMM[0].zzzz\nUIF TEMP[0].zzzz\n"
    "ENDPRIM IMM[0].xxxx\nENDIF\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 200\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\n"
    "DCL OUT[2], VIEWPORT_INDEX\nDCL OUT[3], GENERIC[0]\nDCL SV[0], PRIM_ID\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "MOV OUT[1].x, SV[0].xxxx\nMOV OUT[2].x, SV[0].xxxx\nMOV OUT[3], IN[0][0]\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\n"
    "MOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[3][0]\nEMIT IMM[0].xxxx\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES "
    "5000\n"
    "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], "
    "IN[0][0]\n"
    "MOV OUT[1], IN[1][0]\nBGNLOOP\nEMIT IMM[0].xxxx\nENDLOOP\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\n"
    "DCL IN[][0], POSITION\nDCL BUFFER[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n"
    "IMM[0] UINT32 {0, 1, 2, 3}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], IN[0][0]\n"
    "MOV OUT[1], TEMP[0].xxxx\nEMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\nEMIT IMM[0].zzzz\nEMIT IMM[0].wwww\nEND\n",
};

/* Levels up to 6, of vertices; of the first patch whatever they are, of all others 2; of what other invocations wrote,
 * with a barrier; of memory; Direct3D's. */
static const char *const control_texts[] = {
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
    "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\nDCL OUT[4], "
    "PATCH\n"
    "DCL ADDR[0]\nDCL TEMP[0]\nIMM[0] FLT32 {8.0, 6.0, 0.0, 0.0}\nUARL ADDR[0].x, SV[0].xxxx\n"
    "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n"
    "MUL TEMP[0], IN[0][1], IMM[0].xxxx\nMIN TEMP[0], TEMP[0], IMM[0].yyyy\nMOV OUT[2], TEMP[0]\n"
    "MOV OUT[3], TEMP[0].wzyx\nMOV OUT[4], IN[1][1]\nEND\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL IN[][0], POSITION\nDCL SV[0], PRIM_ID\nDCL OUT[][0], POSITION\n"
    "DCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nIMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {2.0, 2.0, 2.0, 2.0}\n"
    "DCL TEMP[0]\nMOV OUT[0][0], IN[0][0]\nMOV OUT[1], IMM[1]\nMOV OUT[2], IMM[1]\n"
    "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nMOV OUT[1], IN[0][0]\nMOV OUT[2], "
    "IN[1][0]\nENDIF\nEND\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 32\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\n"
    "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\n"
    "DCL OUT[4], PATCH[3]\nDCL ADDR[0..1]\nDCL TEMP[0..1]\nIMM[0] UINT32 {1, 31, 0, 0}\n"
    "IMM[1] FLT32 {3.0, 0.0, 0.0, 0.0}\nUARL ADDR[0].x, SV[0].xxxx\nUMOD TEMP[0].x, SV[0].xxxx, SV[1].xxxx\n"
    "UARL ADDR[1].x, TEMP[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[1].x][0]\nMOV OUT[ADDR[0].x][1], IN[0][0]\nBARRIER\n"
    "UADD TEMP[1].x, SV[0].xxxx, IMM[0].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nUARL ADDR[1].x, TEMP[1].xxxx\n"
    "MIN TEMP[0], OUT[ADDR[1].x][0], IMM[1].xxxx\nMOV OUT[2], TEMP[0]\nMOV OUT[3], TEMP[0]\nMOV OUT[4], TEMP[0]\nEND\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 2\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL BUFFER[0]\n"
    "DCL OUT[][0], POSITION\nDCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nDCL ADDR[0]\nDCL TEMP[0]\n"
    "IMM[0] UINT32 {0, 1, 3, 0}\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
    "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n"
    "U2F TEMP[0].x, TEMP[0].xxxx\nMOV OUT[1], TEMP[0].xxxx\nMOV OUT[2], TEMP[0].xxxx\nEND\n",
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 2\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_fractional_even\n"
    "dcl_tessellator_output_primitive output_triangle_ccw\nhs_fork_phase\ndcl_input vicp[2][0].xyzw\ndcl_temps 1\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
    "mad r0.xyzw, vicp[0][0].xyzw, l(2.0, 2.0, 2.0, 2.0), l(2.0, 2.0, 2.0, 2.0)\n"
    "min r0.xyzw, r0.xyzw, l(5.0, 5.0, 5.0, 5.0)\nmov o0.x, r0.x\nmov o1.x, r0.y\nmov o2.x, r0.z\nmov o3.x, "
    "r0.w\nret\n",
};

/* All domains and spacings, points too; memory; Direct3D's. Behind no control shader levels are those of the state. */
static const char *const evaluation_texts[] = {
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 0\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
    "DCL IN[2], PATCH\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n"
    "MUL TEMP[0], IN[0][0], SV[0].xxxx\nMAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]\n"
    "MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]\nADD OUT[1], IN[2], SV[0]\nEND\n",
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 1\nDCL IN[][0], "
    "POSITION\n"
    "DCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], LAYER\n"
    "DCL TEMP[0]\nIMM[0] FLT32 {2.0, -1.0, 1.0, 0.0}\nMAD TEMP[0].xy, SV[0], IMM[0].xxxx, IMM[0].yyyy\n"
    "MOV TEMP[0].z, IN[0][0].zzzz\nMOV TEMP[0].w, IMM[0].zzzz\nMOV OUT[0], TEMP[0]\nMOV OUT[1], SV[0]\n"
    "MOV OUT[2].x, SV[1].xxxx\nEND\n",
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 1\nPROPERTY TES_SPACING 1\nDCL IN[][0], POSITION\nDCL SV[0], TESSCOORD\n"
    "DCL SV[1], TESSOUTER\nDCL SV[2], VERTICESIN\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL ADDR[0]\nDCL "
    "TEMP[0]\n"
    "UARL ADDR[0].x, SV[2].xxxx\nADD OUT[0], IN[0][0], SV[0]\nADD OUT[1], SV[1], IN[ADDR[0].x][0]\nEND\n",
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 1\nPROPERTY TES_POINT_MODE 1\nDCL IN[][0], POSITION\n"
    "DCL SV[0], TESSCOORD\nDCL BUFFER[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], PSIZE\nDCL "
    "TEMP[0]\n"
    "IMM[0] UINT32 {8, 1, 0, 0}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nU2F TEMP[0].x, TEMP[0].xxxx\n"
    "ADD OUT[0], IN[0][0], SV[0]\nMOV OUT[1], TEMP[0].xxxx\nMOV OUT[2].x, TEMP[0].xxxx\nEND\n",
    "ds_5_0\ndcl_input_control_point_count 2\ndcl_tessellator_domain domain_tri\ndcl_input vDomain.xyz\n"
    "dcl_input vicp[2][0].xyzw\ndcl_input vpc1.x\ndcl_output_siv o1.xyzw, position\ndcl_output o0.xyzw\n"
    "add o1.xyzw, vicp[1][0].xyzw, vDomain.xyzz\nmul o0.xyzw, vDomain.xyzx, vpc1.xxxx\nret\n",
};

/* Takes patches without tessellation, on two streams. */
static const char patches_text[] =
    "gs_5_0\ndcl_input v[4][0].xyzw\ndcl_input_siv v[4][1].xyzw, position\ndcl_input vPrim\ndcl_temps 1\n"
    "dcl_inputprimitive patch4\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\n"
    "dcl_output_siv o1.xyzw, position\ndcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 5\n"
    "and r0.x, vPrim, l(3)\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nmov o1.xyzw, v[0][1].xyzw\nemit_stream m0\n"
    "mov o0.xyzw, v[3][0].xyzw\nemit_stream m1\nmov o0.xyzw, v[1][0].xyzw\nmov o1.xyzw, v[2][1].xyzw\nemit_stream "
    "m0\nret\n";

static const char *const fragment_texts[] = {
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\nDCL IN[2], POSITION, LINEAR\nDCL IN[3], FACE\n"
    "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0]\nIMM[0] FLT32 {0.015625, 0.5, 0.25, 1.0}\n"
    "MUL TEMP[0], IN[2], IMM[0].xxyw\nMAD OUT[0], IN[0], IMM[0].yyyw, TEMP[0]\n"
    "MAD OUT[1], IN[1], IN[3].xxxx, TEMP[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\n"
    "DCL OUT[3], SAMPLEMASK\nKILL_IF IN[0].xxxx\nMOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].yyyy\n"
    "MOV OUT[2].y, IN[0].xxxx\nMOV OUT[3].x, IN[0].zzzz\nEND\n",
    "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 3, 4}\nFBFETCH TEMP[0], OUT[0]\n"
    "UADD OUT[0], TEMP[0], IMM[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, WR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
    "IMM[0] UINT32 {1, 2, 0, 4}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].zzzz, IMM[0].xxxx\n"
    "STORE IMAGE[0], IN[0], TEMP[0], 2D\nSTORE BUFFER[0].x, IMM[0].wwww, IN[0].xxxx\nMOV OUT[0], IN[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL OUT[0], COLOR\n"
    "DCL TEMP[0..1]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nDDX TEMP[1], TEMP[0]\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n",
    "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nPROPERTY FS_POST_DEPTH_COVERAGE 1\nDCL SV[0], SAMPLEMASK\n"
    "DCL OUT[0], COLOR\nDCL TEMP[0]\nU2F TEMP[0], SV[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n",
    "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], PCOORD, LINEAR\nDCL IN[1], GENERIC[0], PERSPECTIVE\n"
    "DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
    "INTERP_SAMPLE TEMP[0], IN[1], SV[0].xxxx\nADD TEMP[0], TEMP[0], IN[0]\nADD OUT[0], TEMP[0], SV[1]\nEND\n",
    "FRAG\nPROPERTY FS_BLEND_EQUATION_ADVANCED 1\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID\nDCL OUT[0], COLOR\n"
    "MOV OUT[0], IN[0]\nEND\n",
    "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\n"
    "DCL SV[0], HELPER_INVOCATION\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[3]\nDCL TEMP[0]\nDEMOTE\nMOV OUT[0], IN[0]\n"
    "MOV OUT[1], SV[0].xxxx\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.5, 1.0, 0.0, 0.0}\n"
    "MOV TEMP[0], IN[0]\nBGNLOOP\nFSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].yyyy\nBRK\nENDIF\n"
    "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IMAGE[0], 2D, WR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
    "IMM[0] UINT32 {0, 1, 2, 3}\nLOAD TEMP[0], IMAGE[0], IMM[0].yyyy, 2D\nADD OUT[0], TEMP[0], IN[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SV[0], INNER_COVERAGE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
    "INTERP_CENTROID TEMP[0], IN[0]\nU2F TEMP[1], SV[0].xxxx\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n",
};

#endif
