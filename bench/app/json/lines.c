/* SPDX-License-Identifier: MIT */
/* What is in a block of the text, by cJSON: the lines that begin there. */
#include "json.h"

#include <cjson/cJSON.h>
#include <string.h>

/* Whether the field is a whole number, and which. cJSON has doubles: these are exact below 2^53. */
static bool read_whole(const cJSON *record, const char *field, uint64_t *value)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(record, field);
    if (!cJSON_IsNumber(number) || number->valuedouble < 0 || number->valuedouble > 0x1p53)
        return false;
    *value = (uint64_t)number->valuedouble;
    return true;
}

static bool sum_record(const cJSON *record, uint64_t *sum)
{
    const cJSON *active = cJSON_GetObjectItemCaseSensitive(record, "active"), *item;
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(record, "items");
    uint64_t all, price, count;
    if (!cJSON_IsBool(active) || !cJSON_IsArray(items) || !read_whole(record, "amount", &all))
        return false;
    cJSON_ArrayForEach(item, items)
    {
        if (!read_whole(item, "price", &price) || !read_whole(item, "count", &count))
            return false;
        all += price * count;
    }
    *sum = cJSON_IsTrue(active) ? all : 0;
    return true;
}

static void sum_line(const char *line, size_t length, struct totals *totals)
{
    const char *end = line;
    cJSON *record = cJSON_ParseWithLengthOpts(line, length, &end, false);
    uint64_t sum;
    while (record && end < line + length && (*end == ' ' || *end == '\t' || *end == '\r'))
        end++;
    if (record && end == line + length && sum_record(record, &sum)) {
        totals->records++;
        totals->sum += sum;
    } else {
        totals->broken++;
    }
    cJSON_Delete(record);
}

void json_sum_block(const struct json *job, size_t block, struct totals *totals)
{
    const char *end = job->text + job->length, *at = job->text + block * JSON_BLOCK;
    const char *stop = (size_t)(end - at) > JSON_BLOCK ? at + JSON_BLOCK : end;
    if (block) { /* a line that begins before is somebody else's */
        at = memchr(at - 1, '\n', (size_t)(end - at) + 1);
        at = at ? at + 1 : end;
    }
    while (at < stop) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            newline = end;
        sum_line(at, (size_t)(newline - at), totals);
        at = newline + 1;
    }
}
