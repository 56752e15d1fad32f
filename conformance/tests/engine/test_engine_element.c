// SPDX-License-Identifier: Apache-2.0
// Elements of tensors, as this machine's own types have them in memory.
#include <stdint.h>
#include <string.h>

#include "kernel/kernel_element.h"
#include "test_engine.h"

// A number in an element, the element as C has it, and the number back.
#define EXPECT_LIKE(code, type, number)                                                         \
  do {                                                                                          \
    DLDataType dtype = {code, 8 * sizeof(type), 1};                                             \
    unsigned char bytes[sizeof(type) + 1];                                                      \
    type own = (type)(number);                                                                  \
    double back = 0;                                                                            \
    memset(bytes, 0xA5, sizeof bytes);                                                          \
    kernel_element_write(bytes, 0, dtype, number);                                              \
    ck_assert_msg(memcmp(bytes, &own, sizeof own) == 0, #type " %g is written otherwise",       \
                  (double)(number));                                                            \
    ck_assert_uint_eq(bytes[sizeof(type)], 0xA5);                                               \
    ck_assert(kernel_element_read(bytes, 0, dtype, &back));                                     \
    ck_assert_msg(back == (double)(number), #type " %g is read as %g", (double)(number), back); \
  } while (0)

TEST(elements_are_those_of_c)
{
  EXPECT_LIKE(kDLInt, int8_t, -3);
  EXPECT_LIKE(kDLInt, int16_t, -300);
  EXPECT_LIKE(kDLInt, int32_t, -70000);
  EXPECT_LIKE(kDLInt, int64_t, -5000000000);
  EXPECT_LIKE(kDLUInt, uint8_t, 250);
  EXPECT_LIKE(kDLUInt, uint16_t, 65000);
  EXPECT_LIKE(kDLUInt, uint32_t, 4000000000);
  EXPECT_LIKE(kDLUInt, uint64_t, 5000000000);
  EXPECT_LIKE(kDLFloat, float, -2.5);
  EXPECT_LIKE(kDLFloat, double, 1e100);
  EXPECT_LIKE(kDLBool, uint8_t, 1);
}

// Types that C has not are numbers of as many bits.
TEST(short_floats_are_numbers_of_16_bits)
{
  const struct {
    uint8_t code;
    uint16_t bits;
  } rows[] = {{kDLFloat, 0xC100}, {kDLBfloat, 0xC020}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    DLDataType dtype = {rows[i].code, 16, 1};
    unsigned char bytes[2];
    double back = 0;
    kernel_element_write(bytes, 0, dtype, -2.5);
    ck_assert_mem_eq(bytes, &rows[i].bits, 2);
    ck_assert(kernel_element_read(bytes, 0, dtype, &back));
    ck_assert_double_eq(back, -2.5);
  }
}

TEST(complex_numbers_begin_with_the_real_part)
{
  const float own[2] = {-2.5f, 0};
  unsigned char bytes[sizeof own];
  memset(bytes, 0xA5, sizeof bytes);
  kernel_element_write(bytes, 0, (DLDataType){kDLComplex, 64, 1}, -2.5);
  ck_assert_mem_eq(bytes, own, sizeof own);
}

// The first of two elements in a byte has its lower half, on every machine.
TEST(halves_of_a_byte_are_counted_from_below)
{
  unsigned char byte = 0;
  double back = 0;
  kernel_element_write(&byte, 0, (DLDataType){kDLInt, 4, 1}, 5);
  kernel_element_write(&byte, 4, (DLDataType){kDLInt, 4, 1}, -2);
  ck_assert_uint_eq(byte, 0xE5);
  ck_assert(kernel_element_read(&byte, 4, (DLDataType){kDLInt, 4, 1}, &back));
  ck_assert_double_eq(back, -2);
}

// Copied in turn, whole bytes at once or bit by bit; what lies behind is left alone.
TEST(elements_come_round_again)
{
  static const size_t widths[] = {1, 3, 4, 6, 8, 12, 32, 64, 128};
  enum { FIRST = 5, COUNT = 33, ROOM = COUNT * 16 + 1 };
  for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
    for (size_t count = 1; count <= COUNT; ++count) {
      const size_t bits = widths[w], size = (count * bits + 7) / 8;
      const size_t first = count < FIRST ? count : FIRST;
      unsigned char repeated[ROOM] = {0}, expected[ROOM] = {0}, own[16] = {0};
      for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < sizeof own; ++k) own[k] = (unsigned char)(37 * (i % first) + k + 1);
        kernel_element_copy(expected, (int64_t)(i * bits), own, 0, bits);
        if (i < first) kernel_element_copy(repeated, (int64_t)(i * bits), own, 0, bits);
      }
      repeated[size] = expected[size] = 0xA5;
      kernel_elements_repeat(repeated, bits, first, count);
      ck_assert_msg(memcmp(repeated, expected, size + 1) == 0, "%zu of %zu bits", count, bits);
    }
  kernel_elements_repeat(NULL, 32, 0, 0);
}
