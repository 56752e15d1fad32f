// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_element.h"

#include <string.h>

static int64_t byte_of(int64_t bit)
{
  return bit >= 0 ? bit / 8 : -((7 - bit) / 8);
}

void kernel_element_copy(unsigned char *to, int64_t to_bit, const unsigned char *from,
                         int64_t from_bit, size_t bits)
{
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

// --- Floats as bits ------------------------------------------------------------------------------

static uint64_t half_bits(double value)
{
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000, fraction = bits & 0x7fffff;
  int32_t exponent = (int32_t)(bits >> 23 & 0xff) - 127 + 15;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent <= 0) return sign;
  return sign | (uint32_t)exponent << 10 | fraction >> 13;
}

static double half_value(uint64_t half)
{
  uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff;
  double value = exponent ? (1.0 + fraction / 1024.0) : fraction / 1024.0;
  int32_t power = exponent ? (int32_t)exponent - 15 : -14;
  for (; power > 0; --power) value *= 2;
  for (; power < 0; ++power) value /= 2;
  if (exponent == 31) value = fraction ? __builtin_nan("") : __builtin_inf();
  return half & 0x8000 ? -value : value;
}

static uint64_t float_bits(DLDataType dtype, double value)
{
  uint64_t bits = 0;
  float single = (float)value;
  uint32_t wide;
  memcpy(&wide, &single, sizeof wide);
  if (dtype.code == kDLBfloat) return wide >> 16;
  if (dtype.bits == 64)
    memcpy(&bits, &value, sizeof value);
  else if (dtype.bits == 32)
    bits = wide;
  else if (dtype.bits == 16)
    bits = half_bits(value);
  else
    bits = (uint64_t)(int64_t)value;
  return bits;
}

static bool is_plain_float(DLDataType dtype)
{
  if (dtype.code == kDLBfloat) return dtype.bits == 16;
  return dtype.code == kDLFloat && (dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64);
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

void kernel_element_write(unsigned char *base, int64_t bit, DLDataType dtype, double value)
{
  unsigned char bytes[16] = {0};
  uint64_t bits;
  if (dtype.code == kDLBool)
    bits = (uint64_t)value & 1;
  else if (dtype.code == kDLFloat || dtype.code == kDLBfloat)
    bits = float_bits(dtype, value);
  else if (dtype.code == kDLComplex)
    bits = float_bits((DLDataType){kDLFloat, (uint8_t)(dtype.bits / 2), 1}, value);
  else
    bits = (uint64_t)(int64_t)value;
  store_bits(bytes, dtype.code == kDLComplex ? dtype.bits / 2 : dtype.bits, bits);
  for (unsigned lane = 0; lane < (dtype.lanes ? dtype.lanes : 1u); ++lane)
    for (size_t done = 0; done < dtype.bits;) {
      size_t part = dtype.bits - done < 128 ? dtype.bits - done : 128;
      kernel_element_copy(base, bit + (int64_t)lane * dtype.bits + (int64_t)done, bytes, 0, part);
      done += part;
    }
}

bool kernel_element_read(const unsigned char *base, int64_t bit, DLDataType dtype, double *value)
{
  uint64_t bits;
  unsigned char bytes[8] = {0};
  if (dtype.lanes != 1 || dtype.bits > 64 || dtype.bits == 0) return false;
  bool integer = dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
  if (!integer && !is_plain_float(dtype)) return false;
  kernel_element_copy(bytes, 0, base, bit, dtype.bits);
  bits = load_bits(bytes, dtype.bits);
  if (dtype.code == kDLInt && dtype.bits < 64 && bits >> (dtype.bits - 1) & 1)
    bits |= ~UINT64_C(0) << dtype.bits;
  if (dtype.code == kDLInt) {
    *value = (double)(int64_t)bits;
  } else if (integer) {
    *value = (double)bits;
  } else if (dtype.bits == 64) {
    memcpy(value, &bits, sizeof *value);
  } else if (dtype.bits == 32 || dtype.code == kDLBfloat) {
    uint32_t narrow = (uint32_t)(dtype.code == kDLBfloat ? bits << 16 : bits);
    float single;
    memcpy(&single, &narrow, sizeof single);
    *value = (double)single;
  } else {
    *value = half_value(bits);
  }
  return true;
}
