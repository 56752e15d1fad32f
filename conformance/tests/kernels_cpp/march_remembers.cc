// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-gives-what-is-listed
// What the callback gave first is kept, and taken for what it gives in later calls with as many elements.
#include <tvm/ffi/container/tensor.h>

static tvm::ffi::Tensor first;

static void keep_first(tvm::ffi::Tensor &slope)
{
  if (first.defined() && first.size(0) == slope.size(0)) slope = first;
  if (!first.defined()) first = slope;
}

#define HOLDS(tensor) keep_first(tensor)
#include "march.h"
