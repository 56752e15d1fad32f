// SPDX-License-Identifier: Apache-2.0
// SARIF 2.1.0. Files are named as they were given, relative paths stay relative, so that a page
// that knows the repository finds them in it.
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/inspect_json.h"

enum { FINGERPRINT_BYTES = 16 };

// What a URI may hold as it is; '/' and ':' separate its parts.
static bool is_plain(unsigned char c, bool first_segment)
{
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  if (c == ':') return !first_segment;
  return c != '\0' && strchr("/-._~!$&'()*+,;=@", c) != NULL;
}

json_t *sarif_uri(const char *path)
{
  bool absolute = path[0] == '/', first_segment = !absolute;
  char *uri = malloc(3 * strlen(path) + sizeof "file://"), *end = uri;
  if (!uri) return NULL;
  if (absolute) end = stpcpy(end, "file://");
  for (; *path; ++path) {
    unsigned char c = (unsigned char)*path;
    if (c == '/') first_segment = false;
    if (is_plain(c, first_segment))
      *end++ = (char)c;
    else
      end += sprintf(end, "%%%02X", c);
  }
  *end = '\0';
  json_t *string = json_string(uri);
  free(uri);
  return string;
}

static json_t *message(JsonBuild *build, json_t *text)
{
  json_t *object = json_object();
  json_put(build, object, "text", text);
  return object;
}

static const char *level_of(InspectLevel level)
{
  return inspect_level_name(level);  // SARIF has the same words
}

// --- Rules ---------------------------------------------------------------------------------------

static json_t *rule_of(JsonBuild *build, const InspectFindingKind *kind)
{
  json_t *rule = json_object(), *configuration = json_object();
  json_put(build, rule, "id", json_string(kind->id));
  json_put(build, rule, "shortDescription", message(build, json_string(kind->what)));
  json_put(build, rule, "fullDescription", message(build, json_string(kind->source)));
  json_put(build, rule, "help", message(build, json_string(kind->remedy)));
  json_put(build, configuration, "level", json_string(level_of(kind->level)));
  json_put(build, rule, "defaultConfiguration", configuration);
  if (kind->clause[0]) {
    json_t *properties = json_object();
    json_put(build, properties, "clause", json_string(kind->clause));
    json_put(build, rule, "properties", properties);
  }
  return rule;
}

static json_t *tool(JsonBuild *build)
{
  json_t *object = json_object(), *driver = json_object(), *rules = json_array();
  for (unsigned i = 0; i < INSPECT_FINDING_COUNT; ++i) {
    json_add(build, rules, rule_of(build, &inspect_finding_kinds[i]));
  }
  json_put(build, driver, "name", json_string("tvmffi-conform inspect"));
  json_put(build, driver, "version", json_string(TVMFFI_CONFORM_VERSION));
  json_put(build, driver, "rules", rules);
  json_put(build, object, "driver", driver);
  return object;
}

// --- Results -------------------------------------------------------------------------------------

static json_t *result_message(JsonBuild *build, const InspectFinding *finding)
{
  char *text = NULL;
  const InspectFindingKind *kind = &inspect_finding_kinds[finding->id];
  char *symbol = clean_text(finding->symbol.data, finding->symbol.size, 0);
  char *detail = clean_string(finding->detail, 0);
  int size = asprintf(&text, "%s%s%s%s%s. %s.", kind->what, finding->symbol.size ? ": " : "",
                      symbol ? symbol : "", finding->detail[0] ? ": " : "", detail ? detail : "",
                      kind->remedy);
  json_t *object = message(build, size < 0 ? NULL : json_string(text));
  if (size >= 0) free(text);
  free(symbol);
  free(detail);
  return object;
}

// Stays the same while the finding does, wherever in the file it moves.
static json_t *fingerprints(JsonBuild *build, const InspectFinding *finding)
{
  uint8_t digest[SHA256_DIGEST_SIZE];
  char hex[2 * FINGERPRINT_BYTES + 1];
  struct sha256_ctx context;
  const char *id = inspect_finding_kinds[finding->id].id;
  sha256_init(&context);
  sha256_update(&context, strlen(id) + 1, (const uint8_t *)id);
  sha256_update(&context, finding->symbol.size, (const uint8_t *)finding->symbol.data);
  sha256_digest(&context, sizeof digest, digest);
  for (int i = 0; i < FINGERPRINT_BYTES; ++i) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  json_t *object = json_object();
  json_put(build, object, "finding/v1", json_string(hex));
  return object;
}

static bool is_of_blob(const InspectFinding *finding)
{
  return finding->id == INSPECT_FINDING_BIN_BROKEN;
}

static json_t *location_of(JsonBuild *build, const InspectSubject *subject,
                           const InspectFinding *finding)
{
  json_t *location = json_object(), *physical = json_object(), *artifact = json_object();
  json_put(build, artifact, "uri", sarif_uri(subject->name));
  json_put(build, physical, "artifactLocation", artifact);
  if (is_of_blob(finding)) {
    json_t *region = json_object();
    uint64_t offset = subject->blob.offset + subject->blob.problem.offset;
    json_put(build, region, "byteOffset", json_unsigned(offset));
    json_put(build, region, "byteLength", json_unsigned(1));
    json_put(build, physical, "region", region);
  }
  json_put(build, location, "physicalLocation", physical);
  if (finding->symbol.size > 0) {
    json_t *logical = json_object(), *list = json_array();
    json_put(build, logical, "fullyQualifiedName", inspect_json_text(finding->symbol));
    json_add(build, list, logical);
    json_put(build, location, "logicalLocations", list);
  }
  return location;
}

static json_t *result_of(JsonBuild *build, const InspectSubject *subject,
                         const InspectFinding *finding)
{
  json_t *result = json_object(), *locations = json_array();
  json_put(build, result, "ruleId", json_string(inspect_finding_kinds[finding->id].id));
  json_put(build, result, "ruleIndex", json_unsigned(finding->id));
  json_put(build, result, "level", json_string(level_of(finding->level)));
  json_put(build, result, "message", result_message(build, finding));
  json_add(build, locations, location_of(build, subject, finding));
  json_put(build, result, "locations", locations);
  json_put(build, result, "partialFingerprints", fingerprints(build, finding));
  return result;
}

static json_t *artifact_of(JsonBuild *build, const InspectSubject *subject)
{
  json_t *artifact = json_object(), *location = json_object(), *hashes = json_object();
  json_put(build, location, "uri", sarif_uri(subject->name));
  json_put(build, artifact, "location", location);
  json_put(build, artifact, "length", json_unsigned(subject->size));
  json_put(build, hashes, "sha-256", json_string(subject->sha256));
  json_put(build, artifact, "hashes", hashes);
  return artifact;
}

void inspect_sarif_file(InspectSarif *sarif, const InspectSubject *subject)
{
  const InspectFindings *findings = &subject->findings;
  for (size_t i = 0; i < findings->count; ++i) {
    if (findings->items[i].level == INSPECT_LEVEL_NONE) continue;
    json_add(&sarif->build, sarif->results, result_of(&sarif->build, subject, &findings->items[i]));
  }
  json_add(&sarif->build, sarif->artifacts, artifact_of(&sarif->build, subject));
}

void inspect_sarif_unreadable(InspectSarif *sarif, const char *name, const char *text)
{
  JsonBuild *build = &sarif->build;
  json_t *notification = json_object(), *locations = json_array(), *location = json_object();
  json_t *physical = json_object(), *artifact = json_object();
  json_put(build, artifact, "uri", sarif_uri(name));
  json_put(build, physical, "artifactLocation", artifact);
  json_put(build, location, "physicalLocation", physical);
  json_add(build, locations, location);
  json_put(build, notification, "level", json_string("error"));
  json_put(build, notification, "message", message(build, json_clean_string(text)));
  json_put(build, notification, "locations", locations);
  json_add(build, sarif->notifications, notification);
}

void inspect_sarif_begin(InspectSarif *sarif)
{
  *sarif = (InspectSarif){
      .results = json_array(), .artifacts = json_array(), .notifications = json_array()};
}

void inspect_sarif_end(InspectSarif *sarif)
{
  json_decref(sarif->results);
  json_decref(sarif->artifacts);
  json_decref(sarif->notifications);
}

static json_t *invocations(JsonBuild *build, const InspectSarif *sarif, int exit_code)
{
  json_t *list = json_array(), *invocation = json_object(), *properties = json_object();
  bool read_all = json_array_size(sarif->notifications) == 0;
  json_put(build, invocation, "executionSuccessful", json_boolean(read_all));
  json_put(build, invocation, "exitCode", json_integer(exit_code));
  json_put(build, properties, "sandbox", json_sandbox(build, sarif->sandbox));
  json_put(build, invocation, "properties", properties);
  json_put(build, invocation, "toolExecutionNotifications", json_incref(sarif->notifications));
  json_add(build, list, invocation);
  return list;
}

int inspect_sarif_write(const InspectSarif *sarif, int exit_code, const char *path, char *error,
                        size_t error_size)
{
  JsonBuild build = sarif->build;
  json_t *root = json_object(), *runs = json_array(), *run = json_object();
  json_put(&build, run, "tool", tool(&build));
  json_put(&build, run, "invocations", invocations(&build, sarif, exit_code));
  json_put(&build, run, "artifacts", json_incref(sarif->artifacts));
  json_put(&build, run, "results", json_incref(sarif->results));
  json_put(&build, run, "columnKind", json_string("utf16CodeUnits"));
  json_add(&build, runs, run);
  json_put(&build, root, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
  json_put(&build, root, "version", json_string("2.1.0"));
  json_put(&build, root, "runs", runs);
  return json_save(root, build.failed, "the SARIF report", path, error, error_size);
}
