// SPDX-License-Identifier: Apache-2.0
// Two JSON reports, read and compared with each other. A line that begins with "#" stands between
// them; without one, the report is compared with itself.
#include <jansson.h>
#include <string.h>

#include "fuzz_target.h"
#include "report/report_diff.h"

static const char divider[] = "\n#\n";

// A case has the id of its object; one of a group has a function behind it.
static bool is_id_of(const ReadCase *one)
{
  const char *id = json_string_value(json_object_get(one->raw, "id"));
  size_t length = strlen(id);
  if (!json_object_get(one->raw, "functions")) return strcmp(one->id, id) == 0;
  return strncmp(one->id, id, length) == 0 && one->id[length] == '@';
}

static ReadReport *read_part(const char *name, const uint8_t *data, size_t size)
{
  char error[512] = "";
  ReadReport *report = report_read_text(name, (const char *)data, size, error, sizeof error);
  FUZZ_CHECK((report == NULL) == (error[0] != '\0'));
  fuzz_is_line(error);
  for (size_t i = 0; report && i < report->case_count; ++i) {
    const ReadCase *one = &report->cases[i];
    FUZZ_CHECK(is_id_of(one));
    FUZZ_CHECK(i == 0 || strcmp(report->cases[i - 1].id, one->id) < 0);
  }
  return report;
}

static void tell(const ReportDiff *diff)
{
  char *text = NULL;
  size_t size = 0;
  TextStyle style = {.utf8 = true, .verbosity = 1, .columns = 100};
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  report_diff_text(out, &style, diff, "old.json", "new.json");
  fclose(out);
  fuzz_is_text(text, size);
  free(text);
}

// What is a regression one way is a fix, or a case that is gone, the other way.
static void compare(const ReadReport *old, const ReadReport *new)
{
  ReportDiff there, back;
  FUZZ_CHECK(report_diff(old, new, &there));
  FUZZ_CHECK(report_diff(new, old, &back));
  FUZZ_CHECK(there.same == back.same);
  FUZZ_CHECK(there.count == back.count);
  FUZZ_CHECK(there.by_kind[DIFF_FIX] <= back.by_kind[DIFF_REGRESSION]);
  FUZZ_CHECK(back.by_kind[DIFF_FIX] <= there.by_kind[DIFF_REGRESSION]);
  FUZZ_CHECK(old != new || there.count == 0);
  tell(&there);
  tell(&back);
  report_diff_free(&there);
  report_diff_free(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *middle = size ? memmem(data, size, divider, strlen(divider)) : NULL;
  size_t first = middle ? (size_t)(middle - data) : size;
  ReadReport *old = read_part("old.json", data, first), *new = old;
  if (middle) {
    first += strlen(divider);
    new = read_part("new.json", data + first, size - first);
  }
  if (old && new) compare(old, new);
  if (new != old) report_read_free(new);
  report_read_free(old);
  return 0;
}
