// SPDX-License-Identifier: Apache-2.0
// Whole values, containers in containers among them, written as texts:
//
//   [1 2]  an array     <1 2>  a list     {1 2, 3 4}  a map     (1 2, 3 4)  a dict     #2,3  a
//   shape 'text  a string     "text  bytes      1.5 0. nan  floats    t f n       bools and None
//
// For the main thread of a case, and for texts of the case's own.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_WHOLE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_WHOLE_H_

#include <stdlib.h>

#include "cases/runtime/container_map.h"

static const char copy[] = "ffi.DeepCopy", equal[] = "ffi.RecursiveEq",
                  hash[] = "ffi.RecursiveHash";

enum { WHOLE_PARTS = 64 };

static inline TVMFFIAny whole_read(Iut *iut, const char **text);

// Own: a string or bytes of the word, which ends at a blank or a bracket; small where it may be.
static inline TVMFFIAny whole_text(Iut *iut, int32_t type_index, const char *word, size_t size)
{
  TVMFFIByteArray bytes = {word, size};
  TVMFFIAny made = any_none();
  require(expect_ok(iut, type_index == kTVMFFIStr ? iut->StringFromByteArray(&bytes, &made)
                                                  : iut->BytesFromByteArray(&bytes, &made)));
  require(expect_that(made.type_index != kTVMFFINone, "a text", "None"));
  return made;
}

static inline TVMFFIAny whole_shape(Iut *iut, const char *word, size_t size)
{
  TVMFFIAny extents[WHOLE_PARTS];
  size_t count = 0;
  for (const char *at = word; at < word + size; ++at) {
    char *end;
    extents[count++] = view_of_int(strtoll(at, &end, 10));
    at = end;
  }
  return value_of(iut, "ffi.Shape", extents, count);
}

static inline TVMFFIAny whole_word(Iut *iut, const char *word, size_t size)
{
  switch (word[0]) {
    case '\'':
      return whole_text(iut, kTVMFFIStr, word + 1, size - 1);
    case '"':
      return whole_text(iut, kTVMFFIBytes, word + 1, size - 1);
    case '#':
      return whole_shape(iut, word + 1, size - 1);
    case 't':
    case 'f':
      return view_of_bool(word[0] == 't');
    case 'n':
      return size == 1 ? any_none() : view_of_float(strtod("nan", NULL));
    default:
      return memchr(word, '.', size) ? view_of_float(strtod(word, NULL))
                                     : view_of_int(strtoll(word, NULL, 10));
  }
}

// Own: the container whose closing bracket comes at the end of its parts.
static inline TVMFFIAny whole_container(Iut *iut, const char **text, const char *maker, char end)
{
  TVMFFIAny parts[WHOLE_PARTS];
  size_t count = 0;
  for (++*text; *(*text += strspn(*text, " ,")) != end;) {
    require(expect_that(**text && count < WHOLE_PARTS, "a closing bracket", "%zu parts", count));
    parts[count++] = whole_read(iut, text);
  }
  ++*text;
  TVMFFIAny made = value_of(iut, maker, parts, count);
  require(expect_that(made.type_index >= kTVMFFIObject, "a container", "no object"));
  for (size_t i = 0; i < count; ++i) release_any(iut, &parts[i]);
  return made;
}

static inline TVMFFIAny whole_read(Iut *iut, const char **text)
{
  static const char *const makers[] = {"ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"};
  static const char opening[] = "[<{(", closing[] = "]>})";
  const char *kind = **text ? strchr(opening, **text) : NULL;
  if (kind) return whole_container(iut, text, makers[kind - opening], closing[kind - opening]);
  const char *word = *text;
  size_t size = strcspn(word, **text == '#' ? " []<>{}()" : " ,[]<>{}()");
  *text += size;
  return whole_word(iut, word, size);
}

// Own: the value of a text.
static inline TVMFFIAny whole_value(Iut *iut, const char *text)
{
  return whole_read(iut, &text);
}

// Own: a list or dict that has itself at 1.
static inline TVMFFIAny new_circle(Iut *iut, bool dict)
{
  TVMFFIAny circle = value_of(iut, dict ? "ffi.Dict" : "ffi.List", VALUES());
  TVMFFIAny none = any_none();
  if (!dict) {
    value_of(iut, "ffi.ListAppend", VALUES(circle, view_of_int(1)));
    value_of(iut, "ffi.ListAppend", VALUES(circle, circle));
  } else {
    value_of(iut, "ffi.DictSetItem", VALUES(circle, view_of_int(0), none));
    value_of(iut, "ffi.DictSetItem", VALUES(circle, view_of_int(1), circle));
  }
  expect_gives(iut, view_of_int(2), dict ? "ffi.DictSize" : "ffi.ListSize", VALUES(circle));
  return circle;
}

// Takes a circle apart and releases it.
static inline void end_circle(Iut *iut, TVMFFIAny *circle, bool dict)
{
  value_of(iut, dict ? "ffi.DictClear" : "ffi.ListClear", VALUES(*circle));
  release_any(iut, circle);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_WHOLE_H_
