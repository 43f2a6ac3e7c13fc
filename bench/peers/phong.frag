#version 430 core
/* Four lights: normalize, dot, reflect, pow. */
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    vec3 N = normalize(vec3(uv * 2.0 - 1.0, 0.5));
    vec3 V = normalize(vec3(0.5 - uv, 1.0));
    vec3 acc = vec3(0.05);
    for (int i = 0; i < 4; i++) {
        vec3 L = normalize(vec3(float(i) * 0.5 - 0.7, 0.3 - float(i) * 0.2, 1.0) + uv.xyx * P.w);
        float d = max(dot(N, L), 0.0);
        float s = pow(max(dot(reflect(-L, N), V), 0.0), 32.0);
        acc += vec3(0.2, 0.15, 0.1) * d + vec3(0.3) * s;
    }
    return vec4(acc, 1.0);
}
void main() { o_col = shade(v_uv); }
