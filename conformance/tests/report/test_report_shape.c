// SPDX-License-Identifier: Apache-2.0
// The shape of a report: one value after another replaced, and what is said of it.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/report_read.h"
#include "report/report_shape.h"
#include "test_report.h"

#define BYTES8 "0b0b0b0b0b0b0b0b"
#define MARKS8 "..**..**..**..**"
#define DIGITS60 "012345678901234567890123456789012345678901234567890123456789"
#define FAILURE                                                                   \
  "{\"what\":\"\",\"expected\":\"\",\"seen\":\"\",\"note\":\"\",\"source\":\"\"," \
  "\"expected_bytes\":null,\"seen_bytes\":null}"
#define FOUR_FAILURES FAILURE "," FAILURE "," FAILURE "," FAILURE
#define EXPECTED_BYTES "cases/1/evidence/0/expected_bytes"
#define CASE_0 "cases/0/"
#define CRASH(address) \
  "{\"signal\":\"SIGSEGV\",\"address\":" address ",\"where\":null,\"fence\":null}"

// What a value is replaced with, as JSON; "": the member is taken away.
typedef struct ShapeRow {
  const char *path, *value;
  const char *where;  // the place that is named
  const char *what;   // NULL: it is sound
} ShapeRow;

static const char digits[] = "must be hexadecimal digits";
static const char digits16[] = "must be 16 hexadecimal digits";
static const char digits64[] = "must be 64 hexadecimal digits";
static const char address[] = "must be an address, such as \"0x8\"";
static const char seed[] = "must be an integer, 1 or more, as a string";
static const char version[] = "must be a version, such as \"0.1.9\"";
static const char function[] = "must be the name of a C API function";
static const char clause[] = "must be a clause id, such as \"ANY-4\"";
static const char date[] = "must be a date, such as \"2027-01-31\"";
static const char moment[] = "must be a time, such as \"2027-01-31T12:00:00Z\"";
static const char bytes16[] = "must be 16 bytes in hexadecimal";
static const char from_0[] = "must be an integer, 0 or more";
static const char from_1[] = "must be an integer, 1 or more";
static const char exit_code[] = "must be one of: 0 1 3 5 130";
static const char flag[] = "must be true or false";
static const char text[] = "must be a string";
static const char object[] = "must be an object";
static const char list[] = "must be a list";

static const ShapeRow rows[] = {
    {"library/build_id", "null", NULL, NULL},
    {"library/build_id", "\"0a\"", NULL, NULL},
    {"library/build_id", "\"\"", "library.build_id", digits},
    {"library/build_id", "\"0A\"", "library.build_id", digits},
    {"library/build_id", "1", "library.build_id", text},
    {"library/name", "\"\"", "library.name", "must be a non-empty string"},
    {"library/name", "null", "library.name", text},
    {"suite/clauses_digest", "\"0123456789abcde\"", "suite.clauses_digest", digits16},
    {"suite/clauses_digest", "\"0123456789abcdef0\"", "suite.clauses_digest", digits16},
    {"suite/clauses_digest", "\"0123456789abcdeg\"", "suite.clauses_digest", digits16},
    {"library/sha256", "\"" DIGITS60 "abcd\"", NULL, NULL},
    {"library/sha256", "\"" DIGITS60 "abc\"", "library.sha256", digits64},
    {"library/sha256", "\"" DIGITS60 "abcx\"", "library.sha256", digits64},
    {CASE_0 "crash", CRASH("\"0x8\""), NULL, NULL},
    {CASE_0 "crash", CRASH("null"), NULL, NULL},
    {CASE_0 "crash", CRASH("\"0x\""), "cases[0].crash.address", address},
    {CASE_0 "crash", CRASH("\"8\""), "cases[0].crash.address", address},
    {CASE_0 "crash", CRASH("\"0x8z\""), "cases[0].crash.address", address},
    {CASE_0 "crash", "{}", "cases[0].crash", "lacks \"signal\""},
    {CASE_0 "crash", "[]", "cases[0].crash", object},
    {CASE_0 "output", "{\"text\":\"\",\"bytes\":0}", NULL, NULL},
    {CASE_0 "output", "{\"text\":\"\",\"bytes\":-1}", "cases[0].output.bytes", from_0},
    {"selection/shuffle", "\"17\"", NULL, NULL},
    {"selection/shuffle", "\"07\"", "selection.shuffle", seed},
    {"selection/shuffle", "\"\"", "selection.shuffle", seed},
    {"selection/shuffle", "\"7a\"", "selection.shuffle", seed},
    {"library/reported_version", "null", NULL, NULL},
    {"library/reported_version", "\"10.0.12\"", NULL, NULL},
    {"library/reported_version", "\"a.b.c\"", "library.reported_version", version},
    {"library/reported_version", "\"0.1.\"", "library.reported_version", version},
    {"library/reported_version", "\"0.1.9.1\"", "library.reported_version", version},
    {"library/reported_version", "\"0.1.x\"", "library.reported_version", version},
    {"library/functions", "null", NULL, NULL},
    {"library/functions/missing", "[\"TVMFFIOne\",\"TVMFFITwo\"]", NULL, NULL},
    {"library/functions/missing", "[\"TVMFFI\"]", "library.functions.missing[0]", function},
    {"library/functions/missing", "[\"TVMFFIA\",\"XVMFFIA\"]", "library.functions.missing[1]",
     function},
    {"library/functions/missing", "[\"TVMFFIa_b\"]", "library.functions.missing[0]", function},
    {"library/sanitizers", "[\"thread\",\"undefined\"]", NULL, NULL},
    {"library/sanitizers", "[\"thread\",\"\"]", "library.sanitizers[1]",
     "must be one of: address thread memory undefined"},
    {"library/sanitizers", "[\"leak\"]", "library.sanitizers[0]",
     "must be one of: address thread memory undefined"},
    {"library/sanitizers", "null", "library.sanitizers", list},
    {"clauses/0/id", "\"-1\"", "clauses[0].id", clause},
    {"clauses/0/id", "\"ANY-\"", "clauses[0].id", clause},
    {"clauses/0/id", "\"ANY_1\"", "clauses[0].id", clause},
    {"clauses/0/id", "\"ANY-1a\"", "clauses[0].id", clause},
    {"clauses/0/until", "null", NULL, NULL},
    {"clauses/0/until", "0", "clauses[0].until", text},
    {CASE_0 "clauses", "[\"ANY-1\",\"ANY-1\"]", NULL, NULL},
    {CASE_0 "clauses", "[]", "cases[0].clauses", "must not be empty"},
    {CASE_0 "clauses", "[null]", "cases[0].clauses[0]", text},
    {CASE_0 "waiver", "{\"reason\":\"r\",\"url\":null,\"expires\":\"2027-01-31\"}", NULL, NULL},
    {CASE_0 "waiver", "{\"reason\":\"r\",\"url\":null,\"expires\":\"2027-01-3\"}",
     "cases[0].waiver.expires", date},
    {CASE_0 "waiver", "{\"reason\":\"r\",\"url\":null,\"expires\":\"2027-01-311\"}",
     "cases[0].waiver.expires", date},
    {CASE_0 "waiver", "{\"reason\":\"r\",\"url\":null,\"expires\":\"2027-01-3a\"}",
     "cases[0].waiver.expires", date},
    {CASE_0 "waiver", "{\"reason\":\"\",\"url\":null,\"expires\":null}", "cases[0].waiver.reason",
     "must be a non-empty string"},
    {"started_at", "\"2027-01-31T12:00:00.25Z\"", NULL, NULL},
    {"started_at", "\"2027-01-31T12:00:00\"", "started_at", moment},
    {"started_at", "\"2027-01-31T12:00:00+01\"", "started_at", moment},
    {"started_at", "\"2027-01-31 12:00:00Z\"", "started_at", moment},
    {EXPECTED_BYTES, "\"" BYTES8 MARKS8 "\"", NULL, NULL},
    {EXPECTED_BYTES, "\"" BYTES8 "\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\"" BYTES8 "0b0b0b0b0b0b0b0\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\"" BYTES8 BYTES8 "0\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\".*" BYTES8 BYTES8 "\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\"*." BYTES8 BYTES8 "\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\"0g" BYTES8 BYTES8 "\"", EXPECTED_BYTES, bytes16},
    {EXPECTED_BYTES, "\"g0" BYTES8 BYTES8 "\"", EXPECTED_BYTES, bytes16},
    {CASE_0 "evidence", "[" FOUR_FAILURES "," FOUR_FAILURES "]", NULL, NULL},
    {CASE_0 "evidence", "[" FOUR_FAILURES "," FOUR_FAILURES "," FAILURE "]", "cases[0].evidence",
     "has too many items"},
    {CASE_0 "evidence", "[1]", "cases[0].evidence[0]", object},
    {"jobs", "1", NULL, NULL},
    {"jobs", "true", "jobs", from_1},
    {"jobs", "null", "jobs", from_1},
    {"duration_us", "0", NULL, NULL},
    {"duration_us", "0.5", "duration_us", from_0},
    {"duration_us", "\"0\"", "duration_us", from_0},
    {"exit_code", "0", NULL, NULL},
    {"exit_code", "1", NULL, NULL},
    {"exit_code", "130", NULL, NULL},
    {"exit_code", "2", "exit_code", exit_code},
    {"exit_code", "\"0\"", "exit_code", exit_code},
    {"exit_code", "null", "exit_code", exit_code},
    {"conforms", "true", NULL, NULL},
    {"conforms", "false", NULL, NULL},
    {"conforms", "null", "conforms", flag},
    {"conforms", "\"\"", "conforms", flag},
    {"isolation", "\"exec\"", NULL, NULL},
    {"isolation", "\"exe\"", "isolation", "must be one of: fork exec"},
    {"isolation", "\"exec fork\"", "isolation", "must be one of: fork exec"},
    {"isolation", "0", "isolation", "must be one of: fork exec"},
    {"suite/name", "\"another\"", "suite.name", "must be tvmffi-conform"},
    {"suite", "null", "suite", object},
    {"suite", "", "", "lacks \"suite\""},
    {"selection/shard", "{\"index\":1,\"count\":2}", NULL, NULL},
    {"selection/shard", "{\"index\":0,\"count\":2}", "selection.shard.index", from_1},
    {"selection/shard", "{\"index\":1,\"count\":2,\"of\":3}", "selection.shard.of",
     "is not a member of a report"},
    {"cases", "{}", "cases", list},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// The report of a run with every kind of case. Own.
static json_t *whole(void)
{
  Sample sample;
  size_t size;
  sample_begin_with_every_kind(&sample);
  char *written = sample_file(&sample, report_json, "shape.json", &size);
  json_t *root = json_loadb(written, size, 0, NULL);
  ck_assert_ptr_nonnull(root);
  free(written);
  sample_end(&sample);
  return root;
}

static json_t *child(json_t *value, const char *step, size_t length)
{
  if (json_is_array(value)) return json_array_get(value, (size_t)atoi(step));
  return json_object_getn(value, step, length);
}

// Replaces the value at the path, which must be there.
static void replace(json_t *root, const char *path, const char *value)
{
  const char *slash;
  for (; (slash = strchr(path, '/')); path = slash + 1)
    root = child(root, path, (size_t)(slash - path));
  ck_assert_ptr_nonnull(child(root, path, strlen(path)));
  if (!*value) {
    ck_assert_int_eq(json_object_del(root, path), 0);
    return;
  }
  json_t *made = json_loads(value, JSON_DECODE_ANY, NULL);
  ck_assert_msg(made != NULL, "no JSON: %s", value);
  ck_assert_int_eq(json_object_set_new(root, path, made), 0);
}

// "cases[1].evidence[0].seen" of "cases/1/evidence/0/seen"; other texts stay.
static void place_of(const char *path, char place[96])
{
  size_t used = 0;
  for (; *path; ++path) {
    bool item = *path == '/' && path[1] >= '0' && path[1] <= '9';
    if (item)
      used += (size_t)snprintf(place + used, 96 - used, "[%c]", *++path);
    else
      place[used++] = *path == '/' ? '.' : *path;
  }
  place[used] = '\0';
}

TEST_GROUP(shape);

TEST(each_value_has_its_shape, .rows = ROWS)
{
  const ShapeRow *row = &rows[_i];
  json_t *root = whole();
  InspectJsonPlace place = {.depth = 0};
  char what[120] = "", seen[96], expected[96];
  replace(root, row->path, row->value);
  bool holds = report_shape_holds(root, &place, what, sizeof what);
  ck_assert_msg(holds == !row->what, "%s = %s: %s", row->path, row->value, what);
  if (row->what) {
    ck_assert_str_eq(what, row->what);
    inspect_json_place_text(&place, seen, sizeof seen);
    place_of(row->where, expected);
    ck_assert_str_eq(seen, expected);
  }
  json_decref(root);
}

TEST(a_report_is_an_object)
{
  InspectJsonPlace place = {.depth = 0};
  char what[120] = "";
  json_t *root = json_array();
  ck_assert(!report_shape_holds(root, &place, what, sizeof what));
  ck_assert_str_eq(what, object);
  ck_assert_uint_eq(place.depth, 0);
  json_decref(root);
}

// --- The text of a file --------------------------------------------------------------------------

static const struct {
  const char *bytes, *expected;
} texts[] = {
    {"", "r.json: is empty ("},
    {" \n", "r.json: is empty ("},
    {"{\"a\": \"\xc3", "r.json:1:7: the file is truncated ("},
    {"{\"a\": \"\xe2\x82", "r.json:1:7: the file is truncated ("},
    {"{\"a\": \"\xf0\x9f\x98", "r.json:1:7: the file is truncated ("},
    {"\x80", "r.json:1:0: not JSON: unable to decode byte 0x80 ("},
    {"\"\x80\x80\x80\x80", "r.json:1:1: not JSON: unable to decode byte 0x80 near '\"' ("},
    {"{\"\x80\": 1}", "r.json:1:2: not JSON: unable to decode byte 0x80 near '\"' ("},
    {"{\"a\": \x1b[31m}", "r.json:1:7: not JSON: invalid token near '?' ("},
    {"[]", "r.json: is not a report of a run ("},
    {"{\"format\": \"tvmffi-conform-report/1\"}", "r.json:1: lacks \"suite\" ("},
    // The line: of a key, past strings with quotes and past lists that are deeper than is followed.
    {"{\"z\": \"a\\\"b\", \"y\": [[[[[[[[[[1, 2], 3]]]]]]]]],\n \"format\": "
     "\"tvmffi-conform-report/1\",\n \"suite\": 1}",
     "r.json:3: suite: must be an object ("},
    // A key with an escape is not found: then it is the line of what holds it.
    {"{\n \"format\": \"tvmffi-conform-report/1\",\n \"su\\u0069te\": 1}",
     "r.json:1: suite: must be an object ("},
    {"{\n \"format\": \"tvmffi-conform-report/1\",\n \"suite\": {\n \"n\\u0061me\": 1},\n "
     "\"name\": 2}",
     "r.json:3: suite.name: must be tvmffi-conform ("},
    {"{\"format\": \"a\x7f\xc3\xa9\"}", "r.json: format \"a???\" is not supported, "},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

TEST(what_is_no_report_is_told, .rows = TEXTS)
{
  char error[512] = "";
  const char *expected = texts[_i].expected;
  ck_assert_ptr_null(
      report_read_text("r.json", texts[_i].bytes, strlen(texts[_i].bytes), error, sizeof error));
  ck_assert_msg(strncmp(error, expected, strlen(expected)) == 0, "not \"%s\": %s", expected, error);
}

// However long the file's name is, the message ends within its room.
TEST(a_message_has_its_room)
{
  char error[8] = "";
  ck_assert_ptr_null(report_read_text("long-name.json", "[]", 2, error, sizeof error));
  ck_assert_str_eq(error, "long-na");
}

TEST(a_file_is_read)
{
  char path[64], error[512];
  json_t *root = whole();
  int descriptor = memfd_create("report", MFD_CLOEXEC);
  ck_assert_int_eq(json_dumpfd(root, descriptor, 0), 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  ReadReport *report = report_read(path, error, sizeof error);
  ck_assert_msg(report != NULL, "%s", error);
  ck_assert_uint_eq(report->case_count, json_array_size(json_object_get(root, "cases")));
  report_read_free(report);
  close(descriptor);
  json_decref(root);
}
