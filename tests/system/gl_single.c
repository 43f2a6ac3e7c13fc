/* A window of X with a front buffer alone (GLX): clears it to a colour, flushes, and prints the renderer and the colour
 * that is read back. `hidden`: the window is not shown, as that of glxinfo. Exit code 77: there is no display, or no
 * such visual. */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>

enum { SIDE = 32, NO_PLATFORM = 77 };

static void show(Display *display, Window window)
{
    XEvent event;
    XSelectInput(display, window, ExposureMask);
    XMapWindow(display, window);
    do XNextEvent(display, &event);
    while (event.type != Expose);
}

int main(int count, char **words)
{
    static int wanted[] = {GLX_RGBA, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None};
    unsigned char pixel[4] = {0};
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual = display ? glXChooseVisual(display, DefaultScreen(display), wanted) : NULL;
    if (!visual) return NO_PLATFORM;
    const Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes attributes = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    const Window window = XCreateWindow(display, root, 0, 0, SIDE, SIDE, 0, visual->depth, InputOutput, visual->visual,
                                        CWColormap | CWBorderPixel, &attributes);
    if (count == 1) show(display, window);
    if (!glXMakeCurrent(display, window, glXCreateContext(display, visual, NULL, True))) return 1;
    glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glFlush();
    glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    printf("%s\n%u %u %u\n", (const char *)glGetString(GL_RENDERER), pixel[0], pixel[1], pixel[2]);
    if (count == 1) { /* what X has of the window */
        XImage *image = XGetImage(display, window, SIDE / 2, SIDE / 2, 1, 1, AllPlanes, ZPixmap);
        printf("%06lx\n", XGetPixel(image, 0, 0) & 0xffffff);
        XDestroyImage(image);
    }
    (void)words;
    return glGetError() != GL_NO_ERROR;
}
