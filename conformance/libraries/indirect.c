// SPDX-License-Identifier: Apache-2.0
// A library with a function whose address is found, when somebody looks for it, by code of the
// library, which calls back. Where there are no such functions it is one like any other.
#include "exported.h"

EXPORTED void (*conform_resolving)(void);

static int resolved(__attribute__((unused)) void *self,
                    __attribute__((unused)) const TVMFFIAny *args,
                    __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  return give_integer(result, 300);
}

#if __has_attribute(ifunc)
__attribute__((used)) static TVMFFISafeCallType resolve_indirect(void)
{
  if (conform_resolving) conform_resolving();
  return resolved;
}

EXPORTED int __tvm_ffi_indirect(void *self, const TVMFFIAny *args, int32_t num_args,
                                TVMFFIAny *result) __attribute__((ifunc("resolve_indirect")));
#else
MODULE_FUNCTION(indirect)
{
  return resolved(self, args, num_args, result);
}
#endif
