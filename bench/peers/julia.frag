#version 430 core
/* A loop that pixels leave at different times; arithmetic alone. */
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    vec2 z = uv * 3.0 - 1.5, c = vec2(-0.79, 0.15);
    float n = 0.0;
    for (int i = 0; i < 200; i++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 4.0)
            break;
        n += 1.0;
    }
    n *= 1.0 / 200.0;
    return vec4(n, n * n, sqrt(n), 1.0);
}
void main() { o_col = shade(v_uv); }
