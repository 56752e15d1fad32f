// SPDX-License-Identifier: Apache-2.0
// Rules about names: what a file imports and exports.
#include <stdio.h>
#include <string.h>

#include "inspect/inspect_rules.h"

static void find(const InspectCase *file, InspectFindingId id, const InspectEntry *entry,
                 const char *detail)
{
  inspect_findings_add(file->findings, id, entry->name, "%s", detail);
}

// --- Imports -------------------------------------------------------------------------------------

static const struct {
  const char *name, *era, *now;
} stale_imports[] = {
#define STALE_IMPORT(name, era, now) {name, era, now},
#include "inspect/inspect_names.def"
};

static bool check_stale_import(const InspectCase *file, const InspectEntry *entry)
{
  for (size_t i = 0; i < sizeof stale_imports / sizeof stale_imports[0]; ++i) {
    if (!binary_text_is(entry->name, stale_imports[i].name)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_STALE_IMPORT, entry->name,
                         "in use %s; today it is %s", stale_imports[i].era, stale_imports[i].now);
    return true;
  }
  return false;
}

static bool is_c_library(ElfText name)
{
  static const char *const names[] = {
#define C_NAME(name) #name,
#include "inspect/c_library.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (binary_text_is(name, names[i])) return true;
  }
  return false;
}

// Symbols that the process itself has, however the library was linked.
static bool is_of_the_process(ElfText name)
{
  static const char *const prefixes[] = {"Py",      "_Py",      "__asan_",      "__tsan_",
                                         "__msan_", "__ubsan_", "__sanitizer_", "_ITM_",
                                         "__gcov_", "_dl_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
    if (binary_text_begins(name, prefixes[i])) return true;
  }
  return false;
}

// Families of functions that come from a library of a known name and no other.
static const struct {
  const char *prefix;
  const char *libraries[2];  // begin so
} families[] = {
    {"cublasLt", {"libcublasLt", "libcublas"}},
    {"cublas", {"libcublas", NULL}},
    {"cudnn", {"libcudnn", NULL}},
    {"cufft", {"libcufft", NULL}},
    {"curand", {"libcurand", NULL}},
    {"cusparse", {"libcusparse", NULL}},
    {"cusolver", {"libcusolver", NULL}},
    {"nvrtc", {"libnvrtc", NULL}},
    {"nccl", {"libnccl", "librccl"}},
    {"cuda", {"libcudart", NULL}},
    {"__cudaRegister", {"libcudart", NULL}},
    {"hip", {"libamdhip64", NULL}},
    {"TVMBackend", {"libtvm", NULL}},
};

// Whether NEEDED names a library that the symbol can come from, given that it has no version. The
// GNU libraries give versions to all of theirs.
static bool has_provider(const InspectFacts *facts, const char *const libraries[2])
{
  for (size_t i = 0; i < facts->needed_count; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (libraries[k] && binary_text_begins(facts->needed[i], libraries[k])) return true;
    }
  }
  return false;
}

bool inspect_rules_knows(const InspectFacts *facts, ElfText library)
{
  static const char *const gnu[] = {"libm.so.",  "libdl.so.",   "libpthread.so.",
                                    "librt.so.", "libgcc_s.so", "libstdc++.so.",
                                    "ld-linux",  "ld64.so",     "libutil.so."};
  if (binary_text_begins(library, "libtvm_ffi.so")) return true;
  if (binary_text_begins(library, "libc.so.6")) return true;
  if (facts->floors.glibc == 0) return false;  // another C library's may have none
  for (size_t i = 0; i < sizeof gnu / sizeof gnu[0]; ++i) {
    if (binary_text_begins(library, gnu[i])) return true;
  }
  return false;
}

// Names of the C++ library and of what compilers call in it, instances of its templates included:
// of those the library has some, and which ones depends on its version.
static bool is_cxx_library(ElfText name)
{
  static const char *const prefixes[] = {"_ZSt",
                                         "_ZNSt",
                                         "_ZNKSt",
                                         "_ZTVSt",
                                         "_ZTISt",
                                         "_ZTSSt",
                                         "_ZTTSt",
                                         "_ZTVNSt",
                                         "_ZTINSt",
                                         "_ZTSNSt",
                                         "_ZTTNSt",
                                         "_ZTVN10__cxxabiv1",
                                         "_ZTIN10__cxxabiv1",
                                         "_ZN9__gnu_cxx",
                                         "_ZNK9__gnu_cxx",
                                         "_Znw",
                                         "_Zna",
                                         "_Zdl",
                                         "_Zda",
                                         "__cxa_",
                                         "__gxx_personality"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
    if (binary_text_begins(name, prefixes[i])) return true;
  }
  return false;
}

// One that the libstdc++ in NEEDED may have, though not the one that the file was linked with.
static bool may_be_of_newer_cxx(const InspectFacts *facts, ElfText name)
{
  static const char *const library[2] = {"libstdc++.so", NULL};
  return is_cxx_library(name) && has_provider(facts, library);
}

static void check_unresolved(const InspectCase *file, const InspectEntry *entry)
{
  bool unknown = file->links->unknown.size > 0;
  if (entry->version >= 2 || is_of_the_process(entry->name)) return;
  if (inspect_set_provider(file->links, entry->name, true)) return;
  for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
    if (!binary_text_begins(entry->name, families[i].prefix)) continue;
    if (has_provider(file->facts, families[i].libraries)) return;
    if (unknown && strcmp(families[i].prefix, "hip") == 0) return;  // a common word, too
    inspect_findings_add(file->findings, INSPECT_FINDING_UNRESOLVED, entry->name,
                         "functions %s* come from %s, which is not in NEEDED", families[i].prefix,
                         families[i].libraries[0]);
    return;
  }
  if (unknown || is_c_library(entry->name)) return;
  find(file,
       may_be_of_newer_cxx(file->facts, entry->name) ? INSPECT_FINDING_NO_VERSION
                                                     : INSPECT_FINDING_UNRESOLVED,
       entry, "");
}

bool inspect_rules_is_of_runtime(const InspectCase *file, const InspectEntry *entry)
{
  if (entry->library <= 0) return true;
  ElfText name = file->facts->needed[entry->library - 1];
  if (inspect_format_is_runtime(file->facts->format, name)) return true;
  const InspectSibling *library = inspect_set_sibling(file->place, file->facts, name);
  return library && inspect_set_is_runtime(library);
}

// Mach-O and PE files name a library for each symbol. One of the same package is what will be
// loaded.
static void check_sibling(const InspectCase *file, const InspectEntry *entry)
{
  if (entry->library <= 0 || !file->place) return;
  ElfText name = file->facts->needed[entry->library - 1];
  const InspectSibling *library = inspect_set_sibling(file->place, file->facts, name);
  if (!library || !inspect_set_lacks(file->place, library, entry->name)) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_SIBLING_LACKS, entry->name, "from %s",
                       inspect_set_path(library));
}

static bool is_unknown_api(const InspectCase *file, const InspectEntry *entry)
{
  return abi_function_find(entry->name.data, entry->name.size) == ABI_FUNCTION_COUNT &&
         inspect_rules_is_of_runtime(file, entry) &&
         !inspect_set_provider(file->links, entry->name, true);
}

static void check_cxx_import(const InspectCase *file, const InspectEntry *entry)
{
  // With MSVC every module that throws imports members of one class, whatever its author calls.
  if (!inspect_rules_is_of_runtime(file, entry) || inspect_rules_is_error_class(entry)) return;
  // The runtime does not promise such symbols, wherever it lies.
  if (inspect_set_provider(file->links, entry->name, false)) return;
  find(file, INSPECT_FINDING_MANGLED_TVM_FFI, entry, "");
}

static void check_import(const InspectCase *file, const InspectEntry *entry)
{
  bool weak = entry->binding == STB_WEAK;
  if (check_stale_import(file, entry) || weak) return;
  check_sibling(file, entry);
  if (inspect_facts_is_cxx(entry->name)) {
    check_cxx_import(file, entry);
  } else if (entry->role == INSPECT_ROLE_API) {
    if (is_unknown_api(file, entry)) find(file, INSPECT_FINDING_UNKNOWN_API, entry, "");
  } else if (file->facts->kind == INSPECT_KIND_SHARED &&
             file->facts->format == INSPECT_FORMAT_ELF) {
    check_unresolved(file, entry);  // what an object file lacks, the linker will find
  }
}

// --- Exports -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool is_prefix, needs_data;
  const char *era, *now;
} stale_exports[] = {
#define STALE_EXPORT(name, is_prefix, needs_data, era, now) {name, is_prefix, needs_data, era, now},
#include "inspect/inspect_names.def"
};

static bool is_data(const InspectEntry *entry)
{
  return entry->type == STT_OBJECT || entry->type == STT_TLS || entry->type == STT_COMMON;
}

static bool check_stale_export(const InspectCase *file, const InspectEntry *entry)
{
  for (size_t i = 0; i < sizeof stale_exports / sizeof stale_exports[0]; ++i) {
    bool matches = stale_exports[i].is_prefix
                       ? binary_text_begins(entry->name, stale_exports[i].name)
                       : binary_text_is(entry->name, stale_exports[i].name);
    if (!matches || (stale_exports[i].needs_data && !is_data(entry))) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_STALE_EXPORT, entry->name,
                         "in use from %s; today it is %s", stale_exports[i].era,
                         stale_exports[i].now);
    return true;
  }
  return false;
}

static void check_abi_export(const InspectCase *file, const InspectEntry *entry)
{
  bool getter = entry->role == INSPECT_ROLE_METADATA || entry->role == INSPECT_ROLE_DOC;
  if (entry->hidden_version && inspect_facts_version(file->facts, entry)) {
    find(file, INSPECT_FINDING_HIDDEN_VERSION, entry, "");
  }
  if (entry->role == INSPECT_ROLE_RESERVED) {
    find(file, INSPECT_FINDING_RESERVED_NAME, entry, "");
  } else if (binary_text_is(entry->name, "__tvm_ffi_")) {
    find(file, INSPECT_FINDING_EMPTY_NAME, entry, "");
  } else if ((getter || entry->role == INSPECT_ROLE_FUNCTION || entry->role == INSPECT_ROLE_API) &&
             is_data(entry)) {
    find(file, INSPECT_FINDING_DATA_AS_FUNCTION, entry, "");
  } else if (getter && !inspect_module_of_getter(file->module, entry)) {
    find(file, INSPECT_FINDING_ORPHAN_METADATA, entry, "");
  }
}

static const struct {
  const char *prefix, *what;
} leaked[] = {
#define LEAKED_EXPORT(prefix, what) {prefix, what},
#include "inspect/inspect_names.def"
};

// Whether a name of std:: is that of an instance for a type from elsewhere: its arguments have a
// name that does not begin in std.
static bool has_own_type(ElfText name)
{
  size_t at = 0;
  char before = 'Z';  // the letter that the present name follows
  while (at < name.size) {
    char c = name.data[at++];
    if (c < '1' || c > '9') {
      before = c;
      continue;
    }
    size_t length = (size_t)(c - '0');
    while (at < name.size && name.data[at] >= '0' && name.data[at] <= '9' && length < name.size) {
      length = 10 * length + (size_t)(name.data[at++] - '0');
    }
    if (strchr("INKPRO", before)) return true;
    at = length < name.size - at ? at + length : name.size;
    before = 'n';
  }
  return false;
}

// What is no copy of the C++ library: instances of its templates, and where the library itself is
// linked dynamically, the parts that compilers for older systems add to each file.
static bool is_from_templates(const InspectFacts *facts, ElfText name)
{
  static const char *const added[] = {"_ZSt",
                                      "_ZNSt",
                                      "_ZNKSt",
                                      "_ZTVSt",
                                      "_ZdlPvm",
                                      "_ZdlPvj",
                                      "_ZdaPvm",
                                      "_ZdaPvj",
                                      "__cxa_call_terminate",
                                      "__cxa_throw_bad_array"};
  if (is_cxx_library(name) && has_own_type(name)) return true;
  if (facts->floors.glibcxx == 0) return false;
  for (size_t i = 0; i < sizeof added / sizeof added[0]; ++i) {
    if (binary_text_begins(name, added[i])) return true;
  }
  return binary_text_has(name, "St11align_val_t");
}

static void check_leak(const InspectCase *file, const InspectEntry *entry)
{
  if (entry->binding == STB_GNU_UNIQUE) find(file, INSPECT_FINDING_UNIQUE, entry, "");
  if (inspect_facts_is_cxx(entry->name) && file->facts->profile != INSPECT_PROFILE_RUNTIME) {
    find(file, INSPECT_FINDING_CXX_EXPORTED, entry, "");
  }
  if (entry->binding != STB_GLOBAL) return;  // weak ones are instances of templates
  if (is_from_templates(file->facts, entry->name)) return;
  for (size_t i = 0; i < sizeof leaked / sizeof leaked[0]; ++i) {
    if (!binary_text_begins(entry->name, leaked[i].prefix)) continue;
    inspect_findings_add(file->findings, INSPECT_FINDING_LEAKED, entry->name, "of %s",
                         leaked[i].what);
    return;
  }
}

static void check_export(const InspectCase *file, const InspectEntry *entry)
{
  if (check_stale_export(file, entry)) return;
  if (entry->role != INSPECT_ROLE_NONE) {
    check_abi_export(file, entry);
  } else if (file->facts->kind == INSPECT_KIND_SHARED) {
    check_leak(file, entry);
  }
}

void inspect_rules_strangers(const InspectCase *file)
{
  for (size_t i = 0; i < file->facts->symbol_count; ++i) {
    const InspectEntry *entry = &file->facts->symbols[i];
    if (entry->section == SHN_UNDEF) {
      check_stale_import(file, entry);
    } else if (inspect_facts_exports(entry)) {
      check_stale_export(file, entry);
    }
  }
}

void inspect_rules_symbols(const InspectCase *file)
{
  const InspectFacts *facts = file->facts;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->section == SHN_UNDEF) {
      check_import(file, entry);
    } else if (inspect_facts_exports(entry)) {
      check_export(file, entry);
    }
  }
  if (facts->hidden_count > 0) {
    char more[40] = "";
    if (facts->hidden_count > 1)
      snprintf(more, sizeof more, "and %zu more", facts->hidden_count - 1);
    inspect_findings_add(file->findings, INSPECT_FINDING_HIDDEN, facts->hidden, "%s", more);
  }
  if (facts->omitted > 0) {
    inspect_findings_add(file->findings, INSPECT_FINDING_TOO_MANY_SYMBOLS, (ElfText){"", 0},
                         "%zu were not looked at", facts->omitted);
  }
}
