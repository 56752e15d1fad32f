// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_set.h"

#include <stdlib.h>
#include <string.h>

// Symbols are kept as digests: a wheel may export hundreds of thousands, with names of a kilobyte.
struct InspectSibling {
  char *package, *path, *soname, *search;  // own; soname and search: "" if there is none
  const char *file_name;                   // in path
  uint64_t file_digest, soname_digest;     // of these names
  char **needed;                           // own, NULL at the end
  uint64_t *exports;                       // own, rising
  size_t export_count;
  bool complete;  // all of its exports are known
  bool runtime;
  uint16_t machine;
  unsigned char class, order;
};

typedef struct NamedWheel {
  char *package;  // own
  InspectWheel wheel;
} NamedWheel;

struct InspectSet {
  InspectSibling *libraries;  // own
  size_t count, room;
  NamedWheel *wheels;  // own
  size_t wheel_count;
  size_t symbols;  // of all libraries
};

InspectSet *inspect_set_new(void)
{
  return calloc(1, sizeof(InspectSet));
}

static void drop(InspectSibling *library)
{
  for (char **name = library->needed; name && *name; ++name) free(*name);
  free(library->needed);
  free(library->exports);
  free(library->package);
  free(library->path);
  free(library->soname);
  free(library->search);
}

void inspect_set_free(InspectSet *set)
{
  if (!set) return;
  for (size_t i = 0; i < set->count; ++i) drop(&set->libraries[i]);
  for (size_t i = 0; i < set->wheel_count; ++i) free(set->wheels[i].package);
  free(set->libraries);
  free(set->wheels);
  free(set);
}

size_t inspect_set_count(const InspectSet *set)
{
  return set->count;
}

// --- Reading a library ---------------------------------------------------------------------------

static uint64_t digest(ElfText name)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < name.size; ++i) {
    hash = (hash ^ (unsigned char)name.data[i]) * UINT64_C(0x100000001b3);
  }
  return hash ^ hash >> 29;
}

static int compare_digests(const void *one, const void *other)
{
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return a < b ? -1 : a > b;
}

static char *own_text(const ElfFile *file, const ElfDynamic *dynamic, int64_t tag, size_t nth)
{
  uint64_t at;
  ElfText text = {"", 0};
  if (elfdynamic_value(dynamic, tag, nth, &at)) {
    elffile_text(file, dynamic->names_offset, dynamic->names_size, at, &text);
  }
  return strndup(text.data, text.size);
}

static bool note_needed(InspectSibling *library, const ElfFile *file, const ElfDynamic *dynamic)
{
  size_t count = dynamic->needed_count;
  if (count > INSPECT_SET_LINKED) count = INSPECT_SET_LINKED;
  library->needed = calloc(count + 1, sizeof *library->needed);
  for (size_t i = 0; library->needed && i < count; ++i) {
    library->needed[i] = own_text(file, dynamic, DT_NEEDED, i);
    if (!library->needed[i]) return false;
  }
  return library->needed != NULL;
}

static bool is_export(const GElf_Sym *symbol)
{
  InspectEntry entry = {.section = symbol->st_shndx,
                        .binding = (uint8_t)GELF_ST_BIND(symbol->st_info),
                        .visibility = (uint8_t)GELF_ST_VISIBILITY(symbol->st_other)};
  return inspect_facts_exports(&entry);
}

static bool note_exports(InspectSet *set, InspectSibling *library, const ElfFile *file,
                         const ElfDynamic *dynamic)
{
  ElfSymbols symbols;
  if (!elfdynamic_symbols(file, dynamic, &symbols)) return true;
  size_t room = symbols.count;
  if (room > INSPECT_SET_SYMBOLS - set->symbols) room = INSPECT_SET_SYMBOLS - set->symbols;
  library->exports = calloc(room + 1, sizeof *library->exports);
  if (!library->exports) return false;
  library->complete = true;
  for (size_t i = 1; i < symbols.count; ++i) {
    GElf_Sym symbol;
    ElfText name;
    if (!gelf_getsym(symbols.records, (int)i, &symbol)) break;
    if (!is_export(&symbol) ||
        !elffile_text(file, dynamic->names_offset, dynamic->names_size, symbol.st_name, &name)) {
      continue;
    }
    if (library->export_count == room) {
      library->complete = false;
      break;
    }
    library->runtime |= abi_function_find(name.data, name.size) != ABI_FUNCTION_COUNT;
    library->exports[library->export_count++] = digest(name);
  }
  set->symbols += library->export_count;
  qsort(library->exports, library->export_count, sizeof *library->exports, compare_digests);
  return true;
}

static bool note_names(InspectSibling *library, const ElfFile *file, const ElfDynamic *dynamic,
                       const char *package, const char *path)
{
  uint64_t unused;
  bool newer = elfdynamic_value(dynamic, DT_RUNPATH, 0, &unused);
  const char *slash = strrchr(path, '/'), *exclamation = strrchr(path, '!');
  const char *last = slash > exclamation ? slash : exclamation;
  library->machine = file->header.e_machine;
  library->class = file->header.e_ident[EI_CLASS];
  library->order = file->header.e_ident[EI_DATA];
  library->package = strdup(package);
  library->path = strdup(path);
  library->soname = own_text(file, dynamic, DT_SONAME, 0);
  library->search = own_text(file, dynamic, newer ? DT_RUNPATH : DT_RPATH, 0);
  if (!library->package || !library->path || !library->soname || !library->search) return false;
  library->file_name = library->path + (last ? last + 1 - path : 0);
  library->file_digest = digest((ElfText){library->file_name, strlen(library->file_name)});
  library->soname_digest = library->file_digest;
  if (*library->soname) {
    library->soname_digest = digest((ElfText){library->soname, strlen(library->soname)});
  }
  return true;
}

static InspectSibling *append(InspectSet *set)
{
  if (set->count == set->room) {
    size_t room = set->room ? 2 * set->room : 16;
    InspectSibling *libraries = realloc(set->libraries, room * sizeof *libraries);
    if (!libraries) return NULL;
    set->libraries = libraries;
    set->room = room;
  }
  InspectSibling *library = &set->libraries[set->count++];
  *library = (InspectSibling){0};
  return library;
}

bool inspect_set_add(InspectSet *set, const char *package, const char *path, unsigned char *bytes,
                     uint64_t size)
{
  InspectProblem problem = {0};
  ElfFile file;
  ElfDynamic dynamic;
  bool done = true;
  if (set->count == INSPECT_SET_LIBRARIES || size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return true;
  if (elffile_open(&file, bytes, size, &problem) && file.header.e_type == ET_DYN &&
      elfdynamic_open(&file, &dynamic) && !(dynamic.flags_1 & DF_1_PIE)) {
    InspectSibling *library = append(set);
    done = library && note_names(library, &file, &dynamic, package, path) &&
           note_needed(library, &file, &dynamic) && note_exports(set, library, &file, &dynamic);
    if (library && !done) drop(&set->libraries[--set->count]);
  }
  elffile_close(&file);
  return done;
}

// --- Wheels --------------------------------------------------------------------------------------

const InspectWheel *inspect_set_find_wheel(const InspectSet *set, const char *package)
{
  for (size_t i = set->wheel_count; i-- > 0;) {
    if (strcmp(set->wheels[i].package, package) == 0) return &set->wheels[i].wheel;
  }
  return NULL;
}

InspectWheel *inspect_set_wheel(InspectSet *set, const char *package)
{
  InspectWheel *found = (InspectWheel *)inspect_set_find_wheel(set, package);
  if (found) return found;
  if (set->wheel_count == INSPECT_SET_LIBRARIES) return NULL;
  NamedWheel *wheels = realloc(set->wheels, (set->wheel_count + 1) * sizeof *wheels);
  if (!wheels) return NULL;
  set->wheels = wheels;
  NamedWheel *added = &wheels[set->wheel_count];
  added->package = strdup(package);
  if (!added->package) return NULL;
  inspect_wheel_begin(&added->wheel, package);
  ++set->wheel_count;
  return &added->wheel;
}

// --- Looking up ----------------------------------------------------------------------------------

static bool is_called(const InspectSibling *library, uint64_t name)
{
  return library->file_digest == name || library->soname_digest == name;
}

static bool is_alike(const InspectSibling *library, const GElf_Ehdr *header)
{
  return library->machine == header->e_machine && library->class == header->e_ident[EI_CLASS] &&
         library->order == header->e_ident[EI_DATA];
}

// One of the same package before others: wheels of many versions may be inspected together.
static const InspectSibling *find(const InspectPlace *place, const GElf_Ehdr *header, ElfText name)
{
  const InspectSibling *found = NULL;
  uint64_t wanted = digest(name);
  for (size_t i = 0; i < place->set->count; ++i) {
    const InspectSibling *library = &place->set->libraries[i];
    if (!is_called(library, wanted) || !is_alike(library, header)) continue;
    if (strcmp(library->package, place->package) == 0) return library;
    if (!found) found = library;
  }
  return found;
}

static bool has(const InspectLinks *links, const InspectSibling *library)
{
  for (size_t i = 0; i < links->count; ++i) {
    if (links->siblings[i] == library) return true;
  }
  return false;
}

static void follow_name(const InspectPlace *place, const InspectFacts *facts, ElfText name,
                        bool (*known)(const InspectFacts *, ElfText), InspectLinks *links)
{
  const InspectSibling *library = place ? find(place, &facts->file.header, name) : NULL;
  if (library && has(links, library)) return;
  if (library && links->count < INSPECT_SET_LINKED) {
    links->siblings[links->count++] = library;
    if (library->runtime && !links->runtime) links->runtime = library->file_name;
    if (library->complete) return;
  }
  if (!known(facts, name) && links->unknown.size == 0) links->unknown = name;
}

void inspect_set_follow(const InspectPlace *place, const InspectFacts *facts,
                        bool (*known)(const InspectFacts *, ElfText), InspectLinks *links)
{
  links->count = 0;
  links->runtime = NULL;
  links->unknown = (ElfText){"", 0};
  for (size_t i = 0; i < facts->needed_count; ++i) {
    follow_name(place, facts, facts->needed[i], known, links);
  }
  for (size_t i = 0; i < links->count; ++i) {
    for (char **name = links->siblings[i]->needed; *name; ++name) {
      follow_name(place, facts, (ElfText){*name, strlen(*name)}, known, links);
    }
  }
}

const InspectSibling *inspect_set_provider(const InspectLinks *links, ElfText symbol, bool runtimes)
{
  if (links->count == 0) return NULL;
  uint64_t wanted = digest(symbol);
  for (size_t i = 0; i < links->count; ++i) {
    const InspectSibling *library = links->siblings[i];
    if (library->runtime && !runtimes) continue;
    if (bsearch(&wanted, library->exports, library->export_count, sizeof wanted, compare_digests)) {
      return library;
    }
  }
  return NULL;
}

bool inspect_set_wanted(const InspectSet *set, size_t *library, size_t *needed,
                        InspectWanted *wanted)
{
  for (; *library < set->count; ++*library, *needed = 0) {
    const InspectSibling *one = &set->libraries[*library];
    for (; one->needed[*needed]; ++*needed) {
      const char *name = one->needed[*needed];
      uint64_t wanted_name = digest((ElfText){name, strlen(name)});
      bool there = strchr(name, '/') != NULL;
      for (size_t i = 0; i < set->count && !there; ++i) {
        there = is_called(&set->libraries[i], wanted_name);
      }
      if (there) continue;
      *wanted = (InspectWanted){name, one->path, one->search};
      ++*needed;
      return true;
    }
  }
  return false;
}
