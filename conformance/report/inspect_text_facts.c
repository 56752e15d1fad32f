// SPDX-License-Identifier: Apache-2.0
// The facts about a file: what it exports, needs, and goes with.
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_rules.h"
#include "report/inspect_line.h"
#include "report/inspect_report.h"
#include "report/text_layout.h"

enum { FUNCTIONS_SHOWN = 20, FUNCTIONS_SHOWN_AT_MOST = 2000, NAMES_SHOWN = 6 };

static void field(FILE *out, const TextStyle *style, const char *label, InspectLine *line)
{
  inspect_line_field(out, style, label, line);
}

// --- The head line -------------------------------------------------------------------------------

static const char *kind_name(const InspectFacts *facts)
{
  switch (facts->kind) {
    case INSPECT_KIND_OBJECT:
      return "object file";
    case INSPECT_KIND_EXECUTABLE:
      return "executable";
    default:
      return "shared library";
  }
}

static void write_head(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  char size[32], version[16];
  const InspectFacts *facts = subject->facts;
  fputs(text_paint(style, PAINT_STRONG), out);
  text_print(out, style, subject->name, strlen(subject->name));
  fprintf(out, "%s   %s, %s, %s, %s", text_paint(style, PAINT_NONE),
          inspect_subject_profile(subject), kind_name(facts), facts->machine,
          inspect_text_size(subject->size, size));
  if (subject->api.floor) {
    fprintf(out, ", %sneeds ABI %s%s", text_paint(style, PAINT_STRONG),
            abi_version_text(subject->api.floor, version), text_paint(style, PAINT_NONE));
  }
  fputc('\n', out);
}

// --- Exports -------------------------------------------------------------------------------------

static void write_function(FILE *out, const TextStyle *style, const InspectModuleFunction *function,
                           bool first, int width)
{
  InspectLine line = {0};
  inspect_line_add_text(&line, function->name);
  if (function->has_metadata || function->has_doc) {
    int gap = (int)function->name.size < width ? width - (int)function->name.size : 0;
    inspect_line_add(&line, "%*s  %s%s%s", gap, "", function->has_metadata ? "metadata" : "",
                     function->has_metadata && function->has_doc ? ", " : "",
                     function->has_doc ? "doc" : "");
  }
  field(out, style, first ? "functions" : "", &line);
}

static void write_functions(FILE *out, const TextStyle *style, const InspectModule *module)
{
  size_t most = style->verbosity > 0 ? FUNCTIONS_SHOWN_AT_MOST : FUNCTIONS_SHOWN;
  int width = 0;
  for (size_t i = 0; i < module->count && i < most; ++i) {
    int size = (int)module->functions[i].name.size;
    if (size > width && size <= 48) width = size;
  }
  for (size_t i = 0; i < module->count && i < most; ++i) {
    write_function(out, style, &module->functions[i], i == 0, width);
  }
  if (module->count <= most) return;
  InspectLine line = {0};
  inspect_line_add(&line, "... %zu more%s", module->count - most,
                   style->verbosity > 0 ? "" : " (-v shows them)");
  field(out, style, "", &line);
}

static void write_other_exports(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  InspectLine line = {0};
  const InspectFacts *facts = subject->facts;
  const char *comma = "";
  if (subject->module.has_library_ctx) {
    inspect_line_add(&line, "library_ctx");
    comma = ", ";
  }
  if (subject->module.has_library_bin) {
    inspect_line_add(&line, "%slibrary_bin", comma);
    comma = ", ";
  }
  if (facts->cubin_count > 0) {
    inspect_line_add(&line, "%s%zu embedded cubin%s", comma, facts->cubin_count,
                     facts->cubin_count == 1 ? "" : "s");
  }
  field(out, style, "also", &line);
}

// "8.4 MB for sm_90, sm_100; no PTX"
static void write_devices(FILE *out, const TextStyle *style, const InspectFacts *facts)
{
  char text[INSPECT_DEVICE_NAME];
  InspectLine line = {0};
  const InspectDevices *devices = &facts->devices;
  bool ptx = false, nvidia = false;
  if (facts->device_code > 0) {
    inspect_line_add(&line, "%s", inspect_text_size(facts->device_code, text));
  }
  for (size_t i = 0; i < devices->count; ++i) {
    const InspectTarget *target = &devices->targets[i];
    bool as_ptx = target->ptx && !target->name[0], first = i == 0 || (as_ptx && !ptx);
    const char *before = !first   ? ", "
                         : as_ptx ? (line.size ? "; PTX for " : "PTX for ")
                                  : (line.size ? " for " : "");
    inspect_line_add(&line, "%s%s", before, inspect_device_name(target, text));
    ptx = as_ptx;
    nvidia |= !target->name[0];
  }
  if (nvidia && !ptx) inspect_line_add(&line, "; no PTX");
  if (devices->compressed) {
    inspect_line_add(&line, "%scompressed, which is not read", line.size ? "; some of it " : "");
  }
  if (devices->unread) {
    inspect_line_add(&line, "%s a form that is not known", line.size ? "; some of" : "of");
  }
  field(out, style, "device code", &line);
}

static void write_metadata(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  const InspectMetadata *metadata = &subject->metadata;
  if (subject->module.metadata_count == 0) return;
  InspectLine line = {0};
  if (metadata->count == 0) {
    inspect_line_add(&line, "not shown by the bytes: the getters make it when they are called");
  } else {
    inspect_line_add(&line,
                     "%zu constant text%s in the file (which function each is for does not "
                     "show without running)",
                     metadata->count + metadata->unstored, metadata->count == 1 ? "" : "s");
  }
  field(out, style, "metadata", &line);
  size_t most = style->verbosity > 0 ? metadata->count : 3;
  for (size_t i = 0; i < metadata->count && i < most; ++i) {
    text_quote(out, style, "", metadata->texts[i].data, metadata->texts[i].size);
  }
}

// --- The C API -----------------------------------------------------------------------------------

// The functions of one version that the file needs, and how.
static void write_needs_of(FILE *out, const TextStyle *style, const InspectApi *api, uint32_t since,
                           bool first)
{
  char version[16];
  const char *comma = "";
  InspectLine line = {0};
  inspect_line_add(&line, "since %s: ", abi_version_text(since, version));
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    if (!inspect_api_needs(api, (AbiFunctionId)i) || abi_functions[i].since != since) continue;
    inspect_line_add(&line, "%s%s%s", comma, abi_functions[i].symbol,
                     api->slots[i] ? " (context symbol)" : "");
    comma = ", ";
  }
  field(out, style, first ? "needs" : "", &line);
}

static void write_needs(FILE *out, const TextStyle *style, const InspectApi *api)
{
  bool first = true;
  uint32_t next = 0;
  for (uint32_t done = 0;; done = next) {
    next = UINT32_MAX;
    for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
      if (!inspect_api_needs(api, (AbiFunctionId)i)) continue;
      if (abi_functions[i].since > done && abi_functions[i].since < next) {
        next = abi_functions[i].since;
      }
    }
    if (next == UINT32_MAX) return;
    write_needs_of(out, style, api, next, first);
    first = false;
  }
}

static bool lack_the_same(const InspectApi *api, const AbiRelease *one, const AbiRelease *other)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    if (!inspect_api_needs(api, function)) continue;
    if (abi_release_has(one, function) != abi_release_has(other, function)) return false;
  }
  return true;
}

static void add_lacking(InspectLine *line, const InspectApi *api, const AbiRelease *release)
{
  unsigned shown = 0, lacking = inspect_api_lacking(api, release);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT && shown < NAMES_SHOWN; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    if (!inspect_api_needs(api, function) || abi_release_has(release, function)) continue;
    inspect_line_add(line, "%s%s", shown++ ? ", " : "", abi_functions[i].symbol);
  }
  if (lacking > shown) inspect_line_add(line, " and %u more", lacking - shown);
}

// "0.1.0 to 0.1.4 lack X", one line for releases in a row that lack the same.
static void write_releases(FILE *out, const TextStyle *style, const InspectApi *api)
{
  InspectLine line = {0};
  if (!api->floor) return;
  if (!inspect_api_lacking(api, abi_release(0))) {
    inspect_line_add(&line, "every release since %s has the functions it imports",
                     abi_release(0)->version);
  } else if (api->oldest) {
    inspect_line_add(&line, "%s is the oldest release that has the functions it imports",
                     api->oldest->version);
    if (api->oldest->known_bad) inspect_line_add(&line, " (%s)", api->oldest->known_bad);
  }
  field(out, style, "runtimes", &line);
  const AbiRelease *first = NULL, *last = NULL;
  for (size_t i = 0; i <= abi_release_count(); ++i) {
    const AbiRelease *release = i < abi_release_count() ? abi_release(i) : NULL;
    if (release && release->candidate) continue;
    if (release && first && lack_the_same(api, first, release)) {
      last = release;
      continue;
    }
    if (first && inspect_api_lacking(api, first) > 0) {
      bool one = first == last;
      inspect_line_add(&line, "%s%s%s lack%s ", first->version, one ? "" : " to ",
                       one ? "" : last->version, one ? "s" : "");
      add_lacking(&line, api, first);
      field(out, style, "", &line);
    }
    first = last = release;
  }
}

static void write_runtime(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  const InspectApi *api = &subject->api;
  if (api->export_count == 0) return;
  InspectLine line = {0};
  if (api->former_known) {
    inspect_line_add(&line, "%u of the %u functions of the C API in September 2025",
                     api->former_count, api->former_known);
  } else {
    inspect_line_add(&line, "%u functions of the C API; ", api->export_count);
  }
  if (api->covers) {
    inspect_line_add(&line, "all %u of release %s", abi_release_functions(api->covers),
                     api->covers->version);
    const AbiRelease *newest = abi_release(abi_release_count() - 1);
    if (api->covers == newest) inspect_line_add(&line, ", the newest that is known");
  } else if (!api->former_known) {
    inspect_line_add(&line, "no release's set is complete");
  }
  field(out, style, "exports", &line);
}

// --- Linking -------------------------------------------------------------------------------------

static void write_linking(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  InspectLine line = {0};
  const InspectFacts *facts = subject->facts;
  if (subject->api.linking) {
    inspect_line_add(&line, "%s", inspect_api_linking_name(subject->api.linking));
    if (facts->kind == INSPECT_KIND_SHARED) {
      inspect_line_add(&line, ", libtvm_ffi.so is %sin NEEDED",
                       subject->api.needs_libtvm_ffi ? "" : "not ");
    }
  }
  if (facts->rpath.size > 0) {
    inspect_line_add(&line, "%sRPATH ", line.size ? ", " : "");
    inspect_line_add_text(&line, facts->rpath);
  }
  if (facts->runpath.size > 0) {
    inspect_line_add(&line, "%sRUNPATH ", line.size ? ", " : "");
    inspect_line_add_text(&line, facts->runpath);
  }
  field(out, style, "linking", &line);
  for (size_t i = 0; i < facts->needed_count && i < FUNCTIONS_SHOWN; ++i) {
    if (i > 0) inspect_line_add(&line, ", ");
    inspect_line_add_text(&line, facts->needed[i]);
  }
  if (facts->needed_count > FUNCTIONS_SHOWN) {
    inspect_line_add(&line, " and %zu more", facts->needed_count - FUNCTIONS_SHOWN);
  }
  field(out, style, "libraries", &line);
}

static void add_floor(InspectLine *line, const char *name, uint32_t version)
{
  char text[16];
  if (version == 0) return;
  inspect_line_add(line, "%s%s %s", line->size ? ", " : "", name,
                   inspect_text_version(version, 2, text));
}

static void write_floors(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  InspectLine line = {0};
  const InspectFloors *floors = &subject->facts->floors;
  add_floor(&line, "GLIBC", floors->glibc);
  add_floor(&line, "GLIBCXX", floors->glibcxx);
  add_floor(&line, "CXXABI", floors->cxxabi);
  field(out, style, "floors", &line);
}

static void write_headers(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  char text[16];
  uint32_t since, until;
  InspectLine line = {0};
  inspect_rules_headers(subject->facts, &since, &until);
  if (since > until) {
    inspect_line_add(&line, "of more than one version");
  } else if (since > 0) {
    inspect_line_add(&line, "of %s or later", abi_version_text(since, text));
  } else if (until < UINT32_MAX) {
    inspect_line_add(&line, "of %s or earlier", abi_version_text(until, text));
  } else if (subject->facts->cxx_symbol.size > 0) {
    inspect_line_add(&line, "of a version that its symbols do not show");
  }
  field(out, style, "headers", &line);
  if (subject->facts->key_functions > 0) {
    bool older = subject->facts->key_functions == ABI_VERSION(0, 1, 9);
    inspect_line_add(&line, "calls native functions of keys by the form of %s",
                     older ? "0.1.9 to 0.1.15" : "0.1.16");
  }
  field(out, style, "keys", &line);
}

void inspect_text_facts(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  write_head(out, style, subject);
  write_functions(out, style, &subject->module);
  write_other_exports(out, style, subject);
  write_devices(out, style, subject->facts);
  write_metadata(out, style, subject);
  write_runtime(out, style, subject);
  write_needs(out, style, &subject->api);
  write_releases(out, style, &subject->api);
  if (subject->facts->format == INSPECT_FORMAT_ELF) write_linking(out, style, subject);
  if (subject->facts->macho) inspect_text_macho(out, style, subject);
  if (subject->facts->pe) inspect_text_pe(out, style, subject);
  write_floors(out, style, subject);
  write_headers(out, style, subject);
}
