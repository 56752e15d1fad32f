// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_element.h"

#include <math.h>
#include <string.h>

#include "expression/expression_type.h"

static int64_t byte_of(int64_t bit)
{
  return bit >= 0 ? bit / 8 : -((7 - bit) / 8);
}

void kernel_element_copy(unsigned char *to, int64_t to_bit, const unsigned char *from,
                         int64_t from_bit, size_t bits)
{
  // A size that is known is a single instruction.
  if (bits == 32) {
    memcpy(to + byte_of(to_bit), from + byte_of(from_bit), 4);
    return;
  }
  if (bits == 8) {
    to[byte_of(to_bit)] = from[byte_of(from_bit)];
    return;
  }
  if (bits % 8 == 0) {
    memcpy(to + byte_of(to_bit), from + byte_of(from_bit), bits / 8);
    return;
  }
  for (size_t i = 0; i < bits; ++i) {
    int64_t source = from_bit + (int64_t)i, target = to_bit + (int64_t)i;
    int64_t byte = byte_of(target);
    unsigned mask = 1u << (target - byte * 8);
    bool set = from[byte_of(source)] >> (source - byte_of(source) * 8) & 1;
    to[byte] = (unsigned char)((to[byte] & ~mask) | (set ? mask : 0));
  }
}

void kernel_elements_repeat(unsigned char *elements, size_t bits, size_t made, size_t count)
{
  if (made == 0) return;
  if (made * bits % 8 != 0) {
    for (size_t i = made; i < count; ++i)
      kernel_element_copy(elements, (int64_t)(i * bits), elements, (int64_t)((i - made) * bits),
                          bits);
    return;
  }
  // Each turn copies all that is there.
  const size_t size = (count * bits + 7) / 8;
  for (size_t done = made * bits / 8; done < size;) {
    const size_t part = size - done < done ? size - done : done;
    memcpy(elements + done, elements, part);
    done += part;
  }
}

// --- Elements ------------------------------------------------------------------------------------

// Where the byte of an element stands that is the i-th of its number from the least significant on.
// Elements of no whole bytes begin with the least significant bit on every machine.
static size_t place_of(size_t i, size_t bits)
{
  bool falls = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && bits % 8 == 0 && bits <= 128;
  return falls ? bits / 8 - 1 - i : i;
}

static void store_bits(unsigned char bytes[16], size_t size, uint64_t bits)
{
  for (size_t i = 0; i < 8 && i * 8 < size; ++i)
    bytes[place_of(i, size)] = (unsigned char)(bits >> i * 8);
}

static uint64_t load_bits(const unsigned char bytes[8], size_t size)
{
  uint64_t bits = 0;
  for (size_t i = 0; i < 8 && i * 8 < size; ++i)
    bits |= (uint64_t)bytes[place_of(i, size)] << i * 8;
  return bits;
}

// The type of a number in a lane; the real part of a complex number.
static bool number_type(DLDataType dtype, ExpressionType *type)
{
  bool complex = dtype.code == kDLComplex;
  return expression_type_of(complex ? kDLFloat : dtype.code,
                            complex ? (uint8_t)(dtype.bits / 2) : dtype.bits, type);
}

// Elements of the usual types, of which tensors are large. False for others.
static bool write_plain(unsigned char *at, DLDataType dtype, long double value)
{
  const bool whole = dtype.code == kDLInt || dtype.code == kDLUInt;
  if (dtype.lanes != 1) return false;
  if (dtype.code == kDLFloat && dtype.bits == 32 && !isnan(value)) {
    const float number = (float)value;
    memcpy(at, &number, sizeof number);
    return true;
  }
  if (!whole || !(value > -0x1p63L - 1 && value < 0x1p64L)) return false;
  const uint64_t bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  const uint32_t word = (uint32_t)bits;
  if (dtype.bits == 64) memcpy(at, &bits, sizeof bits);
  if (dtype.bits == 32) memcpy(at, &word, sizeof word);
  if (dtype.bits == 8) *at = (unsigned char)bits;
  return dtype.bits == 64 || dtype.bits == 32 || dtype.bits == 8;
}

void kernel_element_write(unsigned char *base, int64_t bit, DLDataType dtype, long double value)
{
  if (write_plain(base + byte_of(bit), dtype, value)) return;
  unsigned char bytes[16] = {0};
  ExpressionType type;
  bool known = number_type(dtype, &type);
  const bool whole = value > -9.2e18L && value < 9.2e18L;  // no NaN either
  uint64_t bits = whole ? (uint64_t)(int64_t)value : 0;
  if (dtype.code == kDLBool)
    bits &= 1;
  else if (known)
    bits = expression_type_encode(&type, value);
  store_bits(bytes, dtype.code == kDLComplex ? dtype.bits / 2 : dtype.bits, bits);
  for (unsigned lane = 0; lane < (dtype.lanes ? dtype.lanes : 1u); ++lane)
    for (size_t done = 0; done < dtype.bits;) {
      size_t part = dtype.bits - done < 128 ? dtype.bits - done : 128;
      kernel_element_copy(base, bit + (int64_t)lane * dtype.bits + (int64_t)done, bytes, 0, part);
      done += part;
    }
}

// What write_plain writes, the other way round.
static bool read_plain(const unsigned char *at, DLDataType dtype, long double *value)
{
  float number;
  double twice;
  int32_t word;
  int64_t words;
  if (dtype.lanes != 1) return false;
  if (dtype.code == kDLFloat && dtype.bits == 32) {
    memcpy(&number, at, sizeof number);
    *value = number;
  } else if (dtype.code == kDLFloat && dtype.bits == 64) {
    memcpy(&twice, at, sizeof twice);
    *value = twice;
  } else if (dtype.code == kDLInt && dtype.bits == 32) {
    memcpy(&word, at, sizeof word);
    *value = word;
  } else if (dtype.code == kDLInt && dtype.bits == 64) {
    memcpy(&words, at, sizeof words);
    *value = words;
  } else {
    return false;
  }
  return true;
}

bool kernel_element_number(const unsigned char *base, int64_t bit, DLDataType dtype,
                           long double *value)
{
  unsigned char bytes[8] = {0};
  ExpressionType type;
  if (read_plain(base + byte_of(bit), dtype, value)) return true;
  if (dtype.lanes != 1 || dtype.code == kDLComplex || !number_type(dtype, &type)) return false;
  kernel_element_copy(bytes, 0, base, bit, dtype.bits);
  *value = expression_type_decode(&type, load_bits(bytes, dtype.bits));
  return true;
}

bool kernel_element_read(const unsigned char *base, int64_t bit, DLDataType dtype, double *value)
{
  long double number;
  if (!kernel_element_number(base, bit, dtype, &number)) return false;
  *value = (double)number;
  return true;
}
