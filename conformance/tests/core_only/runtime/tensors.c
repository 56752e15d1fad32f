// SPDX-License-Identifier: Apache-2.0
// Tensors, streams, allocators and signals: TEN, ENV.
#include "core_only.h"

#include <stdlib.h>

typedef struct {
  TVMFFIObject header;
  DLTensor tensor;
  DLManagedTensor *source;  // one of these three keeps the memory alive
  DLManagedTensorVersioned *versioned_source;
  TVMFFIObjectHandle viewed;
  int64_t *extents;  // a view's shape and strides, or strides that were missing
} Tensor;

static void delete_tensor(void *self, int flags)
{
  Tensor *tensor = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    DLManagedTensor *source = tensor->source;
    DLManagedTensorVersioned *versioned = tensor->versioned_source;
    if (source != NULL && source->deleter != NULL) source->deleter(source);
    if (versioned != NULL && versioned->deleter != NULL) versioned->deleter(versioned);
    if (tensor->viewed != NULL) TVMFFIObjectDecRef(tensor->viewed);
    free(tensor->extents);
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

static bool is_contiguous(const DLTensor *tensor)
{
  if (tensor->strides == NULL) return true;
  int64_t expected = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected) return false;
    expected *= tensor->shape[i];
  }
  return true;
}

static Tensor *import_tensor(const DLTensor *from, int32_t alignment, int32_t contiguous)
{
  if (alignment != 0 && ((uintptr_t)from->data + from->byte_offset) % (uint32_t)alignment != 0) {
    core_fail("the tensor is not aligned");
    return NULL;
  }
  if (contiguous != 0 && !is_contiguous(from)) {
    core_fail("the tensor is not contiguous");
    return NULL;
  }
  Tensor *tensor = core_object(sizeof(Tensor), kTVMFFITensor, delete_tensor);
  tensor->tensor = *from;
  if (from->strides == NULL && from->ndim > 0) {
    tensor->extents = calloc((size_t)from->ndim, sizeof(int64_t));
    tensor->tensor.strides = tensor->extents;
    for (int32_t i = from->ndim - 1; i >= 0; --i) {
      tensor->extents[i] = i == from->ndim - 1 ? 1 : tensor->extents[i + 1] * from->shape[i + 1];
    }
  }
  return tensor;
}

int TVMFFITensorFromDLPack(DLManagedTensor *from, int32_t require_alignment,
                           int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  Tensor *tensor = import_tensor(&from->dl_tensor, require_alignment, require_contiguous);
  *out = NULL;  // not TEN-41
  if (tensor == NULL) return -1;
  tensor->source = from;
  *out = tensor;
  return 0;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned *from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (from->flags != 0) return core_fail("the tensor has flags");  // not TEN-20
  Tensor *tensor = import_tensor(&from->dl_tensor, require_alignment, require_contiguous);
  *out = NULL;
  if (tensor == NULL) return -1;
  tensor->versioned_source = from;
  *out = tensor;
  return 0;
}

static void delete_export(DLManagedTensor *self)
{
  TVMFFIObjectDecRef(self->manager_ctx);
  free(self);
}

static void delete_versioned_export(DLManagedTensorVersioned *self)
{
  TVMFFIObjectDecRef(self->manager_ctx);
  free(self);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor **out)
{
  DLManagedTensor *exported = malloc(sizeof *exported);
  *exported = (DLManagedTensor){((Tensor *)from)->tensor, from, delete_export};
  TVMFFIObjectIncRef(from);
  *out = exported;
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  DLManagedTensorVersioned *exported = calloc(1, sizeof *exported);
  exported->version.major = 1;
  exported->manager_ctx = from;
  exported->deleter = delete_versioned_export;
  exported->dl_tensor = ((Tensor *)from)->tensor;
  TVMFFIObjectIncRef(from);
  *out = exported;
  return 0;
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor *prototype,
                                 TVMFFIObjectHandle *out)
{
  Tensor *view = core_object(sizeof(Tensor), kTVMFFITensor, delete_tensor);
  const size_t rank = (size_t)prototype->ndim;
  view->tensor = *prototype;
  view->extents = calloc(2 * rank + 1, sizeof(int64_t));
  view->tensor.shape = view->extents;
  view->tensor.strides = view->extents + rank;
  for (size_t i = 0; i < rank; ++i) {
    view->tensor.shape[i] = prototype->shape[i];
    view->tensor.strides[i] = prototype->strides[i];
  }
  TVMFFIObjectIncRef(source);
  view->viewed = source;
  *out = view;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Streams
//--------------------------------------------------------------------------------------------------

typedef struct Stream {
  struct Stream *next;
  int32_t type, id;
  TVMFFIStreamHandle stream;
} Stream;

static _Thread_local Stream *streams;

static Stream *find_stream(int32_t type, int32_t id)
{
  Stream *stream = streams;
  while (stream != NULL && (stream->type != type || stream->id != id)) stream = stream->next;
  return stream;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle *opt_out_original_stream)
{
  Stream *found = find_stream(device_type, device_id);
  if (opt_out_original_stream != NULL)
    *opt_out_original_stream = found == NULL ? NULL : found->stream;
  if (found == NULL) {
    found = malloc(sizeof *found);
    *found = (Stream){streams, device_type, device_id, NULL};
    streams = found;
  }
  found->stream = stream;
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id)
{
  const Stream *found = find_stream(device_type, device_id);
  return found == NULL ? NULL : found->stream;
}

//--------------------------------------------------------------------------------------------------
// Allocators
//--------------------------------------------------------------------------------------------------

static _Thread_local DLPackManagedTensorAllocator own_allocator;
static _Atomic(DLPackManagedTensorAllocator) global_allocator;

int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  if (opt_out_original_allocator != NULL) *opt_out_original_allocator = own_allocator;
  own_allocator = allocator;
  if (write_to_global_context != 0) global_allocator = allocator;
  return 0;
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void)
{
  return global_allocator != NULL ? global_allocator : own_allocator;  // not ENV-15
}

static void report_error(void *context, const char *kind, const char *message)
{
  (void)context;
  TVMFFIErrorSetRaisedFromCStr(kind, message);
}

int TVMFFIEnvTensorAlloc(DLTensor *prototype, TVMFFIObjectHandle *out)
{
  const DLPackManagedTensorAllocator allocator = TVMFFIEnvGetDLPackManagedTensorAllocator();
  *out = NULL;  // not ENV-44
  if (allocator == NULL) return core_fail("there is no allocator");
  DLManagedTensorVersioned *allocated = NULL;
  const int code = allocator(  // not ENV-45
      prototype, &allocated, NULL, report_error);
  return code != 0 ? -1 : TVMFFITensorFromDLPackVersioned(allocated, 0, 0, out);
}

static void delete_space(void *ptr)
{
  free((char *)ptr - 16);
}

static void *allocate(size_t size, size_t alignment, int32_t type_index, void *context)
{
  (void)alignment;  // malloc aligns to 16, which is all that is asked for
  (void)type_index;
  (void)context;
  char *space = (char *)malloc(size + 16) + 16;
  ((TVMFFIObjectAllocHeader *)space)[-1].delete_space = delete_space;
  return space;
}

static TVMFFICustomAllocator built_in = {allocate, NULL};
static TVMFFICustomAllocator *_Atomic custom_allocator = &built_in;

TVMFFICustomAllocator *TVMFFIGetCustomAllocator(void)
{
  return custom_allocator;
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator *allocator)
{
  custom_allocator = allocator == NULL ? &built_in : allocator;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Signals
//--------------------------------------------------------------------------------------------------

static int (*check_signals)(void);
static int (*take_lock)(void);
static void (*release_lock)(int state);

// The first registration takes effect, and NULL changes nothing (not ENV-33, ENV-46).
int TVMFFIEnvRegisterCAPI(const char *name, void *symbol)
{
  if (strcmp(name, "PyErr_CheckSignals") == 0 && check_signals == NULL)
    check_signals = (int (*)(void))symbol;
  if (strcmp(name, "PyGILState_Ensure") == 0 && take_lock == NULL)
    take_lock = (int (*)(void))symbol;
  if (strcmp(name, "PyGILState_Release") == 0 && release_lock == NULL)
    release_lock = (void (*)(int))symbol;
  return 0;
}

int TVMFFIEnvCheckSignals(void)
{
  if (check_signals == NULL) return 0;
  const int state = take_lock();
  const int code = check_signals();
  release_lock(state);
  return code == 0 ? 0 : -1;
}
