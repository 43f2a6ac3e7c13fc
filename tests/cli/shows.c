/* A program for tests of gl --clock: shows a frame by the clock's module, never asks for the time, and becomes the
 * program of its arguments. Holds no OpenGL. */
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    unsigned (*swap)(void *, void *);
    *(void **)&swap = dlsym(RTLD_DEFAULT, "eglSwapBuffers");
    if (!swap || argc < 2) return 99;
    swap(NULL, NULL);
    execvp(argv[1], argv + 1);
    return 98;
}
