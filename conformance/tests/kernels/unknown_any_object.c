// SPDX-License-Identifier: Apache-2.0
// caught by argument.object-for-tensor.string
#define IS_TENSOR(arg) \
  ((arg)->type_index == kTVMFFIDLTensorPtr || (arg)->type_index >= kTVMFFIStaticObjectBegin)
#include "unknown.h"
