// SPDX-License-Identifier: Apache-2.0
#include "bad_input.h"

#include <string.h>

#include "probe.h"

BadOut bad_out;

static TVMFFIObjectHandle pending;  // own

// Stops the test unless this holds. There are thousands of these, and each assertion of Check's own
// is a system call, passed or not.
static void demand(bool holds, const char *call, const char *what)
{
  if (!holds) ck_abort_msg("%s: %s", call, what);
}

//--------------------------------------------------------------------------------------------------
// Inputs
//--------------------------------------------------------------------------------------------------

static const char some[256] = "some bytes";
const TVMFFIByteArray bad_huge = {some, PTRDIFF_MAX - 7};

#if SIZE_MAX == UINT64_MAX
#define LARGER "9223372036854775808"
#define LARGEST "18446744073709551615"
#else
#define LARGER "2147483648"
#define LARGEST "4294967295"
#endif
static const TVMFFIByteArray hollow = {NULL, 3}, larger = {some, (size_t)PTRDIFF_MAX + 1},
                             largest = {some, SIZE_MAX};
static const struct {
  const TVMFFIByteArray *bytes;
  const char *why;
} arrays[BAD_BYTES] = {
    {NULL, "must not be NULL"},
    {&hollow, "announces 3 bytes, but its data is NULL"},
    {&larger, "announces " LARGER " bytes, more than memory can hold"},
    {&largest, "announces " LARGEST " bytes, more than memory can hold"},
};

const TVMFFIByteArray *bad_bytes(int row)
{
  return arrays[row].bytes;
}

const char *bad_bytes_why(int row)
{
  return arrays[row].why;
}

static TVMFFIObject *moved;  // NULL: somebody has moved it out
static TVMFFIAny views[BAD_VIEWS] = {
    {.type_index = kTVMFFIRawStr},
    {.type_index = kTVMFFIByteArrayPtr},
    {.type_index = kTVMFFIByteArrayPtr, .v_ptr = (void *)&hollow},
    {.type_index = kTVMFFIByteArrayPtr, .v_ptr = (void *)&largest},
    {.type_index = kTVMFFIObjectRValueRef},
    {.type_index = kTVMFFISmallStr, .small_str_len = 8},
    {.type_index = kTVMFFISmallBytes, .small_str_len = UINT32_MAX},
    {.type_index = kTVMFFIObject},
    {.type_index = kTVMFFIStr},
    {.type_index = kTVMFFIArray},
    {.type_index = kTVMFFIDynObjectBegin},
    {.type_index = INT32_MAX},
    {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &moved},
};

const TVMFFIAny *bad_view(int row)
{
  return &views[row];
}

//--------------------------------------------------------------------------------------------------
// What came of it
//--------------------------------------------------------------------------------------------------

void bad_begin(void)
{
  memset(&bad_out, 0xa5, sizeof bad_out);
  ck_assert_int_eq(TVMFFIErrorCreate(BYTES("Pending"), BYTES("since before"), BYTES(""), &pending),
                   0);
  TVMFFIErrorSetRaised(pending);
}

static void expect_untouched(const char *call)
{
  for (size_t i = 0; i < sizeof bad_out; ++i) {
    demand(bad_out.bytes[i] == (char)0xa5, call, "the output was written");
  }
}

static void expect_pending(const char *call)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  demand(error == pending, call, "the pending error was lost");
  TVMFFIObjectDecRef(error);
  demand(counts_of(pending) == COUNTS(1, 1), call, "the pending error was not counted right");
  TVMFFIObjectDecRef(pending);
}

void bad_refused(long code, const char *call, const char *kind, const char *argument,
                 const char *why)
{
  demand(code == -1, call, "returned something else than -1");
  expect_untouched(call);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  demand(error != NULL && error != pending, call, "raised no error");
  demand(counts_of(pending) == COUNTS(1, 1), call, "the error before was not counted right");
  TVMFFIObjectDecRef(pending);
  const TVMFFIErrorCell *cell = error_cell_of(error);
  bool right = strcmp(cell->kind.data, kind) == 0 && strstr(cell->message.data, argument) != NULL &&
               strstr(cell->message.data, why) != NULL;
  if (!right) {
    ck_abort_msg("%s raised %s: \"%s\", not %s with \"%s\" and \"%s\"", call, cell->kind.data,
                 cell->message.data, kind, argument, why);
  }
  TVMFFIObjectDecRef(error);
}

void bad_ignored(intptr_t result, intptr_t due, const char *call)
{
  demand(result == due, call, "returned something else");
  expect_untouched(call);
  expect_pending(call);
}

void bad_accepted(long code, const char *call)
{
  demand(code == 0, call, "failed");
  expect_pending(call);
}
