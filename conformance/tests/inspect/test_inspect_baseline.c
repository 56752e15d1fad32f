// SPDX-License-Identifier: Apache-2.0
// A report of `inspect` read back, and what of a library is worse than it says.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inspect_bytes.h"
#include "report/inspect_baseline.h"
#include "report/inspect_json.h"
#include "unit/unit.h"

static Bytes library;
static InspectSubject *subject;
static json_t *report, *file;  // of the subject; the file is the report's only one
static InspectBaseline *baseline;
static char error[512];

static InspectSubject *read_subject(void)
{
  InspectProblem problem = {0};
  InspectSubject *made =
      inspect_subject_read("lib/libx.so", library.data, library.size, false, NULL, &problem);
  ck_assert_msg(made != NULL, "%s", problem.text);
  // Versions of C++, which the fixture, a C library, has none of.
  made->facts->floors.glibc = ABI_VERSION(2, 17, 0);
  made->facts->floors.glibcxx = ABI_VERSION(3, 4, 21);
  made->facts->floors.cxxabi = ABI_VERSION(1, 3, 9);
  return made;
}

static void begin(void)
{
  InspectJson json;
  library = bytes_of_file(INSPECT_FIXTURE_runtime);
  subject = read_subject();
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  ck_assert(!json.build.failed);
  report = json_pack("{ss sO}", "format", "tvmffi-conform-inspect/1", "files", json.files);
  file = json_array_get(json.files, 0);
  inspect_json_end(&json);
}

static void end(void)
{
  inspect_subject_free(subject);
  inspect_baseline_free(baseline);
  baseline = NULL;
  json_decref(report);
  free(library.data);
}

// What is in `text`, read as a file.
static InspectBaseline *read_text(const char *text)
{
  char path[64];
  int descriptor = memfd_create("baseline", MFD_CLOEXEC);
  ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  error[0] = '\0';
  InspectBaseline *read = inspect_baseline_read(path, error, sizeof error);
  close(descriptor);
  return read;
}

static void read_report(void)
{
  char *text = json_dumps(report, JSON_INDENT(1));
  baseline = read_text(text);
  ck_assert_msg(baseline != NULL, "%s", error);
  free(text);
}

static size_t count_of(InspectFindingId id)
{
  size_t count = 0;
  for (size_t i = 0; i < subject->findings.count; ++i) count += subject->findings.items[i].id == id;
  return count;
}

// The one finding of its kind.
static const InspectFinding *only(InspectFindingId id)
{
  ck_assert_uint_eq(count_of(id), 1);
  size_t i = 0;
  while (subject->findings.items[i].id != id) ++i;
  return &subject->findings.items[i];
}

static void expect_symbol(const InspectFinding *finding, const char *symbol)
{
  ck_assert_uint_eq(finding->symbol.size, strlen(symbol));
  ck_assert_mem_eq(finding->symbol.data, symbol, strlen(symbol));
}

// Holds the subject against the report as it is now; how many findings come to those it has.
static size_t compare(void)
{
  size_t before = subject->findings.count;
  read_report();
  ck_assert(inspect_baseline_apply(baseline, subject));
  size_t added = subject->findings.count - before;
  ck_assert_uint_eq(added, count_of(INSPECT_FINDING_BASELINE_FLOOR) +
                               count_of(INSPECT_FINDING_BASELINE_EXPORT) +
                               count_of(INSPECT_FINDING_BASELINE_FINDING));
  return added;
}

// --- What is the same, and what is not -----------------------------------------------------------

TEST_GROUP(baseline, .setup = begin, .teardown = end);

TEST(nothing_is_worse_than_itself)
{
  ck_assert_uint_eq(compare(), 0);
  ck_assert_ptr_null(inspect_baseline_left(baseline, 0));
}

static const struct {
  const char *member, *before;  // NULL: null
  const char *told;             // NULL: nothing
} floors[] = {
    {"glibc", "2.17", NULL},
    {"glibc", "2.28", NULL},
    {"glibc", "2.5", "GLIBC 2.17.0, before it was 2.5"},
    {"glibc", "2.16.9", "GLIBC 2.17.0, before it was 2.16.9"},
    {"glibc", NULL, "GLIBC 2.17.0, before it was none"},
    {"glibc", "two", "GLIBC 2.17.0, before it was two"},
    {"glibcxx", "3.4.21", NULL},
    {"glibcxx", "3.4.9", "GLIBCXX 3.4.21, before it was 3.4.9"},
    {"cxxabi", "1.3.11", NULL},
    {"cxxabi", "1.3", "CXXABI 1.3.9, before it was 1.3"},
    {"floor", "0.1.0", NULL},
    {"floor", NULL, "the ABI's floor is 0.1.0, before it was none"},
};

TEST(a_floor_that_rises_is_told, .rows = ROWS(floors))
{
  json_t *holder = strcmp(floors[_i].member, "floor") ? file : json_object_get(file, "api");
  const char *before = floors[_i].before, *told = floors[_i].told;
  json_object_set_new(holder, floors[_i].member, before ? json_string(before) : json_null());
  ck_assert_uint_eq(compare(), told != NULL);
  if (told) ck_assert_str_eq(only(INSPECT_FINDING_BASELINE_FLOOR)->detail, told);
}

TEST(a_floor_that_the_report_lacks_was_none)
{
  json_object_del(file, "cxxabi");
  ck_assert_uint_eq(compare(), 1);
  ck_assert_str_eq(only(INSPECT_FINDING_BASELINE_FLOOR)->detail,
                   "CXXABI 1.3.9, before it was none");
}

// What is no text is no name; a name that is exported now is not gone.
TEST(an_export_that_is_gone_is_told)
{
  json_t *exports = json_object_get(file, "exports");
  json_array_append_new(exports, json_string("TVMFFIOfYesterday"));
  json_array_append_new(exports, json_integer(7));
  json_array_append_new(exports, json_string("TVMFFIGetVersion"));
  ck_assert_uint_eq(compare(), 1);
  expect_symbol(only(INSPECT_FINDING_BASELINE_EXPORT), "TVMFFIOfYesterday");
}

// What the library itself has no longer, since only its own exports count.
TEST(what_it_only_needs_is_no_export)
{
  json_array_append_new(json_object_get(file, "exports"), json_string("TVMFFIBacktrace"));
  ck_assert_uint_eq(compare(), 1);
  expect_symbol(only(INSPECT_FINDING_BASELINE_EXPORT), "TVMFFIBacktrace");
}

TEST(exports_that_came_are_no_loss)
{
  json_array_clear(json_object_get(file, "exports"));
  ck_assert_uint_eq(compare(), 0);
}

// --- Findings ------------------------------------------------------------------------------------

// Of the three of the fixture, two errors and a warning; errors come first.
TEST(findings_that_are_new_are_told)
{
  json_array_clear(json_object_get(file, "findings"));
  ck_assert_uint_eq(compare(), 3);
  for (size_t i = 1; i < subject->findings.count; ++i)
    ck_assert_int_ge(subject->findings.items[i - 1].level, subject->findings.items[i].level);
  ck_assert_uint_eq(count_of(INSPECT_FINDING_BASELINE_FINDING), 3);
}

TEST(notes_are_not_held_against_it)
{
  for (size_t i = 0; i < subject->findings.count; ++i)
    subject->findings.items[i].level = INSPECT_LEVEL_NOTE;
  json_array_clear(json_object_get(file, "findings"));
  ck_assert_uint_eq(compare(), 0);
}

// Place 0 is the finding with a symbol, "TVMFFIFunctionCall"; place 1 the one without.
static const struct {
  size_t place;
  const char *member;
  const char *value;  // NULL: null; "": the member is taken away
  const char *told;   // the id of what is new, or NULL
} old_findings[] = {
    {0, "id", "symbols.hidden", "symbols.data-as-function"},
    {0, "id", NULL, "symbols.data-as-function"},
    {0, "symbol", "TVMFFIGetVersion", "symbols.data-as-function"},
    {0, "symbol", NULL, "symbols.data-as-function"},
    {1, "symbol", "TVMFFIGetVersion", "runtime.incomplete"},
    {1, "symbol", "", NULL},
    {1, "detail", "39 functions are missing", NULL},
    {1, "level", "note", NULL},
};

TEST(a_finding_is_known_by_its_kind_and_symbol, .rows = ROWS(old_findings))
{
  json_t *old = json_array_get(json_object_get(file, "findings"), old_findings[_i].place);
  const char *member = old_findings[_i].member, *value = old_findings[_i].value;
  if (value && !*value)
    json_object_del(old, member);
  else
    json_object_set_new(old, member, value ? json_string(value) : json_null());
  ck_assert_uint_eq(compare(), old_findings[_i].told != NULL);
  if (old_findings[_i].told)
    ck_assert_str_eq(only(INSPECT_FINDING_BASELINE_FINDING)->detail, old_findings[_i].told);
}

// Too many of a kind were there: any may have been among those that are not listed.
TEST(of_a_kind_that_was_not_listed_none_is_new)
{
  json_array_clear(json_object_get(file, "findings"));
  json_object_set_new(file, "findings_not_listed",
                      json_pack("{si}", "symbols.data-as-function", 3));
  ck_assert_uint_eq(compare(), 2);
  for (size_t i = 0; i < subject->findings.count; ++i)
    ck_assert_str_ne(subject->findings.items[i].detail, "symbols.data-as-function");
}

TEST(what_is_no_finding_is_passed_over)
{
  json_t *findings = json_object_get(file, "findings");
  json_array_insert_new(findings, 0, json_integer(1));
  json_array_insert_new(findings, 1, json_object());
  ck_assert_uint_eq(compare(), 0);
}

// --- Which file it is ----------------------------------------------------------------------------

// Appends another file, of which all would be worse.
static void add_other(const char *path, const char *name)
{
  json_t *other = json_pack("{ss ss s{} s[s] s[]}", "path", path, "name", name, "api", "exports",
                            "TVMFFIOfYesterday", "findings");
  ck_assert_int_eq(json_array_append_new(json_object_get(report, "files"), other), 0);
}

TEST(the_path_decides_before_the_name)
{
  add_other("lib/libx.so", "liby.so");
  json_object_set_new(file, "path", json_string("elsewhere/libx.so"));
  ck_assert_uint_gt(compare(), 0);
  expect_symbol(only(INSPECT_FINDING_BASELINE_EXPORT), "TVMFFIOfYesterday");
  ck_assert_str_eq(inspect_baseline_left(baseline, 0), "libx.so");
  ck_assert_ptr_null(inspect_baseline_left(baseline, 1));
}

TEST(without_the_path_the_name_decides)
{
  add_other("lib/liby.so", "liby.so");
  json_object_set_new(file, "path", json_string("elsewhere/libx.so"));
  ck_assert_uint_eq(compare(), 0);
  ck_assert_str_eq(inspect_baseline_left(baseline, 0), "liby.so");
}

TEST(a_file_that_the_report_lacks_is_new)
{
  add_other("lib/libz.so", "libz.so");
  json_object_set_new(file, "path", json_string("lib/liby.so"));
  json_object_set_new(file, "name", json_string("liby.so"));
  json_array_clear(json_object_get(file, "findings"));
  ck_assert_uint_eq(compare(), 0);
  ck_assert_str_eq(inspect_baseline_left(baseline, 0), "liby.so");
  ck_assert_str_eq(inspect_baseline_left(baseline, 1), "libz.so");
  ck_assert_ptr_null(inspect_baseline_left(baseline, 2));
}

// --- What is no report ---------------------------------------------------------------------------

static const char *const needed[] = {"name", "path", "api", "exports", "findings"};
enum { NEEDED = sizeof needed / sizeof needed[0] };

static void expect_refusal(const char *text, const char *glob)
{
  ck_assert_ptr_null(read_text(text));
  ck_assert_msg(fnmatch(glob, error, 0) == 0, "not \"%s\": %s", glob, error);
}

// Of the second file, the first being sound: `wrong` is what it has in place of the member.
static void expect_second_refused(const char *member, json_t *wrong)
{
  json_t *copy = json_deep_copy(report), *files = json_object_get(copy, "files");
  json_t *second = json_deep_copy(file);
  json_array_append_new(files, second);
  if (wrong)
    json_object_set_new(second, member, wrong);
  else
    json_object_del(second, member);
  char *text = json_dumps(copy, 0);
  expect_refusal(text, "/proc/*: files[[]1]: lacks name, path, api, exports or findings");
  free(text);
  json_decref(copy);
}

TEST(a_file_has_to_have_what_is_looked_at, .rows = NEEDED)
{
  expect_second_refused(needed[_i], NULL);
  expect_second_refused(needed[_i], json_integer(1));
  expect_second_refused(needed[_i], json_null());
}

static const struct {
  const char *text, *expected;
} refusals[] = {
    {"", "/proc/*: is empty (`tvmffi-conform inspect *"},
    {"{\n \"format\": x}", "/proc/*:2:*: not JSON: *"},
    {"{\"format\": 1, \"format\": 2}", "/proc/*:1:*: not JSON: duplicate object key*"},
    {"[1]", "/proc/*: format: is not a report of *"},
    {"{}", "/proc/*: format: is not a report of *"},
    {"{\"format\": 1, \"files\": []}", "/proc/*: format: is not a report of *"},
    {"{\"format\": \"tvmffi-conform-report/1\"}", "/proc/*: format: is not a report of *"},
    {"{\"format\": \"tvmffi-conform-inspect/1\"}", "/proc/*: files: must be a list"},
    {"{\"format\": \"tvmffi-conform-inspect/1\", \"files\": {}}", "/proc/*: files: must be a list"},
    {"{\"format\": \"tvmffi-conform-inspect/1\", \"files\": [[]]}", "/proc/*: files[[]0]: lacks *"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

TEST(what_is_no_report_is_refused, .rows = REFUSALS)
{
  expect_refusal(refusals[_i].text, refusals[_i].expected);
}

// The message quotes the file: it must steer no terminal.
TEST(control_characters_are_not_quoted)
{
  expect_refusal("{\"\x1b[31m\"}", "/proc/*:1:*: not JSON: *");
  for (const char *c = error; *c; ++c) ck_assert((unsigned char)*c >= ' ' && *c != 0x7f);
}

TEST(what_cannot_be_read_is_named)
{
  ck_assert_ptr_null(inspect_baseline_read("/nowhere/b.json", error, sizeof error));
  ck_assert_str_eq(error, "/nowhere/b.json: No such file or directory");
  ck_assert_ptr_null(inspect_baseline_read("/", error, sizeof error));
  ck_assert_str_eq(error, "/: Is a directory");
  inspect_baseline_free(NULL);
}

TEST(a_report_of_no_file_is_one)
{
  baseline = read_text("{\"format\": \"tvmffi-conform-inspect/1\", \"files\": []}");
  ck_assert_ptr_nonnull(baseline);
  ck_assert(inspect_baseline_apply(baseline, subject));
  ck_assert_ptr_null(inspect_baseline_left(baseline, 0));
}
