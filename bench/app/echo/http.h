/* SPDX-License-Identifier: MIT */
/* Requests are read, and responses written, in memory. */
#ifndef ECHO_HTTP_H
#define ECHO_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HEAD_MOST = 16 << 10, RESPONSE_HEAD_MOST = 256 };

struct http_request {
    size_t scanned;    /* bytes without the end of a head; 0 at first */
    size_t head, body; /* bytes */
    int status;        /* of the response: 200, or what is wrong */
    bool keep;         /* the connection goes on */
    bool expects;      /* to be told to go on before it sends the body */
    bool is_head;      /* the response has no body */
    bool is_1_0;
};

/* Whether the head is complete, or wrong; else more has to be read first. */
bool http_parse(struct http_request *request, const char *data, size_t length, size_t body_most);
/* The response's head, for a body of so many bytes. */
size_t http_respond(const struct http_request *request, size_t body, char text[RESPONSE_HEAD_MOST]);
extern const char http_continue[];

#endif
