// SPDX-License-Identifier: Apache-2.0
#include "layer/tensors.h"

#include "layer/hooks.h"
#include "layer/memory.h"
#include "layer/shadow.h"

// --- Values --------------------------------------------------------------------------------------

static bool are_numbers(const int64_t *numbers, int32_t count)
{
  return numbers && memory_is_readable(numbers, (size_t)count * sizeof *numbers);
}

// What is wrong with rank and extents; NULL: nothing.
static const char *wrong_shape(const DLTensor *tensor)
{
  if (tensor->ndim < 0) return "the number is negative";
  if (tensor->ndim == 0) return NULL;
  if (!tensor->shape) return "the shape is NULL";
  if (!are_numbers(tensor->shape, tensor->ndim)) return "the shape is not mapped";
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (tensor->shape[i] < 0) return "an extent is negative";
  return NULL;
}

static int64_t element_bytes(const DLTensor *tensor)
{
  return ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
}

// Bytes of all elements, as if they were compact; -1: more than 2^63.
static int64_t total_bytes(const DLTensor *tensor)
{
  int64_t total = element_bytes(tensor);
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (tensor->shape[i] == 0) return 0;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (__builtin_mul_overflow(total, tensor->shape[i], &total)) return -1;
  return total;
}

static void check_data(const DLTensor *tensor, int index, const LayerParties *who, int64_t total)
{
  uintptr_t first = (uintptr_t)tensor->data + tensor->byte_offset;
  int64_t bytes = element_bytes(tensor);
  bool is_power = (bytes & (bytes - 1)) == 0;
  if (is_power && bytes > 0 && first % (uintptr_t)bytes != 0)
    LAYER_REPORT(CHECK_TENSOR_ALIGN, who, NULL, index, bytes, (int64_t)first);
  if (layer_ring->enabled[CHECK_TENSOR_DATA] && tensor->device.device_type == kDLCPU &&
      !memory_is_readable((const void *)first, (size_t)bytes))
    LAYER_REPORT(CHECK_TENSOR_DATA, who, NULL, index, (int64_t)first, total);
}

static bool is_any_enabled(void)
{
  static const CheckId all[] = {CHECK_TENSOR_UNMAPPED, CHECK_TENSOR_RANK, CHECK_TENSOR_STRIDES,
                                CHECK_TENSOR_OFFSET,   CHECK_TENSOR_SIZE, CHECK_TENSOR_ALIGN,
                                CHECK_TENSOR_DATA};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (layer_ring->enabled[all[i]]) return true;
  return false;
}

void tensors_check(const DLTensor *tensor, int index, const LayerParties *who)
{
  if (!is_any_enabled()) return;
  if (!tensor || !memory_is_readable(tensor, sizeof *tensor)) {
    LAYER_REPORT(CHECK_TENSOR_UNMAPPED, who, tensor ? "its address is not mapped" : "it is NULL",
                 index);
    return;
  }
  const char *wrong = wrong_shape(tensor);
  if (wrong) {
    LAYER_REPORT(CHECK_TENSOR_RANK, who, wrong, index, tensor->ndim);
    return;
  }
  if (tensor->ndim > 0 && !tensor->strides)
    LAYER_REPORT(CHECK_TENSOR_STRIDES, who, NULL, index, tensor->ndim);
  if (tensor->byte_offset)
    LAYER_REPORT(CHECK_TENSOR_OFFSET, who, NULL, index, (int64_t)tensor->byte_offset);
  int64_t total = total_bytes(tensor);
  if (total < 0)
    LAYER_REPORT(CHECK_TENSOR_SIZE, who, NULL, index);
  else if (total > 0 && tensor->data)
    check_data(tensor, index, who, total);
}

// --- DLPack tensors ------------------------------------------------------------------------------

// Managed tensors whose deleter is the layer's, by their address. What has no room has its own.
enum { PLACES = 1 << 13, PROBES = 16 };
typedef struct Managed {
  _Atomic uintptr_t tensor;
  void (*deleter)(void *self);
  const LayerRuntime *importer;  // that it belongs to; NULL: it was exported
  atomic_bool released;
} Managed;
static Managed places[PLACES];

static Managed *find(const void *tensor)
{
  uint64_t hash = ((uintptr_t)tensor >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (unsigned i = 0; i < PROBES; ++i)
    if (atomic_load(&places[(hash + i) % PLACES].tensor) == (uintptr_t)tensor)
      return &places[(hash + i) % PLACES];
  return NULL;
}

static Managed *claim(const void *tensor)
{
  uint64_t hash = ((uintptr_t)tensor >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (unsigned i = 0; i < PROBES; ++i) {
    Managed *place = &places[(hash + i) % PLACES];
    uintptr_t there = atomic_load(&place->tensor);
    if ((there == 0 || atomic_load(&place->released)) &&
        atomic_compare_exchange_strong(&place->tensor, &there, (uintptr_t)tensor))
      return place;
  }
  return NULL;
}

static bool is_in(const LayerRuntime *runtime, uintptr_t address)
{
  return runtime->start && site_is_in(runtime, address);
}

static void ffi_call_dlpack_deleter(void *self)
{
  Managed *managed = find(self);
  if (!managed) return;
  const LayerParties who = {(uintptr_t)__builtin_return_address(0), (uintptr_t)managed->deleter,
                            ABI_FUNCTION_COUNT, managed->importer};
  void (*deleter)(void *self) = managed->deleter;
  if (atomic_exchange(&managed->released, true))
    LAYER_REPORT(CHECK_DLPACK_TWICE, &who, "a second time", 0);
  else if (managed->importer && !is_in(managed->importer, who.caller))
    LAYER_REPORT(CHECK_DLPACK_TWICE, &who, "after a runtime has taken the tensor over", 0);
  deleter(self);
}

typedef void (*Deleter)(void *self);

// The layer's deleter, in a place of a managed tensor; NULL if it stays as it is.
static Managed *take_over(void *tensor, Deleter *place, const LayerRuntime *importer)
{
  if (!*place || !memory_is_writable(place)) return NULL;
  bool again = *place == ffi_call_dlpack_deleter;  // what was exported is imported
  Managed *managed = again ? find(tensor) : claim(tensor);
  if (!managed) return NULL;
  if (!again) managed->deleter = *place;
  managed->importer = importer;
  atomic_store(&managed->released, false);
  *place = ffi_call_dlpack_deleter;
  return managed;
}

// The import was refused, and the tensor is its owner's.
static void give_back(Managed *managed, Deleter *place)
{
  if (!managed) return;
  *place = managed->deleter;
  atomic_store(&managed->released, true);
}

// --- Import and export ---------------------------------------------------------------------------

int ffi_call_tensors_TensorFromDLPack(const LayerSite *at, DLManagedTensor *from,
                                      int32_t require_alignment, int32_t require_contiguous,
                                      TVMFFIObjectHandle *out)
{
  const AbiApi *real = &at->runtime->real;
  Managed *managed = NULL;
  if (from && memory_is_readable(from, sizeof *from))
    managed = take_over(from, (Deleter *)(void *)&from->deleter, at->runtime);
  int code = real->TensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code != 0) give_back(managed, (Deleter *)(void *)&from->deleter);
  return code;
}

int ffi_call_tensors_TensorFromDLPackVersioned(const LayerSite *at, DLManagedTensorVersioned *from,
                                               int32_t require_alignment,
                                               int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  const AbiApi *real = &at->runtime->real;
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  bool is_there = from && memory_is_readable(from, sizeof *from), read_only = false;
  Managed *managed = NULL;
  if (is_there && from->version.major != 1) {
    LAYER_REPORT(CHECK_DLPACK_VERSION, &who, NULL, from->version.major, from->version.minor);
  } else if (is_there) {
    read_only = from->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    managed = take_over(from, (Deleter *)(void *)&from->deleter, at->runtime);
  }
  int code = real->TensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code != 0) give_back(managed, (Deleter *)(void *)&from->deleter);
  if (code == 0 && out && *out) shadow_see(*out, &who, NULL);
  if (code == 0 && out && *out && read_only) shadow_set_read_only(*out);
  return code;
}

int ffi_call_tensors_TensorToDLPack(const LayerSite *at, TVMFFIObjectHandle from,
                                    DLManagedTensor **out)
{
  int code = at->runtime->real.TensorToDLPack(from, out);
  if (code == 0 && out && *out) take_over(*out, (Deleter *)(void *)&(*out)->deleter, NULL);
  return code;
}

int ffi_call_tensors_TensorToDLPackVersioned(const LayerSite *at, TVMFFIObjectHandle from,
                                             DLManagedTensorVersioned **out)
{
  const AbiApi *real = &at->runtime->real;
  const LayerParties who = {at->caller, (uintptr_t)real->TensorToDLPackVersioned, at->function,
                            at->runtime};
  int code = real->TensorToDLPackVersioned(from, out);
  if (code != 0 || !out || !*out) return code;
  ShadowEntry entry;
  if (shadow_find(from, &entry) && entry.read_only &&
      !((*out)->flags & DLPACK_FLAG_BITMASK_READ_ONLY))
    LAYER_REPORT(CHECK_DLPACK_READ_ONLY, &who, NULL, 0);
  take_over(*out, (Deleter *)(void *)&(*out)->deleter, NULL);
  return code;
}
