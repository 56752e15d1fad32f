// SPDX-License-Identifier: Apache-2.0
// Raising, passing on and reading an error: "ABI Overview", section "Error Handling", and "Function, Exception and Module",
// sections "Retrieve Errors in C" and "Raise Errors in C". Prints
//
//   0:
//   -1: RuntimeError: error message
//   -1: ValueError: Expected at least 2 arguments
//   through the runtime, -1: RuntimeError: error message
//   -2:
//
// Ours are the calls, and that the backtrace, whose frames differ from machine to machine, goes to the standard error.
// Corrected: TVMFFIObjectHandle (TVMFFIObject * there), and <stdio.h>, which is missing there.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int ErrorFunc(void *handle, const TVMFFIAny *args, int num_args, TVMFFIAny *result)
{
  const char *error_kind = "RuntimeError";
  const char *error_msg = "error message";
  TVMFFIErrorSetRaisedFromCStr(error_kind, error_msg);
  return -1;
}

#include "my_kernel.c"

void PrintError(TVMFFIObjectHandle err)
{
  TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((char *)err + sizeof(TVMFFIObject));
  printf(" %.*s: %.*s", (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
         cell->message.data);
  if (cell->backtrace.size) {
    fprintf(stderr, "Backtrace:\n%.*s\n", (int)cell->backtrace.size, cell->backtrace.data);
  }
}

void HandleReturnCode(int rc)
{
  TVMFFIObjectHandle err = NULL;
  if (rc == 0) {
    // Nothing has failed.
  } else if (rc == -1) {
    // It is ours from here, and no longer raised.
    TVMFFIErrorMoveFromRaised(&err);
    if (err != NULL) {
      PrintError(err);
      TVMFFIObjectDecRef(err);
    }
  } else if (rc == -2) {
    // The frontend has its own error: nothing is taken here.
  }
}

typedef int Inner(void *handle, const TVMFFIAny *args, int num_args, TVMFFIAny *result);

static int outer_function(Inner *inner_function, int num_args)
{
  int err_code = 0;
  TVMFFIAny args[2] = {{.type_index = kTVMFFINone}}, result = {.type_index = kTVMFFINone};
  err_code = inner_function(NULL, args, num_args, &result);
  if (err_code != 0) goto RAII;
RAII:
  return err_code;
}

static int through_the_runtime(void *handle, const TVMFFIAny *args, int num_args, TVMFFIAny *result)
{
  TVMFFIObjectHandle function = NULL;
  int err_code = TVMFFIFunctionCreate(NULL, ErrorFunc, NULL, &function);
  if (err_code != 0) return err_code;
  err_code = TVMFFIFunctionCall(function, NULL, 0, result);
  TVMFFIObjectDecRef(function);
  return err_code;
}

static void report(const char *how, int rc)
{
  printf("%s%d:", how, rc);
  HandleReturnCode(rc);
  printf("\n");
}

int main(void)
{
  TVMFFIObjectHandle left = NULL;
  report("", outer_function(__tvm_ffi_my_kernel, 2));
  report("", outer_function(ErrorFunc, 0));
  report("", outer_function(__tvm_ffi_my_kernel, 1));
  report("through the runtime, ", outer_function(through_the_runtime, 0));
  report("", -2);
  TVMFFIErrorMoveFromRaised(&left);
  return left != NULL;
}
