// SPDX-License-Identifier: Apache-2.0
// What only Mach-O files, and only PE files, have to tell.
#include <stdio.h>

#include "inspect/inspect_crt.h"
#include "report/clean.h"
#include "report/inspect_json.h"

// --- Mach-O --------------------------------------------------------------------------------------

static json_t *version(uint32_t number)
{
  char text[32];
  if (number == 0) return json_null();
  int size = snprintf(text, sizeof text, "%u.%u", number >> 16, number >> 8 & 0xff);
  if (number & 0xff) snprintf(text + size, sizeof text - (size_t)size, ".%u", number & 0xff);
  return json_string(text);
}

static json_t *dependency(JsonBuild *build, const MachoLibrary *library)
{
  static const char *const kinds[] = {"load", "weak", "reexport", "lazy", "upward"};
  json_t *item = json_object();
  json_put(build, item, "name", inspect_json_text(library->name));
  json_put(build, item, "kind", json_string(kinds[library->kind]));
  json_put(build, item, "current", version(library->current));
  json_put(build, item, "compatible", version(library->compatible));
  return item;
}

static json_t *rpaths(JsonBuild *build, const MachoFile *macho)
{
  json_t *list = json_array();
  for (size_t i = 0; i < macho->rpath_count; ++i) {
    BinaryText path = macho->rpaths[i];
    json_add(build, list, json_clean(path.data, path.size, false));
  }
  return list;
}

static json_t *macho_of(JsonBuild *build, const MachoFile *macho)
{
  static const char *const bindings[] = {"symbols", "opcodes", "chained"};
  char platform[24];
  json_t *object = json_object(), *libraries = json_array();
  macho_platform_name(macho->platform, platform, sizeof platform);
  for (size_t i = 0; i < macho->library_count; ++i) {
    json_add(build, libraries, dependency(build, &macho->libraries[i]));
  }
  json_put(build, object, "bundle", json_boolean(macho->type == MACHO_BUNDLE));
  json_put(build, object, "platform", macho->platform ? json_string(platform) : json_null());
  json_put(build, object, "minimum_system", version(macho->minimum_system));
  json_put(build, object, "sdk", version(macho->sdk));
  json_put(build, object, "two_level", json_boolean(macho->flags & MACHO_FLAG_TWO_LEVEL));
  json_put(build, object, "binding", json_string(bindings[macho->binding]));
  json_put(build, object, "export_trie", json_boolean(macho->has_trie));
  json_put(build, object, "signed", json_boolean(macho->signature.size > 0));
  json_put(build, object, "version", version(macho->id_current));
  json_put(build, object, "libraries", libraries);
  json_put(build, object, "rpaths", rpaths(build, macho));
  return object;
}

// --- PE ------------------------------------------------------------------------------------------

static json_t *crt_of(JsonBuild *build, const PeFile *pe)
{
  InspectCrt crt;
  json_t *object = json_object();
  inspect_crt_read(pe, &crt);
  json_put(build, object, "compiler", inspect_json_text(crt.compiler));
  json_put(build, object, "cxx", inspect_json_text(crt.cxx));
  json_put(build, object, "universal", inspect_json_text(crt.universal));
  json_put(build, object, "old", inspect_json_text(crt.old));
  json_put(build, object, "debug", inspect_json_text(crt.debug));
  return object;
}

static json_t *delayed(JsonBuild *build, const PeFile *pe)
{
  json_t *list = json_array();
  for (size_t i = 0; i < pe->library_count; ++i) {
    if (!pe->libraries[i].delayed) continue;
    json_add(build, list, inspect_json_text(pe->libraries[i].name));
  }
  return list;
}

static json_t *pe_of(JsonBuild *build, const PeFile *pe)
{
  size_t forwarders = 0, by_number = 0;
  char system[16];
  for (size_t i = 0; i < pe->export_count; ++i) forwarders += pe->exports[i].forwarder.size > 0;
  for (size_t i = 0; i < pe->import_count; ++i) by_number += pe->imports[i].name.size == 0;
  snprintf(system, sizeof system, "%u.%u", pe->system_major, pe->system_minor);
  json_t *object = json_object();
  json_put(build, object, "minimum_system", json_string(system));
  json_put(build, object, "exports_by_number", json_unsigned(pe->unnamed_exports));
  json_put(build, object, "forwarders", json_unsigned(forwarders));
  json_put(build, object, "imports_by_number", json_unsigned(by_number));
  json_put(build, object, "delayed", delayed(build, pe));
  json_put(build, object, "c_library", crt_of(build, pe));
  return object;
}

void inspect_json_formats(JsonBuild *build, json_t *file, const InspectFacts *facts)
{
  json_put(build, file, "format", json_string(inspect_format_name(facts->format)));
  json_put(build, file, "macho", facts->macho ? macho_of(build, facts->macho) : json_null());
  json_put(build, file, "pe", facts->pe ? pe_of(build, facts->pe) : json_null());
}
