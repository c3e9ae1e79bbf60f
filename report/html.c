/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>
#include <string.h>

void html_text(FILE *f, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const escaped[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(escaped[at - special], f);
        else
            fputc(*text, f);
    }
}

const char *html_number(double value, char text[static 24])
{
    if (!isfinite(value))
        snprintf(text, 24, "-");
    else if (fabs(value) >= 100)
        snprintf(text, 24, "%.0f", value);
    else
        snprintf(text, 24, "%.3g", value);
    return text;
}
