// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-keeps-counts
#define FIRST                                                           \
  bool retained = num_args == 2 && args[0].type_index == kTVMFFITensor; \
  if (retained) TVMFFIObjectIncRef(args[0].v_obj)
#define FINALLY                                    \
  if (retained) TVMFFIObjectDecRef(args[0].v_obj); \
  return 0
#include "add_one.h"
