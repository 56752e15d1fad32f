// SPDX-License-Identifier: Apache-2.0
// Rules about what a file goes with: libraries, C libraries, C++ headers, and as a runtime,
// releases.
#include <string.h>

#include "inspect/inspect_rules.h"

static const ElfText no_symbol = {"", 0};

// --- NEEDED and RPATH ----------------------------------------------------------------------------

static void check_needed(const InspectCase *file)
{
  if (file->facts->kind != INSPECT_KIND_SHARED || file->api->import_count == 0) return;
  if (file->facts->format != INSPECT_FORMAT_ELF) return;  // others name a library for each symbol
  if (file->api->needs_libtvm_ffi || file->facts->profile == INSPECT_PROFILE_RUNTIME) return;
  if (file->links->runtime) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_NOT_NEEDED, no_symbol, "%u function%s",
                       file->api->import_count, file->api->import_count == 1 ? "" : "s");
}

static bool is_relative_to_itself(ElfText folder)
{
  return binary_text_begins(folder, "$ORIGIN") || binary_text_begins(folder, "${ORIGIN}");
}

static void check_rpath(const InspectCase *file, ElfText path, const char *which)
{
  while (path.size > 0) {
    const char *colon = binary_text_find(path, ':');
    ElfText folder = {path.data, colon ? (size_t)(colon - path.data) : path.size};
    if (!is_relative_to_itself(folder)) {
      inspect_findings_add(file->findings, INSPECT_FINDING_RPATH, folder, "in %s", which);
    }
    size_t step = folder.size + (colon != NULL);
    path = (ElfText){path.data + step, path.size - step};
  }
}

// --- Floors --------------------------------------------------------------------------------------

static void check_floors(const InspectCase *file)
{
  const InspectFloors *floors = &file->facts->floors;
  if (floors->glibc_private) {
    inspect_findings_add(file->findings, INSPECT_FINDING_GLIBC_PRIVATE, no_symbol, "%s", "");
  }
  if (floors->glibc <= ABI_VERSION(2, 28, 0) && floors->glibcxx <= ABI_VERSION(3, 4, 25) &&
      floors->cxxabi <= ABI_VERSION(1, 3, 11)) {
    return;
  }
  char glibc[16], glibcxx[16], cxxabi[16];
  inspect_findings_add(file->findings, INSPECT_FINDING_ABOVE_MANYLINUX, no_symbol,
                       "GLIBC %s, GLIBCXX %s, CXXABI %s",
                       floors->glibc ? abi_version_text(floors->glibc, glibc) : "none",
                       floors->glibcxx ? abi_version_text(floors->glibcxx, glibcxx) : "none",
                       floors->cxxabi ? abi_version_text(floors->cxxabi, cxxabi) : "none");
}

// --- The C++ headers -----------------------------------------------------------------------------

static const struct {
  uint32_t since, until;
  const char *what;
} header_stamps[] = {
#define HEADER_STAMP(pattern, since, until, what) {since, until, what},
#include "inspect/inspect_names.def"
};
enum { STAMP_COUNT = sizeof header_stamps / sizeof header_stamps[0] };

static bool asks_for_allocator(const InspectCase *file)
{
  return file->facts->cxx_symbol.size > 0 && file->api->imports[FN_GetCustomAllocator] &&
         file->facts->profile != INSPECT_PROFILE_RUNTIME;
}

void inspect_rules_headers(const InspectFacts *facts, uint32_t *since, uint32_t *until)
{
  *since = 0;
  *until = UINT32_MAX;
  for (size_t i = 0; i < STAMP_COUNT; ++i) {
    if (facts->header_stamp[i].size == 0) continue;
    if (header_stamps[i].since > *since) *since = header_stamps[i].since;
    if (header_stamps[i].until < *until) *until = header_stamps[i].until;
  }
}

static void check_headers(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  for (size_t i = 0; i < STAMP_COUNT; ++i) {
    if (facts->header_stamp[i].size == 0 || header_stamps[i].until >= ABI_VERSION(0, 1, 9))
      continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_CXX_OLD_ERRORS, facts->header_stamp[i],
                         "%s", header_stamps[i].what);
  }
  if (asks_for_allocator(file)) {
    inspect_findings_add(file->findings, INSPECT_FINDING_CXX_0_1_13, facts->cxx_symbol, "%s", "");
  }
  if (facts->key_functions == ABI_VERSION(0, 1, 9) && facts->profile != INSPECT_PROFILE_RUNTIME) {
    inspect_findings_add(file->findings, INSPECT_FINDING_CXX_OLD_KEYS, no_symbol, "%s", "");
  }
  for (size_t i = 0; i < STAMP_COUNT; ++i) {
    for (size_t k = 0; k < STAMP_COUNT; ++k) {
      if (facts->header_stamp[i].size == 0 || facts->header_stamp[k].size == 0) continue;
      if (header_stamps[i].since <= header_stamps[k].until) continue;
      inspect_findings_add(file->findings, INSPECT_FINDING_CXX_MIXED, facts->header_stamp[i],
                           "beside %s", header_stamps[k].what);
    }
  }
}

// --- Runtimes ------------------------------------------------------------------------------------

static unsigned missing_of(const InspectApi *api, const AbiRelease *release, AbiFunctionId *first)
{
  unsigned count = 0;
  for (unsigned i = ABI_FUNCTION_COUNT; i-- > 0;) {
    if (!abi_release_has(release, (AbiFunctionId)i) || api->exports[i]) continue;
    *first = (AbiFunctionId)i;
    ++count;
  }
  return count;
}

// Whether the runtime has a function of this release that the one it covers has not.
static bool has_more_of(const InspectApi *api, const AbiRelease *release)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    if (api->exports[i] && abi_release_has(release, function) &&
        !abi_release_has(api->covers, function)) {
      return true;
    }
  }
  return false;
}

static void check_cover(const InspectCase *file)
{
  const InspectApi *api = file->api;
  AbiFunctionId missing = ABI_FUNCTION_COUNT;
  if (api->former_known) {
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_2025_09, no_symbol,
                         "it has %u of the %u functions of that generation", api->former_count,
                         api->former_known);
    return;
  }
  if (!api->covers) {
    unsigned count = missing_of(api, abi_release(0), &missing);
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_INCOMPLETE, no_symbol,
                         "%u function%s missing, %s%s", count, count == 1 ? " is" : "s are",
                         missing < ABI_FUNCTION_COUNT ? abi_functions[missing].symbol : "none",
                         count == 1 ? "" : " among them");
    return;
  }
  for (size_t i = 0; i < abi_release_count(); ++i) {
    const AbiRelease *release = abi_release(i);
    unsigned count = missing_of(api, release, &missing);
    if (count == 0 || release->candidate || !has_more_of(api, release)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_PARTIAL, no_symbol,
                         "of release %s it lacks %u function%s, %s%s", release->version, count,
                         count == 1 ? "" : "s", abi_functions[missing].symbol,
                         count == 1 ? "" : " among them");
    return;
  }
}

static void check_runtime(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  bool module = false;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (!inspect_facts_exports(entry)) continue;
    if (entry->role == INSPECT_ROLE_FUNCTION || entry->role == INSPECT_ROLE_LIBRARY_BIN) {
      module = true;
    }
    if (entry->role != INSPECT_ROLE_API || entry->type == STT_OBJECT) continue;
    if (facts->profile != INSPECT_PROFILE_RUNTIME) continue;  // functions for tests, beside it
    if (abi_function_find(entry->name.data, entry->name.size) != ABI_FUNCTION_COUNT) continue;
    if (file->api->former_known &&
        abi_function_find_former(entry->name.data, entry->name.size) != ABI_FUNCTION_COUNT)
      continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_EXTRA, entry->name, "%s", "");
  }
  if (facts->profile != INSPECT_PROFILE_RUNTIME || facts->kind != INSPECT_KIND_SHARED) return;
  if (module) {
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_IN_MODULE, no_symbol, "%s", "");
  } else {
    check_cover(file);
  }
  if (facts->soname.size == 0 && facts->format == INSPECT_FORMAT_ELF) {
    inspect_findings_add(file->findings, INSPECT_FINDING_RUNTIME_NO_SONAME, no_symbol, "%s", "");
  }
}

void inspect_rules_links(const InspectCase *file)
{
  check_needed(file);
  check_rpath(file, file->facts->rpath, "RPATH");
  check_rpath(file, file->facts->runpath, "RUNPATH");
  check_floors(file);
  check_headers(file);
  check_runtime(file);
}
