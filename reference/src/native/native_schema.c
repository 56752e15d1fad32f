// SPDX-License-Identifier: Apache-2.0
#include "native/native_schema.h"

#include <stdio.h>

static const char *const schemas[] = {
#define NATIVE_SCHEMA(type, name, schema) schema,
    NATIVE_TYPES(NATIVE_SCHEMA)
#undef NATIVE_SCHEMA
};

// Result first, then parameters; a function that takes anything says nothing.
size_t native_schema_write(const NativeSpec *spec, char *text, size_t room)
{
  int end = snprintf(text, room, "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\"");
  if (spec->arity != NATIVE_VARIADIC) {
    end += snprintf(text + end, room - (size_t)end, ",\\\"args\\\":[%s", schemas[spec->result]);
    for (int32_t i = 0; i < spec->arity; ++i) {
      end += snprintf(text + end, room - (size_t)end, ",%s", schemas[spec->params[i]]);
    }
    end += snprintf(text + end, room - (size_t)end, "]");
  }
  end += snprintf(text + end, room - (size_t)end, "}\"}");
  return (size_t)end;
}
