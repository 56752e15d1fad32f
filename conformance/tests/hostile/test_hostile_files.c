// SPDX-License-Identifier: Apache-2.0
// The program against files that are no library it could judge: exit code 3 and a message that says
// what is wrong.
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/inspect/inspect_foreign.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

// Functions of the C API that the half library lacks.
enum { LOST = 11 };

static void write_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

// The bytes of a file, own.
static char *read_file(const char *path, size_t *size)
{
  struct stat status;
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fstat(fileno(file), &status), 0);
  *size = (size_t)status.st_size;
  char *bytes = malloc(*size);
  ck_assert_ptr_nonnull(bytes);
  ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

// Refused as `says`, a glob, before anything is run.
static void expect_refused(const char *path, const char *says)
{
  ToolSetup setup = {.limit = 10};
  ToolRun run = tool_run(&setup, TOOL("run", path));
  ck_assert_msg(!run.timed_out, "%s: it did not come to an end", path);
  ck_assert_msg(run.exit_code == 3, "%s: exit code %d, signal %d", path, run.exit_code, run.signal);
  ck_assert_msg(fnmatch(says, run.err, 0) == 0, "%s: says \"%s\"", path, run.err);
  ck_assert_uint_eq(run.out_size, 0);
  ck_assert_uint_eq(run.left_behind, 0);
  for (size_t i = 0; i < run.err_size; ++i)
    ck_assert_msg(run.err[i] == '\n' || (run.err[i] >= 32 && run.err[i] < 127), "byte 0x%02x",
                  (unsigned char)run.err[i]);
  tool_free(&run);
}

TEST_GROUP(files, .timeout = 60);

TEST(what_is_no_file)
{
  const char *pipe = tool_path("pipe.so"), *circle = tool_path("circle.so");
  expect_refused(tool_path("missing.so"), "tvmffi-conform: *missing.so*No such file*");
  expect_refused(TOOL_FOLDER, "tvmffi-conform: *is a directory*");
  expect_refused("/dev/zero", "tvmffi-conform: *is a character device*");
  expect_refused("", "tvmffi-conform: *No such file*");
  ck_assert_int_eq(mkfifo(pipe, 0600), 0);
  expect_refused(pipe, "tvmffi-conform: *is a named pipe*");
  ck_assert_int_eq(symlink(circle, circle), 0);
  expect_refused(circle, "tvmffi-conform: *symbolic links*");
  expect_refused(tool_path("mis\033[31msing\n.so"), "tvmffi-conform: *No such file*");
}

TEST(what_is_no_elf)
{
  const char *path = tool_path("library.so");
  write_file(path, "", 0);
  expect_refused(path, "tvmffi-conform: *is empty*");
  write_file(path, "#!/bin/sh\nexit 0\n", 17);
  expect_refused(path, "tvmffi-conform: *library.so*");
  write_file(path, "\177ELF", 4);
  expect_refused(path, "tvmffi-conform: *library.so*");
}

TEST(what_is_cut_off)
{
  const char *path = tool_path("cut.so");
  size_t size;
  char *bytes = read_file(REFERENCE, &size);
  // Within the headers, within the tables, within the code, at the very end.
  const size_t cuts[] = {16, 63, 64, 200, 4096, size / 2, size - 1};
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
    write_file(path, bytes, cuts[i]);
    ToolSetup setup = {.limit = 10};
    ToolRun run = tool_run(&setup, TOOL("run", path, "--filter", "version.*"));
    ck_assert_msg(run.exit_code == 3, "cut at %zu of %zu: exit code %d, signal %d\n%s", cuts[i],
                  size, run.exit_code, run.signal, run.err);
    ck_assert_msg(strstr(run.err, "cut.so") != NULL, "cut at %zu: says \"%s\"", cuts[i], run.err);
    tool_free(&run);
  }
  free(bytes);
}

TEST(what_is_for_another_machine)
{
  const char *path = tool_path("other.so");
  size_t size;
  char *bytes = read_file(REFERENCE, &size);
  Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)bytes;
  Elf64_Half own = header->e_machine;
  header->e_machine = own == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
  write_file(path, bytes, size);
  expect_refused(path,
                 own == EM_AARCH64 ? "tvmffi-conform: *x86-64*" : "tvmffi-conform: *aarch64*");
  header->e_machine = 0x4242;
  write_file(path, bytes, size);
  expect_refused(path, "tvmffi-conform: *other.so*");
  free(bytes);

  unsigned char narrow[FOREIGN_CAPACITY];
  write_file(path, narrow, foreign_library(narrow));
  expect_refused(path, "tvmffi-conform: *is for ppc, but this program runs on*");
}

#ifdef __GLIBC__
TEST(what_is_for_another_c_library)
{
  expect_refused(FOR_MUSL,
                 "tvmffi-conform: *cannot load *libc.musl-conform.so.1*\nIt needs "
                 "libc.musl-conform.so.1: it was built for musl, and the worker that loads it, "
                 "*, for glibc. *--worker*");
}
#endif

TEST(what_is_a_program)
{
  expect_refused(TOOL_PROGRAM, "tvmffi-conform: *is an executable*");
}

TEST(what_has_nothing_to_do_with_it)
{
  expect_refused(UNRELATED, "tvmffi-conform: *unknown profile*--profile runtime*");
  // Who insists gets a verdict: it lacks every function.
  ToolRun run = tool_run(NULL, TOOL("run", UNRELATED, "--profile=runtime"));
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_ptr_nonnull(strstr(run.out, "NOT CONFORMANT"));
  ck_assert_ptr_nonnull(strstr(run.out, "0 passed"));
  tool_free(&run);
}

TEST(what_has_half_of_the_functions)
{
  const char *report_path = tool_path("half.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", HALF, report_option));
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_uint_eq(run.left_behind, 0);
  json_t *report = tool_json(report_path);
  // What it has is judged: these need nothing but TVMFFIAnyViewToOwnedAny.
  ck_assert_uint_ge(tool_count(report, "any.own-plain-value-keeps-all-bytes.", "pass"), 20);
  ck_assert_uint_eq(tool_count(report, "any.own-plain-value-keeps-all-bytes.", "fail"), 0);
  // What it lacks is a failure where a clause asks for it, and else a reason.
  ck_assert_uint_ge(tool_count(report, "", "fail"), LOST);
  ck_assert_uint_eq(tool_count(report, "function.", "pass"), 0);
  const char *reason =
      tool_case_text(report, "function.plain-argument-arrives-bit-for-bit.int-min", "reason");
  ck_assert_ptr_nonnull(strstr(reason, "the library has no TVMFFIFunctionC"));
  ck_assert_uint_eq(tool_count(report, "", "inconclusive"), 0);
  json_t *cases = json_object_get(report, "cases"), *entry;
  size_t index;
  json_array_foreach(cases, index, entry)
  {
    const char *kind = json_string_value(json_object_get(entry, "fail_kind"));
    ck_assert_msg(!kind || strcmp(kind, "expectation") == 0, "%s: %s",
                  json_string_value(json_object_get(entry, "id")), kind);
  }
  json_decref(report);
  tool_free(&run);
}
