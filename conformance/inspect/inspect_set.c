// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_set.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/elfmachine.h"

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
  InspectFormat format;
  char machine[32];  // as in InspectFacts
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
  return binary_text_copy(text);
}

static size_t at_most(size_t count, size_t most)
{
  return count < most ? count : most;
}

static bool note_needed(InspectSibling *library, const ElfFile *file, const ElfDynamic *dynamic)
{
  size_t count = at_most(dynamic->needed_count, INSPECT_SET_LINKED);
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
  size_t room = at_most(symbols.count, INSPECT_SET_SYMBOLS - set->symbols);
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

static ElfText text_of(const char *text)
{
  return (ElfText){text, strlen(text)};
}

// Windows does not tell small letters from capital ones in names of files.
static uint64_t name_digest(InspectFormat format, ElfText name)
{
  char small[ELFFILE_LONGEST_TEXT];
  if (format != INSPECT_FORMAT_PE || name.size > sizeof small) return digest(name);
  for (size_t i = 0; i < name.size; ++i) small[i] = (char)tolower((unsigned char)name.data[i]);
  return digest((ElfText){small, name.size});
}

// Where the name of the file begins: "libx.so" in "x.whl!lib/libx.so".
static const char *file_name_of(const char *path)
{
  const char *slash = strrchr(path, '/'), *exclamation = strrchr(path, '!');
  const char *last = slash > exclamation ? slash : exclamation;
  return last ? last + 1 : path;
}

// After soname and search are there.
static bool note_place(InspectSibling *library, const char *package, const char *path)
{
  library->package = strdup(package);
  library->path = strdup(path);
  if (!library->package || !library->path || !library->soname || !library->search) return false;
  library->file_name = file_name_of(library->path);
  library->file_digest = name_digest(library->format, text_of(library->file_name));
  library->soname_digest = *library->soname ? name_digest(library->format, text_of(library->soname))
                                            : library->file_digest;
  return true;
}

static bool note_names(InspectSibling *library, const ElfFile *file, const ElfDynamic *dynamic,
                       const char *package, const char *path)
{
  uint64_t unused;
  bool newer = elfdynamic_value(dynamic, DT_RUNPATH, 0, &unused);
  library->format = INSPECT_FORMAT_ELF;
  elfmachine_name(&file->header, library->machine, sizeof library->machine);
  library->soname = own_text(file, dynamic, DT_SONAME, 0);
  library->search = own_text(file, dynamic, newer ? DT_RUNPATH : DT_RPATH, 0);
  return note_place(library, package, path);
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

static bool add_elf(InspectSet *set, const char *package, const char *path, unsigned char *bytes,
                    uint64_t size)
{
  InspectProblem problem = {0};
  ElfFile file;
  ElfDynamic dynamic;
  bool done = true;
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

// --- Other formats -------------------------------------------------------------------------------

// The folders of LC_RPATH as a list, as RUNPATH is one. Own; NULL if memory is out.
static char *joined_rpaths(const MachoFile *macho)
{
  size_t size = 1, count = macho ? at_most(macho->rpath_count, INSPECT_SET_LINKED) : 0;
  for (size_t i = 0; i < count; ++i) size += macho->rpaths[i].size + 1;
  char *all = calloc(size, 1), *end = all;
  for (size_t i = 0; all && i < count; ++i) {
    if (end > all) *end++ = ':';
    end = mempcpy(end, macho->rpaths[i].data, macho->rpaths[i].size);
  }
  return all;
}

static bool has_reexports(const MachoFile *macho)
{
  for (size_t i = 0; macho && i < macho->library_count; ++i) {
    if (macho->libraries[i].kind == MACHO_REEXPORT) return true;
  }
  return false;
}

static bool copy_needed(InspectSibling *library, const InspectFacts *facts)
{
  size_t count = at_most(facts->needed_count, INSPECT_SET_LINKED);
  library->needed = calloc(count + 1, sizeof *library->needed);
  for (size_t i = 0; library->needed && i < count; ++i) {
    library->needed[i] = binary_text_copy(facts->needed[i]);
    if (!library->needed[i]) return false;
  }
  return library->needed != NULL;
}

static bool copy_exports(InspectSet *set, InspectSibling *library, const InspectFacts *facts)
{
  size_t room = at_most(facts->symbol_count, INSPECT_SET_SYMBOLS - set->symbols);
  library->exports = calloc(room + 1, sizeof *library->exports);
  if (!library->exports) return false;
  library->complete = facts->omitted == 0 && !has_reexports(facts->macho);
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (!inspect_facts_exports(entry)) continue;
    if (library->export_count == room) {
      library->complete = false;
      break;
    }
    library->exports[library->export_count++] = digest(entry->name);
  }
  set->symbols += library->export_count;
  qsort(library->exports, library->export_count, sizeof *library->exports, compare_digests);
  return true;
}

static bool add_foreign(InspectSet *set, const char *package, const char *path,
                        unsigned char *bytes, uint64_t size)
{
  InspectProblem problem = {0};
  bool done = true;
  InspectFacts *facts = inspect_facts_read(bytes, size, &problem);
  if (facts && facts->kind == INSPECT_KIND_SHARED) {
    InspectSibling *library = append(set);
    if (library) {
      library->format = facts->format;
      library->runtime = facts->profile == INSPECT_PROFILE_RUNTIME;
      memcpy(library->machine, facts->machine, sizeof library->machine);
      library->soname = binary_text_copy(facts->soname);
      library->search = joined_rpaths(facts->macho);
    }
    done = library && note_place(library, package, path) && copy_needed(library, facts) &&
           copy_exports(set, library, facts);
    if (library && !done) drop(&set->libraries[--set->count]);
  }
  inspect_facts_free(facts);
  return done && !problem.no_memory;
}

bool inspect_set_add(InspectSet *set, const char *package, const char *path, unsigned char *bytes,
                     uint64_t size)
{
  if (set->count == INSPECT_SET_LIBRARIES) return true;
  switch (inspect_format_of(bytes, size)) {
    case INSPECT_FORMAT_ELF:
      return add_elf(set, package, path, bytes, size);
    case INSPECT_FORMAT_MACHO:
    case INSPECT_FORMAT_PE:
      return add_foreign(set, package, path, bytes, size);
    case INSPECT_FORMAT_NONE:
      break;
  }
  return true;
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

// A name as a library asks for it.
typedef struct Asked {
  const char *by;        // the path of the library that asks
  ElfText from_there;    // what follows "@loader_path/", or empty
  bool file;             // a file of the name `base` will do, wherever it lies
  uint64_t whole, base;  // digests of the name, and of the file's name in it
} Asked;

// Names of ELF and PE files are those of files, and sonames. dyld takes a name for a place: below
// the library that asks, below folders that depend on the process, or on the machine, where no
// sibling lies unless it says so itself.
static Asked asked(InspectFormat format, const char *by, ElfText name)
{
  static const char loader[] = "@loader_path/";
  size_t skipped = strlen(loader);
  bool place = format == INSPECT_FORMAT_MACHO;
  Asked asked = {.by = by, .file = !place || binary_text_begins(name, "@rpath/")};
  asked.whole = asked.base = name_digest(format, name);
  if (place) asked.base = digest(inspect_format_base_name(name));
  if (place && binary_text_begins(name, loader)) {
    asked.from_there = (ElfText){name.data + skipped, name.size - skipped};
  }
  return asked;
}

// Whether a path is that of `name` (the rest of a string) from the folder of `by` on.
static bool is_path_from(const char *path, const char *by, ElfText name)
{
  size_t folder = (size_t)(file_name_of(by) - by);
  while (binary_text_begins(name, "../") || binary_text_begins(name, "./")) {
    size_t step = name.data[1] == '.' ? 3 : 2;
    name = (ElfText){name.data + step, name.size - step};
    if (step == 2) continue;
    if (folder < 2) return false;
    for (--folder; folder > 0 && !strchr("/!", by[folder - 1]);) --folder;
  }
  return strncmp(path, by, folder) == 0 && binary_text_is(name, path + folder);
}

static bool is_called(const InspectSibling *library, const Asked *asked)
{
  if (library->soname_digest == asked->whole) return true;
  if (asked->from_there.size > 0) return is_path_from(library->path, asked->by, asked->from_there);
  return asked->file && library->file_digest == asked->base;
}

static bool is_alike(const InspectSibling *library, InspectFormat format, const char *machine)
{
  return library->format == format && strcmp(library->machine, machine) == 0;
}

// One of the same package before others: wheels of many versions may be inspected together.
static const InspectSibling *find(const InspectPlace *place, const InspectFacts *facts,
                                  const char *by, ElfText needed)
{
  const InspectSibling *found = NULL;
  const Asked name = asked(facts->format, by, needed);
  for (size_t i = 0; i < place->set->count; ++i) {
    const InspectSibling *library = &place->set->libraries[i];
    if (!is_alike(library, facts->format, facts->machine) || !is_called(library, &name)) continue;
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

static void follow_name(const InspectPlace *place, const InspectFacts *facts, const char *by,
                        ElfText name, bool (*known)(const InspectFacts *, ElfText),
                        InspectLinks *links)
{
  const InspectSibling *library = place ? find(place, facts, by, name) : NULL;
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
    follow_name(place, facts, place ? place->path : "", facts->needed[i], known, links);
  }
  for (size_t i = 0; i < links->count; ++i) {
    const InspectSibling *library = links->siblings[i];
    for (char **name = library->needed; *name; ++name) {
      follow_name(place, facts, library->path, text_of(*name), known, links);
    }
  }
}

static bool exports(const InspectSibling *library, uint64_t symbol)
{
  return bsearch(&symbol, library->exports, library->export_count, sizeof symbol, compare_digests);
}

const InspectSibling *inspect_set_provider(const InspectLinks *links, ElfText symbol, bool runtimes)
{
  if (links->count == 0) return NULL;
  uint64_t wanted = digest(symbol);
  for (size_t i = 0; i < links->count; ++i) {
    const InspectSibling *library = links->siblings[i];
    if (library->runtime && !runtimes) continue;
    if (exports(library, wanted)) return library;
  }
  return NULL;
}

const InspectSibling *inspect_set_sibling(const InspectPlace *place, const InspectFacts *facts,
                                          ElfText needed)
{
  return place ? find(place, facts, place->path, needed) : NULL;
}

const char *inspect_set_path(const InspectSibling *library)
{
  return library->path;
}

bool inspect_set_is_runtime(const InspectSibling *library)
{
  return library->runtime;
}

bool inspect_set_lacks(const InspectPlace *place, const InspectSibling *library, ElfText symbol)
{
  return strcmp(library->package, place->package) == 0 && library->complete &&
         !exports(library, digest(symbol));
}

bool inspect_set_has_machine(const InspectPlace *place, const char *machine)
{
  uint64_t name = digest(text_of(file_name_of(place->path)));
  for (size_t i = 0; i < place->set->count; ++i) {
    const InspectSibling *library = &place->set->libraries[i];
    if (library->file_digest == name && strcmp(library->machine, machine) == 0 &&
        strcmp(library->package, place->package) == 0) {
      return true;
    }
  }
  return false;
}

// The folder and the file's name of what a library needs. False: it is not to be looked for beside
// the library.
static bool look_for(const InspectSibling *library, const char *needed, InspectWanted *wanted)
{
  const char *slash = strrchr(needed, '/');
  *wanted = (InspectWanted){needed, library->path, library->search, 0};
  if (!slash) return true;
  if (library->format != INSPECT_FORMAT_MACHO) return false;
  wanted->name = slash + 1;
  if (strncmp(needed, "@rpath/", 7) == 0) return true;
  if (strncmp(needed, "@loader_path/", 13) != 0) return false;
  wanted->search = needed;
  wanted->search_size = (size_t)(slash - needed);
  return true;
}

bool inspect_set_wanted(const InspectSet *set, size_t *library, size_t *needed,
                        InspectWanted *wanted)
{
  for (; *library < set->count; ++*library, *needed = 0) {
    const InspectSibling *one = &set->libraries[*library];
    for (; one->needed[*needed]; ++*needed) {
      const char *name = one->needed[*needed];
      const Asked question = asked(one->format, one->path, text_of(name));
      bool there = !look_for(one, name, wanted);
      for (size_t i = 0; i < set->count && !there; ++i) {
        const InspectSibling *other = &set->libraries[i];
        there = is_alike(other, one->format, one->machine) && is_called(other, &question);
      }
      if (there) continue;
      if (!wanted->search_size) wanted->search_size = strlen(wanted->search);
      ++*needed;
      return true;
    }
  }
  return false;
}
