/* Direct3D 11 for Wine: d3d11.exe CASE PICTURE draws a case, reads it back, says what is not as it must be, writes the
 * picture (PPM), and prints how much is wrong. Shaders are CASE's, NAME.dxbc in the current folder. */
#define COBJMACROS
#define INITGUID
#include <windows.h>

#include <d3d11.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, LONGEST = 1 << 15, FRAMES = 3 };

static ID3D11Device *device;
static ID3D11DeviceContext *context;
static ID3D11Texture2D *target;
static int wrong;

/* ---- help ---- */

static void need(HRESULT result, const char *what)
{
    if (SUCCEEDED(result)) return;
    printf("%s: %08lx\n", what, (unsigned long)result);
    exit(1);
}

#define MAKE(function, ...)    need(ID3D11Device_##function(device, __VA_ARGS__), #function)
#define DO(function, ...)      ID3D11DeviceContext_##function(context, __VA_ARGS__)
#define AS_RESOURCE(something) ((ID3D11Resource *)(something))

struct code {
    size_t bytes;
    char data[LONGEST];
};

static struct code *load(const char *name)
{
    static struct code code;
    char path[64];
    snprintf(path, sizeof path, "%s.dxbc", name);
    FILE *file = fopen(path, "rb");
    if (!file) need(E_FAIL, path);
    code.bytes = fread(code.data, 1, LONGEST, file);
    fclose(file);
    return &code;
}

/* Makes the shader and sets it: STAGE is Vertex, its prefix VS. */
#define USE(stage, prefix, name)                                                                                       \
    do {                                                                                                               \
        ID3D11##stage##Shader *shader_;                                                                                \
        const struct code *code_ = load(name);                                                                         \
        MAKE(Create##stage##Shader, code_->data, code_->bytes, NULL, &shader_);                                        \
        DO(prefix##SetShader, shader_, NULL, 0);                                                                       \
    } while (0)

static ID3D11Buffer *buffer(const void *data, UINT bytes, UINT bind, UINT stride)
{
    const D3D11_BUFFER_DESC desc = {.ByteWidth = bytes,
                                    .BindFlags = bind,
                                    .MiscFlags = stride ? D3D11_RESOURCE_MISC_BUFFER_STRUCTURED : 0,
                                    .StructureByteStride = stride};
    const D3D11_SUBRESOURCE_DATA content = {.pSysMem = data};
    ID3D11Buffer *made;
    MAKE(CreateBuffer, &desc, &content, &made);
    return made;
}

static ID3D11Texture2D *texture(UINT size, DXGI_FORMAT format, UINT samples, UINT bind,
                                const D3D11_SUBRESOURCE_DATA *content)
{
    const D3D11_TEXTURE2D_DESC desc = {.Width = size,
                                       .Height = size,
                                       .MipLevels = 1,
                                       .ArraySize = 1,
                                       .Format = format,
                                       .SampleDesc = {.Count = samples},
                                       .BindFlags = bind};
    ID3D11Texture2D *made;
    MAKE(CreateTexture2D, &desc, content, &made);
    return made;
}

static void view(float x, float y, float size)
{
    const D3D11_VIEWPORT viewport = {x, y, size, size, 0, 1};
    DO(RSSetViewports, 1, &viewport);
}

static void read_by_pixels(ID3D11Texture2D *of)
{
    ID3D11ShaderResourceView *made;
    D3D11_TEXTURE2D_DESC is;
    ID3D11Texture2D_GetDesc(of, &is);
    D3D11_SHADER_RESOURCE_VIEW_DESC desc = {.Format = is.Format, .ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D};
    if (is.Format == DXGI_FORMAT_R32_TYPELESS) desc.Format = DXGI_FORMAT_R32_FLOAT;
    desc.Texture2D.MipLevels = 1;
    MAKE(CreateShaderResourceView, AS_RESOURCE(of), &desc, &made);
    DO(PSSetShaderResources, 0, 1, &made);
}

static void sample_with(D3D11_FILTER filter, D3D11_COMPARISON_FUNC comparison)
{
    ID3D11SamplerState *made;
    const D3D11_SAMPLER_DESC desc = {.Filter = filter,
                                     .AddressU = D3D11_TEXTURE_ADDRESS_CLAMP,
                                     .AddressV = D3D11_TEXTURE_ADDRESS_CLAMP,
                                     .AddressW = D3D11_TEXTURE_ADDRESS_CLAMP,
                                     .ComparisonFunc = comparison,
                                     .MaxLOD = D3D11_FLOAT32_MAX};
    MAKE(CreateSamplerState, &desc, &made);
    DO(PSSetSamplers, 0, 1, &made);
}

static ID3D11RenderTargetView *cleared(ID3D11Texture2D *of)
{
    static const float color[] = {0.2f, 0.4f, 0.6f, 1.0f}; /* 51 102 153 255 */
    ID3D11RenderTargetView *made;
    MAKE(CreateRenderTargetView, AS_RESOURCE(of), NULL, &made);
    DO(ClearRenderTargetView, made, color);
    return made;
}

static ID3D11DepthStencilView *cleared_depth(ID3D11Texture2D *of)
{
    ID3D11DepthStencilView *made;
    const D3D11_DEPTH_STENCIL_VIEW_DESC desc = {.Format = DXGI_FORMAT_D32_FLOAT,
                                                .ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2D};
    MAKE(CreateDepthStencilView, AS_RESOURCE(of), &desc, &made);
    DO(ClearDepthStencilView, made, D3D11_CLEAR_DEPTH, 1.0f, 0);
    return made;
}

/* Squares: where the middle is, how deep, half of how wide, and the colour. */
struct square {
    float x, y, z, half, color[4];
};

static void draw_with(const char *shader, const struct square *squares, UINT count, UINT corners)
{
    static const float corner[] = {-1, 1, 1, 1, -1, -1, 1, -1};
    static const D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"PLACE", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1},
        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 16, D3D11_INPUT_PER_INSTANCE_DATA, 1}};
    static const UINT strides[] = {2 * sizeof *corner, sizeof *squares}, offsets[] = {0, 0};
    ID3D11Buffer *const buffers[] = {buffer(corner, sizeof corner, D3D11_BIND_VERTEX_BUFFER, 0),
                                     buffer(squares, (UINT)(count * sizeof *squares), D3D11_BIND_VERTEX_BUFFER, 0)};
    ID3D11InputLayout *layout;
    USE(Vertex, VS, shader);
    const struct code *code = load(shader);
    MAKE(CreateInputLayout, elements, 3, code->data, code->bytes, &layout);
    DO(IASetInputLayout, layout);
    DO(IASetVertexBuffers, 0, 2, buffers, strides, offsets);
    DO(DrawInstanced, corners, count, 0, 0);
}

static void draw(const struct square *squares, UINT count) { draw_with("box_vs", squares, count, 4); }

/* ---- what is read back ---- */

struct texel {
    uint8_t c[4];
};
static struct texel picture[SIDE][SIDE];

/* Copies the rows, of four bytes for each column. */
static void read_back(ID3D11Texture2D *from, UINT size, void *rows)
{
    D3D11_TEXTURE2D_DESC desc;
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Texture2D *copy;
    ID3D11Texture2D_GetDesc(from, &desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    MAKE(CreateTexture2D, &desc, NULL, &copy);
    DO(CopyResource, AS_RESOURCE(copy), AS_RESOURCE(from));
    need(DO(Map, AS_RESOURCE(copy), 0, D3D11_MAP_READ, 0, &mapped), "Map");
    for (UINT y = 0; y < size; y++)
        memcpy((char *)rows + (size_t)y * size * 4, (char *)mapped.pData + (size_t)y * mapped.RowPitch,
               (size_t)size * 4);
    DO(Unmap, AS_RESOURCE(copy), 0);
}

/* Whether the texel is this colour, in 255ths, but for so much. */
static void is(int x, int y, const double color[4], double allowed)
{
    const uint8_t *c = picture[y][x].c;
    for (int i = 0; i < 4; i++) {
        if (fabs(c[i] - color[i]) <= allowed) continue;
        if (wrong++ < 10) /* of one cause there are thousands */
            printf("%d,%d is %d %d %d %d and not %g %g %g %g\n", x, y, c[0], c[1], c[2], c[3], color[0], color[1],
                   color[2], color[3]);
        return;
    }
}

static const double background[] = {51, 102, 153, 255};

/* Which square of `squares` covers the middle of the texel, the last one first; -1: none. */
static int covers(const struct square *squares, int count, int x, int y)
{
    const double at_x = (x + 0.5) / SIDE * 2 - 1, at_y = 1 - (y + 0.5) / SIDE * 2;
    while (count-- > 0)
        if (fabs(at_x - squares[count].x) < squares[count].half && fabs(at_y - squares[count].y) < squares[count].half)
            return count;
    return -1;
}

/* Every texel has the colour of the square that covers it, or of the clear. */
static void are(const struct square *squares, int count)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int by = covers(squares, count, x, y);
            double color[4];
            for (int i = 0; i < 4; i++) color[i] = by < 0 ? background[i] : squares[by].color[i] * 255;
            is(x, y, color, 0);
        }
}

/* ---- cases ---- */

static const struct square three[] = {{0.25f, 0.25f, 0.75f, 0.5f, {0, 0, 1, 1}},
                                      {0, 0, 0.5f, 0.5f, {0, 1, 0, 1}},
                                      {-0.25f, -0.25f, 0.25f, 0.5f, {1, 0, 0, 1}}};

/* The nearest is seen, drawn from front to back. */
static void depth(ID3D11RenderTargetView *to)
{
    ID3D11DepthStencilView *z = cleared_depth(texture(SIDE, DXGI_FORMAT_D32_FLOAT, 1, D3D11_BIND_DEPTH_STENCIL, NULL));
    const struct square from_front[] = {three[2], three[0], three[1]};
    DO(OMSetRenderTargets, 1, &to, z);
    draw(from_front, 3);
    read_back(target, SIDE, picture);
    are(three, 3);
}

static void instancing(ID3D11RenderTargetView *to)
{
    struct square squares[64];
    for (int i = 0; i < 64; i++)
        squares[i] = (struct square){(float)(i % 8) / 4 - 0.875f,
                                     (float)(i / 8) / 4 - 0.875f,
                                     0,
                                     0.0625f,
                                     {(float)(i % 4 * 85) / 255, (float)(i / 16 * 85) / 255, (float)(i & 1), 1}};
    DO(OMSetRenderTargets, 1, &to, NULL);
    draw(squares, 64);
    read_back(target, SIDE, picture);
    are(squares, 64);
}

/* A point becomes a square. */
static void geometry(ID3D11RenderTargetView *to)
{
    struct square squares[5];
    for (int i = 0; i < 5; i++)
        squares[i] =
            (struct square){(float)i / 4 - 0.5f, 0.5f - (float)(i * i) / 16, 0, 0.125f, {1, (float)(i & 1), 0, 1}};
    struct square points[5];
    memcpy(points, squares, sizeof points);
    for (int i = 0; i < 5; i++) points[i].half = 0; /* the corner's place is the middle's */
    USE(Geometry, GS, "squares_gs");
    DO(OMSetRenderTargets, 1, &to, NULL);
    DO(IASetPrimitiveTopology, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
    draw_with("box_vs", points, 5, 1);
    read_back(target, SIDE, picture);
    are(squares, 5);
}

/* The whole target, and each texel's colour is where it is: no part is missing or twice elsewhere. */
static void tessellation(ID3D11RenderTargetView *to)
{
    static const struct square all = {0, 0, 0, 1, {1, 1, 1, 1}};
    USE(Hull, HS, "patch_hs");
    USE(Domain, DS, "patch_ds");
    DO(OMSetRenderTargets, 1, &to, NULL);
    DO(IASetPrimitiveTopology, D3D11_PRIMITIVE_TOPOLOGY_4_CONTROL_POINT_PATCHLIST);
    draw(&all, 1);
    read_back(target, SIDE, picture);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            is(x, y, (const double[]){(x + 0.5) / SIDE * 255, (y + 0.5) / SIDE * 255, 0, 255}, 0.51);
}

/* An edge through the middle of a column of pixels: of four samples the two of one side are covered. */
static void multisampling(ID3D11RenderTargetView *to)
{
    const float edge = 1.0f / SIDE; /* half a pixel */
    const struct square square = {-0.5f + edge / 2, 0, 0, 0.5f + edge / 2, {1, 1, 1, 1}};
    UINT levels = 0;
    ID3D11Device_CheckMultisampleQualityLevels(device, DXGI_FORMAT_R8G8B8A8_UNORM, 4, &levels);
    if (!levels) need(E_FAIL, "four samples");
    ID3D11Texture2D *samples = texture(SIDE, DXGI_FORMAT_R8G8B8A8_UNORM, 4, D3D11_BIND_RENDER_TARGET, NULL);
    to = cleared(samples);
    DO(OMSetRenderTargets, 1, &to, NULL);
    draw(&square, 1);
    DO(ResolveSubresource, AS_RESOURCE(target), 0, AS_RESOURCE(samples), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    read_back(target, SIDE, picture);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const double part = y < SIDE / 4 - 1 || y > SIDE * 3 / 4 ? 0 : x < SIDE / 2 ? 1 : x == SIDE / 2 ? 0.5 : 0;
            double color[4];
            for (int i = 0; i < 4; i++) color[i] = background[i] + (255 - background[i]) * part;
            if (y != SIDE / 4 - 1 && y != SIDE * 3 / 4)
                is(x, y, color, 0.51); /* at the square's upper and lower edge */
        }
}

/* The texture's left half is nearer than 0.5, its right half farther; between them the filter takes 2 by 2 texels. */
static void shadow(ID3D11RenderTargetView *to)
{
    enum { DEPTHS = 4 };
    static const struct square halves[] = {{-1, 0, 0.25f, 1, {0}}, {1, 0, 0.75f, 1, {0}}}, all = {0, 0, 0, 1, {0}};
    ID3D11Texture2D *depths =
        texture(DEPTHS, DXGI_FORMAT_R32_TYPELESS, 1, D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_SHADER_RESOURCE, NULL);
    ID3D11DepthStencilView *z = cleared_depth(depths);
    DO(OMSetRenderTargets, 0, NULL, z);
    view(0, 0, DEPTHS);
    draw(halves, 2);
    DO(OMSetRenderTargets, 1, &to, NULL);
    view(0, 0, SIDE);
    read_by_pixels(depths);
    sample_with(D3D11_FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT, D3D11_COMPARISON_LESS_EQUAL);
    USE(Pixel, PS, "shadow_ps");
    draw_with("picture_vs", &all, 1, 4);
    read_back(target, SIDE, picture);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double lit = (x + 0.5) / SIDE * DEPTHS - 1.5; /* of the texel right of the middle */
            lit = (lit < 0 ? 0 : lit > 1 ? 1 : lit) * 255;
            is(x, y, (const double[]){lit, lit, lit, 255}, 1); /* weights have eight bits at least */
        }
}

/* ---- compressed blocks: one of 4 by 4 texels in each format ---- */

struct block {
    DXGI_FORMAT format;
    uint8_t bytes[16];
    double rows[4][4]; /* the colour of each row, in 255ths */
};

/* The codes of the rows are 0, 1, 2, 3 of colours, and 0, 1, 2, 7 of BC3's alpha, BC4 and BC5: the ends and what is
 * between. BC7 has mode 6 and the first end alone: 127, 64, 32, 127 of 127, and then a bit of 0. */
static const struct block blocks[] = {
    {DXGI_FORMAT_BC1_UNORM,
     {0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0xaa, 0xff},
     {{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}},
    {DXGI_FORMAT_BC1_UNORM, /* the lower end first: three colours, and nothing */
     {0x1f, 0x00, 0x00, 0xf8, 0x00, 0x55, 0xaa, 0xff},
     {{0, 0, 255, 255}, {255, 0, 0, 255}, {127.5, 0, 127.5, 255}, {0, 0, 0, 0}}},
    {DXGI_FORMAT_BC2_UNORM,
     {0x00, 0x00, 0x55, 0x55, 0xaa, 0xaa, 0xff, 0xff, 0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0xaa, 0xff},
     {{255, 0, 0, 0}, {0, 0, 255, 85}, {170, 0, 85, 170}, {85, 0, 170, 255}}},
    {DXGI_FORMAT_BC3_UNORM,
     {0xff, 0x00, 0x00, 0x90, 0x24, 0x92, 0xf4, 0xff, 0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0xaa, 0xff},
     {{255, 0, 0, 255}, {0, 0, 255, 0}, {170, 0, 85, 255 * 6 / 7.0}, {85, 0, 170, 255 / 7.0}}},
    {DXGI_FORMAT_BC4_UNORM,
     {0xff, 0x00, 0x00, 0x90, 0x24, 0x92, 0xf4, 0xff},
     {{255, 0, 0, 255}, {0, 0, 0, 255}, {255 * 6 / 7.0, 0, 0, 255}, {255 / 7.0, 0, 0, 255}}},
    {DXGI_FORMAT_BC5_UNORM,
     {0xff, 0x00, 0x00, 0x90, 0x24, 0x92, 0xf4, 0xff, 0xff, 0x00, 0x00, 0x90, 0x24, 0x92, 0xf4, 0xff},
     {{255, 255, 0, 255}, {0, 0, 0, 255}, {255 * 6 / 7.0, 255 * 6 / 7.0, 0, 255}, {255 / 7.0, 255 / 7.0, 0, 255}}},
    {DXGI_FORMAT_BC7_UNORM,
     {0xc0, 0x3f, 0x00, 0x08, 0x00, 0x01, 0xfe, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00},
     {{254, 128, 64, 254}, {254, 128, 64, 254}, {254, 128, 64, 254}, {254, 128, 64, 254}}},
};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static void compressed(ID3D11RenderTargetView *to)
{
    static const struct square all = {0, 0, 0, 1, {0}};
    DO(OMSetRenderTargets, 1, &to, NULL);
    USE(Pixel, PS, "picture_ps");
    sample_with(D3D11_FILTER_MIN_MAG_MIP_POINT, D3D11_COMPARISON_NEVER);
    for (int i = 0; i < BLOCKS; i++) {
        const D3D11_SUBRESOURCE_DATA content = {.pSysMem = blocks[i].bytes, .SysMemPitch = 16};
        read_by_pixels(texture(4, blocks[i].format, 1, D3D11_BIND_SHADER_RESOURCE, &content));
        view((float)(i % 8 * 8), (float)(i / 8 * 8), 8);
        draw_with("picture_vs", &all, 1, 4);
    }
    read_back(target, SIDE, picture);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < BLOCKS * 8; x++) is(x, y, blocks[x / 8].rows[y / 2], 1);
}

/* ---- compute ---- */

static void compute(ID3D11RenderTargetView *to)
{
    (void)to;
    static uint32_t texels[SIDE][SIDE];
    static const uint32_t zero[64];
    ID3D11UnorderedAccessView *views[2];
    ID3D11Texture2D *numbers = texture(SIDE, DXGI_FORMAT_R32_UINT, 1, D3D11_BIND_UNORDERED_ACCESS, NULL);
    ID3D11Buffer *sums = buffer(zero, sizeof zero, D3D11_BIND_UNORDERED_ACCESS, 4), *copy;
    MAKE(CreateUnorderedAccessView, AS_RESOURCE(numbers), NULL, &views[0]);
    MAKE(CreateUnorderedAccessView, AS_RESOURCE(sums), NULL, &views[1]);
    USE(Compute, CS, "count_cs");
    DO(CSSetUnorderedAccessViews, 0, 2, views, NULL);
    DO(Dispatch, SIDE / 8, SIDE / 8, 1);
    read_back(numbers, SIDE, texels);
    const D3D11_BUFFER_DESC desc = {
        .ByteWidth = sizeof zero, .Usage = D3D11_USAGE_STAGING, .CPUAccessFlags = D3D11_CPU_ACCESS_READ};
    D3D11_MAPPED_SUBRESOURCE mapped;
    MAKE(CreateBuffer, &desc, NULL, &copy);
    DO(CopyResource, AS_RESOURCE(copy), AS_RESOURCE(sums));
    need(DO(Map, AS_RESOURCE(copy), 0, D3D11_MAP_READ, 0, &mapped), "Map");
    uint32_t wanted[64] = {0};
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t in_group = y % 8 * 8 + x % 8, neighbour = (in_group + 1) % 64;
            const uint32_t number = x * y + x / 8 * 8 + neighbour % 8;
            if (texels[y][x] != number && wrong++ < 10) printf("%u,%u is %u and not %u\n", x, y, texels[y][x], number);
            wanted[y / 8 * 8 + x / 8] += number;
            picture[y][x] = (struct texel){{(uint8_t)number, (uint8_t)(number >> 8), 0, 255}};
        }
    for (int i = 0; i < 64; i++)
        if (((const uint32_t *)mapped.pData)[i] != wanted[i] && wrong++ < 10)
            printf("sum %d is %u and not %u\n", i, ((const uint32_t *)mapped.pData)[i], wanted[i]);
}

/* ---- a window ---- */

/* The same as depth, without depth, in the buffer of a window that is shown three times. */
static void window(ID3D11RenderTargetView *to)
{
    const HWND handle = CreateWindowA("static", "Direct3D", WS_POPUP | WS_VISIBLE, 0, 0, SIDE, SIDE, 0, 0, 0, 0);
    DXGI_SWAP_CHAIN_DESC desc = {.BufferDesc = {.Width = SIDE, .Height = SIDE, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
                                 .SampleDesc = {.Count = 1},
                                 .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
                                 .BufferCount = 1,
                                 .OutputWindow = handle,
                                 .Windowed = TRUE};
    IDXGIDevice *own;
    IDXGIAdapter *adapter;
    IDXGIFactory *factory;
    IDXGISwapChain *chain;
    ID3D11Texture2D *shown;
    need(ID3D11Device_QueryInterface(device, &IID_IDXGIDevice, (void **)&own), "IDXGIDevice");
    need(IDXGIDevice_GetAdapter(own, &adapter), "GetAdapter");
    need(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory, (void **)&factory), "GetParent");
    need(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)device, &desc, &chain), "CreateSwapChain");
    need(IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&shown), "GetBuffer");
    to = cleared(shown);
    DO(OMSetRenderTargets, 1, &to, NULL);
    draw(three, 3);
    read_back(shown, SIDE, picture);
    are(three, 3);
    for (int i = 0; i < FRAMES; i++) need(IDXGISwapChain_Present(chain, 0, 0), "Present");
}

/* ---- the whole ---- */

static const struct {
    const char *name;
    void (*draw)(ID3D11RenderTargetView *to);
} cases[] = {{"depth", depth},
             {"instancing", instancing},
             {"geometry", geometry},
             {"tessellation", tessellation},
             {"multisampling", multisampling},
             {"shadow", shadow},
             {"compressed", compressed},
             {"compute", compute},
             {"window", window}};

static void write_picture(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) need(E_FAIL, path);
    fprintf(file, "P6\n%d %d\n255\n", SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) fwrite(picture[y][x].c, 1, 3, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    const D3D11_RASTERIZER_DESC both_sides = {
        .FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_NONE, .DepthClipEnable = TRUE, .MultisampleEnable = TRUE};
    ID3D11RasterizerState *rasterizer;
    if (argc < 3) return 2;
    need(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, &level, 1, D3D11_SDK_VERSION, &device, NULL,
                           &context),
         "a device of 11_0");
    target = texture(SIDE, DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_BIND_RENDER_TARGET, NULL);
    MAKE(CreateRasterizerState, &both_sides, &rasterizer);
    DO(RSSetState, rasterizer);
    DO(IASetPrimitiveTopology, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    USE(Pixel, PS, "color_ps");
    view(0, 0, SIDE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].draw(cleared(target));
            write_picture(argv[2]);
            printf("%s: %d wrong\n", argv[1], wrong);
            return wrong != 0;
        }
    return 2;
}
