/* Direct3D 9 for Wine, and Direct3D 8 where VERSION is 8: the fixed pipeline draws into the window's buffer, which is
 * read back and shown three times. d3d9.exe CASE PICTURE, as d3d11.c; the case's name is only printed. A third argument
 * is how often it is shown. */
#define COBJMACROS
#include <windows.h>

/* A name in both versions: Direct3D 8's have an 8 where those of 9 have a 9. */
#if VERSION == 8
#include <d3d8.h>
#define OF(before, after) before##8##after
#else
#include <d3d9.h>
#define OF(before, after) before##9##after
#endif
#define DEVICE(function) OF(IDirect3DDevice, _##function)

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, FRAMES = 3 };

static OF(IDirect3DDevice, ) * device;
static uint32_t picture[SIDE][SIDE]; /* 0xaarrggbb */
static int wrong;

static void need(HRESULT result, const char *what)
{
    if (SUCCEEDED(result)) return;
    printf("%s: %08lx\n", what, (unsigned long)result);
    exit(1);
}

#define DO(function, ...) need(DEVICE(function)(device, __VA_ARGS__), #function)

static void open(void)
{
    const HWND window = CreateWindowA("static", "Direct3D", WS_POPUP | WS_VISIBLE, 0, 0, SIDE, SIDE, 0, 0, 0, 0);
    D3DPRESENT_PARAMETERS wanted = {.BackBufferWidth = SIDE,
                                    .BackBufferHeight = SIDE,
                                    .BackBufferFormat = D3DFMT_X8R8G8B8,
                                    .BackBufferCount = 1,
                                    .SwapEffect = D3DSWAPEFFECT_COPY,
                                    .hDeviceWindow = window,
                                    .Windowed = TRUE,
                                    .EnableAutoDepthStencil = TRUE,
                                    .AutoDepthStencilFormat = D3DFMT_D24S8};
    /* There is no library of version 8 to link with. Without a display there is no Direct3D. */
    const char *name = VERSION == 8 ? "Direct3DCreate8" : "Direct3DCreate9";
    const HMODULE library = LoadLibraryA(VERSION == 8 ? "d3d8" : "d3d9");
    OF(IDirect3D, ) * (WINAPI * create)(UINT) = library ? (void *)GetProcAddress(library, name) : NULL;
    OF(IDirect3D, ) *root = create ? create(D3D_SDK_VERSION) : NULL;
    need(root ? S_OK : E_FAIL, name);
    need(OF(IDirect3D, _CreateDevice)(root, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &wanted,
                                      &device),
         "CreateDevice");
}

static void use(DWORD format)
{
#if VERSION == 8
    DO(SetVertexShader, format);
#else
    DO(SetFVF, format);
#endif
}

/* From half a texel before the first to half a texel behind the last: the middles of texels are whole numbers here. */
static void square(float left, float top, float side, float z, DWORD color)
{
    const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } corners[] = {{left - 0.5f, top - 0.5f, z, 1, color, 0, 0},
                   {left + side - 0.5f, top - 0.5f, z, 1, color, 1, 0},
                   {left - 0.5f, top + side - 0.5f, z, 1, color, 0, 1},
                   {left + side - 0.5f, top + side - 0.5f, z, 1, color, 1, 1}};
    use(D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1);
    DO(DrawPrimitiveUP, D3DPT_TRIANGLESTRIP, 2, corners, sizeof *corners);
}

/* Rows of red, blue, and what is between. */
static OF(IDirect3DTexture, ) * compressed(void)
{
    static const uint8_t block[] = {0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0xaa, 0xff};
    OF(IDirect3DTexture, ) * texture;
    D3DLOCKED_RECT rows;
#if VERSION == 8
    DO(CreateTexture, 4, 4, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &texture);
#else
    DO(CreateTexture, 4, 4, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &texture, NULL);
#endif
    need(OF(IDirect3DTexture, _LockRect)(texture, 0, &rows, NULL, 0), "LockRect");
    memcpy(rows.pBits, block, sizeof block);
    OF(IDirect3DTexture, _UnlockRect)(texture, 0);
    return texture;
}

static void read_back(void)
{
    OF(IDirect3DSurface, ) * from, *to;
    D3DLOCKED_RECT rows;
#if VERSION == 8
    DO(GetBackBuffer, 0, D3DBACKBUFFER_TYPE_MONO, &from);
    DO(CreateImageSurface, SIDE, SIDE, D3DFMT_X8R8G8B8, &to);
    DO(CopyRects, from, NULL, 0, to, NULL);
#else
    DO(GetBackBuffer, 0, 0, D3DBACKBUFFER_TYPE_MONO, &from);
    DO(CreateOffscreenPlainSurface, SIDE, SIDE, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &to, NULL);
    DO(GetRenderTargetData, from, to);
#endif
    need(OF(IDirect3DSurface, _LockRect)(to, &rows, NULL, D3DLOCK_READONLY), "LockRect");
    for (int y = 0; y < SIDE; y++) memcpy(picture[y], (char *)rows.pBits + (ptrdiff_t)y * rows.Pitch, SIDE * 4);
}

static void is(int x, int y, uint32_t color, int allowed)
{
    for (int shift = 0; shift < 24; shift += 8) {
        const int c = (int)(picture[y][x] >> shift & 255), wanted = (int)(color >> shift & 255);
        if (abs(c - wanted) <= allowed) continue;
        if (wrong++ < 10)
            printf("%d,%d is %06x and not %06x\n", x, y, (unsigned)picture[y][x] & 0xffffff, (unsigned)color);
        return;
    }
}

static void draw(void)
{
    DO(Clear, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff336699, 1, 0);
    need(DEVICE(BeginScene)(device), "BeginScene");
    DO(SetRenderState, D3DRS_LIGHTING, FALSE);
    DO(SetRenderState, D3DRS_CULLMODE, D3DCULL_NONE);
    square(0, 0, 16, 0.25f, 0xffff0000);
    square(8, 8, 16, 0.75f, 0xff00ff00); /* behind the red one */
    DO(SetRenderState, D3DRS_ALPHABLENDENABLE, TRUE);
    DO(SetRenderState, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    DO(SetRenderState, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    square(32, 0, 16, 0.5f, 0x800000ff);
    DO(SetRenderState, D3DRS_ALPHABLENDENABLE, FALSE);
    DO(SetTexture, 0, (void *)compressed());
    square(32, 32, 16, 0.5f, 0xffffffff);
    need(DEVICE(EndScene)(device), "EndScene");
}

static uint32_t wanted(int x, int y)
{
    static const uint32_t rows[] = {0xff0000, 0x0000ff, 0xaa0055, 0x5500aa};
    if (x < 16 && y < 16) return 0xff0000;
    if (x >= 8 && y >= 8 && x < 24 && y < 24) return 0x00ff00;
    if (x >= 32 && x < 48 && y < 16) return 0x1933cc; /* 128 of 255 parts */
    if (x >= 32 && x < 48 && y >= 32 && y < 48) return rows[(y - 32) / 4];
    return 0x336699;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    open();
    draw();
    read_back();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) is(x, y, wanted(x, y), 1);
    for (int i = 0; i < (argc > 3 ? atoi(argv[3]) : FRAMES); i++) DO(Present, NULL, NULL, NULL, NULL);
    FILE *file = fopen(argv[2], "wb");
    if (!file) need(E_FAIL, argv[2]);
    fprintf(file, "P6\n%d %d\n255\n", SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int shift = 16; shift >= 0; shift -= 8) fputc((int)(picture[y][x] >> shift & 255), file);
    fclose(file);
    printf("%s: %d wrong\n", argv[1], wrong);
    return wrong != 0;
}
