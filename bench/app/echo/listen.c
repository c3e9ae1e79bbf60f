/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "echo.h"

enum { BACKLOG = 4096 };

int listen_at(const struct server_options *options, uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(options->port)};
    socklen_t length = sizeof at;
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (inet_pton(AF_INET, options->address, &at.sin_addr) != 1)
        bench_usage_error("--address '%s': not an address such as 127.0.0.1", options->address);
    if (fd < 0)
        bench_fail("no socket: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, BACKLOG) ||
        getsockname(fd, (struct sockaddr *)&at, &length))
        bench_usage_error("%s, --port '%u': %s", options->address, options->port, strerror(errno));
    *port = ntohs(at.sin_port);
    return fd;
}
