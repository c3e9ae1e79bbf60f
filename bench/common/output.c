/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "common.h"

bool bench_is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

FILE *bench_open_output(const char *option, const char *path)
{
    if (!path || bench_is_stdout(path))
        return path ? stdout : NULL;
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        bench_usage_error("%s '%s': %s", option, path, strerror(errno));
    return f;
}

void bench_empty_output(FILE *f)
{
    struct stat s;
    if (f && !fstat(fileno(f), &s) && S_ISREG(s.st_mode) && f != stdout && ftruncate(fileno(f), 0))
        bench_fail("can't empty an output file: %s", strerror(errno));
}

void bench_close_output(const char *option, const char *path, FILE *f)
{
    if (!f)
        return;
    bool bad = fflush(f) || ferror(f);
    if (f != stdout)
        bad |= fclose(f) != 0;
    if (bad)
        bench_fail("%s '%s': not all could be written", option, path);
}

void bench_show_progress(double done, uint64_t began, const char *what, const char *line)
{
    static char shown[128];
    int seconds = done > 0 ? (int)((double)(clock_ns() - began) / 1e9 * (1 - done) / done) + 1 : 0;
    char left[32] = "";
    if (seconds)
        snprintf(left, sizeof left, ", about %d s left", seconds);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K[%3.0f%%] %s, %s%s", 100 * done, what, line, left);
    else if (strcmp(shown, line) != 0)
        fprintf(stderr, "%s%s\n", line, left);
    snprintf(shown, sizeof shown, "%s", line);
}

void bench_clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}
