// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_json.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_rules.h"
#include "report/clean.h"
#include "report/facts.h"

enum { MOST_IMPORTS = 20000, MOST_EXPORTS = 20000, MOST_MODULES = 1000 };

json_t *inspect_json_text(ElfText text)
{
  return text.size ? json_clean(text.data, text.size, false) : json_null();
}

static json_t *version(uint32_t number, int parts)
{
  char text[16];
  return number ? json_string(inspect_text_version(number, parts, text)) : json_null();
}

static json_t *release_name(const AbiRelease *release)
{
  return release ? json_string(release->version) : json_null();
}

// --- The C API -----------------------------------------------------------------------------------

static json_t *needs(JsonBuild *build, const InspectApi *api)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    if (!inspect_api_needs(api, (AbiFunctionId)i)) continue;
    json_t *item = json_object();
    json_put(build, item, "name", json_string(abi_functions[i].symbol));
    json_put(build, item, "since", version(abi_functions[i].since, 3));
    json_put(build, item, "import", json_boolean(api->imports[i]));
    json_put(build, item, "context_symbol", json_boolean(api->slots[i]));
    json_add(build, list, item);
  }
  return list;
}

static json_t *lacking_in(JsonBuild *build, const InspectApi *api, const AbiRelease *release)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    if (!inspect_api_needs(api, function) || abi_release_has(release, function)) continue;
    json_add(build, list, json_string(abi_functions[i].symbol));
  }
  return list;
}

static json_t *lacking(JsonBuild *build, const InspectApi *api)
{
  json_t *object = json_object();
  for (size_t i = 0; i < abi_release_count(); ++i) {
    const AbiRelease *release = abi_release(i);
    if (release->candidate || inspect_api_lacking(api, release) == 0) continue;
    json_put(build, object, release->version, lacking_in(build, api, release));
  }
  return object;
}

static json_t *missing_of_newest(JsonBuild *build, const InspectApi *api)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT && api->export_count > 0; ++i) {
    if (!api->exports[i]) json_add(build, list, json_string(abi_functions[i].symbol));
  }
  return list;
}

static json_t *api_of(JsonBuild *build, const InspectApi *api)
{
  json_t *object = json_object();
  json_put(build, object, "floor", version(api->floor, 3));
  json_put(build, object, "oldest_release", release_name(api->floor ? api->oldest : NULL));
  json_put(build, object, "linking", json_string(inspect_api_linking_name(api->linking)));
  json_put(build, object, "libtvm_ffi_needed", json_boolean(api->needs_libtvm_ffi));
  json_put(build, object, "needs", needs(build, api));
  json_put(build, object, "releases_lacking", lacking(build, api));
  json_put(build, object, "export_count", json_unsigned(api->export_count));
  json_put(build, object, "covers_release", release_name(api->covers));
  json_put(build, object, "missing", missing_of_newest(build, api));
  return object;
}

// --- Symbols -------------------------------------------------------------------------------------

static json_t *functions(JsonBuild *build, const InspectModule *module)
{
  json_t *list = json_array();
  for (size_t i = 0; i < module->count && i < MOST_EXPORTS; ++i) {
    const InspectModuleFunction *function = &module->functions[i];
    json_t *item = json_object();
    json_put(build, item, "name", json_clean(function->name.data, function->name.size, false));
    json_put(build, item, "metadata", json_boolean(function->has_metadata));
    json_put(build, item, "doc", json_boolean(function->has_doc));
    json_add(build, list, item);
  }
  return list;
}

// The library that the file names for a symbol; ELF has one only for versions.
static json_t *library_of(const InspectFacts *facts, const InspectEntry *entry)
{
  const InspectVersion *wanted = inspect_facts_version(facts, entry);
  if (wanted) return inspect_json_text(wanted->library);
  return entry->library > 0 ? inspect_json_text(facts->needed[entry->library - 1]) : json_null();
}

static json_t *import_of(JsonBuild *build, const InspectFacts *facts, const InspectEntry *entry)
{
  json_t *item = json_object();
  const InspectVersion *wanted = inspect_facts_version(facts, entry);
  json_put(build, item, "name", inspect_json_text(entry->name));
  json_put(build, item, "weak", json_boolean(entry->binding == STB_WEAK));
  json_put(build, item, "version", wanted ? inspect_json_text(wanted->name) : json_null());
  json_put(build, item, "library", library_of(facts, entry));
  return item;
}

static void put_symbols(JsonBuild *build, json_t *file, const InspectFacts *facts)
{
  json_t *imports = json_array(), *exports = json_array();
  size_t import_count = 0, export_count = 0, listed = 0;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->section == SHN_UNDEF) {
      if (import_count++ < MOST_IMPORTS) json_add(build, imports, import_of(build, facts, entry));
    } else if (inspect_facts_exports(entry)) {
      ++export_count;
      if (entry->role == INSPECT_ROLE_NONE || listed++ >= MOST_EXPORTS) continue;
      json_add(build, exports, inspect_json_text(entry->name));
    }
  }
  json_put(build, file, "import_count", json_unsigned(import_count));
  json_put(build, file, "imports", imports);
  json_put(build, file, "export_count", json_unsigned(export_count));
  json_put(build, file, "exports", exports);
}

static json_t *texts(JsonBuild *build, const ElfText *items, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; ++i) {
    json_add(build, list, json_clean(items[i].data, items[i].size, false));
  }
  return list;
}

static json_t *devices_of(JsonBuild *build, const InspectDevices *devices)
{
  json_t *list = json_array();
  for (size_t i = 0; i < devices->count; ++i) {
    char name[INSPECT_DEVICE_NAME];
    json_t *item = json_object();
    const InspectTarget *target = &devices->targets[i];
    json_put(build, item, "target", json_string(inspect_device_name(target, name)));
    json_put(build, item, "ptx", json_boolean(target->ptx));
    json_put(build, item, "count", json_unsigned(target->count));
    json_add(build, list, item);
  }
  return list;
}

// --- library_bin ---------------------------------------------------------------------------------

static json_t *module_of(JsonBuild *build, const LibraryBin *tree, size_t index)
{
  json_t *item = json_object(), *imports = json_array();
  const LibraryBinEntry *entry = &tree->entries[index];
  json_put(build, item, "kind", json_clean(entry->kind.data, entry->kind.size, false));
  json_put(build, item, "size", entry->is_library ? json_null() : json_unsigned(entry->value.size));
  for (uint64_t i = tree->rows[index]; i < tree->rows[index + 1]; ++i) {
    if (i - tree->rows[index] >= MOST_MODULES) break;
    json_add(build, imports, json_unsigned(tree->children[i]));
  }
  json_put(build, item, "imports", imports);
  return item;
}

static json_t *problem_of(JsonBuild *build, const InspectSubject *subject)
{
  const InspectBlob *blob = &subject->blob;
  char sentence[200], hex[2 * INSPECT_BLOB_WINDOW + 1];
  uint64_t begin;
  size_t count;
  inspect_blob_window(blob, &begin, &count);
  const unsigned char *bytes = subject->facts->file.bytes + blob->offset + begin;
  for (size_t i = 0; i < count; ++i) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  hex[2 * count] = '\0';
  library_bin_explain(&blob->problem, sentence, sizeof sentence);
  json_t *object = json_object();
  json_put(build, object, "rule", json_string(library_bin_rule_name(blob->problem.rule)));
  json_put(build, object, "offset", json_unsigned(blob->problem.offset));
  json_put(build, object, "text", json_clean_string(sentence));
  json_put(build, object, "window_offset", json_unsigned(begin));
  json_put(build, object, "window", json_string(hex));
  return object;
}

static json_t *blob_of(JsonBuild *build, const InspectSubject *subject)
{
  static const char *const states[] = {
      [INSPECT_BLOB_NONE] = "none",           [INSPECT_BLOB_NO_BYTES] = "no bytes",
      [INSPECT_BLOB_BROKEN] = "broken",       [INSPECT_BLOB_OLD] = "old layout",
      [INSPECT_BLOB_TOO_LARGE] = "too large", [INSPECT_BLOB_SOUND] = "sound"};
  const InspectBlob *blob = &subject->blob;
  if (blob->state == INSPECT_BLOB_NONE) return json_null();
  json_t *object = json_object(), *modules = json_array();
  bool sound = blob->state == INSPECT_BLOB_SOUND;
  json_put(build, object, "state", json_string(states[blob->state]));
  json_put(build, object, "symbol", inspect_json_text(blob->symbol));
  json_put(build, object, "file_offset", json_unsigned(blob->offset));
  json_put(build, object, "symbol_size", json_unsigned(blob->symbol_size));
  json_put(build, object, "nbytes", json_unsigned(blob->nbytes));
  json_put(build, object, "module_count", json_unsigned(sound ? blob->tree.num_modules : 0));
  for (size_t i = 0; sound && i < blob->tree.num_modules && i < MOST_MODULES; ++i) {
    json_add(build, modules, module_of(build, &blob->tree, i));
  }
  json_put(build, object, "modules", modules);
  json_put(build, object, "problem",
           blob->state == INSPECT_BLOB_BROKEN ? problem_of(build, subject) : json_null());
  return object;
}

// --- Findings and the file -----------------------------------------------------------------------

static json_t *finding_of(JsonBuild *build, const InspectFinding *finding)
{
  json_t *item = json_object();
  const InspectFindingKind *kind = &inspect_finding_kinds[finding->id];
  json_put(build, item, "id", json_string(kind->id));
  json_put(build, item, "level", json_string(inspect_level_name(finding->level)));
  json_put(build, item, "clause", json_clean_or_null(kind->clause));
  json_put(build, item, "symbol", inspect_json_text(finding->symbol));
  json_put(build, item, "detail", json_clean_or_null(finding->detail));
  json_put(build, item, "reason", json_clean_or_null(finding->reason));
  return item;
}

static json_t *findings_of(JsonBuild *build, const InspectFindings *findings)
{
  json_t *list = json_array();
  for (size_t i = 0; i < findings->count; ++i) {
    json_add(build, list, finding_of(build, &findings->items[i]));
  }
  return list;
}

static json_t *unstored_of(JsonBuild *build, const InspectFindings *findings)
{
  json_t *object = json_object();
  for (unsigned i = 0; i < INSPECT_FINDING_COUNT; ++i) {
    if (findings->unstored[i] == 0) continue;
    json_put(build, object, inspect_finding_kinds[i].id, json_unsigned(findings->unstored[i]));
  }
  return object;
}

static void put_identity(JsonBuild *build, json_t *file, const InspectSubject *subject)
{
  static const char *const kinds[] = {"shared library", "object file", "executable"};
  const InspectFacts *facts = subject->facts;
  json_put(build, file, "name", json_clean_string(facts_base_name(subject->name)));
  json_put(build, file, "path", json_clean_string(subject->name));
  json_put(build, file, "size", json_unsigned(subject->size));
  json_put(build, file, "sha256", json_string(subject->sha256));
  json_put(build, file, "build_id", json_clean_or_null(facts->build_id));
  json_put(build, file, "kind", json_string(kinds[facts->kind]));
  json_put(build, file, "machine", json_string(facts->machine));
  json_put(build, file, "bits", json_unsigned(8 * facts->word_size));
  json_put(build, file, "byte_order", json_string(facts->little_endian ? "little" : "big"));
  json_put(build, file, "profile", json_string(inspect_subject_profile(subject)));
}

static void put_links(JsonBuild *build, json_t *file, const InspectSubject *subject)
{
  const InspectFacts *facts = subject->facts;
  uint32_t since, until;
  inspect_rules_headers(facts, &since, &until);
  json_put(build, file, "soname", inspect_json_text(facts->soname));
  json_put(build, file, "needed", texts(build, facts->needed, facts->needed_count));
  json_put(build, file, "rpath", inspect_json_text(facts->rpath));
  json_put(build, file, "runpath", inspect_json_text(facts->runpath));
  json_put(build, file, "glibc", version(facts->floors.glibc, 2));
  json_put(build, file, "glibcxx", version(facts->floors.glibcxx, 2));
  json_put(build, file, "cxxabi", version(facts->floors.cxxabi, 2));
  json_put(build, file, "headers_since", version(since, 3));
  json_put(build, file, "headers_until", until == UINT32_MAX ? json_null() : version(until, 3));
  json_put(build, file, "key_functions_since", version(facts->key_functions, 3));
}

void inspect_json_file(InspectJson *json, const InspectSubject *subject)
{
  JsonBuild *build = &json->build;
  json_t *file = json_object();
  put_identity(build, file, subject);
  json_put(build, file, "functions", functions(build, &subject->module));
  json_put(build, file, "library_ctx", json_boolean(subject->module.has_library_ctx));
  json_put(build, file, "cubins", json_unsigned(subject->facts->cubin_count));
  json_put(build, file, "device_code", json_unsigned(subject->facts->device_code));
  json_put(build, file, "device_targets", devices_of(build, &subject->facts->devices));
  json_put(build, file, "api", api_of(build, &subject->api));
  put_links(build, file, subject);
  inspect_json_formats(build, file, subject->facts);
  put_symbols(build, file, subject->facts);
  json_put(build, file, "library_bin", blob_of(build, subject));
  json_put(build, file, "metadata_texts",
           texts(build, subject->metadata.texts, subject->metadata.count));
  json_put(build, file, "findings", findings_of(build, &subject->findings));
  json_put(build, file, "findings_not_listed", unstored_of(build, &subject->findings));
  json_add(build, json->files, file);
}

void inspect_json_unreadable(InspectJson *json, const char *name, const char *text)
{
  json_t *item = json_object();
  json_put(&json->build, item, "path", json_clean_string(name));
  json_put(&json->build, item, "message", json_clean_string(text));
  json_add(&json->build, json->unreadable, item);
}

void inspect_json_begin(InspectJson *json)
{
  *json = (InspectJson){.files = json_array(), .unreadable = json_array()};
}

void inspect_json_end(InspectJson *json)
{
  json_decref(json->files);
  json_decref(json->unreadable);
}

static json_t *totals_of(JsonBuild *build, const InspectTotals *totals)
{
  json_t *object = json_object();
  json_put(build, object, "files", json_unsigned(totals->files));
  json_put(build, object, "unreadable", json_unsigned(totals->unreadable));
  json_put(build, object, "unknown", json_unsigned(totals->unknown));
  json_put(build, object, "errors", json_unsigned(totals->errors));
  json_put(build, object, "warnings", json_unsigned(totals->warnings));
  json_put(build, object, "notes", json_unsigned(totals->notes));
  json_put(build, object, "places", json_unsigned(totals->places));
  return object;
}

int inspect_json_write(const InspectJson *json, const InspectTotals *totals, int exit_code,
                       const char *path, char *error, size_t error_size)
{
  JsonBuild build = json->build;
  json_t *root = json_object();
  json_put(&build, root, "format", json_string("tvmffi-conform-inspect/1"));
  json_put(&build, root, "suite", json_suite(&build));
  json_put(&build, root, "exit_code", json_integer(exit_code));
  json_put(&build, root, "sandbox", json_sandbox(&build, json->sandbox));
  json_put(&build, root, "totals", totals_of(&build, totals));
  json_put(&build, root, "files", json_incref(json->files));
  json_put(&build, root, "unreadable", json_incref(json->unreadable));
  return json_save(root, build.failed, "the JSON report", path, error, error_size);
}
