// SPDX-License-Identifier: Apache-2.0
// The official headers that most kernels here include, to be compiled once for all of them.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>
