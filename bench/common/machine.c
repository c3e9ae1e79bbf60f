/* SPDX-License-Identifier: MIT */
#include <heist/version.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "build.h"
#include "common.h"

enum { FACTS_MAX = 64 };
static struct fact facts[FACTS_MAX + 1]; /* one stays empty */
static int number;

void bench_machine_add(const char *key, const char *format, ...)
{
    va_list args;
    if (number == FACTS_MAX)
        return;
    va_start(args, format);
    facts[number].key = key;
    vsnprintf(facts[number].value, sizeof facts[number].value, format, args);
    va_end(args);
    number++;
}

/* The first line of a file that begins with `begin`, or "unknown"; valid until the next call. */
static const char *line_of(const char *path, const char *begin)
{
    static char line[256];
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, begin, strlen(begin)) == 0;
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = '\0';
    return found ? line : "unknown";
}

static const char *after_colon(const char *line)
{
    const char *colon = strchr(line, ':');
    return colon ? colon + 1 + strspn(colon + 1, " \t") : line;
}

static void add_load(const char *key)
{
    double load[3];
    if (getloadavg(load, 3) == 3)
        bench_machine_add(key, "%.2f %.2f %.2f", load[0], load[1], load[2]);
}

void bench_machine_command(int argc, char **argv)
{
    char command[sizeof facts->value];
    snprintf(command, sizeof command, "%s", bench_tool);
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " %s", argv[i]);
    }
    bench_machine_add("command", "%s", command);
}

void bench_machine_begin(void)
{
    struct utsname system = {.sysname = "unknown"};
    uname(&system);
    bench_machine_add("host", "%s", system.nodename);
    bench_machine_add("cpu", "%s, %s", after_colon(line_of("/proc/cpuinfo", "model name")),
                      system.machine);
    bench_machine_add("governor", "%s",
                      line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", ""));
    bench_machine_add("kernel", "%s %s", system.sysname, system.release);
    bench_machine_add("compiler", "%s", BUILD_COMPILER);
    bench_machine_add("flags", "%s", BUILD_FLAGS);
    bench_machine_add("version", "%s", HEIST_VERSION_STRING);
    bench_machine_add("commit", "%s", BUILD_COMMIT);

    time_t now = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    bench_machine_add("date", "%s", date);
    add_load("load_begin");
}

void bench_machine_end(void) { add_load("load_end"); }

const struct fact *bench_machine(void) { return facts; }

const char *bench_fact(const char *key)
{
    for (const struct fact *f = facts; f->key; f++)
        if (strcmp(f->key, key) == 0)
            return f->value;
    return "";
}

void bench_print_machine(FILE *f)
{
    for (const struct fact *m = facts; m->key; m++)
        fprintf(f, "%-13s %s\n", m->key, m->value);
}

void bench_write_csv_machine(FILE *f)
{
    for (const struct fact *m = facts; m->key; m++)
        fprintf(f, "# %s: %s\n", m->key, m->value);
}
