/* The kernels' bodies, once for each width of vectors. Who includes this has defined LANES, KERNEL, INLINE, V, VI, the
 * types vf and vi, and what the widths have different names for. Holds no guard: it is a part of its two files. */

/* ---- pixels ---- */

/* v * 255, rounded once to the nearest integer: the sum with 2^23 has no bits behind the point. All but the volume's
 * are from 0 to 1 by how they are computed. */
INLINE vi byte_of(vf v) { return bits(V(fmadd_ps)(v, V(set1_ps)(255), V(set1_ps)(8388608))); }

/* Four bytes a pixel. Of the bits of 2^23 only those of the lowest byte's number are left after the shifts. */
INLINE vi pack(vf red, vf green, vf blue, vf alpha)
{
    const vi low = V(add_epi32)(byte_of(red), V(slli_epi32)(byte_of(green), 8));
    const vi high = V(add_epi32)(V(slli_epi32)(byte_of(blue), 16), V(slli_epi32)(byte_of(alpha), 24));
    return V(sub_epi32)(V(add_epi32)(low, high), V(set1_epi32)(0x4b000000));
}

/* Numbers 0, 1, 2 and so on. */
INLINE vf ramp(void)
{
    static const float numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return V(loadu_ps)(numbers);
}

/* The attribute of pixels x, x + 1 and so on. */
INLINE vf across(uint32_t x)
{
    return V(mul_ps)(V(add_ps)(ramp(), V(set1_ps)((float)x + 0.5f)), V(set1_ps)(1.0f / KERNEL_SIDE));
}
INLINE vf down(uint32_t y) { return V(set1_ps)(((float)y + 0.5f) / KERNEL_SIDE); }

KERNEL static void run_fill_grad(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    const vf half = V(set1_ps)(0.5f);
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES)
            VI(storeu)((void *)(data->pixels + y * KERNEL_SIDE + x), pack(across(x), down(y), half, half));
}

/* ---- arithmetic ---- */

/* Pixels leave the loop at different times. Those that a vector has are of a row, or blocks of four by LANES / 4. Four
 * vectors hide what each of them waits for. */
enum { JULIAS = 4 };

INLINE void julia_begin(vf zx[JULIAS], vf zy[JULIAS], vf ox, vf oy, uint32_t step_x, uint32_t step_y, uint32_t x,
                        uint32_t y)
{
    for (uint32_t k = 0; k < JULIAS; k++) {
        const vf u =
            V(mul_ps)(V(add_ps)(ox, V(set1_ps)((float)(x + k * step_x) + 0.5f)), V(set1_ps)(1.0f / KERNEL_SIDE));
        const vf v =
            V(mul_ps)(V(add_ps)(oy, V(set1_ps)((float)(y + k * step_y) + 0.5f)), V(set1_ps)(1.0f / KERNEL_SIDE));
        zx[k] = V(fmadd_ps)(u, V(set1_ps)(3), V(set1_ps)(-1.5f));
        zy[k] = V(fmadd_ps)(v, V(set1_ps)(3), V(set1_ps)(-1.5f));
    }
}

INLINE void julia_count(vf zx[JULIAS], vf zy[JULIAS], vi counts[JULIAS])
{
    lanes now[JULIAS];
    for (unsigned k = 0; k < JULIAS; k++) {
        now[k] = all_lanes();
        counts[k] = V(set1_epi32)(0);
    }
    for (unsigned i = 0; i < 200; i++) {
        int any = 0;
        for (unsigned k = 0; k < JULIAS; k++) {
            const vf product = V(mul_ps)(V(add_ps)(zx[k], zx[k]), zy[k]);
            const vf difference = V(fmsub_ps)(zx[k], zx[k], V(mul_ps)(zy[k], zy[k]));
            zx[k] = V(add_ps)(difference, V(set1_ps)(-0.79f));
            zy[k] = V(add_ps)(product, V(set1_ps)(0.15f));
            now[k] = still_small(now[k], V(fmadd_ps)(zy[k], zy[k], V(mul_ps)(zx[k], zx[k])));
            counts[k] = count_lanes(counts[k], now[k]);
            any |= any_lane(now[k]);
        }
        if (!any) break;
    }
}

INLINE vi julia_color(vi counts)
{
    const vf n = V(mul_ps)(V(cvtepi32_ps)(counts), V(set1_ps)(1.0f / 200));
    return pack(n, V(mul_ps)(n, n), V(sqrt_ps)(n), V(set1_ps)(1));
}

KERNEL static void run_julia_rows(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    for (uint32_t y = first; y < first + count; y += JULIAS)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) {
            vf zx[JULIAS], zy[JULIAS];
            vi counts[JULIAS];
            julia_begin(zx, zy, ramp(), V(set1_ps)(0), 0, 1, x, y);
            julia_count(zx, zy, counts);
            for (uint32_t k = 0; k < JULIAS; k++)
                VI(storeu)((void *)(data->pixels + (y + k) * KERNEL_SIDE + x), julia_color(counts[k]));
        }
}

KERNEL static void run_julia_blocks(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    enum { HIGH = LANES / 4 };
    static const float columns[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    static const float rows[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    for (uint32_t y = first; y < first + count; y += HIGH)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += 4 * JULIAS) {
            vf zx[JULIAS], zy[JULIAS];
            vi counts[JULIAS];
            julia_begin(zx, zy, V(loadu_ps)(columns), V(loadu_ps)(rows), 4, 0, x, y);
            julia_count(zx, zy, counts);
            for (uint32_t k = 0; k < JULIAS; k++) {
                const vi color = julia_color(counts[k]);
                for (uint32_t row = 0; row < HIGH; row++)
                    _mm_storeu_si128((void *)(data->pixels + (y + row) * KERNEL_SIDE + x + 4 * k), quarter(color, row));
            }
        }
}

/* The hash of a lattice point, from the products of its coordinates. */
INLINE vf lattice(vi x, vi y)
{
    vi n = VI(xor)(x, y);
    n = V(mullo_epi32)(VI(xor)(n, V(srli_epi32)(n, 15)), V(set1_epi32)((int)2246822519u));
    return V(cvtepi32_ps)(V(srli_epi32)(VI(xor)(n, V(srli_epi32)(n, 13)), 8));
}

/* LRP's formula. */
INLINE vf mix(vf t, vf b, vf a) { return V(fmadd_ps)(t, b, V(mul_ps)(V(sub_ps)(V(set1_ps)(1), t), a)); }

/* 3 t^2 - 2 t^3 */
INLINE vf smooth(vf t) { return V(mul_ps)(V(mul_ps)(t, t), V(fnmadd_ps)(V(set1_ps)(2), t, V(set1_ps)(3))); }

INLINE vf value_noise(vf px, vf py)
{
    const vi x_factor = V(set1_epi32)(1597334677), y_factor = V(set1_epi32)((int)3812015801u);
    const vi ix = V(cvttps_epi32)(px), iy = V(cvttps_epi32)(py); /* all are positive */
    const vf tx = smooth(V(sub_ps)(px, V(cvtepi32_ps)(ix))), ty = smooth(V(sub_ps)(py, V(cvtepi32_ps)(iy)));
    const vi x0 = V(mullo_epi32)(ix, x_factor), y0 = V(mullo_epi32)(iy, y_factor);
    const vi x1 = V(add_epi32)(x0, x_factor), y1 = V(add_epi32)(y0, y_factor);
    const vf upper = mix(tx, lattice(x1, y0), lattice(x0, y0)), lower = mix(tx, lattice(x1, y1), lattice(x0, y1));
    return V(mul_ps)(mix(ty, lower, upper), V(set1_ps)(1.0f / 16777216));
}

KERNEL static void run_noise(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    const vf one = V(set1_ps)(1);
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) {
            vf px = V(fmadd_ps)(across(x), V(set1_ps)(8), V(set1_ps)(3));
            vf py = V(fmadd_ps)(down(y), V(set1_ps)(8), V(set1_ps)(3)), sum = V(set1_ps)(0);
            float weight = 0.5f;
            for (unsigned octave = 0; octave < 6; octave++, weight *= 0.5f) {
                sum = V(fmadd_ps)(V(set1_ps)(weight), value_noise(px, py), sum);
                px = V(add_ps)(px, px);
                py = V(add_ps)(py, py);
            }
            VI(storeu)
            ((void *)(data->pixels + y * KERNEL_SIDE + x), pack(sum, V(mul_ps)(sum, sum), V(sub_ps)(one, sum), one));
        }
}

/* Three components. */
struct three {
    vf x, y, z;
};

INLINE vf dot(struct three a, struct three b)
{
    return V(fmadd_ps)(a.z, b.z, V(fmadd_ps)(a.y, b.y, V(mul_ps)(a.x, b.x)));
}

/* An estimate, Newton's step, and one whose residual is exact but for 2^-48: correctly rounded but in rare cases. */
INLINE vf root_below(vf x)
{
    const vf half = V(set1_ps)(0.5f), one = V(set1_ps)(1);
    vf y = estimate_root_below(x);
    y = V(fmadd_ps)(y, V(fnmadd_ps)(V(mul_ps)(V(mul_ps)(x, half), y), y, half), y);
    const vf product = V(mul_ps)(x, y);
    const vf residual = V(fnmadd_ps)(V(fmsub_ps)(x, y, product), y, V(fnmadd_ps)(product, y, one));
    return V(fmadd_ps)(V(mul_ps)(y, half), residual, y);
}

INLINE struct three normal(struct three a)
{
    const vf factor = root_below(dot(a, a));
    return (struct three){V(mul_ps)(a.x, factor), V(mul_ps)(a.y, factor), V(mul_ps)(a.z, factor)};
}

/* x^32, rounded once: a square is a float and what it lacks. */
INLINE vf power_32(vf x)
{
    vf high = V(mul_ps)(x, x), low = V(fmsub_ps)(x, x, high);
    for (unsigned n = 0; n < 4; n++) {
        const vf square = V(mul_ps)(high, high);
        low = V(fmadd_ps)(V(add_ps)(high, high), low, V(fmsub_ps)(high, high, square));
        high = square;
    }
    return V(add_ps)(high, low);
}

INLINE void add_light(struct three *sum, unsigned light, vf u, vf v, struct three n, struct three eye)
{
    const vf zero = V(set1_ps)(0), part = V(set1_ps)(0.125f), shine = V(set1_ps)(0.3f), one = V(set1_ps)(1);
    const vf x = V(set1_ps)((float)light * 0.5f - 0.7f), y = V(set1_ps)(0.3f - (float)light * 0.2f);
    const struct three l =
        normal((struct three){V(fmadd_ps)(u, part, x), V(fmadd_ps)(v, part, y), V(fmadd_ps)(u, part, one)});
    const vf cosine = dot(n, l), twice = V(add_ps)(cosine, cosine), lit = V(max_ps)(cosine, zero);
    const struct three mirrored = {V(fmsub_ps)(twice, n.x, l.x), V(fmsub_ps)(twice, n.y, l.y),
                                   V(fmsub_ps)(twice, n.z, l.z)};
    const vf power = power_32(V(max_ps)(dot(mirrored, eye), zero));
    sum->x = V(fmadd_ps)(shine, power, V(fmadd_ps)(V(set1_ps)(0.2f), lit, sum->x));
    sum->y = V(fmadd_ps)(shine, power, V(fmadd_ps)(V(set1_ps)(0.15f), lit, sum->y));
    sum->z = V(fmadd_ps)(shine, power, V(fmadd_ps)(V(set1_ps)(0.1f), lit, sum->z));
}

/* `many` vectors of a column at once: they hide what each of them waits for, and need more registers. */
INLINE void phong(const struct kernel_data *data, uint32_t first, uint32_t count, uint32_t many)
{
    const vf one = V(set1_ps)(1), half = V(set1_ps)(0.5f), dark = V(set1_ps)(0.05f);
    for (uint32_t y = first; y < first + count; y += many)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) {
            struct three n[4], eye[4], sum[4];
            const vf u = across(x);
            for (uint32_t k = 0; k < many; k++) {
                const vf v = down(y + k);
                n[k] = normal((struct three){V(sub_ps)(u, V(sub_ps)(one, u)), V(sub_ps)(v, V(sub_ps)(one, v)), half});
                eye[k] = normal((struct three){V(sub_ps)(half, u), V(sub_ps)(half, v), one});
                sum[k] = (struct three){dark, dark, dark};
            }
            for (unsigned light = 0; light < 4; light++)
                for (uint32_t k = 0; k < many; k++) add_light(&sum[k], light, u, down(y + k), n[k], eye[k]);
            for (uint32_t k = 0; k < many; k++) VI(storeu)
            ((void *)(data->pixels + (y + k) * KERNEL_SIDE + x),
             pack(V(min_ps)(sum[k].x, one), V(min_ps)(sum[k].y, one), V(min_ps)(sum[k].z, one), one));
        }
}

KERNEL static void run_phong_one(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    phong(data, first, count, 1);
}
KERNEL static void run_phong_two(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    phong(data, first, count, 2);
}

/* Sixteen tests that are the same for each block of 8 x 8 pixels. A vector has whole rows of a block. */
enum { UBER_SIDE = 8, UBER_HIGH = LANES / UBER_SIDE, UBERS = 4, UBER_SECTIONS = 4 };

static const float uber_at[UBER_SECTIONS] = {0.1f, 0.5f, 0.9f, 0.13f};

INLINE uint32_t uber_tests(uint32_t x, uint32_t y)
{
    return (uint32_t)((int32_t)(x / UBER_SIDE * 2654435u ^ y / UBER_SIDE * 4052739u) >> 3);
}

/* Pixels of rows y, y + 1 and so on of a block. */
INLINE vf uber_across(uint32_t x)
{
    static const float columns[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    return V(mul_ps)(V(add_ps)(V(loadu_ps)(columns), V(set1_ps)((float)x + 0.5f)), V(set1_ps)(1.0f / KERNEL_SIDE));
}
INLINE vf uber_down(uint32_t y)
{
    static const float rows[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    return V(mul_ps)(V(add_ps)(V(loadu_ps)(rows), V(set1_ps)((float)y + 0.5f)), V(set1_ps)(1.0f / KERNEL_SIDE));
}

/* sqrt(|v - at|) + 0.5, the root as the reciprocal of its reciprocal. */
INLINE vf uber_root(vf v, unsigned section)
{
    const vf off = V(sub_ps)(v, V(set1_ps)(uber_at[section])), far = V(max_ps)(off, V(sub_ps)(V(set1_ps)(0), off));
    return V(add_ps)(V(div_ps)(V(set1_ps)(1), root_below(far)), V(set1_ps)(0.5f));
}

INLINE struct three uber_moved(struct three c, vf u)
{
    const vf factor = V(set1_ps)(0.9f), add = V(mul_ps)(u, V(set1_ps)(0.1f));
    return (struct three){V(fmadd_ps)(c.y, factor, add), V(fmadd_ps)(c.z, factor, add), V(fmadd_ps)(c.x, factor, add)};
}
INLINE struct three uber_plus(struct three c, float number)
{
    const vf n = V(set1_ps)(number);
    return (struct three){V(add_ps)(c.x, n), V(add_ps)(c.y, n), V(add_ps)(c.z, n)};
}
INLINE struct three uber_times(struct three c, vf factor)
{
    return (struct three){V(mul_ps)(c.x, factor), V(mul_ps)(c.y, factor), V(mul_ps)(c.z, factor)};
}
INLINE struct three uber_squares(struct three c)
{
    const vf half = V(set1_ps)(0.5f), fourth = V(set1_ps)(0.25f);
    for (unsigned k = 0; k < 3; k++)
        c = (struct three){V(fmadd_ps)(V(mul_ps)(c.x, half), c.x, fourth),
                           V(fmadd_ps)(V(mul_ps)(c.y, half), c.y, fourth),
                           V(fmadd_ps)(V(mul_ps)(c.z, half), c.z, fourth)};
    return c;
}
INLINE struct three uber_fraction(struct three c)
{
    c = uber_times(c, V(set1_ps)(1.7f));
    return (struct three){V(sub_ps)(c.x, floor_of(c.x)), V(sub_ps)(c.y, floor_of(c.y)), V(sub_ps)(c.z, floor_of(c.z))};
}

/* A branch for each test, which four vectors of the block share. */
INLINE void uber_block(struct three c[UBERS], uint32_t tests, vf u, const vf v[UBERS])
{
    const vf tenth = V(set1_ps)(0.1f);
    for (unsigned section = 0; section < UBER_SECTIONS; section++, tests >>= 4) {
        if (tests & 1)
            for (unsigned k = 0; k < UBERS; k++) c[k] = uber_moved(c[k], u);
        else
            for (unsigned k = 0; k < UBERS; k++) c[k] = uber_plus(c[k], 0.01f * (float)(section * 4));
        if (tests & 2)
            for (unsigned k = 0; k < UBERS; k++) c[k] = uber_times(c[k], uber_root(v[k], section));
        else
            for (unsigned k = 0; k < UBERS; k++) c[k].x = V(min_ps)(c[k].x, v[k]);
        if (tests & 4)
            for (unsigned k = 0; k < UBERS; k++) c[k] = uber_squares(c[k]);
        else
            for (unsigned k = 0; k < UBERS; k++) c[k].z = V(max_ps)(c[k].y, tenth);
        if (tests & 8)
            for (unsigned k = 0; k < UBERS; k++) c[k] = normal(uber_plus(c[k], 0.1f));
        else
            for (unsigned k = 0; k < UBERS; k++) c[k] = uber_fraction(c[k]);
    }
}

/* The same without branches, a vector at a time: what is not wanted is computed as well, but for the squares. */
INLINE struct three uber_choose(uint32_t test, struct three yes, struct three no)
{
    const lanes mask = test ? all_lanes() : no_lanes();
    return (struct three){choose(mask, yes.x, no.x), choose(mask, yes.y, no.y), choose(mask, yes.z, no.z)};
}

INLINE struct three uber_chosen(struct three c, uint32_t tests, vf u, vf v)
{
    for (unsigned section = 0; section < UBER_SECTIONS; section++, tests >>= 4) {
        c = uber_choose(tests & 1, uber_moved(c, u), uber_plus(c, 0.01f * (float)(section * 4)));
        struct three other = c;
        other.x = V(min_ps)(c.x, v);
        c = uber_choose(tests & 2, uber_times(c, uber_root(v, section)), other);
        if (tests & 4)
            c = uber_squares(c);
        else
            c.z = V(max_ps)(c.y, V(set1_ps)(0.1f));
        c = uber_choose(tests & 8, normal(uber_plus(c, 0.1f)), uber_fraction(c));
    }
    return c;
}

INLINE void uber(const struct kernel_data *data, uint32_t first, uint32_t count, int branches)
{
    const vf one = V(set1_ps)(1);
    for (uint32_t y = first; y < first + count; y += UBERS * UBER_HIGH)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += UBER_SIDE) {
            struct three c[UBERS];
            vf v[UBERS];
            const vf u = uber_across(x);
            const uint32_t tests = uber_tests(x, y);
            for (uint32_t k = 0; k < UBERS; k++) {
                v[k] = uber_down(y + k * UBER_HIGH);
                c[k] = (struct three){u, v[k], V(set1_ps)(0.25f)};
                if (!branches) c[k] = uber_chosen(c[k], tests, u, v[k]);
            }
            if (branches) uber_block(c, tests, u, v);
            for (uint32_t k = 0; k < UBERS; k++) {
                const vi color = pack(c[k].x, c[k].y, c[k].z, one);
                for (uint32_t row = 0; row < UBER_HIGH; row++)
                    _mm256_storeu_si256((void *)(data->pixels + (y + k * UBER_HIGH + row) * KERNEL_SIDE + x),
                                        eight(color, row));
            }
        }
}

KERNEL static void run_uber_branches(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    uber(data, first, count, 1);
}
KERNEL static void run_uber_selects(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    uber(data, first, count, 0);
}

/* ---- lookups ---- */

/* Sums of codes times weights are in four vectors, of which each has LANES / 4 pixels with four components: number
 * 2 h + k has of half h of the pixels those with an even (k = 0) or odd (k = 1) number. They lack BIAS, since sums of a
 * row are signed where they are multiplied. */
enum { BIAS = 1 << 23 };

struct tap {
    vi place; /* of texel (i, j) */
    vi across[4],
        down[4]; /* weights of i and i + 1, of j and j + 1, in the halves of a word, for each pixel four times */
};

INLINE vi spread(vi weights, unsigned h, unsigned k)
{
    uint32_t pixel[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) pixel[lane] = h * (LANES / 2) + lane / 4 * 2 + k;
    return permute(weights, VI(loadu)((const void *)pixel));
}

/* (256 - w, w) of the low eight bits of a coordinate. */
INLINE vi weigh(vi coordinate)
{
    const vi w = VI(and)(coordinate, V(set1_epi32)(255));
    return VI(or)(V(sub_epi32)(V(set1_epi32)(256), w), V(slli_epi32)(w, 16));
}

/* u * 256 * size - 128, rounded once to an integer: the sum with 3 * 2^22 has no bits behind the point. */
INLINE vi fixed(vf u, float size)
{
    return V(sub_epi32)(bits(V(fmadd_ps)(u, V(set1_ps)(256 * size), V(set1_ps)(12582912 - 128))),
                        V(set1_epi32)(0x4b400000));
}

INLINE void set_weights(struct tap *tap, vi u, vi v)
{
    const vi weights_across = weigh(u), weights_down = weigh(v);
    for (unsigned n = 0; n < 4; n++) {
        tap->across[n] = spread(weights_across, n / 2, n % 2);
        tap->down[n] = spread(weights_down, n / 2, n % 2);
    }
}

INLINE void set_tap(struct tap *tap, vf s, vf t)
{
    const vi u = fixed(s, KERNEL_SIDE), v = fixed(t, KERNEL_SIDE), mask = V(set1_epi32)(KERNEL_SIDE - 1);
    const vi i = VI(and)(V(srai_epi32)(u, 8), mask), j = VI(and)(V(srai_epi32)(v, 8), mask);
    tap->place = V(add_epi32)(i, V(mullo_epi32)(j, V(set1_epi32)(KERNEL_TEXELS)));
    set_weights(tap, u, v);
}

/* The two formulations: gathers of pairs of texels, or a load for each pair. */
INLINE vi pairs(const uint32_t *base, const struct tap *tap, unsigned half, int gathered)
{
    if (gathered) return gather_half(base, tap->place, half);
    uint32_t place[LANES];
    uint64_t pair[LANES / 2];
    VI(storeu)((void *)place, tap->place);
    for (unsigned n = 0; n < LANES / 2; n++) __builtin_memcpy(&pair[n], base + place[half * (LANES / 2) + n], 8);
    return load_half(pair);
}

/* Two components of a row's pairs of texels, weighed. */
INLINE vi weigh_row(vi texels, unsigned odd, vi weights)
{
    static const uint8_t order[64] = {
        0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15,
        0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15};
    const vi mixed = V(shuffle_epi8)(texels, VI(loadu)((const void *)order)), zero = V(set1_epi32)(0);
    return V(madd_epi16)(odd ? V(unpackhi_epi8)(mixed, zero) : V(unpacklo_epi8)(mixed, zero), weights);
}

/* A row's sums have 16 bits, and are signed to be multiplied once more. */
INLINE vi weigh_rows(vi upper, vi lower, vi weights)
{
    const vi both = VI(xor)(VI(or)(upper, V(slli_epi32)(lower, 16)), V(set1_epi32)((int)0x80008000u));
    return V(madd_epi16)(both, weights);
}

INLINE void add_tap(vi sums[4], const uint32_t *base, uint32_t row, const struct tap *tap, int gathered)
{
    for (unsigned h = 0; h < 2; h++) {
        const vi upper = pairs(base, tap, h, gathered), lower = pairs(base + row, tap, h, gathered);
        for (unsigned k = 0; k < 2; k++) {
            const unsigned n = 2 * h + k;
            sums[n] = V(add_epi32)(sums[n], weigh_rows(weigh_row(upper, k, tap->across[n]),
                                                       weigh_row(lower, k, tap->across[n]), tap->down[n]));
        }
    }
}

/* Bytes of numbers that have 32 bits, in the order of pixels. */
INLINE vi pack_sums(vi a, vi b, vi c, vi d)
{
    uint32_t from[LANES];
    for (unsigned p = 0; p < LANES; p++) {
        const unsigned half = p / (LANES / 2), within = p % (LANES / 2);
        from[p] = within / 2 * 4 + half * 2 + within % 2;
    }
    return permute(V(packus_epi16)(V(packs_epi32)(a, b), V(packs_epi32)(c, d)), VI(loadu)((const void *)from));
}

/* Sums of 255 << `shift` at most, rounded to bytes: halves up, where the library rounds the quotient by 255 to a float
 * first. */
INLINE vi round_sums(const vi sums[4], int taps, int shift)
{
    vi byte[4];
    for (unsigned n = 0; n < 4; n++)
        byte[n] =
            V(srli_epi32)(V(add_epi32)(sums[n], V(set1_epi32)(taps * BIAS + (1 << (shift - 1)))), (unsigned)shift);
    return pack_sums(byte[0], byte[1], byte[2], byte[3]);
}

INLINE void bilinear(const struct kernel_data *data, uint32_t x, uint32_t y, vf s, vf t, int gathered)
{
    struct tap tap;
    vi sums[4] = {V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0)};
    set_tap(&tap, s, t);
    add_tap(sums, data->texels, KERNEL_TEXELS, &tap, gathered);
    VI(storeu)((void *)(data->pixels + y * KERNEL_SIDE + x), round_sums(sums, 1, 16));
}

INLINE void bilinear_straight(const struct kernel_data *data, uint32_t first, uint32_t count, int gathered)
{
    const vf off = V(set1_ps)(0.0003f);
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES)
            bilinear(data, x, y, V(add_ps)(across(x), off), V(add_ps)(down(y), off), gathered);
}

/* In squares of `wide` pixels: then texels are near each other. */
INLINE void bilinear_rotated(const struct kernel_data *data, uint32_t first, uint32_t count, uint32_t wide,
                             int gathered)
{
    const vf off = V(set1_ps)(0.0003f), cosine = V(set1_ps)(0.8660254f), half = V(set1_ps)(0.5f);
    for (uint32_t left = 0; left < KERNEL_SIDE; left += wide)
        for (uint32_t y = first; y < first + count; y++)
            for (uint32_t x = left; x < left + wide; x += LANES) {
                const vf u = across(x), v = down(y);
                const vf s = V(sub_ps)(V(mul_ps)(u, cosine), V(mul_ps)(v, half));
                const vf t = V(fmadd_ps)(u, half, V(mul_ps)(v, cosine));
                bilinear(data, x, y, V(add_ps)(s, off), V(add_ps)(t, off), gathered);
            }
}

KERNEL static void run_bilinear_gather(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    bilinear_straight(data, first, count, 1);
}
KERNEL static void run_rotated_gather(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    bilinear_rotated(data, first, count, KERNEL_SIDE, 1);
}
KERNEL static void run_rotated_gather_tiles(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    bilinear_rotated(data, first, count, KERNEL_ROWS, 1);
}
KERNEL static void run_rotated_loads(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    bilinear_rotated(data, first, count, KERNEL_SIDE, 0);
}
KERNEL static void run_rotated_loads_tiles(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    bilinear_rotated(data, first, count, KERNEL_ROWS, 0);
}

/* Weighs the texels at one for each pixel and the next two ways, with weights that all pixels share: loads of whole
 * vectors. Sums are of pixels in their order, two in each quarter. */
INLINE void add_straight(vi sums[4], const uint32_t *at, vi weights_across, vi weights_down)
{
    const vi zero = V(set1_epi32)(0);
    vi rows[2][4];
    for (unsigned r = 0; r < 2; r++) {
        const vi a = VI(loadu)((const void *)(at + r * KERNEL_TEXELS));
        const vi b = VI(loadu)((const void *)(at + r * KERNEL_TEXELS + 1));
        const vi low = V(unpacklo_epi8)(a, b), high = V(unpackhi_epi8)(a, b);
        rows[r][0] = V(madd_epi16)(V(unpacklo_epi8)(low, zero), weights_across);
        rows[r][1] = V(madd_epi16)(V(unpackhi_epi8)(low, zero), weights_across);
        rows[r][2] = V(madd_epi16)(V(unpacklo_epi8)(high, zero), weights_across);
        rows[r][3] = V(madd_epi16)(V(unpackhi_epi8)(high, zero), weights_across);
    }
    for (unsigned n = 0; n < 4; n++) sums[n] = V(add_epi32)(sums[n], weigh_rows(rows[0][n], rows[1][n], weights_down));
}

INLINE vi round_straight(const vi sums[4], int taps, int shift)
{
    vi byte[4];
    for (unsigned n = 0; n < 4; n++)
        byte[n] =
            V(srli_epi32)(V(add_epi32)(sums[n], V(set1_epi32)(taps * BIAS + (1 << (shift - 1)))), (unsigned)shift);
    return V(packus_epi16)(V(packs_epi32)(byte[0], byte[1]), V(packs_epi32)(byte[2], byte[3]));
}

/* The whole number of a coordinate that all pixels share. */
INLINE int32_t whole(vi coordinate) { return _mm_cvtsi128_si32(quarter(coordinate, 0)) >> 8; }

/* The texels of a row of pixels are a row of texels. */
KERNEL static void run_bilinear_axis(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    const vf off = V(set1_ps)(0.0003f);
    const vi zero = V(set1_epi32)(0), u = fixed(V(add_ps)(V(set1_ps)(0.5f / KERNEL_SIDE), off), KERNEL_SIDE);
    for (uint32_t y = first; y < first + count; y++) {
        const vi v = fixed(V(add_ps)(down(y), off), KERNEL_SIDE);
        const uint32_t i = (uint32_t)whole(u) & (KERNEL_SIDE - 1), j = (uint32_t)whole(v) & (KERNEL_SIDE - 1);
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) {
            vi sums[4] = {zero, zero, zero, zero};
            add_straight(sums, data->texels + j * KERNEL_TEXELS + ((i + x) & (KERNEL_SIDE - 1)), weigh(u), weigh(v));
            VI(storeu)((void *)(data->pixels + y * KERNEL_SIDE + x), round_straight(sums, 1, 16));
        }
    }
}

/* How far tap n is from the pixel. */
INLINE vf blur_across(unsigned n) { return V(set1_ps)(((float)(n % 4) - 1.5f) * 1.37f); }
INLINE vf blur_down(unsigned n) { return V(set1_ps)(((float)(n / 4) - 1.5f) * 1.37f); }

INLINE void blur_pixels(const struct kernel_data *data, uint32_t x, uint32_t y, int gathered)
{
    const vf scale = V(set1_ps)(1.0f / KERNEL_SIDE);
    vi sums[4] = {V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0)};
    for (unsigned n = 0; n < 16; n++) {
        struct tap tap;
        set_tap(&tap, V(fmadd_ps)(blur_across(n), scale, across(x)), V(fmadd_ps)(blur_down(n), scale, down(y)));
        add_tap(sums, data->texels, KERNEL_TEXELS, &tap, gathered);
    }
    VI(storeu)((void *)(data->pixels + y * KERNEL_SIDE + x), round_sums(sums, 16, 20));
}

INLINE void blur(const struct kernel_data *data, uint32_t first, uint32_t count, int gathered)
{
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) blur_pixels(data, x, y, gathered);
}

/* Where rows of texels do not begin again. */
KERNEL static void run_blur_axis(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    const vf scale = V(set1_ps)(1.0f / KERNEL_SIDE), middle = V(set1_ps)(0.5f / KERNEL_SIDE);
    for (uint32_t y = first; y < first + count; y++) {
        vi weights_across[16], weights_down[16];
        int32_t place[16];
        for (unsigned n = 0; n < 16; n++) {
            const vi u = fixed(V(fmadd_ps)(blur_across(n), scale, middle), KERNEL_SIDE);
            const vi v = fixed(V(fmadd_ps)(blur_down(n), scale, down(y)), KERNEL_SIDE);
            weights_across[n] = weigh(u);
            weights_down[n] = weigh(v);
            place[n] = (whole(v) & (KERNEL_SIDE - 1)) * KERNEL_TEXELS + whole(u);
        }
        blur_pixels(data, 0, y, 0);
        blur_pixels(data, KERNEL_SIDE - LANES, y, 0);
        for (uint32_t x = LANES; x < KERNEL_SIDE - LANES; x += LANES) {
            vi sums[4] = {V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0), V(set1_epi32)(0)};
            for (unsigned n = 0; n < 16; n++)
                add_straight(sums, data->texels + place[n] + x, weights_across[n], weights_down[n]);
            VI(storeu)((void *)(data->pixels + y * KERNEL_SIDE + x), round_straight(sums, 16, 20));
        }
    }
}
KERNEL static void run_blur_gather(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    blur(data, first, count, 1);
}
KERNEL static void run_blur_loads(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    blur(data, first, count, 0);
}

/* A coordinate that stays within the texture. */
INLINE vi clamped(vf u)
{
    const vi most = V(set1_epi32)((KERNEL_VOLUME - 1) * 256);
    return V(min_epi32)(V(max_epi32)(fixed(u, KERNEL_VOLUME), V(set1_epi32)(0)), most);
}

INLINE void volume(const struct kernel_data *data, uint32_t first, uint32_t count, int gathered)
{
    enum { SLICE = KERNEL_SLICES * KERNEL_SLICES };
    const vf one = V(set1_ps)(1), opacity = V(set1_ps)(0.06f / (255.0f * 65536));
    const vi zero = V(set1_epi32)(0), bias = V(set1_epi32)(BIAS);
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < KERNEL_SIDE; x += LANES) {
            struct tap tap;
            vf sum[4] = {V(set1_ps)(0), V(set1_ps)(0), V(set1_ps)(0), V(set1_ps)(0)};
            vi byte[4];
            const vi u = clamped(across(x)), v = clamped(down(y));
            set_weights(&tap, u, v);
            tap.place =
                V(add_epi32)(V(srli_epi32)(u, 8), V(mullo_epi32)(V(srli_epi32)(v, 8), V(set1_epi32)(KERNEL_SLICES)));
            for (unsigned i = 0; i < 32; i++) {
                const uint32_t w = (uint32_t)_mm_cvtsi128_si32(quarter(clamped(V(set1_ps)(((float)i + 0.5f) / 32)), 0));
                const uint32_t *slice = data->texels + (size_t)(w >> 8) * SLICE;
                const vf part = V(set1_ps)((float)(w & 255) / 256);
                vi near[4] = {zero, zero, zero, zero}, far[4] = {zero, zero, zero, zero};
                add_tap(near, slice, KERNEL_SLICES, &tap, gathered);
                add_tap(far, slice + SLICE, KERNEL_SLICES, &tap, gathered);
                for (unsigned n = 0; n < 4; n++) {
                    const vf texel = V(fmadd_ps)(V(cvtepi32_ps)(V(sub_epi32)(far[n], near[n])), part,
                                                 V(cvtepi32_ps)(V(add_epi32)(near[n], bias)));
                    const vf left = V(mul_ps)(V(sub_ps)(one, V(permute_ps)(sum[n], 0xff)), opacity);
                    sum[n] = V(fmadd_ps)(left, texel, sum[n]);
                }
            }
            for (unsigned n = 0; n < 4; n++) byte[n] = VI(and)(byte_of(V(min_ps)(sum[n], one)), V(set1_epi32)(255));
            const vi opaque = V(set1_epi32)((int)0xff000000u);
            VI(storeu)
            ((void *)(data->pixels + y * KERNEL_SIDE + x),
             VI(or)(pack_sums(byte[0], byte[1], byte[2], byte[3]), opaque));
        }
}
KERNEL static void run_volume_gather(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    volume(data, first, count, 1);
}
KERNEL static void run_volume_loads(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    volume(data, first, count, 0);
}

/* ---- numbers ---- */

KERNEL static void run_saxpy(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i += LANES) {
        const vf y = V(mul_ps)(V(loadu_ps)(data->y + i), V(set1_ps)(0.5f));
        V(storeu_ps)(data->y + i, V(fmadd_ps)(V(set1_ps)(1.5f), V(loadu_ps)(data->x + i), y));
    }
}

/* In the order of the invocations: each has sixteen numbers, 256 apart, and then the invocations' sums by halves. As
 * many sums at once as registers hold. */
KERNEL static void run_reduce(const struct kernel_data *data, uint32_t first, uint32_t count)
{
    enum { GROUP = 256, VECTORS = GROUP / LANES, AT_ONCE = 8 };
    for (uint32_t base = first; base < first + count; base += KERNEL_NUMBERS) {
        vf sums[VECTORS];
        for (unsigned part = 0; part < VECTORS; part += AT_ONCE) {
            const float *at = data->x + base + part * LANES;
            vf now[AT_ONCE];
            for (unsigned v = 0; v < AT_ONCE; v++) now[v] = V(loadu_ps)(at + v * LANES);
            for (unsigned k = 1; k < KERNEL_NUMBERS / GROUP; k++)
                for (unsigned v = 0; v < AT_ONCE; v++)
                    now[v] = V(add_ps)(now[v], V(loadu_ps)(at + k * GROUP + v * LANES));
            for (unsigned v = 0; v < AT_ONCE; v++) sums[part + v] = now[v];
        }
        for (unsigned half = VECTORS / 2; half > 0; half /= 2)
            for (unsigned v = 0; v < half; v++) sums[v] = V(add_ps)(sums[v], sums[v + half]);
        data->y[base / KERNEL_NUMBERS] = sum_lanes(sums[0]);
    }
}

#define KERNEL_TABLE                                                                                                   \
    {"fill_grad", "rows", run_fill_grad}, {"julia", "rows", run_julia_rows}, {"julia", "blocks", run_julia_blocks},    \
        {"noise", "rows", run_noise}, {"phong", "one", run_phong_one}, {"phong", "two", run_phong_two},                \
        {"uber", "branches", run_uber_branches}, {"uber", "selects", run_uber_selects},                                \
        {"tex1_bilinear", "gather", run_bilinear_gather}, {"tex1_bilinear", "axis", run_bilinear_axis},                \
        {"tex1_bilinear_rot", "gather", run_rotated_gather},                                                           \
        {"tex1_bilinear_rot", "gather-tiles", run_rotated_gather_tiles},                                               \
        {"tex1_bilinear_rot", "loads", run_rotated_loads},                                                             \
        {"tex1_bilinear_rot", "loads-tiles", run_rotated_loads_tiles}, {"blur16", "gather", run_blur_gather},          \
        {"blur16", "loads", run_blur_loads}, {"blur16", "axis", run_blur_axis},                                        \
        {"volume", "gather", run_volume_gather}, {"volume", "loads", run_volume_loads},                                \
        {"saxpy_4m", "vectors", run_saxpy}, {"saxpy_128k", "vectors", run_saxpy},                                      \
    {                                                                                                                  \
        "reduce_4m", "vectors", run_reduce                                                                             \
    }
