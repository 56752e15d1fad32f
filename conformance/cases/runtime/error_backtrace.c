// SPDX-License-Identifier: Apache-2.0
// Backtraces: how an error updates its own, and what the runtime says when it is asked for one.
#include <limits.h>
#include <stdio.h>

#include "error_making.h"

CHAPTER(error);

static void update(Iut *iut, TVMFFIObjectHandle error, const TVMFFIByteArray *text, int32_t mode)
{
  error_update_backtrace(iut, error, text, mode);
}

static void replace(Iut *iut, TVMFFIObjectHandle error, const char *text)
{
  update(iut, error, fenced_bytes(text, strlen(text)), kTVMFFIBacktraceUpdateModeReplace);
}

static void append(Iut *iut, TVMFFIObjectHandle error, const char *text)
{
  update(iut, error, fenced_bytes(text, strlen(text)), kTVMFFIBacktraceUpdateModeAppend);
}

static void expect_backtrace(Iut *iut, TVMFFIObjectHandle error, const char *text)
{
  TVMFFIByteArray backtrace = error_cell(iut, error)->backtrace;
  expect_text("backtrace", backtrace, text);
}

// --- Updated -------------------------------------------------------------------------------------

static TVMFFIObjectHandle from_parts(Iut *iut)
{
  const char *parts[] = {"mess", "age"};
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 2);
  return take_raised_error(iut);
}

static TVMFFIObjectHandle created(Iut *iut)
{
  return new_error(iut, "ValueError", "message", "as made\n");
}

static TVMFFIObjectHandle created_with_cause(Iut *iut)
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of("message"), none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(
      iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &none, NULL, NULL, &error)));
  return error;
}

static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
} makers[] = {
    {"c-string", from_c_string},
    {"parts", from_parts},
    {"created", created},
    {"created-with-cause", created_with_cause},
    {"failing-call", from_failing_call},
};

CASE_ROWS(
    backtrace_is_replaced_and_appended_to, makers, .clauses = {ERR_23},
    .title = "every error of the runtime replaces its backtrace, and puts further lines after it")
{
  TVMFFIObjectHandle error = row->make(iut);
  replace(iut, error, "most recent\n");
  expect_backtrace(iut, error, "most recent\n");
  append(iut, error, "its caller\n");
  expect_backtrace(iut, error, "most recent\nits caller\n");
  append(iut, error, "the caller of that\n");
  expect_backtrace(iut, error, "most recent\nits caller\nthe caller of that\n");
  replace(iut, error, "shorter\n");
  expect_backtrace(iut, error, "shorter\n");
  release_object(iut, error);
}

CASE(given_backtrace_is_appended_to, .clauses = {ERR_23},
     .title = "lines are put after the backtrace that an error was made with")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "as made\n");
  append(iut, error, "appended\n");
  expect_backtrace(iut, error, "as made\nappended\n");
  release_object(iut, error);
}

CASE(raised_error_is_updated_in_the_slot, .clauses = {ERR_23},
     .title = "the backtrace of an error may be updated while it is raised")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "one\n");
  iut->ErrorSetRaised(error);
  append(iut, error, "two\n");
  TVMFFIObjectHandle moved = take_raised_error(iut);
  require(expect_pointer("moved", moved, error));
  expect_backtrace(iut, moved, "one\ntwo\n");
  release_object(iut, moved);
  release_object(iut, error);
}

CASE(backtrace_grows_line_by_line, .clauses = {ERR_23},
     .title = "a backtrace of a thousand lines is built by appending")
{
  enum { LINES = 1000, WIDTH = 12 };
  static char expected[LINES * WIDTH + 1];
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "");
  char line[WIDTH + 1];
  for (unsigned i = 0; i < LINES; ++i) {
    snprintf(line, sizeof line, "  line %04u\n", i % 10000);
    memcpy(expected + (size_t)i * WIDTH, line, sizeof line);
    TVMFFIByteArray bytes = bytes_of(line);
    update(iut, error, &bytes, kTVMFFIBacktraceUpdateModeAppend);
  }
  expect_backtrace(iut, error, expected);
  release_object(iut, error);
}

CASE(backtrace_keeps_odd_bytes, .clauses = {ERR_23},
     .title = "NUL and other odd bytes in a backtrace are kept and counted, replaced and appended")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "");
  update(iut, error, fenced_bytes("a\0b%s\xff", 6), kTVMFFIBacktraceUpdateModeReplace);
  update(iut, error, fenced_bytes("\0\n\0", 3), kTVMFFIBacktraceUpdateModeAppend);
  TVMFFIByteArray backtrace = error_cell(iut, error)->backtrace;
  expect_memory("backtrace", backtrace.data, backtrace.size, "a\0b%s\xff\0\n\0", 9);
  release_object(iut, error);
}

static const struct {
  const char *name, *before;
} befores[] = {
    {"long", "a backtrace\nof more than one line\n"}, {"one-letter", "x"}, {"empty", ""}};

CASE_ROWS(
    backtrace_is_cleared, befores, .clauses = {ERR_24},
    .title =
        "replacing with NULL data of size 0 clears the backtrace, appending it changes nothing")
{
  TVMFFIByteArray none = {NULL, 0};
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", row->before);
  update(iut, error, fenced_copy("the byte array", &none, sizeof none),
         kTVMFFIBacktraceUpdateModeAppend);
  expect_backtrace(iut, error, row->before);
  update(iut, error, fenced_copy("the byte array", &none, sizeof none),
         kTVMFFIBacktraceUpdateModeReplace);
  expect_int("size of the backtrace", (int64_t)error_cell(iut, error)->backtrace.size, 0);
  append(iut, error, "anew\n");
  expect_backtrace(iut, error, "anew\n");
  release_object(iut, error);
}

static const struct {
  const char *name;
  int32_t mode;
} modes[] = {{"replace", kTVMFFIBacktraceUpdateModeReplace},
             {"append", kTVMFFIBacktraceUpdateModeAppend}};

CASE_ROWS(
    updating_touches_nothing_else, modes, .clauses = {ERR_25},
    .title = "updating the backtrace leaves kind, message and counts of an error as they were")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "the message", "");
  iut->ObjectIncRef(error);
  object_take_weak(iut, error);
  for (int i = 0; i < 20; ++i)
    update(iut, error, fenced_bytes("a line without a NUL behind it", 30), row->mode);
  expect_kind_and_message(iut, error, "ValueError", "the message");
  expect_counts(iut, error, .strong = 2, .weak = 2);
  expect_no_error(iut);
  object_release_weak(iut, error);
  release_object(iut, error);
  release_object(iut, error);
}

CASE_ROWS(
    update_is_a_copy, modes, .clauses = {ERR_25},
    .title = "overwriting the text that a backtrace was updated with does not change the backtrace")
{
  char text[] = "a line of the backtrace\n";
  TVMFFIByteArray bytes = {text, sizeof text - 1};
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "");
  update(iut, error, &bytes, row->mode);
  memset(text, '#', sizeof text);
  bytes = (TVMFFIByteArray){NULL, 0};
  expect_backtrace(iut, error, "a line of the backtrace\n");
  release_object(iut, error);
}

CASE_ROWS(updating_leaves_cause_and_context, modes, .clauses = {ERR_25, ERR_28},
          .title = "updating the backtrace leaves cause and extra context as they were")
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of("message"), none = {NULL, 0};
  TVMFFIObjectHandle cause = new_probe_object_of(iut, kTVMFFIError), error = NULL;
  TVMFFIObjectHandle context = new_probe_object(iut);
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &none, cause,
                                                                  context, &error)));
  for (int i = 0; i < 3; ++i) update(iut, error, fenced_bytes("a line\n", 7), row->mode);
  expect_pointer("cause", error_cell(iut, error)->cause_chain, cause);
  expect_pointer("extra context", error_cell(iut, error)->extra_context, context);
  expect_counts(iut, cause, .strong = 2, .weak = 1);
  expect_counts(iut, context, .strong = 2, .weak = 1);
  release_object(iut, error);
}

// The backtrace is "abcdefgh"; it is updated with `size` bytes of itself from `from` on.
static const struct {
  const char *name;
  int32_t mode;
  size_t from, size;
  const char *result;
} from_itself[] = {
    {"replace-whole", kTVMFFIBacktraceUpdateModeReplace, 0, 8, "abcdefgh"},
    {"replace-front", kTVMFFIBacktraceUpdateModeReplace, 0, 3, "abc"},
    {"replace-end", kTVMFFIBacktraceUpdateModeReplace, 3, 5, "defgh"},
    {"append-whole", kTVMFFIBacktraceUpdateModeAppend, 0, 8, "abcdefghabcdefgh"},
    {"append-front", kTVMFFIBacktraceUpdateModeAppend, 0, 1, "abcdefgha"},
    {"append-end", kTVMFFIBacktraceUpdateModeAppend, 5, 3, "abcdefghfgh"},
};

CASE_ROWS(backtrace_is_updated_from_itself, from_itself, .clauses = {ERR_26}, .wrong_call = true,
          .title = "a backtrace may be updated with bytes of its own")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "abcdefgh");
  TVMFFIByteArray own = {error_cell(iut, error)->backtrace.data + row->from, row->size};
  update(iut, error, &own, row->mode);
  expect_backtrace(iut, error, row->result);
  release_object(iut, error);
}

CASE(
    backtrace_array_is_appended_to_itself, .clauses = {ERR_26}, .wrong_call = true,
    .title = "a backtrace may be doubled again and again through the byte array in the cell itself")
{
  enum { DOUBLINGS = 10 };
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "message", "ab\n");
  for (int i = 0; i < DOUBLINGS; ++i)
    update(iut, error, &error_cell(iut, error)->backtrace, kTVMFFIBacktraceUpdateModeAppend);
  char expected[(3 << DOUBLINGS) + 1];
  for (size_t i = 0; i < sizeof expected - 1; ++i) expected[i] = "ab\n"[i % 3];
  expected[sizeof expected - 1] = '\0';
  expect_backtrace(iut, error, expected);
  release_object(iut, error);
}

// --- Asked for -----------------------------------------------------------------------------------

static const struct {
  const char *name, *file, *function;
  int crosses;
} questions[] = {
    {"named", "file.c", "function", 0},
    {"nothing-named", NULL, NULL, 0},
    {"no-file", NULL, "function", 0},
    {"no-function", "file.c", NULL, 0},
    {"empty-names", "", "", 0},
    {"named-crossing", "file.c", "function", 1},
    {"nothing-named-crossing", NULL, NULL, 1},
};

CASE_ROWS(there_is_always_a_backtrace, questions, .clauses = {ERR_31},
          .title = "asking for a backtrace gives bytes that end with a NUL, whatever is named")
{
  const TVMFFIByteArray *backtrace = iut->Backtrace(row->file, 7, row->function, row->crosses);
  require(expect_not_null("the byte array", backtrace));
  if (backtrace->size == 0) return;
  require(expect_not_null("its data", backtrace->data));
  size_t seen = 0;
  for (size_t i = 0; i < backtrace->size; ++i)
    seen += ((const volatile char *)backtrace->data)[i] != '\0';
  expect_that(seen <= backtrace->size, "bytes that can be read", "%zu", seen);
}

CASE_ROWS(backtrace_ends_with_a_nul, questions, .clauses = {ERR_43},
          .title = "a backtrace is followed by a NUL that its size does not count")
{
  const TVMFFIByteArray *backtrace = iut->Backtrace(row->file, 7, row->function, row->crosses);
  require(expect_not_null("the byte array", backtrace));
  expect_nul_behind("the byte behind the backtrace", *backtrace);
}

static size_t blanks_before(const char *text, size_t size)
{
  size_t blanks = 0;
  while (blanks < size && (text[blanks] == ' ' || text[blanks] == '\t')) ++blanks;
  return blanks;
}

// The length of the frame at `text`, its line feed included; 0 if there is no frame.
static size_t frame_length(const char *text, size_t size)
{
  static const char begin[] = "File \"", line[] = "\", line ", in[] = ", in ";
  const char *end = memchr(text, '\n', size);
  if (!end) return 0;
  const char *file = text + blanks_before(text, size);
  if ((size_t)(end - file) < sizeof begin - 1 || memcmp(file, begin, sizeof begin - 1) != 0)
    return 0;
  const char *at = memmem(text, (size_t)(end - text), line, sizeof line - 1);
  if (!at) return 0;
  at += sizeof line - 1;
  if (*at == '-') ++at;
  size_t digits = strspn(at, "0123456789");
  if (digits == 0 || (size_t)(end - at) < digits + sizeof in - 1) return 0;
  if (memcmp(at + digits, in, sizeof in - 1) != 0) return 0;
  return (size_t)(end - text) + 1;
}

CASE_ROWS(every_line_is_a_frame, questions, .clauses = {ERR_33},
          .title = "every line of a backtrace names file, line and function in the documented form")
{
  const TVMFFIByteArray *backtrace = iut->Backtrace(row->file, 7, row->function, row->crosses);
  require(expect_not_null("the byte array", backtrace));
  require(expect_not_null("its data", backtrace->data));
  for (size_t at = 0; at < backtrace->size;) {
    const char *text = backtrace->data + at;
    size_t length = frame_length(text, backtrace->size - at);
    require(expect_that(length > 0, "File \"<file>\", line <n>, in <function>", "%.100s", text));
    at += length;
  }
}

static const struct {
  const char *name, *file;
  int line;
  const char *function, *frame;
} frames[] = {
    {"usual", "src/file.c", 42, "compute", "File \"src/file.c\", line 42, in compute"},
    {"line-0", "a", 0, "f", "File \"a\", line 0, in f"},
    {"negative-line", "a", -3, "f", "File \"a\", line -3, in f"},
    {"largest-line", "a", INT_MAX, "f", "File \"a\", line 2147483647, in f"},
    {"smallest-line", "a", INT_MIN, "f", "File \"a\", line -2147483648, in f"},
    {"spaces-and-quotes", "my \"file\" .py", 1, "<lambda> at 0x7f",
     "File \"my \"file\" .py\", line 1, in <lambda> at 0x7f"},
    {"percent-signs", "%s%n%d", 5, "%p%%", "File \"%s%n%d\", line 5, in %p%%"},
    {"utf-8", "\xe6\x96\x87.py", 9, "\xc3\xa9tat",
     "File \"\xe6\x96\x87.py\", line 9, in \xc3\xa9tat"},
};

static void expect_first_frame(const TVMFFIByteArray *backtrace, const char *frame)
{
  require(expect_not_null("the byte array", backtrace));
  require(expect_that(backtrace->data || backtrace->size == 0, "data of the size told", "NULL"));
  size_t blanks = blanks_before(backtrace->data, backtrace->size);
  const char *text = backtrace->data + blanks, *end = memchr(text, '\n', backtrace->size - blanks);
  size_t size = end ? (size_t)(end - text) : backtrace->size - blanks;
  expect_memory("the first line of the backtrace", text, size, frame, strlen(frame));
}

CASE_ROWS(named_frame_stands_first, frames, .clauses = {ERR_32},
          .title = "the backtrace begins with the file, line and function that were named")
{
  const char *file = fenced_string(row->file), *function = fenced_string(row->function);
  expect_first_frame(iut->Backtrace(file, row->line, function, 0), row->frame);
  note("asked to cross the boundary");
  expect_first_frame(iut->Backtrace(file, row->line, function, 1), row->frame);
}

CASE(long_names_stand_first_too, .clauses = {ERR_32}, .wrong_call = true,
     .title = "the backtrace begins with the frame that was named, however long its names")
{
  enum { LENGTH = 5000 };
  static char file[LENGTH + 1], function[LENGTH + 1], frame[2 * LENGTH + 40];
  memset(file, 'f', LENGTH);
  memset(function, 'g', LENGTH);
  snprintf(frame, sizeof frame, "File \"%s\", line 1, in %s", file, function);
  expect_first_frame(iut->Backtrace(file, 1, function, 0), frame);
  note("a short one after the long one");
  expect_first_frame(iut->Backtrace("a", 1, "b", 0), "File \"a\", line 1, in b");
}

// No thread finds the file that another named in what it was given.
static void ask_often(Iut *iut, unsigned index, void *context)
{
  (void)context;
  char file[200], other[16];
  for (unsigned i = 0; i < 20; ++i) {
    snprintf(file, sizeof file, "thread%u-%0*u", index, (int)(i * 8 + 1), i);
    const TVMFFIByteArray *backtrace = iut->Backtrace(file, 1, "f", 0);
    if (!expect_not_null("the byte array", backtrace)) return;
    for (unsigned thread = 0; thread < 4; ++thread) {
      int size = snprintf(other, sizeof other, "thread%u-", thread);
      if (thread != index && backtrace->size > 0 &&
          memmem(backtrace->data, backtrace->size, other, (size_t)size))
        expect_that(false, "the frames of this thread", "a frame of thread %u", thread);
    }
  }
}

CASE(backtrace_stays_while_others_ask, .clauses = {ERR_34},
     .title = "a backtrace stays readable and unchanged while other threads ask for theirs")
{
  const TVMFFIByteArray *backtrace = iut->Backtrace("main.c", 1, "main", 0);
  require(expect_not_null("the byte array", backtrace));
  TVMFFIByteArray before = *backtrace;
  char *text = malloc(before.size + 1);
  if (!text) case_inconclusive("no memory for a copy of the backtrace");
  if (before.size > 0) memcpy(text, before.data, before.size);
  run_in_threads(iut, 4, ask_often, NULL);
  expect_pointer("the data of the byte array", backtrace->data, before.data);
  expect_memory("the backtrace", backtrace->data, backtrace->size, text, before.size);
  free(text);
}
