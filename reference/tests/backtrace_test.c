// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

TEST(the_named_frame_is_a_line)
{
  expect_text(TVMFFIBacktrace("dir/file.c", 42, "solve", 0),
              "  File \"dir/file.c\", line 42, in solve\n");
  expect_text(TVMFFIBacktrace("", -3, "", 1), "  File \"\", line -3, in \n");
  expect_text(TVMFFIBacktrace("%s", INT_MIN, "%n", 1), "  File \"%s\", line -2147483648, in %n\n");
}

TEST(without_both_names_there_is_no_line)
{
  expect_text(TVMFFIBacktrace("file.c", 1, "before", 0), "  File \"file.c\", line 1, in before\n");
  expect_text(TVMFFIBacktrace(NULL, 1, "f", 0), "");
  expect_text(TVMFFIBacktrace("f", 1, NULL, 0), "");
  expect_text(TVMFFIBacktrace(NULL, 0, NULL, 1), "");
}

TEST(a_thread_has_one_backtrace)
{
  const TVMFFIByteArray *first = TVMFFIBacktrace("a", 1, "b", 0);
  ck_assert_ptr_eq(TVMFFIBacktrace(NULL, 0, NULL, 0), first);
  ck_assert_ptr_eq(TVMFFIBacktrace("c", 2, "d", 0), first);
  expect_text(first, "  File \"c\", line 2, in d\n");
}

static char *name_of_length(size_t length)
{
  char *name = malloc(length + 1);
  memset(name, 'n', length);
  name[length] = '\0';
  return name;
}

TEST(names_may_be_long)
{
  char *name = name_of_length(100000);
  const TVMFFIByteArray *text = TVMFFIBacktrace(name, 7, name, 0);
  ck_assert_uint_eq(text->size, 200000 + strlen("  File \"\", line 7, in \n"));
  ck_assert_int_eq(text->data[text->size - 1], '\n');
  ck_assert_int_eq(text->data[text->size], '\0');
  free(name);
}

TEST(without_memory_the_backtrace_is_empty)
{
  char *name = name_of_length(300000);  // longer than any before, so that memory is asked for
  expect_text(TVMFFIBacktrace("a", 1, "b", 0), "  File \"a\", line 1, in b\n");
  faults_arm(1);
  const TVMFFIByteArray *text = TVMFFIBacktrace(name, 1, "f", 0);
  ck_assert(faults_disarm());
  expect_text(text, "");
  expect_text(TVMFFIBacktrace("a", 1, "b", 0), "  File \"a\", line 1, in b\n");
  free(name);
}

TEST(the_error_slot_is_left_alone)
{
  TVMFFIErrorSetRaisedFromCStr("KeyError", "still here");
  TVMFFIBacktrace("a", 1, "b", 0);
  expect_raised("KeyError", "still here");
}
