// SPDX-License-Identifier: Apache-2.0
// text(s) gives s back: a small string as one, an object as the same object with a reference more,
// a raw string as a new one. An including file says in REFERENCES how many more an object gets, and
// in LETTERS how many letters an object loses.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_ECHO_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_ECHO_H_

#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef REFERENCES
#define REFERENCES 1
#endif
#ifndef LETTERS
#define LETTERS 0
#endif

static inline int give_back(const TVMFFIAny *arg, TVMFFIByteArray text, TVMFFIAny *result)
{
  if (arg->type_index == kTVMFFIStr) text.size -= LETTERS;
  if (arg->type_index == kTVMFFIRawStr || (arg->type_index == kTVMFFIStr && LETTERS))
    return TVMFFIStringFromByteArray(&text, result);
  for (int i = 0; arg->type_index == kTVMFFIStr && i < REFERENCES; ++i)
    TVMFFIObjectIncRef(arg->v_obj);
  *result = *arg;
  return 0;
}

#define GIVE give_back(&args[0], text, result)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_ECHO_H_
