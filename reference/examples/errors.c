// SPDX-License-Identifier: Apache-2.0
// Raising an error, passing it on, and taking it out of the thread. Prints
//
//   ValueError: expected at least 2 arguments
//   TypeError: argument 1 is not an integer
//   both arguments are right: 3
//
// Build: cc errors.c $(pkg-config --cflags --libs tvm_ffi) -o errors
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// Raises by returning -1 with an error in the thread's slot. `result` stays as it came.
static int add(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args < 2) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "expected at least 2 arguments");
    return -1;
  }
  for (int32_t i = 0; i < 2; ++i) {
    if (args[i].type_index == kTVMFFIInt) continue;
    char place[24];
    snprintf(place, sizeof place, "argument %d", (int)i);
    const char *parts[] = {place, " is not an integer"};
    TVMFFIErrorSetRaisedFromCStrParts("TypeError", parts, 2);
    return -1;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = args[0].v_int64 + args[1].v_int64};
  return 0;
}

// Calls another function. Where that fails the error is in the slot already: only the code is
// passed on.
static int outer(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int code = add(handle, args, num_args, result);
  if (code != 0) return code;
  return 0;
}

static void print_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);  // The slot is empty now, and the error is ours.
  if (!error) return;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  printf("%.*s: %.*s\n", (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
         cell->message.data);
  TVMFFIObjectDecRef(error);
}

int main(void)
{
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, outer, NULL, &function) != 0) return 1;
  TVMFFIAny args[2] = {{.type_index = kTVMFFIInt, .v_int64 = 1}, {.type_index = kTVMFFINone}};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(function, args, 1, &result) != 0) print_error();
  if (TVMFFIFunctionCall(function, args, 2, &result) != 0) print_error();
  args[1] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 2};
  int code = TVMFFIFunctionCall(function, args, 2, &result);
  if (code != 0)
    print_error();
  else
    printf("both arguments are right: %lld\n", (long long)result.v_int64);
  TVMFFIObjectDecRef(function);
  return code != 0;
}
