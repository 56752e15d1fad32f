// SPDX-License-Identifier: Apache-2.0
// rows(x, starts, mode, y): something of each row of x from a column on, of floats or doubles. A file that
// includes it says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_ROWS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_ROWS_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// What a sum is kept in.
#ifndef SUM_TYPE
#define SUM_TYPE double
#endif
#ifndef LEAST
#define LEAST (-INFINITY)
#endif
// Of an extent and its stride, where compact rows have another one; `at` is the dimension.
#ifndef FOLLOWS
#define FOLLOWS(tensor, at) false
#endif
// What is subtracted before exp().
#ifndef TOP
#define TOP(row) rows_most(row)
#endif
#ifndef NORM
#define NORM(mean) sqrt((mean) + 1e-5)
#endif
#ifndef AT_START
#define AT_START (void)0
#endif

typedef struct Row {
  const char *first;
  int64_t start, count;
  bool wide;
} Row;

static double rows_get(const Row *row, int64_t i)
{
  return row->wide ? ((const double *)(const void *)row->first)[i]
                   : (double)((const float *)(const void *)row->first)[i];
}

__attribute__((unused)) static double rows_most(const Row *row)
{
  double most = LEAST;
  for (int64_t i = 0; i < row->count; ++i) most = fmax(most, rows_get(row, i));
  return most;
}

static double rows_sum(const Row *row)
{
  SUM_TYPE sum = 0;
  for (int64_t i = row->start; i < row->count; ++i) sum += (SUM_TYPE)rows_get(row, i);
  return (double)sum;
}

static double rows_soft(const Row *row, int64_t at)
{
  const double top = TOP(row);
  double sum = 0;
  for (int64_t i = 0; i < row->count; ++i)
    sum += row->wide ? exp(rows_get(row, i) - top) : (double)expf((float)(rows_get(row, i) - top));
  const double own =
      row->wide ? exp(rows_get(row, at) - top) : (double)expf((float)(rows_get(row, at) - top));
  return own / sum;
}

static double rows_norm(const Row *row, int64_t at)
{
  double sum = 0;
  for (int64_t i = 0; i < row->count; ++i) sum += rows_get(row, i) * rows_get(row, i);
  return rows_get(row, at) / NORM(sum / (double)row->count);
}

// In float, as a kernel works it out: other values of x are on an edge here than in the formula.
static double rows_level(const Row *row, int64_t at)
{
  const float step = 127 / (float)rows_most(row);
  return (double)rintf((float)rows_get(row, at) * step);
}

static int rows_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *rows_tensor(const TVMFFIAny *arg, uint8_t code, int32_t rank)
{
  const DLTensor *tensor = NULL;
  int64_t stride = 1;
  if (arg->type_index == kTVMFFITensor)
    tensor = (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  if (arg->type_index == kTVMFFIDLTensorPtr) tensor = arg->v_ptr;
  if (!tensor || tensor->ndim != rank || tensor->dtype.code != code || tensor->dtype.lanes != 1 ||
      tensor->device.device_type != kDLCPU)
    return NULL;
  if (tensor->dtype.bits != 32 && (tensor->dtype.bits != 64 || code != kDLFloat)) return NULL;
  for (int32_t i = rank; i-- > 0;) {
    if (tensor->strides && tensor->shape[i] > 1 && tensor->strides[i] != stride &&
        !FOLLOWS(tensor, i))
      return NULL;
    stride *= tensor->shape[i];
  }
  return tensor->data || stride == 0 ? tensor : NULL;
}

static int rows_mode(const TVMFFIAny *arg)
{
  static const char *const modes[] = {"sum", "max", "soft", "norm", "level"};
  TVMFFIByteArray text = {"", 0};
  if (arg->type_index == kTVMFFIRawStr)
    text = (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
  else if (arg->type_index == kTVMFFISmallStr)
    text = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
  else if (arg->type_index == kTVMFFIStr)
    text =
        *(const TVMFFIByteArray *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  for (int i = 0; i < 5; ++i)
    if (text.size == strlen(modes[i]) && memcmp(text.data, modes[i], text.size) == 0) return i;
  return -1;
}

static double rows_value(const Row *row, int mode, int64_t at)
{
  switch (mode) {
    case 0:
      return rows_sum(row);
    case 1:
      return rows_most(row);
    case 2:
      return rows_soft(row, at);
    case 3:
      return rows_norm(row, at);
    default:
      return rows_level(row, at);
  }
}

__attribute__((visibility("default"))) int __tvm_ffi_rows(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_rows(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  (void)result;
  if (num_args != 4) return rows_fail("TypeError", "rows takes 4 arguments");
  const DLTensor *x = rows_tensor(&args[0], kDLFloat, 2);
  const DLTensor *starts = rows_tensor(&args[1], kDLInt, 1);
  const DLTensor *y = rows_tensor(&args[3], kDLFloat, 2);
  const int mode = rows_mode(&args[2]);
  if (!x || !starts || !y) return rows_fail("TypeError", "x, starts, y have to be compact tensors");
  if (mode < 0) return rows_fail("ValueError", "mode is not known");
  const int64_t n = x->shape[0], m = x->shape[1];
  if (y->shape[0] != n || y->shape[1] != m || starts->shape[0] != n ||
      y->dtype.bits != x->dtype.bits)
    return rows_fail("ValueError", "x, starts and y differ");
  const char *start_data = (const char *)starts->data + starts->byte_offset;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t start = ((const int32_t *)(const void *)start_data)[i];
    if (start < 0 || start > m) return rows_fail("ValueError", "a start is beyond its row");
  }
  for (int64_t i = 0; i < n; ++i) {
    const size_t size = x->dtype.bits / 8u;
    const char *first = (const char *)x->data + x->byte_offset + (size_t)(i * m) * size;
    const Row row = {first, ((const int32_t *)(const void *)start_data)[i], m, size == 8};
    char *to = (char *)y->data + y->byte_offset + (size_t)(i * m) * size;
    AT_START;
    for (int64_t k = 0; k < m; ++k) {
      const double value = rows_value(&row, mode, k);
      if (row.wide)
        ((double *)(void *)to)[k] = value;
      else
        ((float *)(void *)to)[k] = (float)value;
    }
  }
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_ROWS_H_
