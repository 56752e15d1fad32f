// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/elfdynamic.h"
#include "inspect/elffile.h"
#include "inspect/elfmachine.h"
#include "inspect/inspect_problem.h"
#include "inspect/inspect_read.h"
#include "inspect/inspect_symbols.h"

enum {
  LONGEST_NAME = 256,       // no symbol looked for is longer; a hostile name may have megabytes
  LONGEST_FUNCTION = 1024,  // what a module calls its functions is shorter than this
  LONGEST_BUILD_ID = 64,
};

// What report->backing points to: the names that the report refers to.
typedef struct Backing {
  ElfNames dynamic_names, function_names;
} Backing;

// The runtimes of the sanitizers: as libraries (of GCC, of Clang), and as symbols that instrumented
// code needs.
static const struct {
  unsigned sanitizer;
  const char *libraries[2];
  const char *symbol;  // begins so
} sanitizer_signs[] = {
    {INSPECT_ADDRESS_SANITIZER, {"libasan.so", "libclang_rt.asan"}, "__asan_init"},
    {INSPECT_THREAD_SANITIZER, {"libtsan.so", "libclang_rt.tsan"}, "__tsan_init"},
    {INSPECT_MEMORY_SANITIZER, {"libmsan.so", "libclang_rt.msan"}, "__msan_init"},
    {INSPECT_UNDEFINED_SANITIZER, {"libubsan.so", "libclang_rt.ubsan"}, "__ubsan_handle_"},
};

static const char module_prefix[] = "__tvm_ffi_", module_metadata[] = "__tvm_ffi__metadata_";

// Symbols of a module that are no functions for callers: data, and functions that describe others.
static const char *const module_reserved[] = {
    "__tvm_ffi__library_",
    "__tvm_ffi__metadata_",
    "__tvm_ffi__doc_",
};

static bool begins(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void note_needed_sanitizers(InspectReport *report)
{
  for (char **name = report->needed; *name; ++name) {
    for (size_t i = 0; i < sizeof sanitizer_signs / sizeof sanitizer_signs[0]; ++i) {
      if (begins(*name, sanitizer_signs[i].libraries[0]) ||
          begins(*name, sanitizer_signs[i].libraries[1])) {
        report->sanitizers |= sanitizer_signs[i].sanitizer;
      }
    }
  }
}

static void note_import(const char *name, InspectReport *report)
{
  for (size_t i = 0; i < sizeof sanitizer_signs / sizeof sanitizer_signs[0]; ++i) {
    if (begins(name, sanitizer_signs[i].symbol)) report->sanitizers |= sanitizer_signs[i].sanitizer;
  }
}

static void note_api_function(const char *name, InspectReport *report)
{
  size_t length = strnlen(name, LONGEST_NAME);
  AbiFunctionId id = abi_function_find(name, length);
  AbiFunctionId former = abi_function_find_former(name, length);
  if (former != ABI_FUNCTION_COUNT) {
    report->former_exports[former] = true;
  } else if (id == ABI_FUNCTION_COUNT) {
    ++report->unknown_exports;
  } else if (!report->exports[id]) {
    report->exports[id] = true;
    ++report->exports_count;
  }
}

static bool is_module_function(const char *name)
{
  if (!begins(name, module_prefix)) return false;
  if (strnlen(name, LONGEST_FUNCTION) == LONGEST_FUNCTION) return false;
  for (size_t i = 0; i < sizeof module_reserved / sizeof module_reserved[0]; ++i) {
    if (begins(name, module_reserved[i])) return false;
  }
  return true;
}

// Whether dlsym() would find this defined symbol.
static bool is_export(const GElf_Sym *symbol)
{
  unsigned binding = GELF_ST_BIND(symbol->st_info);
  unsigned visibility = GELF_ST_VISIBILITY(symbol->st_other);
  return symbol->st_value != 0 &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

// Assembly often leaves the type out.
static bool may_be_function(const GElf_Sym *symbol)
{
  unsigned type = GELF_ST_TYPE(symbol->st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

static void note_symbol(const GElf_Sym *symbol, const char *name, InspectReport *report)
{
  if (symbol->st_shndx == SHN_UNDEF) {
    note_import(name, report);
  } else if (!is_export(symbol)) {
    return;
  } else if (begins(name, "TVMFFI")) {
    if (may_be_function(symbol)) note_api_function(name, report);
  } else if (begins(name, module_prefix)) {
    report->profile = INSPECT_PROFILE_MODULE;
    report->module_functions += may_be_function(symbol) && is_module_function(name);
  }
}

static int compare_functions(const void *left, const void *right)
{
  const InspectFunction *a = left, *b = right;
  return strcmp(a->name, b->name);
}

// The functions of a module by name, and which of them have metadata. False if memory is out.
static bool note_module_functions(const ElfSymbols *symbols, const ElfNames *names,
                                  InspectReport *report)
{
  report->functions = calloc(report->module_functions + 1, sizeof *report->functions);
  if (!report->functions) return false;
  for (int turn = 0, count = 0; turn < 2; ++turn) {
    for (size_t i = 1; i < symbols->count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(symbols->records, (int)i, &symbol)) break;
      const char *name = elffile_name(names, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF || !is_export(&symbol) || !may_be_function(&symbol))
        continue;
      if (turn == 0 && is_module_function(name)) {
        report->functions[count++].name = name + strlen(module_prefix);
      } else if (turn == 1 && begins(name, module_metadata)) {
        InspectFunction key = {name + strlen(module_metadata), false};
        InspectFunction *found = bsearch(&key, report->functions, report->module_functions,
                                         sizeof key, compare_functions);
        if (found) found->has_metadata = true;
      }
    }
    qsort(report->functions, report->module_functions, sizeof *report->functions,
          compare_functions);
  }
  return true;
}

static bool note_symbols(const ElfFile *file, const ElfSymbols *symbols, const ElfNames *names,
                         InspectReport *report)
{
  for (size_t i = 1; i < symbols->count; ++i) {
    GElf_Sym symbol;
    if (!gelf_getsym(symbols->records, (int)i, &symbol)) break;
    const char *name = elffile_name(names, symbol.st_name);
    if (!name) {
      return inspect_problem(file->problem, INSPECT_BROKEN,
                             "the name of its dynamic symbol %zu lies outside the string table "
                             "(build or copy it again)",
                             i);
    }
    note_symbol(&symbol, name, report);
  }
  if (report->exports_count > 0) report->profile = INSPECT_PROFILE_RUNTIME;
  return note_module_functions(symbols, names, report) || inspect_problem_no_memory(file->problem);
}

// Lists of directories, names with a directory in them, and a linker of its own.
static void note_places(const ElfFile *file, const ElfDynamic *dynamic, InspectReport *report)
{
  GElf_Phdr segment;
  uint64_t at;
  report->places_named = elffile_segment(file, PT_INTERP, &segment) ? 1 : 0;
  if (elfdynamic_value(dynamic, DT_RPATH, 0, &at)) ++report->places_named;
  if (elfdynamic_value(dynamic, DT_RUNPATH, 0, &at)) ++report->places_named;
  for (char **name = report->needed; *name; ++name)
    if (strchr(*name, '/')) ++report->places_named;
}

static bool note_dynamic(const ElfFile *file, const ElfDynamic *dynamic, InspectReport *report)
{
  uint64_t offset;
  const char *soname = NULL;
  if (elfdynamic_value(dynamic, DT_SONAME, 0, &offset)) {
    soname = elffile_name(&dynamic->names, offset);
  }
  snprintf(report->soname, sizeof report->soname, "%s", soname ? soname : "");
  report->needed = calloc(dynamic->needed_count + 1, sizeof *report->needed);
  if (!report->needed) return inspect_problem_no_memory(file->problem);
  size_t filled = 0;
  for (size_t i = 0; i < dynamic->entry_count; ++i) {
    GElf_Dyn entry;
    if (!gelf_getdyn(dynamic->entries, (int)i, &entry) || entry.d_tag != DT_NEEDED) continue;
    char *name = (char *)elffile_name(&dynamic->names, entry.d_un.d_val);
    if (!name) {
      return inspect_problem(file->problem, INSPECT_BROKEN,
                             "the name of a library that it needs lies outside the string table "
                             "(build or copy it again)");
    }
    report->needed[filled++] = name;
  }
  note_places(file, dynamic, report);
  note_needed_sanitizers(report);
  return true;
}

static bool note_functions(const ElfFile *file, const ElfSymbols *dynamic, InspectReport *report)
{
  Backing *backing = report->backing;
  ElfSymbols full;
  bool sorted = true;
  if (elfdynamic_full_symbols(file, &full, &backing->function_names)) {
    sorted = inspect_symbols_sort(&full, &backing->function_names, report);
  }
  if (sorted && report->symbol_count == 0) {
    sorted = inspect_symbols_sort(dynamic, &backing->dynamic_names, report);
  }
  return sorted || inspect_problem_no_memory(file->problem);
}

static const char *type_of(unsigned type)
{
  switch (type) {
    case ET_REL:
      return "an object file (link it into a shared library: cc -shared)";
    case ET_EXEC:
      return "an executable, not a shared library (relink with -shared)";
    case ET_CORE:
      return "a core dump (give the path of a shared library)";
    default:
      return "of an unknown ELF type (give the path of a shared library)";
  }
}

static bool check_shared(const ElfFile *file)
{
  if (file->header.e_type == ET_DYN) return true;
  return inspect_problem(file->problem, INSPECT_NOT_SHARED, "is %s", type_of(file->header.e_type));
}

static bool check_loadable(const ElfFile *file, const ElfDynamic *dynamic,
                           const InspectReport *report)
{
  if (dynamic->flags_1 & DF_1_PIE) {
    return inspect_problem(file->problem, INSPECT_NOT_SHARED, "is %s", type_of(ET_EXEC));
  }
  if (elfmachine_is_own(&file->header)) return true;
  char own[sizeof report->machine];
  elfmachine_own_name(own, sizeof own);
  if (strcmp(own, report->machine) == 0) {
    return inspect_problem(file->problem, INSPECT_OTHER_MACHINE,
                           "is for another operating system, OS ABI %u (build it for Linux)",
                           file->header.e_ident[EI_OSABI]);
  }
  return inspect_problem(file->problem, INSPECT_OTHER_MACHINE,
                         "is for %s, but this program runs on %s (use a build of this program for "
                         "%s, there or under qemu: see cross/README.md; or build the library for "
                         "this machine)",
                         report->machine, own, report->machine);
}

static bool inspect_elf(const ElfFile *file, InspectReport *report)
{
  Backing *backing = report->backing = calloc(1, sizeof *backing);
  if (!backing) return inspect_problem_no_memory(file->problem);
  elfmachine_name(&file->header, report->machine, sizeof report->machine);
  unsigned char id[LONGEST_BUILD_ID];
  inspect_read_hex(id, elffile_build_id(file, id, sizeof id), report->build_id);
  report->mapped_size = elffile_mapped_size(file);
  if (!check_shared(file)) return false;
  ElfDynamic dynamic;
  ElfSymbols symbols;
  bool done = elfdynamic_read(file, &dynamic);
  backing->dynamic_names = dynamic.names;
  return done && note_dynamic(file, &dynamic, report) &&
         elfdynamic_symbols(file, &dynamic, &symbols) &&
         note_symbols(file, &symbols, &backing->dynamic_names, report) &&
         note_functions(file, &symbols, report) && check_loadable(file, &dynamic, report);
}

static void inspect_bytes(const InspectBytes *bytes, InspectReport *report, InspectProblem *problem)
{
  report->file_size = bytes->size;
  inspect_read_digest(bytes, report->sha256);
  if (!inspect_read_is_elf(bytes, problem)) return;
  ElfFile file;
  if (elffile_open(&file, bytes->data, bytes->size, problem)) inspect_elf(&file, report);
  elffile_close(&file);
}

InspectReport *inspect_file(const char *path)
{
  InspectReport *report = calloc(1, sizeof *report);
  if (!report) return NULL;
  InspectProblem problem = {0};
  InspectBytes bytes = {0};
  report->path = strdup(path);
  if (!report->path) {
    inspect_problem_no_memory(&problem);
  } else if (inspect_read(path, &bytes, &problem)) {
    inspect_bytes(&bytes, report, &problem);
  }
  free(bytes.data);
  if (!report->needed) report->needed = calloc(1, sizeof *report->needed);
  if (problem.no_memory || !report->needed) {
    inspect_free(report);
    return NULL;
  }
  report->status = problem.status;
  if (problem.status != INSPECT_OK) {
    inspect_problem_message(&problem, path, report->message, sizeof report->message);
  }
  return report;
}

void inspect_free(InspectReport *report)
{
  if (!report) return;
  Backing *backing = report->backing;
  if (backing) {
    free(backing->dynamic_names.text);
    free(backing->function_names.text);
    free(backing);
  }
  free(report->needed);
  free(report->functions);
  free(report->symbols);
  free((char *)report->path);
  free(report);
}

const char *inspect_profile_name(InspectProfile profile)
{
  static const char *const names[] = {
      [INSPECT_PROFILE_NONE] = "none",
      [INSPECT_PROFILE_RUNTIME] = "runtime",
      [INSPECT_PROFILE_MODULE] = "module",
  };
  return names[profile];
}

// Copies the bytes of the first symbol of this name that is defined and has a size.
static bool copy_symbol(const ElfFile *file, const ElfSymbols *symbols, const ElfNames *names,
                        const char *name, InspectBytes *out)
{
  for (size_t i = 1; i < symbols->count; ++i) {
    GElf_Sym symbol;
    if (!gelf_getsym(symbols->records, (int)i, &symbol)) return false;
    const char *candidate = elffile_name(names, symbol.st_name);
    if (!candidate || strcmp(candidate, name) != 0) continue;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
    uint64_t offset, available;
    if (!elffile_at_address(file, symbol.st_value, &offset, &available)) return false;
    if (symbol.st_size > available) return false;
    size_t count = symbol.st_size < out->size ? (size_t)symbol.st_size : out->size;
    memcpy(out->data, file->bytes + offset, count);
    out->size = (size_t)symbol.st_size;
    return true;
  }
  return false;
}

static bool find_symbol(const ElfFile *file, const char *name, InspectBytes *out)
{
  ElfDynamic dynamic;
  ElfSymbols symbols;
  bool found = elfdynamic_read(file, &dynamic) && elfdynamic_symbols(file, &dynamic, &symbols) &&
               copy_symbol(file, &symbols, &dynamic.names, name, out);
  free(dynamic.names.text);
  if (found) return true;
  ElfNames names;
  found = elfdynamic_full_symbols(file, &symbols, &names) &&
          copy_symbol(file, &symbols, &names, name, out);
  free(names.text);
  return found;
}

bool inspect_symbol_bytes(const char *path, const char *name, void *out, size_t capacity,
                          size_t *size)
{
  InspectProblem problem = {0};
  InspectBytes bytes, found = {out, capacity};
  if (!inspect_read(path, &bytes, &problem)) return false;
  ElfFile file = {0};
  bool done = inspect_read_is_elf(&bytes, &problem) &&
              elffile_open(&file, bytes.data, bytes.size, &problem) &&
              find_symbol(&file, name, &found);
  elffile_close(&file);
  free(bytes.data);
  if (done) *size = found.size;
  return done;
}
