// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_close.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_result.h"
#include "kernel/kernel_same.h"

// Elements that lie one behind the other.
typedef struct Elements {
  const unsigned char *bytes;
  size_t count, bits;
  DLDataType dtype;
} Elements;

// How far two of this type may be apart, of the greatest of all; 0: not at all.
static double tolerance_of(DLDataType dtype)
{
  if (dtype.code == kDLBfloat) return 0.05;
  if (dtype.code != kDLFloat) return 0;
  return dtype.bits == 64 ? 1e-9 : dtype.bits == 32 ? 1e-4 : dtype.bits == 16 ? 0.01 : 0;
}

static bool number_at(const Elements *elements, size_t index, double *number)
{
  return kernel_element_read(elements->bytes, (int64_t)(index * elements->bits), elements->dtype,
                             number);
}

static double greatest(const Elements *elements)
{
  double most = 0, number;
  for (size_t i = 0; i < elements->count; ++i)
    if (number_at(elements, i, &number) && isfinite(number) && fabs(number) > most)
      most = fabs(number);
  return most;
}

static bool elements_are_close(const Elements *actual, const Elements *expected, const char *of,
                               char *difference)
{
  double distance = tolerance_of(expected->dtype) * greatest(expected);
  for (size_t i = 0; i < expected->count; ++i) {
    double a, b;
    if (!number_at(actual, i, &a) || !number_at(expected, i, &b)) {
      snprintf(difference, KERNEL_DIFFERENCE_MAX, "%s differs", of);
      return false;
    }
    if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= distance) continue;
    snprintf(difference, KERNEL_DIFFERENCE_MAX, "element %zu of %s is %.9g, not %.9g", i, of, a, b);
    return false;
  }
  return true;
}

static bool are_close(const Elements *actual, const Elements *expected, const char *of,
                      char *difference)
{
  size_t size = (expected->count * expected->bits + 7) / 8;
  bool alike = actual->count == expected->count &&
               memcmp(&actual->dtype, &expected->dtype, sizeof actual->dtype) == 0;
  if (alike && (size == 0 || memcmp(actual->bytes, expected->bytes, size) == 0)) return true;
  if (alike) return elements_are_close(actual, expected, of, difference);
  snprintf(difference, KERNEL_DIFFERENCE_MAX, "%s has another type or shape", of);
  return false;
}

static Elements in_order(const KernelTensor *tensor, unsigned char **copy)
{
  return (Elements){kernel_tensor_elements(tensor, copy), tensor->count, tensor->element_bits,
                    tensor->tensor->dtype};
}

static bool outputs_are_close(const KernelTensor *actual, const KernelTensor *expected,
                              const char *of, char *difference)
{
  unsigned char *a, *b;
  const Elements seen = in_order(actual, &a), wanted = in_order(expected, &b);
  const bool close = are_close(&seen, &wanted, of, difference);
  free(a);
  free(b);
  return close;
}

// The elements of a tensor that lies compactly on the host. False for another value.
static bool elements_of(Iut *iut, const TVMFFIAny *value, Elements *elements)
{
  size_t count;
  const DLTensor *tensor = result_tensor(iut, value, &count);
  if (!tensor) return false;
  *elements = (Elements){(const unsigned char *)tensor->data + tensor->byte_offset, count,
                         (size_t)tensor->dtype.bits * tensor->dtype.lanes, tensor->dtype};
  return true;
}

// What is summed up may be of 32 bits.
static bool numbers_are_close(double one, double other)
{
  if (isinf(one) || isinf(other)) return one == other;
  const double most = fabs(one) > fabs(other) ? fabs(one) : fabs(other);
  return fabs(one - other) <= 1e-4 * most || (isnan(one) && isnan(other));
}

static bool tensors_are_close(Iut *iut, const TVMFFIAny *one, const TVMFFIAny *other)
{
  char ignored[KERNEL_DIFFERENCE_MAX];
  Elements seen, wanted;
  return elements_of(iut, one, &seen) && elements_of(iut, other, &wanted) &&
         are_close(&seen, &wanted, "it", ignored);
}

static bool results_are_close(const KernelCall *actual, const KernelCall *expected,
                              char *difference)
{
  const TVMFFIAny *a = actual->result, *b = expected->result;
  Elements seen, wanted;
  if (kernel_same_result(actual, expected)) return true;
  if (elements_of(actual->iut, a, &seen) && elements_of(actual->iut, b, &wanted))
    return are_close(&seen, &wanted, "the result", difference);
  if (a->type_index == kTVMFFIFloat && b->type_index == kTVMFFIFloat) {
    snprintf(difference, KERNEL_DIFFERENCE_MAX, "the result is %.9g, not %.9g", a->v_float64,
             b->v_float64);
    return numbers_are_close(a->v_float64, b->v_float64);
  }
  snprintf(difference, KERNEL_DIFFERENCE_MAX, "the result differs");
  return kernel_same_held(actual, expected, numbers_are_close, tensors_are_close);
}

bool kernel_is_close(const KernelCall *actual, const KernelCall *expected,
                     char difference[KERNEL_DIFFERENCE_MAX])
{
  char name[64];
  if (actual->returned != 0) {
    snprintf(difference, KERNEL_DIFFERENCE_MAX, "it returns %d, %.150s", actual->returned,
             actual->error_text);
    return false;
  }
  if (actual->device_error[0]) {
    snprintf(difference, KERNEL_DIFFERENCE_MAX, "%.150s", actual->device_error);
    return false;
  }
  const unsigned end = kernel_call_tensor_end(actual);
  for (unsigned i = 0; i < end; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(actual, i);
    if (!tensor->tensor || !kernel_role_is_given(tensor->role) || !tensor->on_host) continue;
    if (!outputs_are_close(tensor, kernel_call_tensor_of(expected, i),
                           kernel_tensor_name(actual->kernel, i, name), difference))
      return false;
  }
  return results_are_close(actual, expected, difference);
}
