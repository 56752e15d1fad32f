// SPDX-License-Identifier: Apache-2.0
// Texts in JSON, and values shown as texts:
//
//   n t f                None and bools       5  1.5e+00  nan  inf  -inf    ints and floats
//   'text'               a string             [1,2]  an array      {'k':1}  a map      ?71  other
//
// For the main thread of a case.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_JSON_TEXT_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_JSON_TEXT_H_

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cases/runtime/container_map.h"

static const char parse[] = "ffi.json.Parse", stringify[] = "ffi.json.Stringify";

// Own: a string of these bytes.
static inline TVMFFIAny json_string(Iut *iut, const char *bytes, size_t size)
{
  const TVMFFIByteArray *text = fenced_bytes(bytes, size);
  TVMFFIAny made = any_none();
  require(expect_ok(iut, iut->StringFromByteArray(text, &made)));
  return made;
}

// Calls ffi.json.Parse. Returns its code.
static inline int json_read(Iut *iut, const char *text, size_t size, TVMFFIAny *result)
{
  TVMFFIAny string = json_string(iut, text, size);
  *result = any_none();
  int code = call_registered(iut, result, parse, VALUES(string));
  release_any(iut, &string);
  return code;
}

// Own: what a text in JSON stands for.
static inline TVMFFIAny json_value(Iut *iut, const char *text)
{
  TVMFFIAny value;
  require(expect_ok(iut, json_read(iut, text, strlen(text), &value)));
  return value;
}

typedef struct JsonShown {
  char text[1000];
  size_t size;
} JsonShown;

static inline void json_show(Iut *iut, TVMFFIAny value, JsonShown *shown);

__attribute__((format(printf, 2, 3))) static inline void json_put(JsonShown *shown,
                                                                  const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof shown->text - shown->size;
  int size = vsnprintf(shown->text + shown->size, room, format, arguments);
  va_end(arguments);
  if (size > 0) shown->size += (size_t)size < room ? (size_t)size : room - 1;
}

static inline void json_show_entry(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value,
                                   void *context)
{
  JsonShown *shown = context;
  json_put(shown, "%s", place == 0 ? "" : ",");
  json_show(iut, key, shown);
  json_put(shown, ":");
  json_show(iut, value, shown);
  release_any(iut, &key);
  release_any(iut, &value);
}

// Appends a value.
static inline void json_show(Iut *iut, TVMFFIAny value, JsonShown *shown)
{
  TVMFFIByteArray text = content_of(iut, &value);
  switch (value.type_index) {
    case kTVMFFINone:
      json_put(shown, "n");
      break;
    case kTVMFFIBool:
      json_put(shown, value.v_int64 ? "t" : "f");
      break;
    case kTVMFFIInt:
      json_put(shown, "%" PRId64, value.v_int64);
      break;
    case kTVMFFIFloat:
      json_put(shown, isnan(value.v_float64) ? "nan" : "%.17e", value.v_float64);
      break;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      json_put(shown, "'%.*s'", (int)text.size, text.data);
      break;
    case kTVMFFIArray:
      json_put(shown, "[");
      for (int64_t i = 0; i < sequence_cell(iut, value.v_obj)->size; ++i) {
        json_put(shown, "%s", i == 0 ? "" : ",");
        json_show(iut, sequence_elements(iut, value.v_obj)[i], shown);
      }
      json_put(shown, "]");
      break;
    case kTVMFFIMap: {
      TVMFFIAny size = value_of(iut, "ffi.MapSize", VALUES(value));
      json_put(shown, "{");
      if (size.v_int64) expect_walk(iut, &the_map, value, size.v_int64, json_show_entry, shown);
      json_put(shown, "}");
      break;
    }
    default:
      json_put(shown, "?%d", value.type_index);
      break;
  }
}

// A text in JSON stands for a value.
// bool expect_json(Iut *iut, const char *text, const char *shown)
#define expect_json(...) expect_json_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_json_(const char *at, Iut *iut, const char *text, const char *expected)
{
  note("reading %s", text);
  TVMFFIAny value = json_value(iut, text);
  JsonShown shown = {.size = 0};
  json_show(iut, value, &shown);
  release_any(iut, &value);
  return expect_text_(at, "value", (TVMFFIByteArray){shown.text, shown.size}, expected);
}

// Own: a value written as JSON.
static inline TVMFFIAny json_written(Iut *iut, TVMFFIAny value, TVMFFIAny indent)
{
  TVMFFIAny text = value_of(iut, stringify, VALUES(value, indent));
  require(expect_that(content_of(iut, &text).data != NULL, "a string", "type index %d",
                      text.type_index));
  return text;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_JSON_TEXT_H_
