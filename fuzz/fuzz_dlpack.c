// SPDX-License-Identifier: Apache-2.0
// DLPack tensors, odd ones among them, come in and go out, both ways, again and again.
#include <string.h>

#include "producer.h"
#include "runtime.h"

enum { NDIM_MAX = 6, ROUNDS_MAX = 6 };

static int deletions;

static void delete_managed(DLManagedTensor *self)
{
  (void)self;
  ++deletions;
}

static void delete_versioned(DLManagedTensorVersioned *self)
{
  (void)self;
  ++deletions;
}

typedef struct {
  DLTensor tensor;
  int64_t *shape, *strides;
  int32_t alignment, contiguous;
  bool versioned;
  DLManagedTensor managed;
  DLManagedTensorVersioned newer;
} Source;

static void make_source(Source *self, Producer *producer)
{
  memset(self, 0, sizeof *self);
  self->versioned = producer_flag(producer);
  int32_t ndim = (int32_t)producer_below(producer, NDIM_MAX + 2) - 1;
  size_t count = ndim > 0 ? (size_t)ndim : 0;
  self->shape = calloc(count + 1, sizeof *self->shape);
  self->strides = calloc(count + 1, sizeof *self->strides);
  for (size_t i = 0; i < count; ++i) self->shape[i] = producer_integer(producer);
  for (size_t i = 0; i < count; ++i) self->strides[i] = producer_integer(producer);
  // Of exact size, so that a read behind the last one is seen.
  self->shape = realloc(self->shape, count != 0 ? count * sizeof(int64_t) : 1);
  self->strides = realloc(self->strides, count != 0 ? count * sizeof(int64_t) : 1);
  uint8_t lacks = producer_byte(producer);
  self->tensor = (DLTensor){.data = (void *)(uintptr_t)producer_word(producer),
                            .device = {(DLDeviceType)producer_below(producer, 20), lacks >> 1 & 7},
                            .ndim = ndim,
                            .dtype = {producer_byte(producer), 8, 1},
                            .shape = lacks % 16 == 15 ? NULL : self->shape,
                            .strides = lacks & 1 ? self->strides : NULL,
                            .byte_offset = (uint64_t)producer_integer(producer)};
  self->alignment = (int32_t)producer_integer(producer);
  self->contiguous = producer_flag(producer);
  self->managed = (DLManagedTensor){self->tensor, self, delete_managed};
  self->newer.version.major = producer_below(producer, 3);
  self->newer.flags = producer_byte(producer);
  self->newer.manager_ctx = self;
  self->newer.deleter = delete_versioned;
  self->newer.dl_tensor = self->tensor;
}

static bool is_aligned(const Source *self)
{
  const uint64_t types = 1 << kDLCPU | 1 << kDLCUDA | 1 << kDLCUDAHost | 1 << kDLROCM |
                         1 << kDLROCMHost | 1 << kDLCUDAManaged;
  uint64_t address = self->tensor.byte_offset;
  if (types >> self->tensor.device.device_type & 1) address += (uintptr_t)self->tensor.data;
  return self->alignment == 0 || (self->alignment > 0 && address % (uint64_t)self->alignment == 0);
}

// Row-major strides in 128 bits. Returns false if one is more than an int64_t holds.
static bool row_major(const DLTensor *tensor, int64_t *strides)
{
  __extension__ __int128 stride = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (stride > INT64_MAX) return false;
    strides[i] = (int64_t)stride;
    stride *= tensor->shape[i];
  }
  return true;
}

typedef enum { TAKEN, REFUSED, OPEN } Verdict;

// What the chapter on tensors says of an import; what can't be counted may go either way.
static Verdict judge(const Source *self)
{
  const DLTensor *tensor = &self->tensor;
  int64_t due[NDIM_MAX];
  bool empty = false;
  if (self->versioned && (self->newer.version.major > 1 || self->newer.flags & 4)) return REFUSED;
  if (tensor->ndim < 0 || (tensor->ndim > 0 && tensor->shape == NULL)) return REFUSED;
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] < 0) return REFUSED;
    empty |= tensor->shape[i] == 0;
  }
  if (!is_aligned(self)) return REFUSED;
  if (empty) return TAKEN;
  if (!row_major(tensor, due)) return tensor->strides == NULL ? REFUSED : OPEN;
  for (int32_t i = 0; i < tensor->ndim && tensor->strides != NULL && self->contiguous; ++i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != due[i]) return REFUSED;
  }
  return TAKEN;
}

static void is_same(const DLTensor *one, const DLTensor *other)
{
  FUZZ_CHECK(one->data == other->data && one->ndim == other->ndim);
  FUZZ_CHECK(one->byte_offset == other->byte_offset);
  FUZZ_CHECK(memcmp(&one->dtype, &other->dtype, sizeof one->dtype) == 0);
  FUZZ_CHECK(one->device.device_type == other->device.device_type);
  FUZZ_CHECK(one->device.device_id == other->device.device_id);
  for (int32_t i = 0; i < one->ndim; ++i) {
    FUZZ_CHECK(one->shape[i] == other->shape[i]);
    if (other->strides != NULL) FUZZ_CHECK(one->strides[i] == other->strides[i]);
  }
}

// Exports a tensor, gives it up, and imports what was exported. Own.
static TVMFFIObjectHandle pass_on(TVMFFIObjectHandle tensor, const Source *source, bool versioned)
{
  TVMFFIObjectHandle next = NULL;
  DLManagedTensor *managed = NULL;
  DLManagedTensorVersioned *newer = NULL;
  int code = versioned ? TVMFFITensorToDLPackVersioned(tensor, &newer)
                       : TVMFFITensorToDLPack(tensor, &managed);
  FUZZ_CHECK(code == 0);
  runtime_has_counts(tensor, 2, 1);
  TVMFFIObjectDecRef(tensor);
  is_same(versioned ? &newer->dl_tensor : &managed->dl_tensor, &source->tensor);
  code = versioned ? TVMFFITensorFromDLPackVersioned(newer, 0, 0, &next)
                   : TVMFFITensorFromDLPack(managed, 0, 0, &next);
  FUZZ_CHECK(code == 0 && deletions == 0);
  runtime_has_counts(next, 1, 1);
  return next;
}

static void check_strides(const DLTensor *tensor, const Source *source)
{
  int64_t due[NDIM_MAX];
  if (source->tensor.strides != NULL || !row_major(tensor, due)) return;
  for (int32_t i = 0; i < tensor->ndim; ++i) FUZZ_CHECK(tensor->strides[i] == due[i]);
}

static void import(Source *source, Producer *producer)
{
  TVMFFIObjectHandle tensor = source;
  Verdict verdict = judge(source);
  int code = source->versioned ? TVMFFITensorFromDLPackVersioned(&source->newer, source->alignment,
                                                                 source->contiguous, &tensor)
                               : TVMFFITensorFromDLPack(&source->managed, source->alignment,
                                                        source->contiguous, &tensor);
  FUZZ_CHECK(verdict == OPEN || (code == 0) == (verdict == TAKEN));
  if (code != 0) {
    FUZZ_CHECK(tensor == source && deletions == 0);
    runtime_has_raised(NULL);
    return;
  }
  runtime_has_counts(tensor, 1, 1);
  const DLTensor *made = (const DLTensor *)((TVMFFIObject *)tensor + 1);
  is_same(made, &source->tensor);
  check_strides(made, source);
  unsigned rounds = producer_below(producer, ROUNDS_MAX);
  while (rounds-- != 0) tensor = pass_on(tensor, source, producer_flag(producer));
  TVMFFIObjectDecRef(tensor);
  FUZZ_CHECK(deletions == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Producer producer;
  Source source;
  producer_start(&producer, data, size);
  deletions = 0;
  make_source(&source, &producer);
  import(&source, &producer);
  free(source.shape);
  free(source.strides);
  runtime_has_raised_nothing();
  return 0;
}
