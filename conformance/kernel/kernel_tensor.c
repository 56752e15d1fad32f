// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_tensor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "expression/npy.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_element.h"
#include "plan/case.h"
#include "plan/kernel_choice.h"
#include "signature/signature_words.h"

enum { SPAN_MAX = 1 << 28, OUTPUT_FILL = 0xA5, FAR_MAX = 64, FAR_PAGE = 4096 };

// --- Where the elements are ----------------------------------------------------------------------

static void fill_compact_strides(KernelTensor *tensor)
{
  int64_t stride = 1;
  for (int32_t i = tensor->rank; i-- > 0;) {
    tensor->strides[i] = stride;
    stride *= tensor->shape[i] ? tensor->shape[i] : 1;
  }
}

// How many elements there are, and how far they reach before and behind the first, in elements.
static void measure(KernelTensor *tensor, int64_t *before, int64_t *behind)
{
  *before = *behind = 0;
  tensor->count = 1;
  for (int32_t i = 0; i < tensor->rank; ++i) {
    int64_t steps = tensor->shape[i] - 1, reach;
    tensor->count *= (size_t)(tensor->shape[i] < 0 ? 0 : tensor->shape[i]);
    if (steps <= 0) continue;
    if (__builtin_mul_overflow(steps, tensor->strides[i], &reach) || reach > SPAN_MAX ||
        reach < -SPAN_MAX)
      case_inconclusive("the strides reach further than memory does");
    *(reach < 0 ? before : behind) += reach < 0 ? -reach : reach;
  }
  if (tensor->count > SPAN_MAX) case_inconclusive("the tensor is too large to be made");
}

static size_t bytes_for(const KernelTensor *tensor, int64_t elements)
{
  return ((size_t)elements * tensor->element_bits + 7) / 8;
}

// The offset in bits of the `index`-th element, in the order of indices, from the first one.
static int64_t offset_of(const KernelTensor *tensor, size_t index)
{
  int64_t offset = 0;
  if (tensor->rank == 1) return (int64_t)index * tensor->strides[0] * (int64_t)tensor->element_bits;
  for (int32_t i = tensor->rank; i-- > 0;) {
    size_t extent = (size_t)tensor->shape[i];
    offset += (int64_t)(index % extent) * tensor->strides[i];
    index /= extent;
  }
  return offset * (int64_t)tensor->element_bits;
}

// The elements lie one behind the other, in whole bytes.
static bool is_compact(const KernelTensor *tensor)
{
  int64_t stride = 1;
  for (int32_t i = tensor->rank; i-- > 0;) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride) return false;
    stride *= tensor->shape[i];
  }
  return tensor->element_bits % 8 == 0;
}

static size_t element_bytes(const KernelTensor *tensor)
{
  return (tensor->count * tensor->element_bits + 7) / 8;
}

// Has the elements be these, which lie one behind the other; after the first `period` of them, where
// this is less than their count, they come round again.
static void put_elements(KernelTensor *tensor, const unsigned char *elements, size_t period)
{
  const size_t bits = tensor->element_bits, made = period < tensor->count ? period : tensor->count;
  if (is_compact(tensor)) {
    memcpy(tensor->first, elements, made * bits / 8);
    kernel_elements_repeat(tensor->first, bits, made, tensor->count);
    return;
  }
  for (size_t i = 0; i < tensor->count; ++i)
    kernel_element_copy(tensor->first, offset_of(tensor, i), elements, (int64_t)(i % period * bits),
                        bits);
}

// --- Making one ----------------------------------------------------------------------------------

// Compact rows, or as much further apart as the form says.
static void fill_strides(KernelTensor *tensor, const TensorForm *form)
{
  fill_compact_strides(tensor);
  const int64_t row = tensor->rank > 1 ? tensor->shape[tensor->rank - 1] : 0;
  for (int32_t i = 0; i + 1 < tensor->rank && row > 0; ++i)
    tensor->strides[i] = tensor->strides[i] / row * (row + form->row_gap);
  for (int32_t i = 0; i < tensor->rank && form->stride_factor > 0; ++i)
    tensor->strides[i] *= form->stride_factor;
}

static void take_form(KernelTensor *tensor, const KernelParameter *parameter,
                      const TensorForm *form)
{
  DLDataType dtype = form->has_dtype ? form->dtype : parameter->dtype;
  DLDevice device = form->has_device ? form->device : parameter->device;
  tensor->role = parameter->role;
  tensor->on_host = device.device_type == kDLCPU || device.device_type == kDLCUDAHost ||
                    device.device_type == kDLROCMHost || kernel_cuda_holds(device);
  tensor->element_bits = (size_t)dtype.bits * (dtype.lanes ? dtype.lanes : 1);
  tensor->rank = form->has_shape ? form->extents : parameter->rank;
  for (int32_t i = 0; i < tensor->rank; ++i)
    tensor->shape[i] = form->has_shape ? form->shape[i] : parameter->shape[i].size;
  if (form->strides)
    memcpy(tensor->strides, form->strides, (size_t)tensor->rank * sizeof *form->strides);
  else
    fill_strides(tensor, form);
}

// Maps the page of every element, and the one behind it. The addresses between them stay free: what
// is reached with a stride that was cut is not there, or is no element.
static void *map_far_memory(KernelTensor *tensor)
{
#if UINTPTR_MAX == UINT64_MAX
  static uintptr_t base = (uintptr_t)1 << 44;
  tensor->count = 1;
  for (int32_t i = 0; i < tensor->rank; ++i)
    tensor->count *= (size_t)(tensor->shape[i] < 0 ? 0 : tensor->shape[i]);
  if (tensor->count > FAR_MAX || tensor->element_bits % 8 != 0)
    case_not_applicable("its elements cannot be placed far apart");
  for (size_t i = 0; i < tensor->count; ++i) {
    uintptr_t page = base + (uintptr_t)(offset_of(tensor, i) / 8 / FAR_PAGE * FAR_PAGE);
    for (int next = 0; next < 2; ++next) {
      void *at = (void *)(page + (uintptr_t)next * FAR_PAGE);
      void *got = mmap(at, FAR_PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got == MAP_FAILED) continue;  // of the element before, or seen when it is written to
      if (got != at) case_not_applicable("memory that is far apart is not available");
      memset(at, OUTPUT_FILL, FAR_PAGE);
    }
  }
  tensor->first = (unsigned char *)base;
  base += (uintptr_t)1 << 40;
  return tensor->first;
#else
  (void)tensor;
  case_not_applicable("elements cannot be placed far apart with pointers of 32 bits");
#endif
}

// The same on a real device, where the driver aligns memory to 256 bytes at least, and a copy here.
static void *map_on_device(KernelTensor *tensor, const TensorForm *form, const char *name,
                           size_t alignment, size_t lead, size_t span)
{
  // (What ends at the end lies where that gives.)
  const size_t step = form->at_end ? KERNEL_TENSOR_ALIGNMENT : alignment;
  const size_t before = (lead / KERNEL_TENSOR_ALIGNMENT + 1) * KERNEL_TENSOR_ALIGNMENT;
  size_t room = before + step + form->misaligned + span + KERNEL_TENSOR_ALIGNMENT;
  if (form->at_end) room = before + form->misaligned + span;
  tensor->on_device = kernel_cuda_allocate(room);
  size_t first = before + form->misaligned;
  if (step > KERNEL_TENSOR_ALIGNMENT)
    first += (size_t)(step - (tensor->on_device + before) % step) % step;
  tensor->memory = fenced_buffer(name, room);
  tensor->memory_size = room;
  tensor->first = tensor->memory + first;
  uint64_t data = tensor->on_device + first - form->byte_offset;
  void *address;
  if (kernel_cuda_account()) {
    memcpy(&address, &tensor->on_device, sizeof address);
    fence_name_device(name, address, room);
  }
  memcpy(&address, &data, sizeof address);
  return address;
}

// Memory for the elements with byte_offset bytes before them; `data` is what the tensor points to.
static void *map_memory(KernelTensor *tensor, const TensorForm *form, const char *name,
                        size_t stated_alignment, bool is_real)
{
  const size_t alignment =
      stated_alignment > KERNEL_TENSOR_ALIGNMENT ? stated_alignment : KERNEL_TENSOR_ALIGNMENT;
  int64_t before, behind;
  if (form->far && is_real) case_not_applicable("elements cannot be placed far apart on a device");
  if (form->far && tensor->on_host) return map_far_memory(tensor);
  measure(tensor, &before, &behind);
  size_t lead = bytes_for(tensor, before) + (size_t)form->byte_offset;
  size_t span = tensor->count ? bytes_for(tensor, behind + 1) : 0;
  if (!tensor->on_host) {
    unsigned char *memory = fenced_device_memory(name, lead + span + KERNEL_TENSOR_ALIGNMENT);
    tensor->first = memory + lead;
    return tensor->first - form->byte_offset;
  }
  if (is_real) return map_on_device(tensor, form, name, alignment, lead, span);
  // The first element at a multiple of the alignment (and a little more), or the last one at the very
  // end, or all at the very beginning.
  size_t room = lead + span + 2 * alignment + form->misaligned;
  if (form->at_start) room = (room + FAR_PAGE - 1) / FAR_PAGE * FAR_PAGE;
  tensor->memory = fenced_buffer(name, room);
  tensor->memory_size = room;
  uintptr_t first = (uintptr_t)tensor->memory + room - span;
  if (form->at_start)
    first = (uintptr_t)tensor->memory + lead;
  else if (!form->at_end)
    first = first / alignment * alignment - (form->misaligned ? alignment : 0) + form->misaligned;
  tensor->first = tensor->memory + (first - (uintptr_t)tensor->memory);
  return tensor->first - form->byte_offset;
}

static void fill_as_written(KernelTensor *tensor, const KernelParameter *parameter)
{
  const Signature *signature = signature_under_test();
  if (!signature) case_inconclusive("the signature with the elements of a tensor is missing");
  for (size_t i = 0; i < tensor->count; ++i)
    kernel_element_write(tensor->first, offset_of(tensor, i), parameter->dtype,
                         kernel_written_element(signature, parameter, i));
}

DLDataType kernel_npy_dtype(const NpyArray *array, DLDataType of)
{
  DLDataType own = {kDLInt, (uint8_t)(array->size * 8), 1};
  if (array->kind == NPY_BOOL) own.code = kDLBool;
  if (array->kind == NPY_UINT) own.code = kDLUInt;
  if (array->kind == NPY_FLOAT) own.code = kDLFloat;
  if (array->kind == NPY_RAW && of.bits == own.bits) own = of;
  return own;
}

// The type of a file's elements: where NumPy has none, the one that the call was made with. False if that is another
// one, too.
static bool file_dtype(const NpyArray *array, const KernelParameter *parameter, DLDataType *own)
{
  *own = kernel_npy_dtype(array, parameter->dtype);
  if (array->kind != NPY_RAW || parameter->dtype.bits == array->size * 8) return true;
  return signature_dtype(parameter->text, own) && own->bits == array->size * 8;
}

// The elements as numbers of the other type, one behind the other. Own: the bytes.
static unsigned char *new_numbers(const NpyArray *array, DLDataType own, DLDataType dtype)
{
  const size_t bits = (size_t)dtype.bits * dtype.lanes;
  unsigned char *numbers = calloc(array->count + 1, bits / 8 + 1);
  if (!numbers) case_inconclusive("no memory for the elements of a tensor");
  for (size_t i = 0; i < array->count; ++i) {
    long double number;
    if (!kernel_element_number(array->bytes, (int64_t)(i * own.bits), own, &number))
      case_inconclusive("a file's elements are not those of a tensor of another type");
    kernel_element_write(numbers, (int64_t)(i * bits), dtype, number);
  }
  return numbers;
}

// The elements of the file that the signature names, one behind the other. The tensor of another call may have
// another type.
static void fill_from_file(KernelTensor *tensor, const KernelParameter *parameter)
{
  const Signature *signature = signature_under_test();
  const char *path = signature ? signature_text(signature, parameter->npy) : "";
  char problem[NPY_PROBLEM_MAX];
  NpyArray array;
  DLDataType own;
  if (!npy_read_file(path, &array, problem)) case_inconclusive("%s: %s", path, problem);
  if (!file_dtype(&array, parameter, &own))
    case_inconclusive("nothing says what the elements of %s are", path);
  unsigned char *numbers = kernel_is_same_dtype(own, parameter->dtype) || array.count == 0
                               ? NULL
                               : new_numbers(&array, own, parameter->dtype);
  if (array.count > 0) put_elements(tensor, numbers ? numbers : array.bytes, array.count);
  free(numbers);
  npy_free(&array);
}

static void fill_elements(KernelTensor *tensor, const KernelParameter *parameter, DLDataType dtype,
                          const TensorForm *form)
{
  KernelParameter made = *parameter;
  made.dtype = dtype;
  made.rank = tensor->rank;
  for (int32_t k = 0; k < tensor->rank; ++k) made.shape[k].size = tensor->shape[k];
  if (parameter->contents == KERNEL_FROM_NPY && !form->elements && !form->has_dtype) {
    if (parameter->npy)
      fill_from_file(tensor, parameter);
    else
      fill_as_written(tensor, parameter);
    return;
  }
  if (form->elements) {
    put_elements(tensor, form->elements, tensor->count);
    return;
  }
  unsigned char few[KERNEL_ELEMENT_PERIOD * 16] = {0};
  const size_t bits = tensor->element_bits, period = kernel_element_period(&made);
  if (period && period < tensor->count && bits <= 128) {
    for (size_t i = 0; i < period; ++i)
      kernel_element_write(few, (int64_t)(i * bits), dtype, kernel_element_of(&made, i));
    put_elements(tensor, few, period);
    return;
  }
  for (size_t i = 0; i < tensor->count; ++i)
    kernel_element_write(tensor->first, offset_of(tensor, i), dtype, kernel_element_of(&made, i));
}

// Puts the elements, each in the place before its own, into all of the memory, and then where they belong.
static void fill_beside(KernelTensor *tensor)
{
  const size_t width = tensor->element_bits / 8, count = tensor->count;
  if (!tensor->memory || tensor->element_bits % 8 || count == 0) return;
  unsigned char *elements = malloc(count * width);
  if (!elements) case_inconclusive("no memory for the elements of a tensor");
  kernel_tensor_gather(tensor, elements);
  const size_t before = (size_t)(tensor->first - tensor->memory);
  // So that the element at `first` is the second one.
  size_t next = (count - before / width % count + 1) % count;
  for (size_t at = before % width; at + width <= tensor->memory_size; at += width) {
    memcpy(tensor->memory + at, elements + next * width, width);
    next = (next + 1) % count;
  }
  put_elements(tensor, elements, count);
  free(elements);
}

static void fill(KernelTensor *tensor, const KernelParameter *parameter, DLDataType dtype,
                 const TensorForm *form)
{
  if (!tensor->on_host) return;
  if (tensor->memory) memset(tensor->memory, OUTPUT_FILL, tensor->memory_size);
  if (kernel_role_is_read(parameter->role)) fill_elements(tensor, parameter, dtype, form);
  if (form->beside && kernel_role_is_read(parameter->role)) fill_beside(tensor);
  if (!tensor->memory) return;
  tensor->before = malloc(tensor->memory_size);
  if (!tensor->before) case_inconclusive("no memory for a copy of a tensor");
  memcpy(tensor->before, tensor->memory, tensor->memory_size);
  // Of one on a device the copy is written to when it is brought back.
  if (parameter->role == KERNEL_IN && !tensor->on_device) fence_lock(tensor->memory);
  if (!kernel_tensor_upload(tensor, false)) case_inconclusive("the device takes no copy");
}

static void describe_shape(KernelTensor *tensor, const TensorForm *form, DLTensor *out)
{
  int32_t rank = form->has_shape ? form->rank : tensor->rank;
  size_t size = (size_t)tensor->rank * sizeof(int64_t);
  const void *shape = fenced_copy("a shape", tensor->shape, size);
  const void *strides = fenced_copy("strides", tensor->strides, size);
  memcpy(&out->shape, &shape, sizeof shape);
  if (!form->no_strides) memcpy(&out->strides, &strides, sizeof strides);
  out->ndim = rank;
}

// A tensor object over the same memory: a view that the runtime made from a DLPack tensor of ours.
static void forget_managed(DLManagedTensor *managed)
{
  (void)managed;
}

static void wrap(Iut *iut, KernelTensor *tensor)
{
  DLManagedTensor *managed = calloc(1, sizeof *managed);
  if (!managed) case_inconclusive("no memory for a tensor");
  managed->dl_tensor = *tensor->tensor;
  managed->deleter = forget_managed;
  if (iut->TensorFromDLPack(managed, 0, 0, &tensor->object) != 0) {
    TVMFFIObjectHandle error = take_error(iut);
    if (error) release_object(iut, error);
    case_not_applicable("the runtime makes no tensor object of such a tensor");
  }
}

KernelTensor new_kernel_tensor(Iut *iut, const KernelParameter *parameter, const TensorForm *form)
{
  static const TensorForm plain;
  KernelTensor tensor = {0};
  if (!form) form = &plain;
  take_form(&tensor, parameter, form);
  DLTensor described = {0};
  described.dtype = form->has_dtype ? form->dtype : parameter->dtype;
  described.device = form->has_device ? form->device : parameter->device;
  described.data = map_memory(&tensor, form, parameter->name[0] ? parameter->name : "a tensor",
                              parameter->alignment, kernel_cuda_holds(described.device));
  described.byte_offset = form->byte_offset;
  fill(&tensor, parameter, described.dtype, form);
  if (form->no_data) described.data = NULL;
  describe_shape(&tensor, form, &described);
  const void *view = fenced_copy("the DLTensor", &described, sizeof described);
  memcpy(&tensor.tensor, &view, sizeof view);
  bool may_be_object = kernel_takes_spelling(parameter, kTVMFFITensor);
  bool may_be_borrowed = kernel_takes_spelling(parameter, kTVMFFIDLTensorPtr);
  if (may_be_object && (form->as_object || !may_be_borrowed)) wrap(iut, &tensor);
  return tensor;
}

void kernel_tensor_describe(Iut *iut, KernelTensor *tensor, const DLTensor *described)
{
  const void *view = fenced_copy("the DLTensor", described, sizeof *described);
  memcpy(&tensor->tensor, &view, sizeof view);
  if (tensor->object) wrap(iut, tensor);
}

TVMFFIAny kernel_tensor_value(const KernelTensor *tensor)
{
  TVMFFIAny value = any_none();
  value.type_index = tensor->object ? kTVMFFITensor : kTVMFFIDLTensorPtr;
  if (tensor->object)
    value.v_obj = tensor->object;
  else
    value.v_ptr = tensor->tensor;
  return value;
}

// --- Looking at one ------------------------------------------------------------------------------

size_t kernel_tensor_gather(const KernelTensor *tensor, unsigned char *out)
{
  const size_t size = element_bytes(tensor);
  if (!out) return size;
  if (is_compact(tensor)) {
    if (size) memcpy(out, tensor->first, size);
    return size;
  }
  memset(out, 0, size);
  for (size_t i = 0; i < tensor->count; ++i)
    kernel_element_copy(out, (int64_t)(i * tensor->element_bits), tensor->first,
                        offset_of(tensor, i), tensor->element_bits);
  return size;
}

const unsigned char *kernel_tensor_elements(const KernelTensor *tensor, unsigned char **copy)
{
  *copy = NULL;
  if (is_compact(tensor) && tensor->first) return tensor->first;
  *copy = malloc(element_bytes(tensor) + 1);
  if (!*copy) case_inconclusive("no memory for the elements of a tensor");
  kernel_tensor_gather(tensor, *copy);
  return *copy;
}

bool kernel_tensor_untouched(const KernelTensor *tensor)
{
  return !tensor->memory || memcmp(tensor->memory, tensor->before, tensor->memory_size) == 0;
}

bool kernel_tensor_gaps_untouched(const KernelTensor *tensor)
{
  if (!tensor->memory) return true;
  if (is_compact(tensor)) {
    const size_t before = (size_t)(tensor->first - tensor->memory);
    const size_t behind = before + element_bytes(tensor);
    return memcmp(tensor->memory, tensor->before, before) == 0 &&
           memcmp(tensor->memory + behind, tensor->before + behind, tensor->memory_size - behind) ==
               0;
  }
  unsigned char *without = malloc(tensor->memory_size);
  if (!without) case_inconclusive("no memory for a copy of a tensor");
  memcpy(without, tensor->memory, tensor->memory_size);
  const unsigned char *first = tensor->before + (tensor->first - tensor->memory);
  for (size_t i = 0; i < tensor->count; ++i)
    kernel_element_copy(without + (tensor->first - tensor->memory), offset_of(tensor, i), first,
                        offset_of(tensor, i), tensor->element_bits);
  bool same = memcmp(without, tensor->before, tensor->memory_size) == 0;
  free(without);
  return same;
}

void kernel_tensor_reset(KernelTensor *tensor)
{
  if (tensor->memory && tensor->role != KERNEL_IN)
    memcpy(tensor->memory, tensor->before, tensor->memory_size);
}

void kernel_tensor_replace(KernelTensor *tensor, const unsigned char *bytes)
{
  const bool locked = tensor->role == KERNEL_IN && !tensor->on_device;
  if (locked) fence_unlock(tensor->memory);
  memcpy(tensor->memory, bytes, tensor->memory_size);
  memcpy(tensor->before, bytes, tensor->memory_size);
  if (locked) fence_lock(tensor->memory);
}

// --- On a real device ----------------------------------------------------------------------------

bool kernel_tensor_upload(const KernelTensor *tensor, bool blank)
{
  if (!tensor->on_device) return true;
  if (!blank) return kernel_cuda_write(tensor->on_device, tensor->memory, tensor->memory_size);
  void *zeros = fenced_buffer("zeros", tensor->memory_size);
  memset(zeros, 0, tensor->memory_size);
  return kernel_cuda_write(tensor->on_device, zeros, tensor->memory_size);
}

bool kernel_tensor_download(const KernelTensor *tensor)
{
  return !tensor->on_device ||
         kernel_cuda_read(tensor->memory, tensor->on_device, tensor->memory_size);
}

void kernel_tensor_leave_device(KernelTensor *tensor)
{
  kernel_cuda_free(tensor->on_device);
  tensor->on_device = 0;
}

bool kernel_tensor_number(const KernelTensor *tensor, DLDataType dtype, size_t index, double *out)
{
  return index < tensor->count &&
         kernel_element_read(tensor->first, offset_of(tensor, index), dtype, out);
}
