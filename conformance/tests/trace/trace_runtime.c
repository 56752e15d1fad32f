// SPDX-License-Identifier: Apache-2.0
// A runtime for trace_bugs: no more of one than it takes to be at fault.
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "abi/abi.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED bool trace_runtime_wrong;

static void keep(void *self, int flags)
{
  (void)self, (void)flags;
}

static struct {
  TVMFFIObject header;
  DLTensor tensor;
} tensor = {.header = {.combined_ref_count = UINT64_C(0x100000001),
                       .type_index = kTVMFFITensor,
                       .deleter = keep}};
static void release(DLManagedTensorVersioned *self)
{
  ++*(int *)self->manager_ctx;
}

static DLManagedTensorVersioned exported = {.deleter = release};
static DLPackManagedTensorAllocator allocator_now;

EXPORTED void TVMFFIGetVersion(TVMFFIVersion *out_version)
{
  *out_version = (TVMFFIVersion){0, 1, 16};
}

EXPORTED int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                                TVMFFIAny *result)
{
  const TVMFFIFunctionCell *cell = (const void *)((TVMFFIObject *)func + 1);
  return cell->safe_call(func, args, num_args, result);
}

EXPORTED int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned *from,
                                             int32_t require_alignment, int32_t require_contiguous,
                                             TVMFFIObjectHandle *out)
{
  (void)require_alignment, (void)require_contiguous;
  tensor.tensor = from->dl_tensor;
  *out = &tensor;
  return 0;
}

EXPORTED int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  (void)from;
  exported.flags = trace_runtime_wrong ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
  *out = &exported;
  return 0;
}

EXPORTED DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void)
{
  return allocator_now;
}

EXPORTED int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  (void)write_to_global_context;
  *opt_out_original_allocator = trace_runtime_wrong ? allocator : allocator_now;
  allocator_now = allocator;
  return 0;
}

EXPORTED void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message)
{
  (void)kind, (void)message;
}

EXPORTED int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                           TVMFFIObjectHandle *out)
{
  (void)library_ctx, (void)func_name, (void)out;
  return -1;
}

static TVMFFIObjectHandle raised;

EXPORTED void TVMFFIErrorSetRaised(TVMFFIObjectHandle error)
{
  raised = error;
}

EXPORTED void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle *result)
{
  *result = raised;
  raised = NULL;
}

// One type has no index here: who asks about it ends the program.
EXPORTED const TVMFFITypeInfo *TVMFFIGetTypeInfo(int32_t type_index)
{
  if (type_index == 1 << 20) exit(3);
  return NULL;
}

// Nothing that it raises is counted.
EXPORTED int TVMFFIObjectDecRef(TVMFFIObjectHandle obj)
{
  (void)obj;
  return 0;
}
