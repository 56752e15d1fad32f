// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "abi/abi.h"
#include "report/bench_report.h"
#include "report/json_build.h"

static json_t *library(JsonBuild *build, const BenchReport *report, unsigned which)
{
  const char *slash = strrchr(report->names[which], '/');
  char version[16];
  json_t *object = json_object();
  json_put(build, object, "name", json_clean_string(slash ? slash + 1 : report->names[which]));
  json_put(build, object, "sha256", json_string(report->sha256[which]));
  json_put(build, object, "reported_version",
           report->version[which] == UINT32_MAX || report->version[which] == ABI_VERSION_2025_09
               ? json_null()
               : json_string(abi_version_text(report->version[which], version)));
  return object;
}

static json_t *sample(JsonBuild *build, const BenchSample *sample)
{
  static const char *const states[] = {
      [BENCH_MEASURED] = "measured",
      [BENCH_NOT_THERE] = "not there",
      [BENCH_FAILED] = "failed",
      [BENCH_NOT_COUNTED] = "not counted",
  };
  bool measured = sample->state == BENCH_MEASURED;
  json_t *object = json_object();
  json_put(build, object, "state", json_string(states[sample->state]));
  json_put(build, object, "median", measured ? json_real(sample->median) : json_null());
  json_put(build, object, "spread", measured ? json_real(sample->spread) : json_null());
  return object;
}

static json_t *ratio(JsonBuild *build, const BenchRecord *row)
{
  static const char *const verdicts[] = {
      [BENCH_ALIKE] = "alike", [BENCH_A_FASTER] = "A", [BENCH_B_FASTER] = "B"};
  if (row->ratio <= 0) return json_null();
  json_t *object = json_object();
  json_put(build, object, "median", json_real(row->ratio));
  json_put(build, object, "low", json_real(row->ratio_low));
  json_put(build, object, "high", json_real(row->ratio_high));
  json_put(build, object, "faster", json_string(verdicts[bench_verdict(row)]));
  return object;
}

static json_t *operation(JsonBuild *build, const BenchReport *report, const BenchRecord *row)
{
  json_t *object = json_object(), *samples = json_array();
  for (unsigned i = 0; i < report->count; ++i)
    json_add(build, samples, sample(build, &row->sample[i]));
  json_put(build, object, "title", json_clean_string(row->text));
  json_put(build, object, "samples", samples);
  json_put(build, object, "ratio", ratio(build, row));
  return object;
}

int bench_json(const BenchReport *report, const char *path, char *error, size_t error_size)
{
  JsonBuild build = {.failed = false};
  json_t *root = json_object(), *libraries = json_array(), *operations = json_array();
  for (unsigned i = 0; i < report->count; ++i)
    json_add(&build, libraries, library(&build, report, i));
  for (size_t i = 0; i < report->row_count; ++i)
    json_add(&build, operations, operation(&build, report, &report->rows[i]));
  json_put(&build, root, "format", json_string("tvmffi-conform-bench/1"));
  json_put(&build, root, "suite", json_suite(&build));
  json_put(&build, root, "libraries", libraries);
  json_put(&build, root, "unit", json_string(report->rounds ? "ns" : "instructions"));
  json_put(&build, root, "rounds", json_integer(report->rounds));
  json_put(&build, root, "complete", json_boolean(report->complete));
  json_put(&build, root, "ended", json_clean_or_null(report->ended));
  json_put(&build, root, "operations", operations);
  return json_save(root, build.failed, "the JSON report", path, error, error_size);
}
