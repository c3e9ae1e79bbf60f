/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <heist/version.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "build.h"

static struct fact facts[16]; /* enough, with one that stays empty */
static int number;

__attribute__((format(printf, 2, 3))) static void add(const char *key, const char *format, ...)
{
    va_list args;
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
        add(key, "%.2f %.2f %.2f", load[0], load[1], load[2]);
}

void bench_machine_command(int argc, char **argv)
{
    char command[sizeof facts->value] = "heist bench queue";
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " %s", argv[i]);
    }
    add("command", "%s", command);
}

void bench_machine_begin(unsigned threads)
{
    struct utsname system = {.sysname = "unknown"};
    uname(&system);
    add("host", "%s", system.nodename);
    add("cpu", "%s, %s", after_colon(line_of("/proc/cpuinfo", "model name")), system.machine);

    const int *cpus;
    unsigned n = bench_cpus(&cpus);
    add("cpus", "%u of %ld; owner pinned to %d, %s", n, sysconf(_SC_NPROCESSORS_ONLN), cpus[0],
        n > 1 ? "each thief to another one" : "thieves to the same one");
    if (threads > n)
        add("crowded", "up to %u threads on %u CPUs: some share one, and yield while they wait",
            threads, n);
    add("governor", "%s", line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", ""));
    add("kernel", "%s %s", system.sysname, system.release);
    add("compiler", "%s", BUILD_COMPILER);
    add("flags", "%s", BUILD_FLAGS);
    add("version", "%s", HEIST_VERSION_STRING);
    add("commit", "%s", BUILD_COMMIT);
    add("clock", "%s, %.4f ticks per ns", CLOCK_NAME, bench_ticks_per_ns());

    time_t now = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    add("date", "%s", date);
    add_load("load_begin");
}

void bench_machine_end(void) { add_load("load_end"); }

const struct fact *bench_machine(void) { return facts; }
