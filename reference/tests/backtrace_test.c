// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

// Behind the named frame come native ones, which differ between machines.
static void expect_first(const TVMFFIByteArray *text, const char *line)
{
  ck_assert_uint_ge(text->size, strlen(line));
  ck_assert_int_eq(memcmp(text->data, line, strlen(line)), 0);
}

TEST(the_named_frame_is_a_line)
{
  expect_first(TVMFFIBacktrace("dir/file.c", 42, "solve", 0),
               "  File \"dir/file.c\", line 42, in solve\n");
  expect_first(TVMFFIBacktrace("", -3, "", 1), "  File \"\", line -3, in \n");
  expect_first(TVMFFIBacktrace("%s", INT_MIN, "%n", 1), "  File \"%s\", line -2147483648, in %n\n");
}

TEST(without_both_names_there_is_no_line_for_them)
{
  const TVMFFIByteArray *text = TVMFFIBacktrace("file.c", 1, "before", 0);
  expect_first(text, "  File \"file.c\", line 1, in before\n");
  ck_assert_ptr_null(strstr(TVMFFIBacktrace(NULL, 1, "f", 0)->data, "line 1"));
  ck_assert_ptr_null(strstr(TVMFFIBacktrace("f", 1, NULL, 0)->data, "line 1"));
  ck_assert_ptr_null(strstr(TVMFFIBacktrace(NULL, 1, NULL, 1)->data, "line 1"));
}

TEST(a_thread_has_one_backtrace)
{
  const TVMFFIByteArray *first = TVMFFIBacktrace("a", 1, "b", 0);
  ck_assert_ptr_eq(TVMFFIBacktrace(NULL, 0, NULL, 0), first);
  ck_assert_ptr_eq(TVMFFIBacktrace("c", 2, "d", 0), first);
  expect_first(first, "  File \"c\", line 2, in d\n");
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
  ck_assert_uint_ge(text->size, 200000 + strlen("  File \"\", line 7, in \n"));
  ck_assert_int_eq(text->data[text->size - 1], '\n');
  ck_assert_int_eq(text->data[text->size], '\0');
  free(name);
}

TEST(without_memory_the_backtrace_is_empty)
{
  char *name = name_of_length(300000);  // longer than any before, so that memory is asked for
  expect_first(TVMFFIBacktrace("a", 1, "b", 0), "  File \"a\", line 1, in b\n");
  faults_arm(1);
  const TVMFFIByteArray *text = TVMFFIBacktrace(name, 1, "f", 0);
  ck_assert(faults_disarm());
  expect_text(text, "");
  expect_first(TVMFFIBacktrace("a", 1, "b", 0), "  File \"a\", line 1, in b\n");
  free(name);
}

TEST(the_error_slot_is_left_alone)
{
  TVMFFIErrorSetRaisedFromCStr("KeyError", "still here");
  TVMFFIBacktrace("a", 1, "b", 0);
  expect_raised("KeyError", "still here");
}

// --- The native frames behind it -----------------------------------------------------------------

static const TVMFFIByteArray *seen;

// A function of the C library that calls another one. (By its address: headers may have it inline.)
typedef void *Search(const void *key, const void *elements, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
static Search *volatile search = bsearch;

static int take_unnamed(const void *key, const void *element)
{
  (void)key, (void)element;
  seen = TVMFFIBacktrace(NULL, 0, NULL, 0);
  return 0;
}

static int take_named(const void *key, const void *element)
{
  (void)key, (void)element;
  seen = TVMFFIBacktrace("file.c", 3, "compare", 1);
  return 0;
}

static int raise_there(const void *key, const void *element)
{
  (void)key, (void)element;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "found");
  return 0;
}

TEST(exported_functions_that_it_was_taken_in_are_lines)
{
  search("k", "e", 1, 1, take_unnamed);
  const char *line = strstr(seen->data, "  File \"<unknown>\", line 0, in ");
  ck_assert_ptr_eq(line, seen->data);
  ck_assert_ptr_nonnull(strstr(line, "bsearch\n"));
}

TEST(they_stand_behind_the_named_frame)
{
  search("k", "e", 1, 1, take_named);
  ck_assert_int_eq(strncmp(seen->data, "  File \"file.c\", line 3, in compare\n", 36), 0);
  ck_assert_ptr_nonnull(strstr(seen->data, "bsearch\n"));
  ck_assert_uint_eq(strlen(seen->data), seen->size);
}

TEST(errors_from_c_strings_have_them)
{
  TVMFFIObjectHandle error = NULL;
  search("k", "e", 1, 1, raise_there);
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  ck_assert_ptr_nonnull(strstr(cell->backtrace.data, "bsearch\n"));
  TVMFFIObjectDecRef(error);
}
