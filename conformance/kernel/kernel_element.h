// SPDX-License-Identifier: Apache-2.0
// Single elements of tensors, of any data type, at any bit.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_ELEMENT_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_ELEMENT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"

// Copies `bits` bits, from bit `from_bit` behind `from` to bit `to_bit` behind `to`. Offsets may be
// negative, and are multiples of 8 where `bits` is.
void kernel_element_copy(unsigned char *to, int64_t to_bit, const unsigned char *from,
                         int64_t from_bit, size_t bits);

// The first `made` of `count` elements, of `bits` bits each and one behind the other, are there: the
// others become like them, in turn.
void kernel_elements_repeat(unsigned char *elements, size_t bits, size_t made, size_t count);

// Writes `value` as an element of this type at bit `bit` behind `base`: as the nearest float of its
// type, as an integer modulo its width, as a bool (odd is true). Each lane of a vector, and the real
// part of a complex number, gets it. Types that have no numbers get the low bits of the integer.
void kernel_element_write(unsigned char *base, int64_t bit, DLDataType dtype, long double value);

// The other way round, for types with one lane. False for complex numbers, vectors, and types that
// have no numbers.
bool kernel_element_number(const unsigned char *base, int64_t bit, DLDataType dtype,
                           long double *value);
bool kernel_element_read(const unsigned char *base, int64_t bit, DLDataType dtype, double *value);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_ELEMENT_H_
