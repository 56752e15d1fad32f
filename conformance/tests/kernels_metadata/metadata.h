// SPDX-License-Identifier: Apache-2.0
// add_one, which is right, with metadata that are not. A file that includes it says in GIVE what
// the metadata function does: statements over `result`. Its third line says in which words
// `signatures` complains.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_METADATA_METADATA_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_METADATA_METADATA_H_

#include "../kernels/add_one.h"

static inline int give_bytes(const char *bytes, size_t size, TVMFFIAny *result)
{
  const TVMFFIByteArray text = {bytes, size};
  return TVMFFIStringFromByteArray(&text, result);
}

// `count` times the letter, with `begin` and `end` around it.
static inline int give_many(const char *begin, char letter, size_t count, const char *end,
                            TVMFFIAny *result)
{
  size_t before = strlen(begin), behind = strlen(end);
  char *text = malloc(before + count + behind);
  if (!text) return FAIL("MemoryError", "no memory for the metadata");
  memcpy(text, begin, before);
  memset(text + before, letter, count);
  memcpy(text + before + count, end, behind);
  int code = give_bytes(text, before + count + behind, result);
  free(text);
  return code;
}

KERNEL_EXPORT int __tvm_ffi__metadata_add_one(void *handle, const TVMFFIAny *args, int32_t num_args,
                                              TVMFFIAny *result);

int __tvm_ffi__metadata_add_one(void *handle, const TVMFFIAny *args, int32_t num_args,
                                TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  GIVE;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_METADATA_METADATA_H_
