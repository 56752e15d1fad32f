// SPDX-License-Identifier: Apache-2.0
// `tvmffi-conform vectors`: what it writes, what it leaves alone and how it says so.
#include <dirent.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

static void expect_text(const char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "not \"%s\":\n%s", glob, text);
}

// Runs it, expects this exit code, and drops what it wrote unless `out` and `err` are to match.
static void run(int exit_code, const char *const *words, const char *out, const char *err)
{
  ToolRun run = tool_run(NULL, words);
  ck_assert_msg(run.exit_code == exit_code, "exit code %d, not %d\n%s%s", run.exit_code, exit_code,
                run.out, run.err);
  expect_text(run.out, out);
  expect_text(run.err, err);
  tool_free(&run);
}

static char *read_file(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s is not there", path);
  char *data = malloc(1 << 20);
  *size = fread(data, 1, 1 << 20, file);
  ck_assert_msg(*size < 1 << 20, "%s is too large for the test", path);
  fclose(file);
  return data;
}

static bool is_json(const char *name)
{
  return fnmatch("*.json", name, 0) == 0;
}

static size_t count_files(const char *folder)
{
  DIR *stream = opendir(folder);
  size_t count = 0;
  ck_assert_msg(stream != NULL, "%s is not there", folder);
  for (struct dirent *entry; (entry = readdir(stream));) count += entry->d_name[0] != '.';
  closedir(stream);
  return count;
}

// Expects the folder to hold the vectors and schemas of the specification, each of them, and
// nothing else.
static void expect_vectors(const char *folder)
{
  DIR *stream = opendir(VECTORS_FOLDER);
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(stream));) {
    if (!is_json(entry->d_name)) continue;
    char source[4096], written[4096];
    size_t source_size, written_size;
    snprintf(source, sizeof source, "%s/%s", VECTORS_FOLDER, entry->d_name);
    snprintf(written, sizeof written, "%s/%s", folder, entry->d_name);
    char *expected = read_file(source, &source_size), *seen = read_file(written, &written_size);
    ck_assert_msg(source_size == written_size && memcmp(expected, seen, source_size) == 0,
                  "%s: exists with other content", written);
    free(expected);
    free(seen);
    ++count;
  }
  closedir(stream);
  ck_assert_uint_ge(count, 6);
  ck_assert_uint_eq(count_files(folder), count);
}

static void put(const char *folder, const char *name, const char *text)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

TEST(all_files_are_written_and_named)
{
  const char *folder = tool_path("all");
  ToolRun first = tool_run(NULL, TOOL("vectors", folder));
  ck_assert_int_eq(first.exit_code, 0);
  ck_assert_str_eq(first.err, "");
  expect_vectors(folder);
  size_t lines = 0;
  for (const char *at = first.out; (at = strchr(at, '\n')); ++at) ++lines;
  ck_assert_uint_eq(lines, count_files(folder));
  expect_text(first.out, "*/any.json  [1-9]* bytes\n*/library_bin.schema.json  [1-9]* bytes\n");
  tool_free(&first);
}

TEST(they_are_readable_as_other_files_are)
{
  const char *folder = tool_path("mode");
  char path[4096];
  struct stat file;
  mode_t mask = umask(022);
  run(0, TOOL("vectors", folder), "*", "");
  umask(mask);
  snprintf(path, sizeof path, "%s/any.json", folder);
  ck_assert_int_eq(stat(path, &file), 0);
  ck_assert_uint_eq(file.st_mode & 0777, 0644);
}

TEST(without_a_name_the_folder_is_vectors)
{
  const char *place = tool_path("place");
  char command[8192], folder[4096];
  ck_assert_int_eq(mkdir(place, 0777), 0);
  snprintf(command, sizeof command, "cd '%s' && exec '%s' vectors", place, TOOL_PROGRAM);
  const char *const words[] = {"/bin/sh", "-c", command, NULL};
  run(0, words, "vectors/any.json *", "");
  snprintf(folder, sizeof folder, "%s/vectors", place);
  expect_vectors(folder);
}

TEST(the_program_alone_is_enough)
{
  const char *place = tool_path("alone");
  char command[8192], folder[4096];
  ck_assert_int_eq(mkdir(place, 0777), 0);
  snprintf(command, sizeof command, "cd '%s' && cp '%s' program && ./program vectors x", place,
           TOOL_PROGRAM);
  const char *const words[] = {"/bin/sh", "-c", command, NULL};
  run(0, words, "x/any.json *", "");
  snprintf(folder, sizeof folder, "%s/x", place);
  expect_vectors(folder);
}

TEST(what_is_there_already_stays)
{
  const char *folder = tool_path("again");
  char path[4096];
  struct stat before, after;
  snprintf(path, sizeof path, "%s/dtype.json", folder);
  run(0, TOOL("vectors", folder), "*", "");
  ck_assert_int_eq(stat(path, &before), 0);
  run(0, TOOL("vectors", folder), "*/any.json * bytes, unchanged\n*", "");
  ck_assert_int_eq(stat(path, &after), 0);
  ck_assert_uint_eq(before.st_ino, after.st_ino);
  ck_assert_int_eq(unlink(path), 0);
  run(0, TOOL("vectors", folder), "*/dtype.json  [0-9]* bytes\n*", "");
  expect_vectors(folder);
}

TEST(other_files_are_not_lost)
{
  // One that is longer, one of the same size, one that is empty.
  static const char *const names[] = {"dtype.json", "any.json", "library_bin.json"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    const char *folder = tool_path("other");
    char path[4096], glob[4096];
    struct stat size;
    snprintf(path, sizeof path, "%s/%s", VECTORS_FOLDER, names[i]);
    ck_assert_int_eq(stat(path, &size), 0);
    char *text = calloc(1, (size_t)size.st_size + 2);
    memset(text, 'x', i == 0 ? (size_t)size.st_size + 1 : i == 1 ? (size_t)size.st_size : 0);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    put(folder, names[i], text);
    snprintf(glob, sizeof glob, "*/%s: exists with other content (--force replaces it)\n",
             names[i]);
    run(2, TOOL("vectors", folder), "", glob);
    ck_assert_uint_eq(count_files(folder), 1);
    run(0, TOOL("vectors", "--force", folder), "*", "");
    expect_vectors(folder);
    free(text);
  }
}

TEST(each_file_that_is_in_the_way_is_named)
{
  const char *folder = tool_path("two");
  ck_assert_int_eq(mkdir(folder, 0777), 0);
  put(folder, "any.json", "1");
  put(folder, "dtype.schema.json", "2");
  run(2, TOOL("vectors", folder), "",
      "tvmffi-conform: */any.json: exists *\ntvmffi-conform: */dtype.schema.json: exists *\n");
}

TEST(a_folder_in_the_way_of_a_file)
{
  const char *folder = tool_path("blocked");
  char path[4096];
  ck_assert_int_eq(mkdir(folder, 0777), 0);
  snprintf(path, sizeof path, "%s/any.json", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  run(2, TOOL("vectors", folder), "", "*/any.json: exists with *");
  run(2, TOOL("vectors", "--force", folder), "", "tvmffi-conform: *any.json*directory*\n");
}

TEST(places_that_cannot_be_written_to)
{
  const char *file = tool_path("file");
  char below[4096], deep[4200];
  FILE *stream = fopen(file, "w");
  fclose(stream);
  run(2, TOOL("vectors", file), "",
      "tvmffi-conform: cannot write the vectors to *: Not a directory\n");
  snprintf(below, sizeof below, "%s/x", file);
  run(2, TOOL("vectors", below), "",
      "tvmffi-conform: cannot create directory *: Not a directory\n");
  run(2, TOOL("vectors", "/proc/nonexistent/x"), "",
      "tvmffi-conform: cannot create directory /proc/nonexistent/x: No such file or directory\n");
  run(2, TOOL("vectors", ""), "", "tvmffi-conform: cannot create directory : *\n");
  memset(deep, '/', sizeof deep);
  deep[4090] = '\0';
  run(2, TOOL("vectors", deep), "", "tvmffi-conform: *: path too long\n");
}

TEST(a_list_that_nobody_gets_is_an_error)
{
  const char *folder = tool_path("full");
  char command[8192];
  if (access("/dev/full", W_OK) != 0) return;
  snprintf(command, sizeof command, "exec '%s' vectors '%s' > /dev/full", TOOL_PROGRAM, folder);
  const char *const words[] = {"/bin/sh", "-c", command, NULL};
  run(2, words, "", "tvmffi-conform: cannot write the list: No space left on device\n");
}

TEST(it_is_in_help_manual_and_completion)
{
  run(2, TOOL("vectors", "a", "b"), "", "*vectors: unexpected operand: b *");
  run(2, TOOL("vectors", "--strict"), "", "*unrecognized option*--strict*");
  run(0, TOOL("vectors", "--help"), "Usage: tvmffi-conform vectors *--force*", "");
  run(0, TOOL("--help"), "*vectors [[]DIR]*schemas*", "");
  run(0, TOOL("--man"), "*\n.B vectors [[]DIR]\n*", "");
  run(0, TOOL("--completion"), "* vectors*    vectors) options=\"--help --force\";;\n*", "");
}
