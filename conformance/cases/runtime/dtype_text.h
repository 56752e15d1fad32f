// SPDX-License-Identifier: Apache-2.0
// Reading and printing data types, and looking at what came out.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_DTYPE_TEXT_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_DTYPE_TEXT_H_

#include <stdio.h>

#include "cases/runtime/string_value.h"

// The text of a data type, and what it means.
typedef struct DtypeText {
  const char *text;  // NULL ends a table
  DLDataType dtype;
} DtypeText;

// The lanes of N scalable lanes.
#define SCALABLE(n) ((uint16_t)(65536 - (n)))

enum { DTYPE_TEXT_MAX = 128 };

// A text that ends at an unmapped page, or with a NUL that does, which the size does not count.
// Borrow: until the next call, which places its text in the same memory.
static inline const TVMFFIByteArray *dtype_text_at_end(const char *text, size_t size, bool with_nul)
{
  static char *buffer;
  static TVMFFIByteArray array;
  if (!buffer) buffer = fenced_buffer("the text", DTYPE_TEXT_MAX);
  char *start = buffer + DTYPE_TEXT_MAX - size - with_nul;
  memcpy(start, text, size);
  if (with_nul) buffer[DTYPE_TEXT_MAX - 1] = '\0';
  array = (TVMFFIByteArray){start, size};
  return &array;
}

static inline bool expect_dtype(DLDataType seen, DLDataType expected)
{
  char text[64];
  snprintf(text, sizeof text, "code %u, %u bits, %u lanes", expected.code, expected.bits,
           expected.lanes);
  return expect_that(
      seen.code == expected.code && seen.bits == expected.bits && seen.lanes == expected.lanes,
      text, "code %u, %u bits, %u lanes", seen.code, seen.bits, seen.lanes);
}

// The text reads as this data type.
static inline bool expect_text_reads(Iut *iut, const TVMFFIByteArray *text, DLDataType expected)
{
  DLDataType dtype;
  memset(&dtype, 0xA5, sizeof dtype);
  note("reading \"%.*s\"", (int)text->size, text->data ? text->data : "");
  return expect_ok(iut, iut->DataTypeFromString(text, &dtype)) && expect_dtype(dtype, expected);
}

// The same for a text with a NUL behind it, which releases before 0.1.8 look for.
static inline bool expect_reads(Iut *iut, const char *text, DLDataType expected)
{
  return expect_text_reads(iut, dtype_text_at_end(text, strlen(text), true), expected);
}

static inline void expect_all_read(Iut *iut, const DtypeText *texts)
{
  for (const DtypeText *row = texts; row->text; ++row) expect_reads(iut, row->text, row->dtype);
}

// The text is refused with a ValueError.
static inline bool expect_text_refused(Iut *iut, const TVMFFIByteArray *text)
{
  DLDataType dtype = {0, 0, 0};
  note("reading \"%.*s\"", (int)text->size, text->data ? text->data : "");
  return expect_error(iut, iut->DataTypeFromString(text, &dtype), "ValueError");
}

// The same for a text with NULs behind it, as many as releases may look at.
static inline bool expect_refused(Iut *iut, const char *text)
{
  char room[DTYPE_TEXT_MAX] = "";
  memcpy(room, text, strlen(text));
  return expect_text_refused(iut, &(TVMFFIByteArray){room, strlen(text)});
}

// The data type prints as this text.
static inline bool expect_prints(Iut *iut, DLDataType dtype, const char *expected)
{
  TVMFFIAny printed = garbage_but_none();
  note("printing code %u, %u bits, %u lanes", dtype.code, dtype.bits, dtype.lanes);
  if (!expect_ok(iut, iut->DataTypeToString(&dtype, &printed))) return false;
  TVMFFIByteArray text = text_in(iut, &printed);
  bool good = expect_not_null("the string that was printed", text.data) &&
              expect_text("the text", text, expected);
  release_any(iut, &printed);
  return good;
}

static inline void expect_all_printed(Iut *iut, const DtypeText *texts)
{
  for (const DtypeText *row = texts; row->text; ++row) expect_prints(iut, row->dtype, row->text);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_DTYPE_TEXT_H_
