/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "failure.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Of the sanitizers' run-time, if one is there; it handles crashes itself, and then calls this. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* ThreadSanitizer would go on, and the line would be that of a later setting. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "halt_on_error=1"; }

static char line[1024];

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody listens: the exit status has to do */
}

static void say_line(void) { say(line); }

static void handle(int signal, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(signal, &action, NULL);
}

static void on_signal(int signal)
{
    if (signal == SIGALRM)
        say("it hangs\n");
    say_line();
    handle(SIGABRT, SIG_DFL);
    /* The action is the default one now: a core file, and a status that says why. */
    raise(signal == SIGALRM ? SIGABRT : signal);
}

void failure_line(const char *text)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    static bool ready;
    strncpy(line, text, sizeof line - 1);
    if (ready)
        return;
    ready = true;
    handle(SIGABRT, on_signal);
    handle(SIGALRM, on_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_line);
    else
        for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
            handle(crashes[i], on_signal);
}

void failure_after(unsigned seconds) { alarm(seconds); }
