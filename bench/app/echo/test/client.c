/* SPDX-License-Identifier: MIT */
/* echo-client PORT: what clients do to a server, the good ones and the others. echo-client PORT
   stay: one that sends half of a request, says so, and waits for the server to end. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../../test/random.h"
#include "common.h"

enum { LARGE = 8 << 20, CROWD = 200, PIPELINED = 500, WAIT_SECONDS = 20 };

static uint16_t port;
static unsigned failures, refused;

static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("FAILED: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    failures++;
}

static int open_one(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval limit = {.tv_sec = WAIT_SECONDS}; /* a server that says nothing is a failure */
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at))
        bench_fail("no connection: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static void send_all(int fd, const char *data, size_t length, size_t at_once)
{
    while (length) {
        ssize_t n = send(fd, data, length < at_once ? length : at_once, MSG_NOSIGNAL);
        if (n <= 0)
            return; /* what is read will say it */
        data += n;
        length -= (size_t)n;
    }
}

static void send_text(int fd, const char *text) { send_all(fd, text, strlen(text), SIZE_MAX); }

static bool read_all(int fd, char *data, size_t length, size_t at_once)
{
    while (length) {
        ssize_t n = recv(fd, data, length < at_once ? length : at_once, 0);
        if (n <= 0)
            return false;
        data += n;
        length -= (size_t)n;
    }
    return true;
}

/* A response's head; the length of the body, or -1. */
static long read_head(int fd, int *status, bool *closes)
{
    char head[1024];
    size_t n = 0;
    while (n < sizeof head - 1 && (n < 4 || memcmp(head + n - 4, "\r\n\r\n", 4) != 0)) {
        if (recv(fd, head + n, 1, 0) != 1)
            return -1;
        n++;
    }
    head[n] = '\0';
    const char *length = strstr(head, "Content-Length: ");
    if (sscanf(head, "HTTP/1.1 %d ", status) != 1 || (!length && *status != 100))
        return -1;
    *closes = strstr(head, "Connection: close") != NULL;
    return length ? atol(length + strlen("Content-Length: ")) : 0;
}

/* Whether the response is 200 with this body. */
static bool is_answered(int fd, const char *body, size_t length, size_t at_once)
{
    int status;
    bool closes;
    long got = read_head(fd, &status, &closes);
    char *data = malloc(length + 1);
    bool right = status == 200 && got == (long)length && data &&
                 read_all(fd, data, length, at_once) && memcmp(data, body, length) == 0;
    free(data);
    return right;
}

static bool is_closed(int fd)
{
    char byte;
    ssize_t n = recv(fd, &byte, 1, 0);
    return n == 0 || (n < 0 && errno == ECONNRESET);
}

static void in_small_pieces(void)
{
    const char *request = "POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH:  11 \r\n\r\nhello world";
    int fd = open_one();
    for (int i = 0; i < 3; i++) {
        send_all(fd, request, strlen(request), 1);
        if (!is_answered(fd, "hello world", 11, 1))
            fail("a request byte by byte, the %d. on its connection", i + 1);
    }
    close(fd);
}

static void pipelined(void)
{
    static char requests[PIPELINED * 64];
    size_t length = 0;
    int fd = open_one();
    for (int i = 0; i < PIPELINED; i++)
        length += (size_t)sprintf(requests + length,
                                  "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n%04d", i);
    send_all(fd, requests, length, SIZE_MAX);
    for (int i = 0; i < PIPELINED; i++) {
        char body[16];
        snprintf(body, sizeof body, "%04d", i);
        if (!is_answered(fd, body, 4, SIZE_MAX)) {
            fail("request %d of %d at once", i, PIPELINED);
            break;
        }
    }
    close(fd);
}

static char *large_body(void)
{
    char *body = malloc(LARGE);
    uint64_t state = 1;
    for (size_t i = 0; body && i < LARGE; i++)
        body[i] = (char)random_next(&state);
    return body;
}

/* The server's buffers fill up: it has to wait in the middle of a response. */
static void large(const char *body)
{
    char head[128];
    int fd = open_one();
    sprintf(head, "POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n", LARGE);
    for (int i = 0; i < 2; i++) {
        send_text(fd, head);
        send_all(fd, body, LARGE, SIZE_MAX);
        usleep(50000);
        if (!is_answered(fd, body, LARGE, 50000))
            fail("a large body, the %d.", i + 1);
    }
    close(fd);
}

static void kept_or_not(void)
{
    static const struct {
        const char *request, *body;
        bool closes;
    } cases[] = {
        {"GET /a HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n", false},
        {"GET /a HTTP/1.1\r\nConnection: x, Close\r\n\r\n", NULL, true},
        {"GET /a HTTP/1.0\r\n\r\n", NULL, true},
        {"GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", NULL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *body = cases[i].body ? cases[i].body : cases[i].request;
        int fd = open_one();
        send_text(fd, cases[i].request);
        if (!is_answered(fd, body, strlen(body), SIZE_MAX))
            fail("no echo of %s", cases[i].request);
        else if (cases[i].closes && !is_closed(fd))
            fail("not closed after %s", cases[i].request);
        else if (!cases[i].closes) {
            send_text(fd, cases[i].request);
            if (!is_answered(fd, body, strlen(body), SIZE_MAX))
                fail("not kept after %s", cases[i].request);
        }
        close(fd);
    }
    int status = 0, fd = open_one();
    bool closes;
    send_text(fd, "HEAD / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi");
    if (read_head(fd, &status, &closes) != 19 || status != 200 || !is_answered(fd, "hi", 2, 1))
        fail("HEAD has a body, or none after it");
    close(fd);
    fd = open_one(); /* the client ends its side, and still wants the answer */
    send_text(fd, "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nend");
    shutdown(fd, SHUT_WR);
    if (!is_answered(fd, "end", 3, SIZE_MAX) || !is_closed(fd))
        fail("no answer to a client that sends no more");
    close(fd);
    fd = open_one();
    send_text(fd, "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    if (read_head(fd, &status, &closes) != 0 || status != 100)
        fail("no 100");
    send_text(fd, "yes");
    if (!is_answered(fd, "yes", 3, SIZE_MAX))
        fail("no answer after 100");
    close(fd);
}

static void wrong_one(const char *request, size_t length, int expected)
{
    int status = 0, fd = open_one();
    bool closes = false;
    send_all(fd, request, length, SIZE_MAX);
    if (read_head(fd, &status, &closes) != 0 || status != expected || !closes || !is_closed(fd))
        fail("status %d instead of %d, or not closed: %.40s", status, expected, request);
    refused++;
    close(fd);
}

static void wrong(void)
{
    static const struct {
        const char *request;
        int status;
    } cases[] = {
        {"hello\r\n\r\n", 400},
        {"\r\n\r\n", 400},
        {"GET  HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nbad name: x\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
        {"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\nx", 413},
        {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 501},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wrong_one(cases[i].request, strlen(cases[i].request), cases[i].status);
    char *head = malloc(40000);
    if (!head)
        bench_fail("out of memory");
    memset(head, 'a', 40000);
    wrong_one(head, 40000, 431); /* no end in sight */
    free(head);
}

/* Those that go away, at bad moments. Nobody gets an answer; the server must not mind. */
static void rude(const char *body)
{
    struct linger at_once = {.l_onoff = 1};
    char head[128];
    sprintf(head, "POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n", LARGE);
    for (int i = 0; i < 20; i++) {
        int fd = open_one();
        if (i % 4 > 0)
            send_text(fd, head);
        if (i % 4 > 1)
            send_all(fd, body, i % 4 == 2 ? LARGE / 2 : LARGE, SIZE_MAX);
        if (i % 8 > 3)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(fd);
    }
}

static void crowd(void)
{
    static int fds[CROWD];
    char request[64], body[8];
    for (int i = 0; i < CROWD; i++)
        fds[i] = open_one();
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < CROWD; i++) {
            sprintf(request, "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n%05d", round * CROWD + i);
            send_text(fds[i], request);
        }
        for (int i = 0; i < CROWD; i++) {
            sprintf(body, "%05d", round * CROWD + i);
            if (!is_answered(fds[i], body, 5, SIZE_MAX)) {
                fail("connection %d of %d, round %d", i, CROWD, round);
                round = 10;
                break;
            }
        }
    }
    for (int i = 0; i < CROWD; i++)
        close(fds[i]);
}

static int stay(void)
{
    int fd = open_one();
    send_text(fd, "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nen");
    printf("here\n");
    fflush(stdout);
    return !is_closed(fd);
}

int main(int argc, char **argv)
{
    bench_tool = "echo-client";
    if (argc < 2)
        bench_fail("usage: echo-client PORT [stay]");
    port = (uint16_t)bench_read_number("PORT", argv[1], 1, UINT16_MAX);
    if (argc > 2)
        return stay();
    char *body = large_body();
    if (!body)
        bench_fail("out of memory");
    in_small_pieces();
    pipelined();
    kept_or_not();
    wrong();
    rude(body);
    large(body);
    crowd();
    free(body);
    printf("%u failures, %u to be refused\n", failures, refused);
    return failures ? EXIT_FAILED : 0;
}
