// SPDX-License-Identifier: Apache-2.0
// Whether bytes are a JSON document, and where the text of a member begins: for the metadata of
// a module. The reader of signatures (plan/signature_metadata.h) has a library for that, which
// the worker does without; a test compares what the two take for JSON. To both, of members with the
// same name the last one counts.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_JSON_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_JSON_H_

#include <stdbool.h>
#include <stddef.h>

// How deep values may be within each other.
enum { KERNEL_JSON_DEPTH_MAX = 2048 };

// The bytes are one JSON value in UTF-8 with nothing but space around it. Deeper ones than
// KERNEL_JSON_DEPTH_MAX are none.
bool kernel_json_is_document(const char *bytes, size_t size);

typedef enum KernelJsonMember {
  KERNEL_JSON_ABSENT,
  KERNEL_JSON_STRING,
  KERNEL_JSON_OTHER,
} KernelJsonMember;

// Looks on the outermost level of the document, an object, for the last member `key`. Where it is a
// string: writes its text, escapes resolved (those above ASCII as '?'), to `out`, which has room
// for `size` bytes, and its length to `length`.
KernelJsonMember kernel_json_member(const char *bytes, size_t size, const char *key, char *out,
                                    size_t *length);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_JSON_H_
