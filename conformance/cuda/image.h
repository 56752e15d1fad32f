// SPDX-License-Identifier: Apache-2.0
// What the stand-in for the driver reads of an image that a module wants loaded: the names of its
// kernels, and how large their arguments are. An image is a cubin (an ELF file), a fat binary with
// several of them, or PTX as text. It has no stated size, so every byte is read through
// read_safely(): what is not mapped ends the reading.
#ifndef TVMFFI_CONFORMANCE_CUDA_IMAGE_H_
#define TVMFFI_CONFORMANCE_CUDA_IMAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/account.h"

typedef struct ImageKernel {
  char name[CUDA_NAME_MAX];  // cut where it is longer
  bool has_arguments;        // the image says how large they are
  unsigned argument_count;
  uint16_t argument_at[CUDA_ARGUMENTS_MAX], argument_size[CUDA_ARGUMENTS_MAX];
} ImageKernel;

typedef enum ImageAnswer {
  IMAGE_HAS,
  IMAGE_LACKS,
  IMAGE_HIDES,  // it is compressed: what it holds can't be told
  IMAGE_BROKEN,
} ImageAnswer;

// Whether this may be an image at all.
bool image_is_one(const void *image);
// Looks for a kernel; `kernel` is filled with the name and what the image says of it.
ImageAnswer image_find_kernel(const void *image, const char *name, ImageKernel *kernel);
// Looks for a variable and its size in bytes.
ImageAnswer image_find_variable(const void *image, const char *name, size_t *size);

#endif  // TVMFFI_CONFORMANCE_CUDA_IMAGE_H_
