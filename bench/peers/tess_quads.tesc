#version 430 core
layout(vertices = 4) out;
in vec2 v_at[];
out vec2 c_at[];
/* Neighbours agree about the level of an edge: 14 to 18 from left to right. */
float level(vec2 a, vec2 b) { return 16.0 + (a.x + b.x); }
void main()
{
    c_at[gl_InvocationID] = v_at[gl_InvocationID];
    gl_TessLevelOuter[0] = level(v_at[0], v_at[3]);
    gl_TessLevelOuter[1] = level(v_at[0], v_at[1]);
    gl_TessLevelOuter[2] = level(v_at[1], v_at[2]);
    gl_TessLevelOuter[3] = level(v_at[2], v_at[3]);
    gl_TessLevelInner[0] = level(v_at[0], v_at[2]);
    gl_TessLevelInner[1] = level(v_at[0], v_at[2]);
}
