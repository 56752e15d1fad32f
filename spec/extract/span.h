// SPDX-License-Identifier: Apache-2.0
// A piece of a chapter's bytes: not NUL-terminated, never written to.
#ifndef TVMFFI_SPEC_EXTRACT_SPAN_H_
#define TVMFFI_SPEC_EXTRACT_SPAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct Span {
  const char *data;
  size_t size;
} Span;

static inline bool span_is(Span span, const char *text)
{
  return span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

static inline bool span_starts(Span span, const char *prefix)
{
  size_t size = strlen(prefix);
  return span.size >= size && memcmp(span.data, prefix, size) == 0;
}

static inline Span span_skip(Span span, size_t count)
{
  if (count > span.size) count = span.size;
  return (Span){span.data + count, span.size - count};
}

static inline bool char_is_blank(char c)
{
  return c == ' ' || c == '\t';
}

// Without the blanks at both ends.
static inline Span span_trim(Span span)
{
  while (span.size > 0 && char_is_blank(span.data[0])) span = span_skip(span, 1);
  while (span.size > 0 && char_is_blank(span.data[span.size - 1])) --span.size;
  return span;
}

// Cuts `*rest` at the first `separator`: returns the part before it and leaves the part
// after it. Without a separator returns everything and sets `rest->data` to NULL.
static inline Span span_cut(Span *rest, const char *separator)
{
  size_t width = strlen(separator);
  Span head = *rest;
  for (size_t i = 0; i + width <= rest->size; ++i) {
    if (memcmp(rest->data + i, separator, width) != 0) continue;
    head.size = i;
    *rest = span_skip(*rest, i + width);
    return head;
  }
  *rest = (Span){NULL, 0};
  return head;
}

#endif  // TVMFFI_SPEC_EXTRACT_SPAN_H_
