// SPDX-License-Identifier: Apache-2.0
// Values with all objects that they hold, as JSON: a list of nodes that name each other by their
// numbers, so that what is shared stays shared.
//
//   {"root_index": 2, "nodes": [{"type": "int", "data": 5}, ..., {"type": "ffi.Array", "data": [0, 0, 1]}]}
#ifndef REFERENCE_SRC_FRONTEND_GRAPH_H_
#define REFERENCE_SRC_FRONTEND_GRAPH_H_

#include <stdbool.h>

#include "native/native.h"

// Describes a value. Whatever it is nested, that needs no deep stack.
// metadata: stands beside the nodes unless it is None.
// out: own, a map, written on success. Returns 0; -1 with an error.
int graph_write(const TVMFFIAny *value, const TVMFFIAny *metadata, TVMFFIAny *out);

// Makes a value of a description, which is untrusted.
// out: own, written on success. Returns 0; -1 with an error.
int graph_read(const TVMFFIAny *graph, TVMFFIAny *out);

// Tells whether the value of a field stands in the description of its object itself, because its
// declared type says what it is; else the number of a node stands there.
static inline bool graph_is_inline(const TVMFFIFieldInfo *field)
{
  switch (field->field_static_type_index) {
    case kTVMFFINone:
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
      return true;
    default:
      return false;
  }
}

// ffi.ToJSONGraph, ffi.ToJSONGraphString, ffi.FromJSONGraph, ffi.FromJSONGraphString
NativeBody graph_to_json, graph_to_text, graph_from_json, graph_from_text;

#endif  // REFERENCE_SRC_FRONTEND_GRAPH_H_
