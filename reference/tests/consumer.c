// SPDX-License-Identifier: Apache-2.0
// A program such as a user of the installed runtime writes. Returns the line that went wrong, or 0.
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define NEED(condition) \
  if (!(condition)) return __LINE__

static int add_one(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "one integer is due");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + 1;
  return 0;
}

int main(void)
{
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  NEED(version.minor == TVM_FFI_VERSION_MINOR && version.patch == TVM_FFI_VERSION_PATCH);

  TVMFFIByteArray name = {"consumer.add_one", 16};
  TVMFFIObjectHandle made, found, error;
  NEED(TVMFFIFunctionCreate(NULL, add_one, NULL, &made) == 0);
  NEED(TVMFFIFunctionSetGlobal(&name, made, 0) == 0);
  NEED(TVMFFIObjectDecRef(made) == 0);
  NEED(TVMFFIFunctionGetGlobal(&name, &found) == 0 && found == made);

  TVMFFIAny argument = {.type_index = kTVMFFIInt, .v_int64 = 41};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  NEED(TVMFFIFunctionCall(found, &argument, 1, &result) == 0 && result.v_int64 == 42);
  NEED(TVMFFIFunctionCall(found, NULL, 0, &result) == -1);
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  NEED(strcmp(cell->kind.data, "TypeError") == 0);
  NEED(TVMFFIObjectDecRef(error) == 0);
  NEED(TVMFFIObjectDecRef(found) == 0);
  return 0;
}
