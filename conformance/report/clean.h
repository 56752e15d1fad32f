// SPDX-License-Identifier: Apache-2.0
// Text that may have been written by a broken or hostile library, made fit to be shown and stored.
// Everything that a report takes from a library, a file or a name goes through here, whatever the
// format.
#ifndef TVMFFI_CONFORMANCE_REPORT_CLEAN_H_
#define TVMFFI_CONFORMANCE_REPORT_CLEAN_H_

#include <stddef.h>

enum {
  CLEAN_LINES = 1,  // line feeds and tabs stay
  CLEAN_ASCII = 2,  // for terminals without UTF-8: dashes, quotes and arrows by their ASCII
                    // likeness, others as '?'
};

// A copy (own; NULL if memory is out) of `size` bytes at `text` that is valid UTF-8 and can neither
// steer a terminal nor break JSON, XML or YAML: control characters, NUL and bytes that are no UTF-8
// become \xNN, characters that are invisible or turn the direction of writing \u{NNNN}. Backslashes
// stay as they are.
char *clean_text(const char *text, size_t size, unsigned how);

// The same for a string that ends in NUL; NULL is taken as "".
char *clean_string(const char *text, unsigned how);

// The same for an array that may or may not end in NUL.
#define clean_array(array, how) clean_text((array), strnlen((array), sizeof(array)), (how))

// How many columns clean text takes: one a character.
size_t clean_columns(const char *text, size_t size);

#endif  // TVMFFI_CONFORMANCE_REPORT_CLEAN_H_
