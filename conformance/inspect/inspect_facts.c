// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_facts.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/elfmachine.h"
#include "inspect/inspect_facts_parts.h"
#include "inspect/inspect_read.h"
#include "inspect/inspect_sections.h"
#include "inspect/inspect_versions.h"

enum { MOST_DYNAMIC_ENTRIES = 1 << 16, LONGEST_BUILD_ID = 64 };

// --- Roles ---------------------------------------------------------------------------------------

// A system library's data carry a prefix before the whole name.
static InspectRole role_of_suffix(ElfText name)
{
  if (binary_text_ends(name, "__tvm_ffi__library_ctx")) return INSPECT_ROLE_LIBRARY_CTX;
  if (binary_text_ends(name, "__tvm_ffi__library_bin")) return INSPECT_ROLE_LIBRARY_BIN;
  return INSPECT_ROLE_NONE;
}

InspectRole inspect_facts_role(ElfText name)
{
  static const struct {
    const char *prefix;
    InspectRole role;
  } prefixes[] = {
      {"__tvm_ffi__metadata_", INSPECT_ROLE_METADATA},
      {"__tvm_ffi__doc_", INSPECT_ROLE_DOC},
      {"__tvm_ffi__cubin_", INSPECT_ROLE_CUBIN},
      {"__tvm_ffi__", INSPECT_ROLE_RESERVED},
      {"__tvm_ffi_", INSPECT_ROLE_FUNCTION},
      {"TVMFFI", INSPECT_ROLE_API},
      {"__TVMFFI", INSPECT_ROLE_SLOT},
      {"__TVMBackend", INSPECT_ROLE_SLOT},
      {"__TVMFuncCall", INSPECT_ROLE_SLOT},
      {"__TVMAPISetLastError", INSPECT_ROLE_SLOT},
  };
  InspectRole role = role_of_suffix(name);
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && !role; ++i) {
    if (binary_text_begins(name, prefixes[i].prefix)) role = prefixes[i].role;
  }
  return role;
}

// --- Symbols -------------------------------------------------------------------------------------

bool inspect_facts_exports(const InspectEntry *entry)
{
  bool visible = entry->visibility == STV_DEFAULT || entry->visibility == STV_PROTECTED;
  bool global = entry->binding == STB_GLOBAL || entry->binding == STB_WEAK ||
                entry->binding == STB_GNU_UNIQUE;
  return entry->section != SHN_UNDEF && visible && global;
}

static const char *const header_stamps[] = {
#define HEADER_STAMP(pattern, since, until, what) pattern,
#include "inspect/inspect_names.def"
};
_Static_assert(sizeof header_stamps / sizeof header_stamps[0] <=
                   sizeof((InspectFacts *)0)->header_stamp / sizeof(ElfText),
               "room for a symbol of each stamp");

bool inspect_facts_is_cxx(ElfText name)
{
  if (binary_text_begins(name, "?")) return binary_text_has(name, "@ffi@tvm@@");
  return binary_text_begins(name, "_Z") && binary_text_has(name, "3tvm3ffi");
}

static void note_stamp(InspectFacts *facts, ElfText name)
{
  if (!inspect_facts_is_cxx(name)) return;
  if (facts->cxx_symbol.size == 0) facts->cxx_symbol = name;
  for (size_t i = 0; i < sizeof header_stamps / sizeof header_stamps[0]; ++i) {
    if (facts->header_stamp[i].size == 0 && binary_text_has(name, header_stamps[i])) {
      facts->header_stamp[i] = name;
    }
  }
}

static bool grow(InspectFacts *facts)
{
  size_t count = facts->symbol_count;
  if (count & (count - 1) || count == 1) return true;  // room is doubled at powers of two
  size_t room = count ? 2 * count : 2;
  InspectEntry *symbols = realloc(facts->symbols, room * sizeof *symbols);
  if (!symbols) return inspect_problem_no_memory(facts->file.problem);
  facts->symbols = symbols;
  return true;
}

static InspectEntry entry_of(const GElf_Sym *symbol, ElfText name)
{
  return (InspectEntry){
      .name = name,
      .value = symbol->st_value,
      .size = symbol->st_size,
      .section = symbol->st_shndx,
      .type = (uint8_t)GELF_ST_TYPE(symbol->st_info),
      .binding = (uint8_t)GELF_ST_BIND(symbol->st_info),
      .visibility = (uint8_t)GELF_ST_VISIBILITY(symbol->st_other),
      .role = (uint8_t)inspect_facts_role(name),
  };
}

static void note_profile(InspectFacts *facts, const InspectEntry *entry)
{
  if (!inspect_facts_exports(entry)) return;
  if (entry->role == INSPECT_ROLE_API &&
      abi_function_find(entry->name.data, entry->name.size) != ABI_FUNCTION_COUNT) {
    facts->profile = INSPECT_PROFILE_RUNTIME;
  } else if (facts->profile == INSPECT_PROFILE_NONE && entry->role != INSPECT_ROLE_NONE &&
             entry->role != INSPECT_ROLE_API && entry->role != INSPECT_ROLE_SLOT) {
    facts->profile = INSPECT_PROFILE_MODULE;
  }
}

// An embedded cubin, or a fatbin. Its symbol often has no size.
static void note_cubin(InspectFacts *facts, const InspectEntry *entry)
{
  uint64_t offset, available;
  ++facts->cubin_count;
  if (!inspect_facts_place(facts, entry, &offset, &available)) return;
  if (entry->size > 0 && entry->size < available) available = entry->size;
  inspect_device_note_one(&facts->devices, &facts->file, offset, available);
}

// Names of the ABI that stay inside the file. Cubins do so on purpose, and so do the parts that
// compilers split off a function and name with a dot.
static void note_local(InspectFacts *facts, const InspectEntry *entry)
{
  if (entry->section == SHN_UNDEF || (entry->type != STT_FUNC && entry->type != STT_OBJECT)) return;
  if (entry->role == INSPECT_ROLE_CUBIN) {
    if (!binary_text_ends(entry->name, "_end")) note_cubin(facts, entry);
  } else if (entry->role != INSPECT_ROLE_API && !binary_text_has(entry->name, ".")) {
    if (facts->hidden_count++ == 0) facts->hidden = entry->name;
  }
}

bool inspect_facts_add(InspectFacts *facts, const InspectEntry *entry)
{
  note_profile(facts, entry);
  if (entry->section != SHN_UNDEF) {
    note_stamp(facts, entry->name);
  } else if (inspect_facts_is_cxx(entry->name)) {
    facts->cxx_import = entry->name;
  }
  if (facts->symbol_count == INSPECT_MOST_SYMBOLS) {
    ++facts->omitted;
    return true;
  }
  if (!grow(facts)) return false;
  facts->symbols[facts->symbol_count++] = *entry;
  return true;
}

void inspect_facts_note_definition(InspectFacts *facts, const InspectEntry *entry, bool hidden)
{
  note_stamp(facts, entry->name);
  if (hidden) note_local(facts, entry);
}

static bool add_dynamic_symbols(InspectFacts *facts)
{
  ElfSymbols symbols;
  const ElfDynamic *dynamic = &facts->dynamic;
  if (!elfdynamic_symbols(&facts->file, dynamic, &symbols)) return false;
  for (size_t i = 1; i < symbols.count; ++i) {
    GElf_Sym symbol;
    ElfText name = {"", 0};
    if (!gelf_getsym(symbols.records, (int)i, &symbol)) break;
    if (!elffile_text(&facts->file, dynamic->names_offset, dynamic->names_size, symbol.st_name,
                      &name)) {
      return inspect_problem(facts->file.problem, INSPECT_BROKEN,
                             "the name of its dynamic symbol %zu lies outside the string table "
                             "(build or copy it again)",
                             i);
    }
    InspectEntry entry = entry_of(&symbol, name);
    if (entry.binding == STB_LOCAL || entry.type == STT_SECTION) continue;
    inspect_versions_of_symbol(facts, i, &entry);
    if (!inspect_facts_add(facts, &entry)) return false;
  }
  return true;
}

// Global symbols of an object file; of a shared object only what is not exported is of interest.
static bool add_full_symbol(InspectFacts *facts, const GElf_Sym *symbol, ElfText name)
{
  InspectEntry entry = entry_of(symbol, name);
  bool object = facts->kind == INSPECT_KIND_OBJECT;
  if (entry.section != SHN_UNDEF) note_stamp(facts, name);
  if (entry.binding == STB_LOCAL || entry.visibility == STV_HIDDEN ||
      entry.visibility == STV_INTERNAL) {
    // The linker makes hidden symbols local and keeps their visibility.
    if (entry.role != INSPECT_ROLE_NONE) note_local(facts, &entry);
    if (!object || entry.binding == STB_LOCAL) return true;
  }
  return !object || inspect_facts_add(facts, &entry);
}

static bool add_full_symbols(InspectFacts *facts)
{
  InspectSymbolTable table;
  if (!inspect_sections_symbols(facts, &table)) return facts->file.problem->status == INSPECT_OK;
  for (size_t i = 1; i < table.count; ++i) {
    GElf_Sym symbol;
    ElfText name = {"", 0};
    if (!gelf_getsym(table.records, (int)i, &symbol)) break;
    if (!elffile_text(&facts->file, table.names_offset, table.names_size, symbol.st_name, &name)) {
      if (facts->kind != INSPECT_KIND_OBJECT) continue;
      return inspect_problem(facts->file.problem, INSPECT_BROKEN,
                             "the name of its symbol %zu lies outside the string table (build "
                             "or copy it again)",
                             i);
    }
    if (!add_full_symbol(facts, &symbol, name)) return false;
  }
  return true;
}

// --- The dynamic section -------------------------------------------------------------------------

static bool dynamic_text(InspectFacts *facts, uint64_t at, ElfText *text, const char *what)
{
  if (elffile_text(&facts->file, facts->dynamic.names_offset, facts->dynamic.names_size, at,
                   text)) {
    return true;
  }
  return inspect_problem(facts->file.problem, INSPECT_BROKEN,
                         "%s lies outside the string table (build or copy it again)", what);
}

static bool note_needed(InspectFacts *facts, uint64_t at)
{
  if (facts->needed_count == INSPECT_MOST_NEEDED) return true;
  if (!facts->needed) facts->needed = calloc(INSPECT_MOST_NEEDED, sizeof *facts->needed);
  if (!facts->needed) return inspect_problem_no_memory(facts->file.problem);
  return dynamic_text(facts, at, &facts->needed[facts->needed_count++],
                      "the name of a library that it needs");
}

static bool note_entry(InspectFacts *facts, const GElf_Dyn *entry)
{
  uint64_t value = entry->d_un.d_val, size;
  switch (entry->d_tag) {
    case DT_NEEDED:
      return note_needed(facts, value);
    case DT_SONAME:
      return dynamic_text(facts, value, &facts->soname, "its SONAME");
    case DT_RPATH:
      return dynamic_text(facts, value, &facts->rpath, "its RPATH");
    case DT_RUNPATH:
      return dynamic_text(facts, value, &facts->runpath, "its RUNPATH");
    case DT_TEXTREL:
      facts->text_relocations = true;
      return true;
    case DT_FLAGS:
      if (value & DF_TEXTREL) facts->text_relocations = true;
      return true;
    case DT_FLAGS_1:
      if (value & DF_1_PIE) facts->kind = INSPECT_KIND_EXECUTABLE;
      return true;
    case DT_HASH:
      if (!elffile_at_address(&facts->file, value, &facts->hash, &size)) facts->hash = 0;
      return true;
    case DT_GNU_HASH:
      if (!elffile_at_address(&facts->file, value, &facts->gnu_hash, &facts->gnu_hash_size)) {
        facts->gnu_hash = 0;
      }
      return true;
    default:
      return true;
  }
}

static bool read_dynamic(InspectFacts *facts)
{
  if (!elfdynamic_open(&facts->file, &facts->dynamic)) return false;
  if (facts->dynamic.entry_count > MOST_DYNAMIC_ENTRIES) {
    return inspect_problem(facts->file.problem, INSPECT_BROKEN,
                           "its dynamic section has %zu entries and no library has more than %d "
                           "(build or copy it again)",
                           facts->dynamic.entry_count, MOST_DYNAMIC_ENTRIES);
  }
  for (size_t i = 0; i < facts->dynamic.entry_count; ++i) {
    GElf_Dyn entry;
    if (!gelf_getdyn(facts->dynamic.entries, (int)i, &entry)) break;
    if (!note_entry(facts, &entry)) return false;
  }
  return inspect_versions_read(facts) && add_dynamic_symbols(facts) && add_full_symbols(facts);
}

// --- The file ------------------------------------------------------------------------------------

static void note_segments(InspectFacts *facts)
{
  for (int i = 0; i < facts->file.header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(facts->file.elf, i, &segment)) continue;
    if (segment.p_type == PT_GNU_STACK) {
      facts->stack = segment.p_flags & PF_X ? INSPECT_STACK_EXECUTABLE : INSPECT_STACK_PLAIN;
    }
    if (segment.p_type == PT_LOAD && (segment.p_flags & (PF_W | PF_X)) == (PF_W | PF_X)) {
      facts->writable_code = true;
    }
  }
}

// Compiled code that looks up keys keeps the texts of its checks, whatever else is stripped.
static void note_key_functions(InspectFacts *facts)
{
  ElfText all = {(const char *)facts->file.bytes, (size_t)facts->file.size};
#define KEY_CALL(check, own_check, older, newer)                \
  if (facts->key_functions == 0 && binary_text_has(all, check)) \
    facts->key_functions = binary_text_has(all, own_check) ? newer : older;
#include "inspect/inspect_names.def"
}

static void note_identity(InspectFacts *facts)
{
  const GElf_Ehdr *header = &facts->file.header;
  unsigned char id[LONGEST_BUILD_ID];
  elfmachine_name(header, facts->machine, sizeof facts->machine);
  inspect_read_hex(id, elffile_build_id(&facts->file, id, sizeof id), facts->build_id);
  facts->word_size = header->e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  facts->little_endian = header->e_ident[EI_DATA] == ELFDATA2LSB;
}

static bool read_elf(InspectFacts *facts)
{
  if (!elffile_open(&facts->file, facts->file.bytes, facts->file.size, facts->file.problem)) {
    return false;
  }
  note_identity(facts);
  note_segments(facts);
  switch (facts->file.header.e_type) {
    case ET_EXEC:
      facts->kind = INSPECT_KIND_EXECUTABLE;
      break;
    case ET_REL:
      facts->kind = INSPECT_KIND_OBJECT;
      break;
    case ET_DYN:
      break;
    default:
      return inspect_problem(
          facts->file.problem, INSPECT_NOT_SHARED,
          "is %s (give a shared library, an object file or an archive)",
          facts->file.header.e_type == ET_CORE ? "a core dump" : "of an unknown ELF type");
  }
  if (!inspect_sections_read(facts)) return false;
  if (facts->kind == INSPECT_KIND_OBJECT) return add_full_symbols(facts);
  GElf_Phdr segment;
  bool linked = elffile_segment(&facts->file, PT_DYNAMIC, &segment);
  if (facts->kind == INSPECT_KIND_EXECUTABLE && !linked) return true;  // a static one
  return read_dynamic(facts);
}

bool inspect_facts_refuse_binary(InspectFacts *facts)
{
  if (facts->binary.no_memory) return inspect_problem_no_memory(facts->file.problem);
  return inspect_problem(facts->file.problem, INSPECT_BROKEN, "%s", facts->binary.text);
}

static bool read_file(InspectFacts *facts)
{
  bool good = false;
  switch (facts->format) {
    case INSPECT_FORMAT_ELF:
      good = read_elf(facts);
      break;
    case INSPECT_FORMAT_MACHO:
      good = inspect_facts_read_macho(facts);
      break;
    case INSPECT_FORMAT_PE:
      good = inspect_facts_read_pe(facts);
      break;
    case INSPECT_FORMAT_NONE:
      break;
  }
  if (good) note_key_functions(facts);
  return good;
}

InspectFacts *inspect_facts_read(unsigned char *bytes, uint64_t size, InspectProblem *problem)
{
  InspectBytes all = {bytes, (size_t)size};
  InspectFormat format = inspect_format_of(bytes, size);
  if (format == INSPECT_FORMAT_NONE) {
    inspect_read_is_elf(&all, problem);
    return NULL;
  }
  InspectFacts *facts = calloc(1, sizeof *facts);
  if (!facts) {
    inspect_problem_no_memory(problem);
    return NULL;
  }
  facts->format = format;
  facts->file = (ElfFile){.bytes = bytes, .size = size, .problem = problem};
  if (read_file(facts)) return facts;
  inspect_facts_free(facts);
  return NULL;
}

void inspect_facts_free(InspectFacts *facts)
{
  if (!facts) return;
  elffile_close(&facts->file);
  macho_close(facts->macho);
  pe_close(facts->pe);
  free(facts->needed);
  free(facts->symbols);
  free(facts->versions);
  free(facts->version_places);
  free(facts);
}
