// SPDX-License-Identifier: Apache-2.0
// A runtime for trace_bugs: no more of one than it takes to be at fault.
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

// When the deleter of a function is called, but for a mistake: once, at its destruction.
EXPORTED enum {
  CLOSE_ONCE,
  CLOSE_NEVER,
  CLOSE_TWICE,
  CLOSE_ALIVE,
  CLOSE_AT_ONCE
} trace_runtime_closes;

typedef struct Function {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void *self;
  void (*deleter)(void *self);
} Function;

static void delete_right(void *self, int flags)
{
  Function *function = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

static void delete_silently(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static void delete_in_both(void *self, int flags)
{
  Function *function = self;
  function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

EXPORTED int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call,
                                  void (*deleter)(void *self), TVMFFIObjectHandle *out)
{
  Function *made = calloc(1, sizeof *made);
  if (!made) return -1;
  made->header = (TVMFFIObject){.combined_ref_count = UINT64_C(0x100000001),
                                .type_index = kTVMFFIFunction,
                                .deleter = trace_runtime_closes == CLOSE_NEVER   ? delete_silently
                                           : trace_runtime_closes == CLOSE_TWICE ? delete_in_both
                                                                                 : delete_right};
  made->cell.safe_call = safe_call;
  made->self = self;
  made->deleter = deleter;
  if (trace_runtime_closes == CLOSE_AT_ONCE) deleter(self);
  *out = made;
  return 0;
}

EXPORTED int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                                TVMFFIAny *result)
{
  const Function *function = func;
  if (trace_runtime_closes == CLOSE_ALIVE) function->deleter(function->self);
  return function->cell.safe_call(func, args, num_args, result);
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

// A function for a name that is one of data.
static struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
} of_data = {{.combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFIFunction},
             {NULL, NULL}};

// What a look-up runs.
EXPORTED void (*trace_runtime_on_lookup)(void);

EXPORTED int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                           TVMFFIObjectHandle *out)
{
  (void)library_ctx;
  if (trace_runtime_on_lookup) trace_runtime_on_lookup();
  if (!trace_runtime_wrong || !func_name || strcmp(func_name, "_library_bin") != 0) return -1;
  *out = &of_data;
  return 0;
}

static int look_up_in_module(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  if (trace_runtime_wrong)
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = &of_data.header};
  return 0;
}

static struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
} getter = {{.combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFIFunction},
            {look_up_in_module, NULL}};

EXPORTED int TVMFFIFunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  *out = name->size == 21 && memcmp(name->data, "ffi.ModuleGetFunction", 21) == 0 ? &getter : NULL;
  return 0;
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
