// SPDX-License-Identifier: Apache-2.0
// The part of UTF-8 that the extractor needs: validation and truncation.
#ifndef TVMFFI_SPEC_EXTRACT_UTF8_H_
#define TVMFFI_SPEC_EXTRACT_UTF8_H_

#include <stdbool.h>
#include <stddef.h>

// True if the bytes are well-formed UTF-8 without control characters other than line feed, tab, and
// a carriage return before a line feed. False: `*line` is the number of the line, from 1, that
// holds the first offending byte.
bool utf8_is_text(const char *bytes, size_t size, int *line);

// The largest length up to `limit` at which well-formed text can be cut without splitting a
// character.
size_t utf8_cut(const char *bytes, size_t size, size_t limit);

#endif  // TVMFFI_SPEC_EXTRACT_UTF8_H_
