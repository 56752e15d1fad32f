// SPDX-License-Identifier: Apache-2.0
// "functions" of the JSON report.
#include <string.h>

#include "report/functions.h"
#include "report/json_build.h"

#define CLEAN_ARRAY(array) json_clean((array), strnlen((array), sizeof(array)), false)

static json_t *fact_array(JsonBuild *build, const FunctionFacts *facts)
{
  json_t *array = json_array();
  uint32_t count = functions_fact_count(facts);
  for (uint32_t i = 0; i < count; ++i) {
    char what[FUNCTION_FACT_MAX], of[64];
    const char *from;
    functions_fact(facts, i, what, of, &from);
    json_t *object = json_object();
    json_put(build, object, "of", json_clean_string(of));
    json_put(build, object, "what", json_clean_string(what));
    json_put(build, object, "from", json_string(from));
    json_add(build, array, object);
  }
  return array;
}

static json_t *tried_array(JsonBuild *build, const FunctionFacts *facts)
{
  json_t *array = json_array();
  for (size_t i = 0; i < facts->tried_count; ++i) {
    const EvidenceTried *tried = &facts->tried[i];
    json_t *object = json_object();
    json_put(build, object, "what", CLEAN_ARRAY(tried->what));
    json_put(build, object, "promise", json_string(functions_promise_name(tried)));
    json_put(build, object, "end", json_string(functions_end_name(tried)));
    json_put(build, object, "times", json_unsigned(tried->times));
    json_add(build, array, object);
  }
  return array;
}

static json_t *unjudged_array(JsonBuild *build, const FunctionFacts *facts)
{
  json_t *array = json_array();
  for (size_t i = 0; i < facts->unjudged_count; ++i) {
    const FunctionUnjudged *unjudged = &facts->unjudged[i];
    json_t *object = json_object();
    json_put(build, object, "why", CLEAN_ARRAY(unjudged->why));
    json_put(build, object, "count", json_unsigned(unjudged->count));
    json_put(build, object, "line", json_clean_or_null(unjudged->line));
    json_add(build, array, object);
  }
  return array;
}

json_t *json_functions(JsonBuild *build, const RunReport *report)
{
  json_t *array = json_array();
  FunctionFacts *functions = functions_of(report);
  if (!functions && report->kernels->count) build->failed = true;
  for (size_t i = 0; functions && i < report->kernels->count; ++i) {
    json_t *object = json_object();
    char label[KERNEL_LABEL_MAX];
    json_put(build, object, "name", json_clean_string(kernel_label(functions[i].kernel, label)));
    json_put(build, object, "origin", json_string(functions_origin(&functions[i])));
    json_put(build, object, "facts", fact_array(build, &functions[i]));
    json_put(build, object, "tried", tried_array(build, &functions[i]));
    json_put(build, object, "tried_more", json_unsigned(functions[i].tried_more));
    json_put(build, object, "unjudged", unjudged_array(build, &functions[i]));
    json_add(build, array, object);
  }
  functions_free(functions, report);
  return array;
}
