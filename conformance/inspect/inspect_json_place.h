// SPDX-License-Identifier: Apache-2.0
// Which value of a JSON file a message is about: its key, and the line that it stands in.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_JSON_PLACE_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_JSON_PLACE_H_

#include <stdbool.h>
#include <stddef.h>

enum { INSPECT_JSON_DEPTH = 40 };

// The way from the root: keys of objects (borrowed) and places in lists.
typedef struct InspectJsonPlace {
  struct {
    const char *key;  // NULL: an item of a list
    size_t index;
  } steps[INSPECT_JSON_DEPTH];
  size_t depth;
} InspectJsonPlace;

void inspect_json_place_enter(InspectJsonPlace *place, const char *key);
void inspect_json_place_enter_item(InspectJsonPlace *place, size_t index);
void inspect_json_place_leave(InspectJsonPlace *place);

// "exports.allowed[2]", control characters as '?'.
void inspect_json_place_text(const InspectJsonPlace *place, char *out, size_t capacity);

// The line of the `size` bytes of well-formed JSON at `text` in which the value begins (of a
// member: its key). Keys with escapes are not found; then it is the line of what holds them.
unsigned inspect_json_place_line(const InspectJsonPlace *place, const char *text, size_t size);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_JSON_PLACE_H_
