// SPDX-License-Identifier: Apache-2.0
// How files of JSON are read, and what is said of those that can't be.
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "inspect/json_file.h"
#include "unit/unit.h"

enum { MOST = 1 << 20 };

static char folder[] = "/tmp/json-file-XXXXXX", pipe_path[64], file_path[64], error[512];

static void make_folder(void)
{
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
  snprintf(file_path, sizeof file_path, "%s/file", folder);
  ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
}

static void remove_folder(void)
{
  unlink(pipe_path);
  unlink(file_path);
  rmdir(folder);
}

static void expect_refusal(const char *path, const char *glob)
{
  size_t size;
  memset(error, 0, sizeof error);
  ck_assert_ptr_null(json_file_load(path, MOST, &size, error, sizeof error));
  ck_assert_msg(fnmatch(glob, error, 0) == 0, "not \"%s\": %s", glob, error);
}

TEST_GROUP(bytes, .setup_once = make_folder, .teardown_once = remove_folder, .timeout = 60);

TEST(what_is_no_file_is_named)
{
  expect_refusal("/nowhere/f.json", "/nowhere/f.json: No such file or directory");
  expect_refusal("", "'': No such file or directory");
  expect_refusal("/", "/: Is a directory");
  expect_refusal("/dev/zero", "/dev/zero: is larger than 1 MiB (the limit)");
}

static void write_file(size_t size)
{
  FILE *file = fopen(file_path, "w");
  ck_assert_ptr_nonnull(file);
  for (size_t i = 0; i < size; ++i) fputc('a' + (int)(i % 23), file);
  ck_assert_int_eq(fclose(file), 0);
}

TEST(files_up_to_the_limit_are_read_whole)
{
  static const size_t sizes[] = {0, 1, (1 << 15) - 1, 1 << 15, (1 << 15) + 1, MOST - 1, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    size_t size = SIZE_MAX;
    write_file(sizes[i]);
    char *text = json_file_load(file_path, MOST, &size, error, sizeof error);
    ck_assert_msg(text && size == sizes[i], "%zu bytes: %zu, %s", sizes[i], size, error);
    for (size_t at = 0; at < size; ++at)
      if (text[at] != 'a' + (int)(at % 23)) ck_abort_msg("byte %zu is wrong", at);
    ck_assert_int_eq(text[size], '\0');
    free(text);
  }
  write_file(MOST + 1);
  expect_refusal(file_path, "*: is larger than 1 MiB (the limit)");
}

// --- Pipes ---------------------------------------------------------------------------------------

TEST(a_pipe_that_nobody_writes_to_is_given_up)
{
  time_t start = time(NULL);
  expect_refusal(pipe_path, "*/pipe: the pipe has no writer");
  ck_assert_int_le(time(NULL) - start, 20);
}

// Opens the pipe after the reader, and says a little at a time.
static void *write_slowly(void *context)
{
  const struct timespec pause = {.tv_nsec = 100000000};
  const char *text = context;
  nanosleep(&pause, NULL);
  int descriptor = open(pipe_path, O_WRONLY);
  for (; *text && descriptor >= 0; ++text) {
    nanosleep(&pause, NULL);
    if (write(descriptor, text, 1) != 1) break;
  }
  if (descriptor >= 0) close(descriptor);
  return NULL;
}

static void expect_from_pipe(char *text)
{
  pthread_t writer;
  size_t size;
  ck_assert_int_eq(pthread_create(&writer, NULL, write_slowly, text), 0);
  char *seen = json_file_load(pipe_path, MOST, &size, error, sizeof error);
  pthread_join(writer, NULL);
  ck_assert_msg(seen != NULL, "%s", error);
  ck_assert_str_eq(seen, text);
  free(seen);
}

TEST(a_pipe_is_read_to_its_end)
{
  expect_from_pipe("[1, 2]");
  expect_from_pipe("");
}

// --- Values --------------------------------------------------------------------------------------

static const struct {
  const char *text, *expected;
} rows[] = {
    {"", "f: is empty (do this)"},
    {" \r\n", "f: is empty (do this)"},
    {"\x1f\x8b\x08", "f: is compressed with gzip (gunzip -k unpacks it)"},
    {"{\"a\": 1", "f:1:*: the file is truncated (do this)"},
    {"[\"\xe2\x82", "f:1:*: the file is truncated (do this)"},
    {"[tru", "f:1:*: the file is truncated (do this)"},
    {"[1]\n x", "f:2:*: not JSON: * (do this)"},
    {"\xff\xff", "f:1:*: not JSON: * (do this)"},
    {"[1,\n 2,]", "f:2:*: not JSON: * (do this)"},
    {"{\"a\": 1,\n\"\\u0061\": 2}", "f:2:*: not JSON: duplicate object key near * (do this)"},
    {"[\"\\u0000\"]", "f:1:*: not JSON: * (do this)"},
    {"{\"\\u0000\": 1}", "f:1:*: not JSON: * (do this)"},
    {"[1e999]", "f:1:*: not JSON: * (do this)"},
    {"[99999999999999999999]", "f:1:*: not JSON: * (do this)"},
    {"[\x1b[31m]", "f:1:*: not JSON: * '?' (do this)"},
    {"7", "f:1:*: not JSON: * (do this)"},
};

TEST_GROUP(values);

TEST(what_is_no_json_is_refused, .rows = ROWS(rows))
{
  const char *text = rows[_i].text;
  ck_assert_ptr_null(json_file_parse("f", text, strlen(text), "do this", error, sizeof error));
  ck_assert_msg(fnmatch(rows[_i].expected, error, 0) == 0, "not \"%s\": %s", rows[_i].expected,
                error);
  ck_assert_ptr_null(json_file_parse("f", text, strlen(text), NULL, error, sizeof error));
  ck_assert_ptr_null(strstr(error, " (do this)"));
}

TEST(what_is_json_is_taken)
{
  json_t *root = json_file_parse("f", "{\"a\": [1]} x", 10, NULL, error, sizeof error);
  ck_assert_int_eq(json_array_size(json_object_get(root, "a")), 1);
  json_decref(root);
}
