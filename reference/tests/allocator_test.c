// SPDX-License-Identifier: Apache-2.0
// The custom allocator: the one that is built in, and others that are only kept.
#include <stddef.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

static TVMFFIObjectAllocHeader *header_of(void *memory)
{
  return (TVMFFIObjectAllocHeader *)memory - 1;
}

static void *allocate(size_t size, size_t alignment)
{
  const TVMFFICustomAllocator *allocator = TVMFFIGetCustomAllocator();
  return allocator->allocate(size, alignment, kTVMFFIObject, allocator->context);
}

static const size_t sizes[] = {0, 1, 7, 24, 72, 4096, 1000000};
static const size_t alignments[] = {0, 1, 2, 8, 16, 32, 64, 4096};

TEST(memory_is_aligned_and_says_how_it_is_freed, .rows = ROWS(sizes))
{
  for (size_t i = 0; i < sizeof alignments / sizeof *alignments; ++i) {
    char *memory = allocate(sizes[_i], alignments[i]);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq((uintptr_t)memory % _Alignof(max_align_t), 0);
    if (alignments[i] != 0) ck_assert_uint_eq((uintptr_t)memory % alignments[i], 0);
    memset(memory, 0x5a, sizes[_i]);
    header_of(memory)->delete_space(memory);
  }
  char *memory = allocate(1, 1);
  header_of(memory)->delete_space(NULL);  // which is no memory
  header_of(memory)->delete_space(memory);
}

static const size_t odd[] = {3, 5, 6, 12, 24, SIZE_MAX, SIZE_MAX / 2 + 2};

TEST(alignments_are_powers_of_two, .rows = ROWS(odd))
{
  ck_assert_ptr_null(allocate(8, odd[_i]));
  expect_raised("ValueError", "`alignment`");
}

static const struct {
  size_t size, alignment;
} absurd[] = {
    {SIZE_MAX, 8},         {SIZE_MAX - 40, 8},
    {PTRDIFF_MAX - 8, 8},  {PTRDIFF_MAX, 64},
    {8, SIZE_MAX / 2 + 1}, {8, SIZE_MAX / 4 + 1},
    {SIZE_MAX, 4096},      {PTRDIFF_MAX, SIZE_MAX / 2 + 1},
};

TEST(what_no_memory_holds_is_refused, .rows = ROWS(absurd))
{
  ck_assert_ptr_null(allocate(absurd[_i].size, absurd[_i].alignment));
  expect_raised("InternalError", "memory");
}

TEST(want_of_memory_is_reported)
{
  faults_arm(1);
  ck_assert_ptr_null(allocate(8, 8));
  ck_assert(faults_disarm());
  expect_raised("InternalError", "memory");
}

static void *never(size_t size, size_t alignment, int32_t type_index, void *context)
{
  (void)size, (void)alignment, (void)type_index, (void)context;
  return NULL;
}

static TVMFFICustomAllocator other = {.allocate = never};

static long sees_the_other(int number)
{
  (void)number;
  return TVMFFIGetCustomAllocator() == &other;
}

TEST(an_allocator_is_kept_by_address)
{
  TVMFFICustomAllocator *built_in = TVMFFIGetCustomAllocator();
  TVMFFIAny before, after;
  ck_assert_ptr_eq(TVMFFIGetCustomAllocator(), built_in);
  ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("eight or more"), &before), 0);
  ck_assert_int_eq(TVMFFISetCustomAllocator(&other), 0);
  ck_assert_int_eq(run_threads(2, sees_the_other), 2);
  // Objects of the runtime need it neither to begin nor to end.
  ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("eight or more"), &after), 0);
  TVMFFIObjectDecRef(before.v_obj);
  ck_assert_int_eq(TVMFFISetCustomAllocator(NULL), 0);
  ck_assert_ptr_eq(TVMFFIGetCustomAllocator(), built_in);
  TVMFFIObjectDecRef(after.v_obj);
}

TEST(an_allocator_needs_its_function)
{
  TVMFFICustomAllocator *built_in = TVMFFIGetCustomAllocator(), hollow = {.context = &hollow};
  ck_assert_int_eq(TVMFFISetCustomAllocator(&hollow), -1);
  expect_raised("ValueError", "`allocator->allocate`");
  ck_assert_ptr_eq(TVMFFIGetCustomAllocator(), built_in);
}
