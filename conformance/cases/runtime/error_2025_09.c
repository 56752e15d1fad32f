// SPDX-License-Identifier: Apache-2.0
// Errors as the generation of September 2025 has them, called as its header says.
#include <dlfcn.h>

#include "error_making.h"

CHAPTER(error);

typedef void UpdateTraceback(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback);
typedef TVMFFIObjectHandle ErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                       const TVMFFIByteArray *traceback);
typedef const TVMFFIByteArray *Traceback(const char *filename, int lineno, const char *func,
                                         int cross_ffi_boundary);

static void *exported(Iut *iut, const char *symbol)
{
  void *address = dlsym(iut->handle, symbol);
  require(expect_that(address != NULL, "an exported function", "no symbol %s", symbol));
  return address;
}

static UpdateTraceback *update_of(Iut *iut, TVMFFIObjectHandle error)
{
  UpdateTraceback *update;
  memcpy(&update, (const char *)object_body(iut, error) + 3 * sizeof(TVMFFIByteArray),
         sizeof update);
  require(expect_that(update != NULL, "a function behind the texts of the error", "NULL"));
  return update;
}

static TVMFFIObjectHandle raise_one(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("ValueError", "a message");
  return take_error(iut);
}

static TVMFFIObjectHandle make_one(Iut *iut)
{
  return new_error(iut, "ValueError", "a message", "the first traceback");
}

static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
} errors[] = {{"made", make_one}, {"raised", raise_one}};

CASE_ROWS(traceback_is_replaced, errors, .clauses = {ERR_40},
          .title = "an error replaces its traceback by a longer one, a shorter one, and none")
{
  static const char *const texts[] = {
      "  File \"a.cc\", line 45, in a function whose name makes this long\n", "short", "", "again"};
  TVMFFIObjectHandle error = row->make(iut);
  require(expect_not_null("the error", error));
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    size_t size = strlen(texts[i]);
    note("replacing the traceback by %zu bytes", size);
    update_of(iut, error)(error, fenced_bytes(texts[i], size));
    const TVMFFIErrorCell *cell = error_cell(iut, error);
    expect_memory("the traceback", cell->backtrace.data, cell->backtrace.size, texts[i], size);
    expect_text("kind", cell->kind, "ValueError");
    expect_text("message", cell->message, "a message");
    expect_counts(iut, error, .strong = 1, .weak = 1);
  }
  release_object(iut, error);
}

static void replace_twice(Iut *iut, void *error)
{
  TVMFFIByteArray longer = bytes_of("a long text in the place of a short one, which it soon makes"),
                  shorter = bytes_of("short");
  update_of(iut, error)(error, &longer);
  update_of(iut, error)(error, &shorter);
}

static void make_and_replace(Iut *iut, void *context)
{
  (void)context;
  TVMFFIObjectHandle error = make_one(iut);
  replace_twice(iut, error);
  release_object(iut, error);
}

CASE(tracebacks_leave_no_memory_behind, .clauses = {ERR_30, ERR_40},
     .title = "replacing tracebacks does not leak")
{
  TVMFFIObjectHandle error = make_one(iut);
  expect_no_heap_growth(iut, 2000, replace_twice, error);
  expect_no_heap_growth(iut, 2000, make_and_replace, NULL);
  release_object(iut, error);
}

CASE(error_is_returned, .clauses = {ERR_41},
     .title = "TVMFFIErrorCreate returns a new error of three texts")
{
  ErrorCreate *create;
  void *address = exported(iut, "TVMFFIErrorCreate");
  memcpy(&create, &address, sizeof create);
  TVMFFIObjectHandle error =
      create(fenced_bytes("ValueError", 10), fenced_bytes("no", 2), fenced_bytes("a trace", 7));
  require(expect_not_null("the error", error));
  expect_int("type index", object_type_index(iut, error), kTVMFFIError);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_text("kind", error_cell(iut, error)->kind, "ValueError");
  expect_text("message", error_cell(iut, error)->message, "no");
  expect_text("traceback", error_cell(iut, error)->backtrace, "a trace");
  release_object(iut, error);
}

CASE(traceback_can_be_read, .clauses = {ERR_42},
     .title = "TVMFFITraceback is exported and returns text that can be read")
{
  Traceback *traceback;
  void *address = exported(iut, "TVMFFITraceback");
  memcpy(&traceback, &address, sizeof traceback);
  const TVMFFIByteArray *text = traceback("file.c", 12, "some_function", 0);
  require(expect_not_null("the byte array", text));
  require(expect_that(text->data || text->size == 0, "data of the size told", "NULL data"));
  size_t seen = 0;
  for (size_t i = 0; i < text->size; ++i) seen += ((const volatile char *)text->data)[i] != '\0';
  expect_that(seen <= text->size, "bytes that can be read", "%zu", seen);
}
