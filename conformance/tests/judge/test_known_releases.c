// SPDX-License-Identifier: Apache-2.0
// Official releases: how they are recognised, and which of their deviations are known.
#include "judge/known_releases.h"
#include "tests/report/test_report_sample.h"
#include "unit/unit.h"

TEST(a_release_is_known_by_its_build_id_or_digest)
{
  InspectReport library = {.profile = INSPECT_PROFILE_RUNTIME,
                           .build_id = "ca3b857238f14d3357661d0b05280834386176d0"};
  ck_assert_str_eq(known_release(&library), "0.1.15.post2");
  library.profile = INSPECT_PROFILE_MODULE;
  ck_assert_ptr_null(known_release(&library));
  library =
      (InspectReport){.profile = INSPECT_PROFILE_RUNTIME,
                      .build_id = "ca3b857238f14d3357661d0b05280834386176d1",
                      .sha256 = "be2a7b66f3963e363ca200edc8cf23586ce2f2c5b797fa36ef6e6e9d0c2b2723"};
  ck_assert_str_eq(known_release(&library), "0.1.0");
  library.sha256[0] = 'a';
  ck_assert_ptr_null(known_release(&library));
  library.build_id[0] = library.sha256[0] = '\0';
  ck_assert_ptr_null(known_release(&library));
}

TEST(known_deviations_are_counted_waived_or_not)
{
  Sample sample;
  char line[160];
  sample_begin(&sample);
  sample_add(&sample, "version", "fine", CLAUSE_MUST);
  sample_add(&sample, "version", "broken", CLAUSE_SHOULD)->outcome.failed = 1;
  sample_add(&sample, "version", "new", CLAUSE_SHOULD)->outcome.failed = 1;
  sample_waive(&sample, "version.fine", "known, and gone");
  sample_waive(&sample, "version.broken", "known");
  sample.report.waivers = NULL;
  sample_judge(&sample);
  verdict_known_line(&sample.report, line);
  ck_assert_str_eq(line, "");

  sample.report.known_release = "0.1.9";
  sample.report.known_deviations = &sample.set;
  sample_judge(&sample);
  verdict_known_line(&sample.report, line);
  ck_assert_str_eq(line, "known deviations of 0.1.9: 1 (use --waivers official)");
  ck_assert_int_eq(sample.report.verdict.standing, STANDING_CONFORMS);

  sample.report.waivers = &sample.set;
  sample_judge(&sample);
  verdict_known_line(&sample.report, line);
  ck_assert_str_eq(line, "known deviations of 0.1.9: 1");
  // In a version of which it is not known, it is no known deviation.
  sample.waivers[1].until = ABI_VERSION(0, 1, 8);
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.verdict.known, 0);
  sample_end(&sample);
}
