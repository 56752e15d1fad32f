// SPDX-License-Identifier: Apache-2.0
// Files of JSON that people hand in: waivers, policies, signatures, earlier reports. All are read
// in one way, and refused in the same words.
#ifndef TVMFFI_CONFORMANCE_INSPECT_JSON_FILE_H_
#define TVMFFI_CONFORMANCE_INSPECT_JSON_FILE_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// The content of a file (own, with a NUL behind it that is not counted), at most `most` bytes. NULL
// with "PATH: what is wrong" in `error`: it can't be read, or is larger. A pipe is read to its end;
// one that nobody writes to is given up after two seconds, one whose writer says nothing after a
// minute.
char *json_file_load(const char *path, size_t most, size_t *size, char *error, size_t error_size);

// The `size` bytes at `text` as a value (own): an object or a list in UTF-8 without keys that come
// twice, and without NULs in its strings. NULL with "PATH:LINE:COLUMN: what is wrong" in `error`,
// in one line; `advice`, unless NULL, stands behind what is wrong with the form.
json_t *json_file_parse(const char *path, const char *text, size_t size, const char *advice,
                        char *error, size_t error_size);

// The same, and strings (not keys) may have NULs, as "\\u0000": json_string_length tells their size.
json_t *json_file_parse_nuls(const char *path, const char *text, size_t size, char *error,
                             size_t error_size);

enum { JSON_FILE_QUOTE_SIZE = 121 };

// The text made fit for a message, since the file is somebody's: its first 120 bytes in `shown`,
// with '?' for all that is no printable ASCII. Returns `shown`.
const char *json_file_quote(const char *text, char shown[JSON_FILE_QUOTE_SIZE]);

#endif  // TVMFFI_CONFORMANCE_INSPECT_JSON_FILE_H_
