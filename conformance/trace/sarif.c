// SPDX-License-Identifier: Apache-2.0
// The report of a trace as SARIF 2.1.0: a result for each finding, in the library that is to blame.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause.h"
#include "report/json_build.h"
#include "trace/trace.h"

static json_t *message(JsonBuild *build, json_t *text)
{
  json_t *object = json_object();
  json_put(build, object, "text", text);
  return object;
}

static const char *level_of(const Check *check)
{
  return check->advice ? "note" : "error";
}

static json_t *rule_of(JsonBuild *build, const Check *check)
{
  const Clause *clause = clause_get(check->clause);
  json_t *rule = json_object(), *configuration = json_object(), *properties = json_object();
  json_put(build, rule, "id", json_string(check->name));
  json_put(build, rule, "shortDescription", message(build, json_string(clause->title)));
  json_put(build, configuration, "level", json_string(level_of(check)));
  json_put(build, rule, "defaultConfiguration", configuration);
  json_put(build, properties, "clause", json_string(clause->id));
  json_put(build, rule, "properties", properties);
  return rule;
}

static json_t *tool(JsonBuild *build)
{
  json_t *object = json_object(), *driver = json_object(), *rules = json_array();
  for (size_t i = 0; i < CHECK_COUNT; ++i) json_add(build, rules, rule_of(build, &checks[i]));
  json_put(build, driver, "name", json_string("tvmffi-conform trace"));
  json_put(build, driver, "rules", rules);
  json_put(build, object, "driver", driver);
  return object;
}

// "file.c:12": then the file is shown, with the line.
static void put_line(JsonBuild *build, json_t *physical, json_t *artifact, const char *line)
{
  const char *colon = line ? strrchr(line, ':') : NULL;
  char *file = colon ? strndup(line, (size_t)(colon - line)) : NULL;
  if (!file) return;
  json_t *region = json_object();
  json_put(build, artifact, "uri", sarif_uri(file));
  json_put(build, region, "startLine", json_integer(atoi(colon + 1)));
  json_put(build, physical, "region", region);
  free(file);
}

static json_t *location_of(JsonBuild *build, const TracePlace *place)
{
  json_t *location = json_object(), *physical = json_object(), *artifact = json_object();
  json_t *address = json_object();
  if (!place->line) json_put(build, artifact, "uri", sarif_uri(place->library));
  json_put(build, physical, "artifactLocation", artifact);
  json_put(build, address, "relativeAddress", json_unsigned(place->offset));
  json_put(build, physical, "address", address);
  put_line(build, physical, artifact, place->line);
  json_put(build, location, "physicalLocation", physical);
  if (place->symbol) {
    json_t *logical = json_object(), *list = json_array();
    json_put(build, logical, "fullyQualifiedName", json_clean_string(place->symbol));
    json_add(build, list, logical);
    json_put(build, location, "logicalLocations", list);
  }
  return location;
}

static json_t *result_of(JsonBuild *build, const TraceFinding *finding)
{
  const Check *check = &checks[finding->check];
  const TracePlace *blamed = trace_blamed(finding);
  json_t *result = json_object(), *locations = json_array(), *prints = json_object();
  char text[512], print[512];
  trace_describe(finding, text, sizeof text);
  json_put(build, result, "ruleId", json_string(check->name));
  json_put(build, result, "ruleIndex", json_unsigned(finding->check));
  json_put(build, result, "level", json_string(level_of(check)));
  json_put(build, result, "message", message(build, json_clean_string(text)));
  json_put(build, result, "occurrenceCount", json_unsigned(finding->count));
  if (blamed && blamed->library[0]) json_add(build, locations, location_of(build, blamed));
  json_put(build, result, "locations", locations);
  snprintf(print, sizeof print, "%s %s %" PRIu64, check->name,
           blamed && blamed->symbol ? blamed->symbol : "",
           blamed ? (blamed->symbol ? blamed->symbol_offset : blamed->offset) : 0);
  if (finding->waived) {
    json_t *suppressions = json_array(), *suppression = json_object();
    json_put(build, suppression, "kind", json_string("external"));
    json_put(build, suppression, "justification", json_clean_string(finding->waived));
    json_add(build, suppressions, suppression);
    json_put(build, result, "suppressions", suppressions);
  }
  json_put(build, prints, "trace/v1", json_clean_string(print));
  json_put(build, result, "partialFingerprints", prints);
  return result;
}

int trace_save_sarif(const Trace *trace, const char *path, char *error, size_t error_size)
{
  JsonBuild build = {.failed = false};
  json_t *root = json_object(), *runs = json_array(), *run = json_object(), *results = json_array();
  for (size_t i = 0; i < trace->finding_count; ++i)
    json_add(&build, results, result_of(&build, &trace->findings[i]));
  json_put(&build, run, "tool", tool(&build));
  json_put(&build, run, "results", results);
  json_add(&build, runs, run);
  json_put(&build, root, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
  json_put(&build, root, "version", json_string("2.1.0"));
  json_put(&build, root, "runs", runs);
  return json_save(root, build.failed, "the SARIF report", path, error, error_size);
}
