// SPDX-License-Identifier: Apache-2.0
// Waiver files: what is refused and in which words, which entry is in force, and what is written
// back. The cases that they name are declared here; none is ever run.
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/save.h"
#include "tests/report/test_report_sample.h"
#include "unit/unit.h"

CHAPTER(version);

CASE(told_twice, .clauses = {VER_1}, .title = "the version is told twice")
{
}

static const struct {
  const char *name;
} rows[] = {{"one"}, {"two"}, {"dotted.name"}};

CASE_ROWS(told_often, rows, .clauses = {VER_3}, .title = "the version is told often")
{
}

static char error[512];

static const char *write_waiver_file(const char *text, size_t size)
{
  static char path[256];
  char *owned = sample_path("given.json");
  snprintf(path, sizeof path, "%s", owned);
  free(owned);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(text, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

static WaiverSet *read_text(const char *text)
{
  return waivers_read(write_waiver_file(text, strlen(text)), "2026-11-21", error, sizeof error);
}

// --- Reading -------------------------------------------------------------------------------------

TEST(every_member_is_read)
{
  WaiverSet *set = read_text(
      "{\"waivers\": [{\"case\": \"version.told-twice\", \"reason\": \"known\", \"url\": "
      "\"https://example.org/1\","
      "  \"expires\": \"2028-02-29\", \"since\": \"0.1.0\", \"until\": \"0.1.8\"},"
      " {\"case\": \"version.told-often.*\", \"reason\": \"rows\"}]}");
  ck_assert_msg(set != NULL, "%s", error);
  ck_assert_uint_eq(set->count, 2);
  ck_assert_str_eq(set->items[0].case_id, "version.told-twice");
  ck_assert_str_eq(set->items[0].reason, "known");
  ck_assert_str_eq(set->items[0].url, "https://example.org/1");
  ck_assert_str_eq(set->items[0].expires, "2028-02-29");
  ck_assert_uint_eq(set->items[0].since, ABI_VERSION(0, 1, 0));
  ck_assert_uint_eq(set->items[0].until, ABI_VERSION(0, 1, 8));
  ck_assert_ptr_null(set->items[1].url);
  ck_assert_ptr_null(set->items[1].expires);
  ck_assert_uint_eq(set->items[1].since, 0);
  ck_assert_uint_eq(set->items[1].until, UINT32_MAX);
  waivers_free(set);
}

TEST(no_waivers_are_no_mistake)
{
  WaiverSet *set = read_text("{\"waivers\": []}");
  ck_assert_msg(set != NULL, "%s", error);
  ck_assert_uint_eq(set->count, 0);
  ck_assert_ptr_null(waivers_find(set, "version.told-twice", 1));
  waivers_free(set);
  waivers_free(NULL);
  ck_assert_ptr_null(waivers_find(NULL, "version.told-twice", 1));
}

#define ENTRY(members) "{\"waivers\": [{" members "}]}"
#define TWICE "\"case\": \"version.told-twice\", \"reason\": \"known\""

static const struct {
  const char *text, *message;
} refusals[] = {
    {"", "is empty"},
    {"{\"waivers\": [", ":1:13: the file is truncated"},
    {"{\"waivers\":\n  [nonsense]}", ":2:11: not JSON: "},
    {"[]", "must be an object with one member, the list \"waivers\""},
    {"{}", "must be an object with one member, the list \"waivers\""},
    {"{\"waivers\": {}}", "must be an object with one member, the list \"waivers\""},
    {"{\"waivers\": [], \"version\": 1}",
     "must be an object with one member, the list \"waivers\""},
    {"{\"waivers\": [], \"waivers\": []}", "not JSON: duplicate object key"},
    {"{\"waivers\": [\"version.told-twice\"]}",
     "waivers[0] must be an object with \"case\" and \"reason\""},
    {ENTRY("\"reason\": \"known\""), "waivers[0] lacks \"case\", the id of a case"},
    {ENTRY("\"case\": \"version.told-twice\""),
     "waivers[0] for version.told-twice lacks \"reason\", why the case may fail"},
    {ENTRY("\"case\": \"version.told-twice\", \"reason\": \" \\t\\n\""),
     "waivers[0] for version.told-twice lacks \"reason\", why the case may fail"},
    {ENTRY(TWICE ", \"why\": \"x\""),
     "waivers[0].why is unknown (known: case, reason, url, expires, since, until, except)"},
    {ENTRY(TWICE ", \"url\": 7"), "waivers[0].url must be a string"},
    {ENTRY(TWICE ", \"expires\": null"), "waivers[0].expires must be a string"},
    {ENTRY("\"case\": \"version.told-twise\", \"reason\": \"known\""),
     "waivers[0].case is unknown: \"version.told-twise\" (nearest: version.told-twice"},
    {ENTRY("\"case\": \"version.told-often\", \"reason\": \"known\""),
     "case is unknown: \"version.told-often\" (nearest: version.told-often."},
    {ENTRY("\"case\": \"version.told-twice.*\", \"reason\": \"has no rows\""), "case is unknown"},
    {ENTRY("\"case\": \"version.*\", \"reason\": \"a whole chapter\""), "case is unknown"},
    {ENTRY("\"case\": \"*\", \"reason\": \"everything\""), "case is unknown: \"*\""},
    {ENTRY("\"case\": \".*\", \"reason\": \"everything\""), "case is unknown: \".*\""},
    {ENTRY("\"case\": \"\", \"reason\": \"nothing\""), "case is unknown: \"\""},
    {ENTRY("\"case\": \"a\\u001b[2J\\u202e\", \"reason\": \"x\""), "case is unknown: \"a?[2J???\""},
    {ENTRY(TWICE ", \"expires\": \"2026-11-20\""),
     "waivers[0] for version.told-twice expired on 2026-11-20 (fix the deviation, or set a later date)"},
    {ENTRY(TWICE ", \"expires\": \"soon\""),
     "waivers[0].expires is not a date: \"soon\" (write it as \"2027-01-31\")"},
    {ENTRY(TWICE ", \"expires\": \"2027-02-29\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2100-02-29\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-13-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-00-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-04-31\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-04-00\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-4-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-04-01T\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027x04-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2027-04x01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"x027-04-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"2/27-04-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"20x7-04-01\""), "is not a date"},
    {ENTRY(TWICE ", \"expires\": \"202--04-01\""), "is not a date"},
    {ENTRY(TWICE ", \"since\": \"0.1\""),
     "waivers[0].since is not a version: \"0.1\" (write it as \"0.1.9\")"},
    {ENTRY(TWICE ", \"until\": \"0.1.1024\""), "waivers[0].until is not a version: \"0.1.1024\""},
    {ENTRY(TWICE ", \"until\": \"0.1.9.post1\""), "is not a version"},
    {ENTRY(TWICE ", \"until\": \"0.1.-9\""), "is not a version"},
    {ENTRY(TWICE ", \"until\": \"99999999999.1.1\""), "is not a version"},
    {ENTRY(TWICE ", \"since\": \"0.1.9\", \"until\": \"0.1.8\""),
     "waivers[0] for version.told-twice ends (\"until\") before it begins (\"since\")"},
    {"{\"waivers\": [{" TWICE "}, {" TWICE "}]}",
     "waivers[1] overlaps waivers[0] for version.told-twice (remove one)"},
    {"{\"waivers\": [{" TWICE ", \"until\": \"0.1.8\"}, {" TWICE ", \"since\": \"0.1.8\"}]}",
     "waivers[1] overlaps waivers[0] for version.told-twice (remove one)"},
};

TEST(refusal, .rows = ROWS(refusals))
{
  ck_assert_ptr_null(read_text(refusals[_i].text));
  ck_assert_msg(strstr(error, refusals[_i].message) != NULL, "expected \"%s\", seen \"%s\"",
                refusals[_i].message, error);
  char *path = sample_path("given.json:");
  ck_assert_msg(strncmp(error, path, strlen(path)) == 0, "no file name: %s", error);
  free(path);
}

TEST(clauses_are_no_cases)
{
  ck_assert_ptr_null(read_text(ENTRY("\"case\": \"ver-1\", \"reason\": \"known\"")));
  ck_assert_ptr_nonnull(strstr(error, "waivers[0].case is the clause VER-1, not a case"));
  ck_assert_ptr_null(read_text(ENTRY("\"case\": \"VER-\", \"reason\": \"known\"")));
  ck_assert_ptr_nonnull(strstr(error, "case is unknown: \"VER-\""));
  ck_assert_ptr_null(strstr(error, "VER-1"));  // near, but of no use here
}

TEST(a_date_holds_until_its_end)
{
  WaiverSet *set = read_text(ENTRY(TWICE ", \"expires\": \"2026-11-21\""));
  ck_assert_msg(set != NULL, "%s", error);
  waivers_free(set);
}

// Of centuries, every fourth is a leap year.
TEST(the_last_of_february)
{
  WaiverSet *set = read_text(ENTRY(TWICE ", \"expires\": \"2400-02-29\""));
  ck_assert_msg(set != NULL, "%s", error);
  waivers_free(set);
}

TEST(entries_for_other_versions_stand_in_any_order)
{
  WaiverSet *set = read_text("{\"waivers\": [{" TWICE ", \"since\": \"0.1.9\"}, {" TWICE
                             ", \"until\": \"0.1.8\"}]}");
  ck_assert_msg(set != NULL, "%s", error);
  ck_assert_uint_eq(set->count, 2);
  waivers_free(set);
}

// Without its function, a case is named for each; with one, for no other. Rows are those of a case.
TEST(what_an_entry_names)
{
  Waiver one = {.case_id = "version.told-twice@f"}, each = {.case_id = "version.told-twice"};
  Waiver chapter = {.case_id = "version.*"};
  ck_assert(waivers_names(&one, "version.told-twice@f"));
  ck_assert(!waivers_names(&one, "version.told-twice@g"));
  ck_assert(waivers_names(&each, "version.told-twice@g"));
  ck_assert(!waivers_names(&chapter, "version.told-twice"));
}

TEST(files_that_cannot_be_read)
{
  ck_assert_ptr_null(waivers_read("/nonexistent/waivers.json", "2026-11-21", error, sizeof error));
  ck_assert_str_eq(error, "/nonexistent/waivers.json: No such file or directory");
  ck_assert_ptr_null(waivers_read("/", "2026-11-21", error, sizeof error));
  ck_assert_str_eq(error, "/: Is a directory");
  ck_assert_ptr_null(waivers_read("/dev/zero", "2026-11-21", error, sizeof error));
  ck_assert_str_eq(error, "/dev/zero: is larger than 1 MiB (the limit)");
}

TEST(hostile_files)
{
  size_t deep = 100000;
  char *text = malloc(deep);
  memset(text, '[', deep);
  ck_assert_ptr_null(
      waivers_read(write_waiver_file(text, deep), "2026-11-21", error, sizeof error));
  ck_assert_ptr_nonnull(strstr(error, "not JSON: maximum parsing depth reached"));
  memset(text, 0xff, deep);
  ck_assert_ptr_null(
      waivers_read(write_waiver_file(text, deep), "2026-11-21", error, sizeof error));
  ck_assert_ptr_nonnull(strstr(error, "not JSON"));
  static const char with_nul[] = "{\"waivers\": []}\0{";
  ck_assert_ptr_null(waivers_read(write_waiver_file(with_nul, sizeof with_nul), "2026-11-21", error,
                                  sizeof error));
  char small[16];  // a message is cut, never written past its end
  ck_assert_ptr_null(waivers_read("/nonexistent/waivers.json", "2026-11-21", small, sizeof small));
  ck_assert_str_eq(small, "/nonexistent/wa");
  free(text);
}

// --- In force ------------------------------------------------------------------------------------

TEST(which_entry_is_in_force)
{
  WaiverSet *set = read_text(
      "{\"waivers\": [{\"case\": \"version.told-often.*\", \"reason\": \"rows\"},"
      "{\"case\": \"version.told-often.two\", \"reason\": \"row\", \"since\": \"0.1.5\"},"
      "{" TWICE ", \"since\": \"0.1.3\", \"until\": \"0.1.5\"}, {" TWICE
      ", \"since\": \"0.1.7\"}]}");
  ck_assert_msg(set != NULL, "%s", error);
  const Waiver *items = set->items;
  ck_assert_ptr_eq(waivers_find(set, "version.told-often.one", ABI_VERSION(0, 1, 9)), &items[0]);
  ck_assert_ptr_eq(waivers_find(set, "version.told-often.two", ABI_VERSION(0, 1, 9)), &items[1]);
  ck_assert_ptr_eq(waivers_find(set, "version.told-often.two", ABI_VERSION(0, 1, 4)), &items[0]);
  ck_assert_ptr_eq(waivers_find(set, "version.told-often.dotted.name", ABI_VERSION(0, 1, 4)),
                   &items[0]);
  ck_assert_ptr_null(waivers_find(set, "version.told-twice", ABI_VERSION(0, 1, 2)));
  ck_assert_ptr_eq(waivers_find(set, "version.told-twice", ABI_VERSION(0, 1, 3)), &items[2]);
  ck_assert_ptr_eq(waivers_find(set, "version.told-twice", ABI_VERSION(0, 1, 5)), &items[2]);
  ck_assert_ptr_null(waivers_find(set, "version.told-twice", ABI_VERSION(0, 1, 6)));
  ck_assert_ptr_eq(waivers_find(set, "version.told-twice", ABI_VERSION(0, 1, 7)), &items[3]);
  ck_assert_ptr_eq(waivers_find(set, "version.told-twice", UINT32_MAX),
                   &items[3]);  // version unknown
  ck_assert(!waivers_names(&items[0], "version.told-often"));
  ck_assert(!waivers_names(&items[0], "version.told-often.unheard-of"));
  waivers_free(set);
}

// --- Writing -------------------------------------------------------------------------------------

static CaseResult *add_registered(Sample *sample, const char *id, bool fails)
{
  CaseResult *result = sample_add(sample, "version", "x", CLAUSE_MUST);
  result->instance = case_find(id);
  ck_assert_ptr_nonnull(result->instance);
  if (fails) sample_fail(result);
  return result;
}

static char *written_path(void)
{
  return sample_path("written.json");
}

static WaiverSet *write_and_read(const Sample *sample)
{
  char *path = written_path();
  ck_assert_msg(waivers_write(&sample->report, path, "2026-11-21", error, sizeof error) == 0, "%s",
                error);
  WaiverSet *set = waivers_read(path, "2026-11-21", error, sizeof error);
  ck_assert_msg(set != NULL, "%s", error);
  free(path);
  return set;
}

TEST(fails_are_written_once_each)
{
  Sample sample;
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", true);
  add_registered(&sample, "version.told-twice", true);
  add_registered(&sample, "version.told-often.one", false);
  add_registered(&sample, "version.told-often.two", true);
  sample_judge(&sample);
  ck_assert(!sample_conforms(&sample));
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 2);
  ck_assert_str_eq(set->items[0].case_id, "version.told-twice");
  ck_assert_str_eq(set->items[0].reason,
                   "recorded by --write-waivers on 2026-11-21 (replace with the reason)");
  ck_assert_str_eq(set->items[1].case_id, "version.told-often.two");
  sample.report.waivers = set;  // under what was written, the same run conforms
  sample_judge(&sample);
  ck_assert(sample_conforms(&sample));
  sample_end(&sample);
  waivers_free(set);
}

// A case that failed only in its second run is one that fails.
TEST(a_case_that_fails_now_and_then_is_written)
{
  Sample sample;
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", false);
  add_registered(&sample, "version.told-twice", true);
  sample_judge(&sample);
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 1);
  ck_assert_str_eq(set->items[0].case_id, "version.told-twice");
  waivers_free(set);
  sample_end(&sample);
}

// JSON has no bytes that are not UTF-8; the file that is there stays.
TEST(a_reason_that_is_no_text_is_refused)
{
  Sample sample;
  char *path = written_path();
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", true);
  sample_waive(&sample, "version.told-twice", "\xff");
  sample_judge(&sample);
  unlink(path);
  ck_assert_int_eq(waivers_write(&sample.report, path, "2026-11-21", error, sizeof error), -1);
  ck_assert_msg(strstr(error, "a string is not UTF-8") != NULL, "%s", error);
  ck_assert_int_ne(access(path, F_OK), 0);
  free(path);
  sample_end(&sample);
}

TEST(what_does_not_count_is_not_written)
{
  Sample sample;
  sample_begin(&sample);
  sample_fail(sample_add(&sample, "version", "should", CLAUSE_SHOULD));
  sample_add(&sample, "version", "lost", CLAUSE_MUST)->outcome.kind = OUTCOME_LOST;
  sample_judge(&sample);
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 0);
  waivers_free(set);
  sample_end(&sample);
}

TEST(old_entries_stay_while_they_hold)
{
  Sample sample;
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", true);
  sample_waive(&sample, "version.told-twice", "a reason that somebody wrote");
  sample.waivers[0].url = "https://example.org/1";
  sample.waivers[0].expires = "2028-01-01";
  sample.waivers[0].until = ABI_VERSION(0, 1, 12);
  sample_waive(&sample, "version.told-often.one", "of another version");
  sample.waivers[1].until = ABI_VERSION(0, 1, 3);
  sample_judge(&sample);
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 2);
  ck_assert_str_eq(set->items[0].reason, "a reason that somebody wrote");
  ck_assert_str_eq(set->items[0].url, "https://example.org/1");
  ck_assert_str_eq(set->items[0].expires, "2028-01-01");
  ck_assert_uint_eq(set->items[0].since, 0);
  ck_assert_uint_eq(set->items[0].until, ABI_VERSION(0, 1, 12));
  ck_assert_str_eq(set->items[1].case_id, "version.told-often.one");
  waivers_free(set);
  sample_end(&sample);
}

TEST(disproved_entries_go)
{
  Sample sample;
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", false);
  add_registered(&sample, "version.told-often.one", false);
  add_registered(&sample, "version.told-often.two", true);
  sample_waive(&sample, "version.told-twice", "no longer true");
  sample_waive(&sample, "version.told-often.*", "true of one row");
  sample_judge(&sample);
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 1);
  ck_assert_str_eq(set->items[0].case_id, "version.told-often.two");
  ck_assert_str_eq(set->items[0].reason, "true of one row");
  sample.report.waivers = set;
  sample_judge(&sample);
  ck_assert(sample_conforms(&sample));
  sample_end(&sample);
  waivers_free(set);
}

TEST(an_entry_for_what_does_not_apply_goes)
{
  Sample sample;
  sample_begin(&sample);
  add_registered(&sample, "version.told-twice", false)->outcome.end = EVIDENCE_SKIPPED;
  sample_waive(&sample, "version.told-twice", "matches nothing that runs");
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 1);
  WaiverSet *set = write_and_read(&sample);
  ck_assert_uint_eq(set->count, 0);
  waivers_free(set);
  sample_end(&sample);
}

// --- Files whole or not at all -------------------------------------------------------------------

static char *contents(const char *path)
{
  static char text[256];
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

TEST(a_file_is_replaced_and_keeps_its_mode)
{
  char *path = written_path();
  struct stat seen;
  unlink(path);
  umask(027);
  ck_assert_int_eq(save_file(path, "the text", "one", 3, error, sizeof error), 0);
  ck_assert_int_eq(stat(path, &seen), 0);
  ck_assert_uint_eq(seen.st_mode & 07777, 0640);
  ck_assert_int_eq(chmod(path, 0604), 0);
  ck_assert_int_eq(save_file(path, "the text", "second", 6, error, sizeof error), 0);
  ck_assert_int_eq(stat(path, &seen), 0);
  ck_assert_uint_eq(seen.st_mode & 07777, 0604);
  ck_assert_str_eq(contents(path), "second");
  free(path);
}

TEST(a_link_stays_a_link)
{
  char *path = written_path(), *link_path = sample_path("link.json");
  unlink(link_path);
  ck_assert_int_eq(save_file(path, "the text", "one", 3, error, sizeof error), 0);
  ck_assert_int_eq(symlink(path, link_path), 0);
  ck_assert_int_eq(save_file(link_path, "the text", "two", 3, error, sizeof error), 0);
  struct stat seen;
  ck_assert_int_eq(lstat(link_path, &seen), 0);
  ck_assert(S_ISLNK(seen.st_mode));
  ck_assert_str_eq(contents(path), "two");
  free(path);
  free(link_path);
}

// A pipe of the test's own: a mistake here must not cost the machine its /dev/null.
TEST(a_pipe_is_written_to_not_replaced)
{
  char *path = sample_path("pipe"), seen_text[8] = "";
  unlink(path);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDWR | O_NONBLOCK);
  ck_assert_int_ge(reader, 0);
  ck_assert_int_eq(save_file(path, "the text", "one", 3, error, sizeof error), 0);
  ck_assert_int_eq(read(reader, seen_text, sizeof seen_text), 3);
  ck_assert_str_eq(seen_text, "one");
  struct stat seen;
  ck_assert_int_eq(stat(path, &seen), 0);
  ck_assert(S_ISFIFO(seen.st_mode));
  close(reader);
  free(path);
}

static size_t files_in_folder(void)
{
  char *folder = sample_path("");
  size_t count = 0;
  DIR *stream = opendir(folder);
  ck_assert_ptr_nonnull(stream);
  while (readdir(stream)) ++count;
  closedir(stream);
  free(folder);
  return count;
}

TEST(a_full_disk_leaves_the_old_file)
{
  char *path = written_path(), *message = NULL;
  char *much = calloc(1, 1 << 16);
  ck_assert_int_eq(save_file(path, "the text", "old", 3, error, sizeof error), 0);
  size_t files = files_in_folder();
  const struct rlimit tight = {4096, RLIM_INFINITY}, loose = {RLIM_INFINITY, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &tight), 0);
  int status = save_file(path, "the text", much, 1 << 16, error, sizeof error);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &loose), 0);
  ck_assert_int_eq(status, -1);
  ck_assert_int_ge(asprintf(&message, "cannot write the text: %s: File too large", path), 0);
  ck_assert_str_eq(error, message);
  ck_assert_str_eq(contents(path), "old");
  ck_assert_uint_eq(files_in_folder(), files);
  free(much);
  free(message);
  free(path);
}

TEST(standard_output_is_a_dash)
{
  char *path = written_path();
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600), terminal = dup(STDOUT_FILENO);
  ck_assert_int_ge(terminal, 0);
  ck_assert_int_ge(dup2(file, STDOUT_FILENO), 0);
  int written = save_file("-", "the text", "to the pipe", 11, error, sizeof error);
  close(STDOUT_FILENO);
  char refusal_text[sizeof error] = "";
  int refused = save_file("-", "the text", "x", 1, refusal_text, sizeof refusal_text);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  close(file);
  ck_assert_int_eq(written, 0);
  ck_assert_str_eq(contents(path), "to the pipe");
  ck_assert_int_eq(refused, -1);
  ck_assert_str_eq(refusal_text, "cannot write the text: standard output: Bad file descriptor");
  free(path);
}

TEST(a_failure_leaves_nothing_behind)
{
  ck_assert_int_eq(
      save_file("/proc/nonexistent/x.json", "the JSON report", "x", 1, error, sizeof error), -1);
  ck_assert_str_eq(
      error, "cannot write the JSON report: /proc/nonexistent/x.json: No such file or directory");
  char *folder = sample_path("");
  ck_assert_int_eq(save_file(folder, "the JSON report", "x", 1, error, sizeof error), -1);
  ck_assert_ptr_nonnull(strstr(error, ": Is a directory"));
  free(folder);
  Sample sample;
  sample_begin(&sample);
  ck_assert_int_eq(
      waivers_write(&sample.report, "/proc/nonexistent/w.json", "2026-11-21", error, sizeof error),
      -1);
  ck_assert_str_eq(error,
                   "cannot write the waivers: /proc/nonexistent/w.json: No such file or directory");
  sample_end(&sample);
}

TEST(a_waiver_is_not_about_releases_that_it_excepts)
{
  static const char text[] = ENTRY(TWICE ", \"except\": \"0.1.8.post0, 0.1.8.post1\"");
  static const char *const releases[] = {"0.1.8.post", "0.1.8", "0.1.9", "0.1.8.post1"};
  WaiverSet *set =
      waivers_read(write_waiver_file(text, strlen(text)), "2026-11-21", error, sizeof error);
  ck_assert_msg(set != NULL, "%s", error);
  ck_assert_str_eq(set->items[0].except, "0.1.8.post0, 0.1.8.post1");
  for (size_t i = 0; i < ROWS(releases); ++i) {
    waivers_leave_out(set, releases[i]);
    ck_assert_uint_eq(set->count, i < ROWS(releases) - 1);
  }
  waivers_free(set);
  waivers_leave_out(NULL, "0.1.9");
}
