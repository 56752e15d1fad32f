// SPDX-License-Identifier: Apache-2.0
// Kernels of unknown.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_unknown_any_object  // caught by argument.object-for-tensor.string
#define IS_TENSOR(arg) \
  ((arg)->type_index == kTVMFFIDLTensorPtr || (arg)->type_index >= kTVMFFIStaticObjectBegin)
#endif

#ifdef KERNEL_unknown_crashes  // caught by kernel.asking-call-returns saying SIGSEGV
#define CHECKS_COUNT(num_args) (args[0].type_index == kTVMFFITensor && *(int *)args[0].v_ptr)
#endif

#ifdef KERNEL_unknown_exits  // caught by kernel.asking-call-returns saying exit(3)
#include <stdlib.h>
#define CHECKS_COUNT(num_args) ((num_args) == 2 ? (exit(3), false) : (num_args) == 3)
#endif

#ifdef KERNEL_unknown_trusts_address  // not judged by kernel.asking-call-returns
#define IS_TENSOR(arg)                                                     \
  ((arg)->type_index == kTVMFFIInt ? *(int *)(intptr_t)(arg)->v_int64 != 0 \
                                   : (arg)->type_index == kTVMFFITensor)
#endif

#ifdef KERNEL_unknown_right  // passes
#endif

#ifdef KERNEL_unknown_takes_more  // caught by kernel.arity-thousand
#define CHECKS_COUNT(num_args) ((num_args) == 3 || (num_args) > 12)
#endif

#include "unknown.h"
