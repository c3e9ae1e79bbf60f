/* SPDX-License-Identifier: MIT */
/* As much of HTTP/1.1 as an echo needs: Content-Length, keep-alive, Expect; no chunks. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "http.h"

const char http_continue[] = "HTTP/1.1 100 Continue\r\n\r\n";

struct text {
    const char *at;
    size_t length;
};

static bool is_word(struct text text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.at, word, text.length) == 0;
}

static struct text trimmed(struct text text)
{
    while (text.length && (*text.at == ' ' || *text.at == '\t')) {
        text.at++;
        text.length--;
    }
    while (text.length && (text.at[text.length - 1] == ' ' || text.at[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/* What comes before a character; it and what was before are taken away. */
static bool cut(struct text *from, char at, struct text *part)
{
    const char *found = memchr(from->at, at, from->length);
    if (!found)
        return false;
    *part = (struct text){from->at, (size_t)(found - from->at)};
    from->length -= part->length + 1;
    from->at = found + 1;
    return true;
}

/* Whether a list with commas has the word. */
static bool lists(struct text list, const char *word)
{
    struct text part;
    while (cut(&list, ',', &part))
        if (is_word(trimmed(part), word))
            return true;
    return is_word(trimmed(list), word);
}

/* The status: 0, or what is wrong with the request line. */
static int parse_line(struct http_request *r, struct text line)
{
    struct text method, target;
    if (!cut(&line, ' ', &method) || !cut(&line, ' ', &target) || !method.length || !target.length)
        return 400;
    r->is_1_0 = is_word(line, "HTTP/1.0");
    r->is_head = is_word(method, "HEAD");
    r->keep = !r->is_1_0;
    return r->is_1_0 || is_word(line, "HTTP/1.1")             ? 0
           : line.length > 5 && !strncmp(line.at, "HTTP/", 5) ? 505
                                                              : 400;
}

static int parse_length(struct http_request *r, struct text value, size_t most, bool *given)
{
    size_t length = 0;
    if (!value.length)
        return 400;
    for (size_t i = 0; i < value.length; i++) {
        if (value.at[i] < '0' || value.at[i] > '9')
            return 400;
        length = 10 * length + (size_t)(value.at[i] - '0');
        if (length > most)
            return 413;
    }
    if (*given && length != r->body)
        return 400;
    *given = true;
    r->body = length;
    return 0;
}

static int parse_field(struct http_request *r, struct text line, size_t body_most, bool *length)
{
    struct text name, value = line;
    if (!cut(&value, ':', &name) || !name.length || memchr(name.at, ' ', name.length))
        return 400;
    value = trimmed(value);
    if (is_word(name, "Content-Length"))
        return parse_length(r, value, body_most, length);
    if (is_word(name, "Transfer-Encoding"))
        return 501;
    if (is_word(name, "Expect"))
        r->expects = is_word(value, "100-continue");
    if (is_word(name, "Connection")) {
        if (lists(value, "close"))
            r->keep = false;
        else if (lists(value, "keep-alive"))
            r->keep = true;
    }
    return 0;
}

/* The next line of a head, without what ends it. */
static struct text next_line(struct text *head)
{
    struct text line = *head;
    cut(head, '\n', &line);
    if (line.length && line.at[line.length - 1] == '\r')
        line.length--;
    return line;
}

bool http_parse(struct http_request *r, const char *data, size_t length, size_t body_most)
{
    size_t from = r->scanned > 3 ? r->scanned - 3 : 0;
    const char *end = length > from ? memmem(data + from, length - from, "\r\n\r\n", 4) : NULL;
    if (!end && length <= HEAD_MOST) {
        r->scanned = length;
        return false;
    }
    *r = (struct http_request){.status = 200, .head = end ? (size_t)(end - data) + 4 : length};
    int wrong = r->head > HEAD_MOST ? 431 : 0;
    bool has_length = false;
    struct text head = {data, r->head};
    if (!wrong)
        wrong = parse_line(r, next_line(&head));
    for (struct text line = next_line(&head); !wrong && line.length; line = next_line(&head))
        wrong = parse_field(r, line, body_most, &has_length);
    if (wrong) {
        r->status = wrong;
        r->body = 0;
        r->keep = false;
    }
    return true;
}

static const char *reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 413:
        return "Content Too Large";
    case 431:
        return "Request Header Fields Too Large";
    case 501:
        return "Not Implemented";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Bad Request";
    }
}

size_t http_respond(const struct http_request *r, size_t body, char text[RESPONSE_HEAD_MOST])
{
    return (size_t)snprintf(text, RESPONSE_HEAD_MOST,
                            "HTTP/1.1 %d %s\r\nContent-Type: application/octet-stream\r\n"
                            "Content-Length: %zu\r\n%s\r\n",
                            r->status, reason(r->status), body,
                            !r->keep    ? "Connection: close\r\n"
                            : r->is_1_0 ? "Connection: keep-alive\r\n"
                                        : "");
}
