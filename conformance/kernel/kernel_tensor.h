// SPDX-License-Identifier: Apache-2.0
// Tensors as arguments of kernels: any form of one, over memory that shows what is done to it.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_TENSOR_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_TENSOR_H_

#include "battery/iut.h"
#include "expression/npy.h"
#include "plan/kernel.h"

// Of data in bytes, where the file states no larger one.
enum { KERNEL_TENSOR_ALIGNMENT = 256 };

// How a tensor differs from the one of the example: compact, strides written out, byte_offset 0,
// data aligned as stated, handed over as a borrowed DLTensor. Members left 0 differ in nothing.
typedef struct TensorForm {
  // Handed over as a tensor object (type index 70). Where the parameter is said to take one
  // spelling only, it is that, whatever the form says.
  bool as_object;
  bool no_strides;         // strides NULL
  const int64_t *strides;  // in elements, one for each extent; the memory holds what they reach
  // Without them rows may be so many elements further apart, then all strides so many times as large;
  // 0: they are not.
  int64_t row_gap, stride_factor;
  int64_t row_gap_step;  // of tensors in containers: so much more for each than for the one before
  uint64_t byte_offset;  // as many bytes of other memory lie between data and the elements
  uint32_t misaligned;   // the elements begin this many bytes behind their alignment
  // In the place of the example's elements: as kernel_tensor_gather writes them.
  const unsigned char *elements;
  bool far;     // each element in a page of its own: strides may be of any size; at most 64
  bool at_end;  // the last element ends at the unmapped page, whatever alignment that gives
  // What lies before, between and behind the elements is full of them, each in the place of another, so
  // that who takes it for the tensor reads values that may be right.
  bool beside;
  bool at_start;   // the memory begins behind an unmapped page with what is before the elements
  bool no_data;    // data NULL
  bool has_shape;  // rank and shape of the form count
  int32_t rank;    // may be wrong: memory is that of the `extents` first extents
  int32_t extents;
  int64_t shape[KERNEL_RANK_MAX + 1];
  bool has_dtype;
  DLDataType dtype;
  bool has_device;
  DLDevice device;
} TensorForm;

typedef struct KernelTensor {
  DLTensor *tensor;  // fenced, read-only; NULL: the parameter is not a tensor
  KernelRole role;
  bool on_host;  // its elements can be looked at: it is on the host, or on a real device
  // All of what was mapped for it, NULL for one of a device that is faked. Of a real one, a copy of
  // the memory there.
  unsigned char *memory;
  size_t memory_size;
  uint64_t on_device;    // own; the memory on a real device, 0 elsewhere
  unsigned char *first;  // element (0, ..., 0)
  int32_t rank;          // of what follows: as it is meant, whatever `tensor` says
  int64_t shape[KERNEL_RANK_MAX + 1], strides[KERNEL_RANK_MAX + 1];
  size_t element_bits;
  size_t count;               // elements
  unsigned char *before;      // own; a copy of the memory before the call
  TVMFFIObjectHandle object;  // own; the tensor object, NULL if it is handed over as a borrowed one
} KernelTensor;

// Makes a tensor of this form for `parameter` (KERNEL_TENSOR, typed). Inputs are filled with the
// example's elements and read-only; outputs with the byte 0xA5. Ends the case as inconclusive where
// there is no memory, or the form reaches too far.
KernelTensor new_kernel_tensor(Iut *iut, const KernelParameter *parameter, const TensorForm *form);

// Has the tensor say this of itself, whatever its memory is; it is handed over in the spelling that
// it had.
void kernel_tensor_describe(Iut *iut, KernelTensor *tensor, const DLTensor *described);

// The value to hand over.
TVMFFIAny kernel_tensor_value(const KernelTensor *tensor);

// Copies the elements, one behind the other in the order of their indices, into `out`; returns how
// many bytes that are. `out` NULL only counts.
size_t kernel_tensor_gather(const KernelTensor *tensor, unsigned char *out);

// The elements as kernel_tensor_gather copies them: in the tensor's own memory, if they lie like that there, or else in
// `*copy` (own), which is NULL otherwise. Ends the case as inconclusive if there is no memory.
const unsigned char *kernel_tensor_elements(const KernelTensor *tensor, unsigned char **copy);

// The memory outside the elements, which belongs to the tensor's span or lies before and behind it,
// is as it was.
bool kernel_tensor_gaps_untouched(const KernelTensor *tensor);

// The memory is as it was, the elements included.
bool kernel_tensor_untouched(const KernelTensor *tensor);

// Fills outputs with the byte 0xA5 again, so that the same call can be made anew.
void kernel_tensor_reset(KernelTensor *tensor);

// Has the memory, and the copy of what it held before the call, be these bytes, as many as
// `memory_size` says.
void kernel_tensor_replace(KernelTensor *tensor, const unsigned char *bytes);

// For tensors on a real device, nothing for others: puts the copy there; what it brings is there
// before anything that is put on the stream later. False if the driver refuses. With `blank`, zeros
// in the place of each byte.
bool kernel_tensor_upload(const KernelTensor *tensor, bool blank);
// Has the copy be as the memory there is, when all work of the stream is done.
bool kernel_tensor_download(const KernelTensor *tensor);
// Gives the memory there back, and forgets it.
void kernel_tensor_leave_device(KernelTensor *tensor);

// Writes element `index` (in the order of indices) of a host tensor as a number. False for types
// that have none (complex, vectors).
bool kernel_tensor_number(const KernelTensor *tensor, DLDataType dtype, size_t index, double *out);

// The type of the elements of a file. Types that NumPy has not are written as bytes: those of the tensor that they
// are of, if they are as wide.
DLDataType kernel_npy_dtype(const NpyArray *array, DLDataType of);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_TENSOR_H_
