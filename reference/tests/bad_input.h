// SPDX-License-Identifier: Apache-2.0
// Calls that break the caller's duties. Whatever is wrong, nothing is lost: outputs stay as they
// are to the byte, and an error that is pending stays unless the call raises one.
#ifndef REFERENCE_TESTS_BAD_INPUT_H_
#define REFERENCE_TESTS_BAD_INPUT_H_

#include <check.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

// What the calls may write to. All of it is rubbish before each of them.
typedef union {
  char bytes[64];
  TVMFFIAny any;
  TVMFFIObjectHandle handle;
  TVMFFIStreamHandle stream;
  int32_t index;
  DLDataType dtype;
  DLManagedTensor *managed;
  DLManagedTensorVersioned *versioned;
} BadOut;
extern BadOut bad_out;

// The call returns -1 and raises an error of this kind, whose message has both words: which
// argument, and why.
#define REFUSED(kind, argument, why, call) \
  (bad_begin(), bad_refused((long)(call), #call, kind, argument, why))

// The call has no way to report: it returns this, and neither raises nor writes.
#define IGNORED(due, call) (bad_begin(), bad_ignored((intptr_t)(call), (intptr_t)(due), #call))
#define IGNORED_VOID(call) (bad_begin(), (void)(call), bad_ignored(0, 0, #call))

// The call is a good one: it returns 0, and leaves a pending error alone.
#define ACCEPTED(call) (bad_begin(), bad_accepted((long)(call), #call))

// Byte arrays that can't be read, as `bad` in the call. The first one is NULL.
#define REFUSED_BYTES(argument, call)                             \
  do {                                                            \
    for (int row_ = 0; row_ < BAD_BYTES; ++row_) {                \
      const TVMFFIByteArray *bad = bad_bytes(row_);               \
      REFUSED("ValueError", argument, bad_bytes_why(row_), call); \
    }                                                             \
  } while (0)

// The same where the byte array is part of a struct, so that it can't be NULL.
#define REFUSED_TEXT(argument, place, call)                       \
  do {                                                            \
    const TVMFFIByteArray good_ = (place);                        \
    for (int row_ = 1; row_ < BAD_BYTES; ++row_) {                \
      (place) = *bad_bytes(row_);                                 \
      REFUSED("ValueError", argument, bad_bytes_why(row_), call); \
    }                                                             \
    (place) = good_;                                              \
  } while (0)

enum { BAD_BYTES = 4, BAD_VIEWS = 13 };
const TVMFFIByteArray *bad_bytes(int row);
const char *bad_bytes_why(int row);

// Views that hold nothing that could be owned, and one whose object has been moved out, the last.
const TVMFFIAny *bad_view(int row);

// A size that no memory has, but that a size may be, of readable bytes as far as messages go.
extern const TVMFFIByteArray bad_huge;

void bad_begin(void);
void bad_refused(long code, const char *call, const char *kind, const char *argument,
                 const char *why);
void bad_ignored(intptr_t result, intptr_t due, const char *call);
void bad_accepted(long code, const char *call);

// A test of one function of the C API.
typedef struct {
  const char *name;  // without the prefix TVMFFI
  void (*test)(void);
} BadFunction;
#define BAD_ROW(function) \
  {                       \
#function, function   \
  }

// The tables, each ending with a row without name. Together they have every function.
extern const BadFunction bad_input_functions[], bad_input_type_functions[],
    bad_input_env_functions[];

#endif  // REFERENCE_TESTS_BAD_INPUT_H_
