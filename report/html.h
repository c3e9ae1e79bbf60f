/* SPDX-License-Identifier: MIT */
/* Text in HTML and SVG. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

/* The text, with what has a meaning in HTML escaped. Fit for attributes too. */
void html_text(FILE *f, const char *text);
/* Three digits or so; "-" if it is no number. */
const char *html_number(double value, char text[static 24]);

#endif
