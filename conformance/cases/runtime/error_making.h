// SPDX-License-Identifier: Apache-2.0
// Errors for the cases of the chapter error. For the main thread of a case: what the library
// refuses ends it.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_ERROR_MAKING_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_ERROR_MAKING_H_

#include "battery/battery.h"

// Raises an error of the library's own: a key that no type has can't be converted to an index.
static inline void raise_by_failing(Iut *iut)
{
  TVMFFIByteArray key = bytes_of("conform.error.no_such_type");
  int32_t index = 0;
  require(expect_that(iut->TypeKeyToIndex(&key, &index) != 0,
                      "an error for the key of a type that does not exist", "0"));
}

// Own: errors of the two functions that raise one.
static inline TVMFFIObjectHandle from_c_string(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("ValueError", "message");
  return take_raised_error(iut);
}

static inline TVMFFIObjectHandle from_failing_call(Iut *iut)
{
  raise_by_failing(iut);
  return take_raised_error(iut);
}

static inline void expect_kind_and_message(Iut *iut, TVMFFIObjectHandle error, const char *kind,
                                           const char *message)
{
  expect_text("kind", error_cell(iut, error)->kind, kind);
  expect_text("message", error_cell(iut, error)->message, message);
}

// The text ends with a NUL that its size does not count.
static inline void expect_nul_behind(const char *what, TVMFFIByteArray text)
{
  if (expect_not_null(what, text.data)) expect_int(what, text.data[text.size], 0);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_ERROR_MAKING_H_
