// SPDX-License-Identifier: Apache-2.0
// The reader of recordings, on bytes that nobody can trust.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "unit/unit.h"

// A file that is being written.
static unsigned char bytes[1 << 16];
static size_t used;

static void put(const void *from, size_t size)
{
  memcpy(bytes + used, from, size);
  used += size;
}

static void put_number(uint64_t number, size_t size)
{
  put(&number, size);
}

static void begin_file(void)
{
  used = 0;
  put(RECORD_MAGIC, 8);
  put_number(RECORD_VERSION, 4);
  put_number(0, 4);
}

// Returns where its size stands.
static size_t begin_event(unsigned kind, unsigned what, uint64_t serial)
{
  size_t at = used;
  put_number(0, 4);
  put_number(kind, 2);
  put_number(what, 2);
  put_number(0, 4);
  put_number(7, 4);
  put_number(serial, 8);
  return at;
}

static void end_event(size_t at)
{
  uint32_t size = (uint32_t)(used - at);
  memcpy(bytes + at, &size, sizeof size);
  while (used % 8) put_number(0, 1);
}

static void put_int(int64_t value)
{
  put_number(RECORD_INT, 1);
  put_number((uint64_t)value, 8);
}

static void put_text(RecordForm form, uint64_t number, const char *text, uint32_t size)
{
  put_number(RECORD_TEXT, 1);
  put_number(form, 1);
  put_number(number, 8);
  put_number(size, 4);
  put(text, strlen(text));
}

static Recording *read_file(char error[256])
{
  unsigned char *copy = malloc(used + 1);
  memcpy(copy, bytes, used);
  *error = '\0';
  return record_read("x.rec", copy, used, error, 256);
}

static void expect_error(const char *expected)
{
  char error[256];
  ck_assert_ptr_null(read_file(error));
  ck_assert_msg(strstr(error, expected), "%s", error);
}

// One event with the items that `put_items` puts.
static void expect_item(bool good, void (*put_items)(void))
{
  char error[256];
  begin_file();
  size_t at = begin_event(RECORD_BACK, 0, 1);
  put_items();
  end_event(at);
  Recording *recording = read_file(error);
  ck_assert_msg(good == (recording != NULL), "%s", error);
  record_free(recording);
}

TEST(an_empty_recording_is_one)
{
  char error[256];
  begin_file();
  Recording *recording = read_file(error);
  ck_assert_msg(recording, "%s", error);
  ck_assert_uint_eq(recording->count, 0);
  record_free(recording);
}

TEST(other_files_and_versions_are_refused)
{
  begin_file();
  used = 15;
  expect_error("is not a recording");
  begin_file();
  bytes[0] = 'x';
  expect_error("is not a recording");
  begin_file();
  bytes[8] = 2;
  expect_error("is a recording of version 2; this program reads version 1");
}

TEST(sizes_that_are_wrong_are_refused)
{
  static const uint32_t sizes[] = {0, RECORD_EVENT_HEADER - 1, RECORD_EVENT_HEADER + 1, UINT32_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    begin_file();
    size_t at = begin_event(RECORD_BACK, 0, 1);
    memcpy(bytes + at, &sizes[i], 4);
    expect_error("has a size that is wrong");
  }
  begin_file();
  end_event(begin_event(RECORD_BACK, 0, 1));
  used -= 1;
  expect_error("is cut off");
}

TEST(kinds_and_functions_that_are_unknown_are_refused)
{
  begin_file();
  end_event(begin_event(0, 0, 1));
  expect_error("kind that is unknown");
  begin_file();
  end_event(begin_event(RECORD_KINDS, 0, 1));
  expect_error("kind that is unknown");
  begin_file();
  end_event(begin_event(RECORD_LEAF, 0, 1));
  expect_error("function that is unknown");
  begin_file();
  end_event(begin_event(RECORD_LEAF, RECORD_LEAVES, 1));
  expect_error("function that is unknown");
}

TEST(processes_are_few)
{
  begin_file();
  size_t at = begin_event(RECORD_BACK, 0, 1);
  end_event(at);
  memset(bytes + at + 8, 0xff, 4);
  expect_error("process that can't be");
}

// --- Items ---------------------------------------------------------------------------------------

static void put_unknown(void)
{
  put_number(RECORD_TAGS, 1);
}

static void put_cut_int(void)
{
  put_number(RECORD_INT, 1);
  put_number(0, 7);
}

static void put_long_text(void)
{
  put_text(FORM_RAW, 0, "abc", 4);
}

static void put_huge_text(void)
{
  put_text(FORM_RAW, 0, "abc", UINT32_MAX);
}

static void put_long_small_text(void)
{
  put_text(FORM_SMALL, 0, "12345678", 8);
}

static void put_form_unknown(void)
{
  put_text(RECORD_FORMS, 0, "abc", 3);
}

static void put_object_text_without_number(void)
{
  put_text(FORM_OBJECT, 0, "abc", 3);
}

static void put_raw_text_with_number(void)
{
  put_text(FORM_RAW, 1, "abc", 3);
}

static void put_good_text(void)
{
  put_text(FORM_OBJECT, 1, "abc", 3);
}

typedef struct Tensor {
  unsigned flags;
  int32_t ndim;
  int64_t extent;
  uint64_t bytes;
  size_t data;
} Tensor;

static Tensor tensor;

static void put_tensor(void)
{
  put_number(RECORD_TENSOR, 1);
  put_number(tensor.flags & TENSOR_IS_VIEW ? 0 : 5, 8);
  put_number(tensor.flags, 1);
  put_number(1, 4);
  put_number(0, 4);
  put_number(2 | 32 << 8 | 1 << 16, 4);
  put_number((uint32_t)tensor.ndim, 4);
  for (int32_t i = 0; i < tensor.ndim && i <= RECORD_DIMS_MAX; ++i)
    put_number((uint64_t)tensor.extent, 8);
  put_number(0, 8);
  put_number(tensor.bytes, 8);
  put_number(0, 8);
  for (size_t i = 0; i < tensor.data; ++i) put_number(i, 1);
}

typedef struct TensorRow {
  bool good;
  Tensor tensor;
} TensorRow;

enum { ALL = TENSOR_HAS_DATA | TENSOR_HAS_DIGEST };

static const TensorRow tensors[] = {
    {true, {ALL, 1, 3, 12, 12}},
    {true, {ALL | TENSOR_IS_VIEW, 1, 3, 12, 12}},
    {true, {TENSOR_HAS_DIGEST, 1, 3, 12, 0}},
    {true, {0, 2, 1 << 20, 0, 0}},
    {false, {ALL, 1, 3, 12, 11}},                  // its bytes are cut
    {false, {ALL, 1, 3, 13, 13}},                  // not those of its extents
    {false, {TENSOR_HAS_DATA, 1, 3, 12, 12}},      // bytes of what could not be read
    {false, {ALL, 1, -3, 12, 12}},                 // a negative extent
    {false, {ALL, 4, 1 << 20, 0, 0}},              // more than there are addresses
    {false, {ALL, -1, 0, 4, 4}},                   // no rank
    {false, {ALL, RECORD_DIMS_MAX + 1, 1, 4, 4}},  // too many axes
    {false, {ALL, 1, 1 << 20, 4 << 20, 100}},      // more bytes than are kept
};

TEST(tensors_are_what_their_extents_say, .rows = ROWS(tensors))
{
  tensor = tensors[_i].tensor;
  expect_item(tensors[_i].good, put_tensor);
}

static void put_object(void)
{
  put_number(RECORD_OBJECT, 1);
  put_number(0, 8);
  put_number(128, 4);
  put_number(0, 4);
}

static void put_shape(void)
{
  put_number(RECORD_SHAPE, 1);
  put_number(3, 8);
  put_number(RECORD_DIMS_MAX + 1, 4);
  for (int i = 0; i <= RECORD_DIMS_MAX; ++i) put_number(1, 8);
}

static void put_error(void)
{
  put_number(RECORD_ERROR, 1);
  put_number(3, 8);
  put_number(1, 4);
  put_number(2, 4);
  put_number(0, 2);
}

static void put_many(void)
{
  for (int i = 0; i <= RECORD_ITEMS_MAX; ++i) put_number(RECORD_NONE, 1);
}

typedef struct ItemRow {
  bool good;
  void (*put)(void);
} ItemRow;

static const ItemRow items[] = {{true, put_good_text},
                                {false, put_unknown},
                                {false, put_cut_int},
                                {false, put_long_text},
                                {false, put_huge_text},
                                {false, put_long_small_text},
                                {false, put_form_unknown},
                                {false, put_object_text_without_number},
                                {false, put_raw_text_with_number},
                                {false, put_object},
                                {false, put_shape},
                                {false, put_error},
                                {false, put_many}};

TEST(items_are_looked_at_within_their_bounds, .rows = ROWS(items))
{
  expect_item(items[_i].good, items[_i].put);
}

// Each prefix of a good file is a file that is cut, or a shorter one.
TEST(files_that_are_cut_are_read_or_refused)
{
  char error[256];
  begin_file();
  size_t at = begin_event(RECORD_CALL, 0, 1);
  put_good_text();
  put_int(3);
  end_event(at);
  size_t whole = used;
  for (used = 0; used < whole; ++used) record_free(read_file(error));
}

// --- Files ---------------------------------------------------------------------------------------

static void expect_load_error(const char *path, const char *expected)
{
  char error[256];
  ck_assert_ptr_null(record_load(path, error, sizeof error));
  ck_assert_msg(strstr(error, expected), "%s", error);
}

TEST(files_are_loaded_or_refused)
{
  char path[] = "/tmp/record.XXXXXX", error[256];
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  begin_file();
  end_event(begin_event(RECORD_BACK, 0, 1));
  ck_assert_int_eq(write(file, bytes, used), (ssize_t)used);
  Recording *recording = record_load(path, error, sizeof error);
  ck_assert_msg(recording && recording->count == 1, "%s", error);
  record_free(recording);
  ck_assert_int_eq(ftruncate(file, (off_t)RECORD_FILE_MAX + 1), 0);  // sparse
  expect_load_error(path, "is larger than 256 MiB");
  close(file);
  unlink(path);
  expect_load_error(path, "No such file");
  expect_load_error("/", "is not a regular file");
  record_free(NULL);
}

// --- Nesting -------------------------------------------------------------------------------------

static void put_empty(RecordKind kind, uint64_t serial)
{
  end_event(begin_event(kind, 0, serial));
}

TEST(each_call_finds_its_end)
{
  char error[256];
  begin_file();
  put_empty(RECORD_END, 1);  // of nothing
  put_empty(RECORD_CALL, 2);
  put_empty(RECORD_BACK, 3);
  put_empty(RECORD_END, 4);
  put_empty(RECORD_END, 5);
  put_empty(RECORD_CALL, 6);  // without an end
  Recording *recording = read_file(error);
  ck_assert_msg(recording, "%s", error);
  const RecordEvent *events = recording->events;
  ck_assert_uint_eq(events[1].end, 4);
  ck_assert_uint_eq(events[2].end, 3);
  ck_assert_uint_eq(events[2].depth, 1);
  ck_assert_uint_eq(events[5].end, 0);
  record_free(recording);
}

TEST(events_are_in_their_order)
{
  char error[256];
  begin_file();
  put_empty(RECORD_END, 9);
  put_empty(RECORD_CALL, 8);
  Recording *recording = read_file(error);
  ck_assert_uint_eq(recording->events[0].serial, 8);
  ck_assert_uint_eq(recording->events[0].end, 1);
  record_free(recording);
}

TEST(what_is_printed_is_fit_for_a_terminal)
{
  char text[64], error[256];
  begin_file();
  size_t at = begin_event(RECORD_BACK, 0, 1);
  put_text(FORM_RAW, 0, "\x1b[31m\"", 6);
  end_event(at);
  Recording *recording = read_file(error);
  RecordItem item;
  uint32_t next = 0;
  ck_assert(record_next(&recording->events[0], &next, &item));
  record_item_text(&item, text, sizeof text);
  ck_assert_str_eq(text, "\"\\x1b[31m\\x22\"");
  ck_assert_uint_gt(record_item_text(&item, text, 4), 3);
  ck_assert_str_eq(text, "\"\\x");
  ck_assert(!record_next(&recording->events[0], &next, &item));
  record_free(recording);
}
