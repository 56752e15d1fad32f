// SPDX-License-Identifier: Apache-2.0
// The program against a runtime of the MUST clauses of the scope core and of nothing else: it conforms. A case that goes
// red here judges a MUST with something that is none, or that only frontends or compiled C++ code need.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

TEST_GROUP(core_only, .timeout = 240);

static json_int_t number(const json_t *object, const char *level, const char *name)
{
  return json_integer_value(json_object_get(json_object_get(object, level), name));
}

static const char *const gates[] = {NULL, "--gate=must"};

TEST(must_alone_conforms, .rows = 2)
{
  const char *report_path = tool_path("core_only.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", CORE_ONLY, report_option, gates[_i]));
  ck_assert_msg(run.exit_code == 0, "exit code %d\n%s%s", run.exit_code, run.out, run.err);
  ck_assert_uint_eq(run.left_behind, 0);
  json_t *report = tool_json(report_path);
  json_t *verdict = json_object_get(report, "verdict");
  ck_assert_str_eq(json_string_value(json_object_get(verdict, "standing")), "conforms");

  // Of its own accord the suite judges it by core alone, and judges all of that: what such a runtime can't show is in
  // the wrong scope.
  json_t *scopes = json_object_get(verdict, "scopes"), *core = json_array_get(scopes, 0);
  ck_assert_uint_eq(json_array_size(scopes), 1);
  ck_assert_str_eq(json_string_value(json_object_get(core, "scope")), "core");
  json_int_t judged = number(core, "must", "judged");
  ck_assert_int_eq(number(core, "must", "holds"), judged);
  ck_assert_int_eq(number(core, "must", "applicable"), judged);
  char line[64];
  snprintf(line, sizeof line, "core %d of %d MUST", (int)judged, (int)judged);
  ck_assert_msg(strstr(run.out, line) != NULL, "no '%s' in\n%s", line, run.out);

  // What it breaks on purpose is seen: this runtime is none that keeps everything.
  if (_i == 0) {
    ck_assert_int_lt(number(core, "should", "holds") * 2, number(core, "should", "judged"));
    ck_assert_int_lt(number(core, "hardening", "holds"), number(core, "hardening", "judged"));
    printf("%s, %d of %d SHOULD, %d of %d HARDENING\n", line, (int)number(core, "should", "holds"),
           (int)number(core, "should", "judged"), (int)number(core, "hardening", "holds"),
           (int)number(core, "hardening", "judged"));
  }
  json_decref(report);
  tool_free(&run);
}
