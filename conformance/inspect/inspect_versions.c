// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_versions.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_INDEX = 0x7fff, VERSION_HIDDEN = 0x8000 };

// A version table in the file: records of the same layout on every machine, linked by distances.
typedef struct Walk {
  InspectFacts *facts;
  uint64_t begin, end;  // the bytes from the table to the end of its segment
  size_t left;          // records that may still be looked at
} Walk;

static uint64_t number_at(const Walk *walk, uint64_t offset, unsigned width)
{
  return elffile_number(&walk->facts->file, offset, width);
}

static bool inside(const Walk *walk, uint64_t offset, uint64_t size)
{
  return offset >= walk->begin && offset <= walk->end && size <= walk->end - offset;
}

uint32_t inspect_versions_number(ElfText name, const char *prefix)
{
  uint32_t parts[3] = {0};
  size_t at = strlen(prefix), part = 0;
  if (!binary_text_begins(name, prefix) || at == name.size) return 0;
  for (; at < name.size; ++at) {
    char c = name.data[at];
    if (c == '.' && part < 2) {
      ++part;
    } else if (c >= '0' && c <= '9' && parts[part] < 100) {
      parts[part] = parts[part] * 10 + (uint32_t)(c - '0');
    } else {
      return 0;
    }
  }
  return ABI_VERSION(parts[0], parts[1], parts[2]);
}

static void raise(uint32_t *floor, uint32_t version)
{
  if (version > *floor) *floor = version;
}

static void note_floor(InspectFloors *floors, const InspectVersion *version)
{
  bool defined_here = version->library.size == 0;
  if (version->weak || defined_here) return;
  raise(&floors->glibc, inspect_versions_number(version->name, "GLIBC_"));
  raise(&floors->glibcxx, inspect_versions_number(version->name, "GLIBCXX_"));
  raise(&floors->cxxabi, inspect_versions_number(version->name, "CXXABI_"));
  // Relative relocations in their packed form came with glibc 2.36.
  if (binary_text_is(version->name, "GLIBC_ABI_DT_RELR")) {
    raise(&floors->glibc, ABI_VERSION(2, 36, 0));
  }
  if (binary_text_is(version->name, "GLIBC_PRIVATE")) floors->glibc_private = true;
}

static bool add(InspectFacts *facts, InspectVersion version)
{
  if (facts->version_count == INSPECT_MOST_VERSIONS) return false;
  if (!facts->versions) {
    facts->versions = calloc(INSPECT_MOST_VERSIONS, sizeof *facts->versions);
    facts->version_places = calloc(VERSION_INDEX + 1, sizeof *facts->version_places);
  }
  if (!facts->versions || !facts->version_places) {
    return inspect_problem_no_memory(facts->file.problem);
  }
  facts->versions[facts->version_count++] = version;
  facts->version_places[version.index] = (uint16_t)facts->version_count;
  note_floor(&facts->floors, &version);
  return true;
}

static bool name_at(const Walk *walk, uint64_t at, ElfText *name)
{
  const ElfDynamic *dynamic = &walk->facts->dynamic;
  return elffile_text(&walk->facts->file, dynamic->names_offset, dynamic->names_size,
                      number_at(walk, at, 4), name);
}

// Each of these two walks one chain. False if it leads outside, or nowhere.
static bool walk_needed_versions(Walk *walk, uint64_t at, uint64_t count, ElfText library)
{
  for (uint64_t i = 0; i < count; ++i) {
    ElfText name;
    if (walk->left-- == 0 || !inside(walk, at, 16) || !name_at(walk, at + 8, &name)) return false;
    InspectVersion version = {library, name, number_at(walk, at + 6, 2) & VERSION_INDEX,
                              number_at(walk, at + 4, 2) & VER_FLG_WEAK};
    if (!add(walk->facts, version)) return false;
    uint64_t next = number_at(walk, at + 12, 4);
    if (next == 0) return i + 1 == count;
    at += next;
  }
  return true;
}

static bool walk_needed(Walk *walk, uint64_t count)
{
  uint64_t at = walk->begin;
  for (uint64_t i = 0; i < count; ++i) {
    ElfText library;
    if (walk->left-- == 0 || !inside(walk, at, 16) || number_at(walk, at, 2) != VER_NEED_CURRENT ||
        !name_at(walk, at + 4, &library)) {
      return false;
    }
    if (!walk_needed_versions(walk, at + number_at(walk, at + 8, 4), number_at(walk, at + 2, 2),
                              library)) {
      return false;
    }
    uint64_t next = number_at(walk, at + 12, 4);
    if (next == 0) return i + 1 == count;
    at += next;
  }
  return true;
}

static bool walk_defined(Walk *walk, uint64_t count)
{
  uint64_t at = walk->begin;
  for (uint64_t i = 0; i < count; ++i) {
    if (walk->left-- == 0 || !inside(walk, at, 20) || number_at(walk, at, 2) != VER_DEF_CURRENT) {
      return false;
    }
    uint64_t aux = at + number_at(walk, at + 12, 4);
    ElfText name;
    if (!inside(walk, aux, 8) || !name_at(walk, aux, &name)) return false;
    InspectVersion version = {{"", 0}, name, number_at(walk, at + 4, 2) & VERSION_INDEX, false};
    // The base names the file itself, not a version.
    if (!(number_at(walk, at + 2, 2) & VER_FLG_BASE) && !add(walk->facts, version)) return false;
    uint64_t next = number_at(walk, at + 16, 4);
    if (next == 0) return i + 1 == count;
    at += next;
  }
  return true;
}

static void read_table(InspectFacts *facts, int64_t where, int64_t how_many,
                       bool (*walk_table)(Walk *, uint64_t))
{
  uint64_t address, count = 0, available;
  Walk walk = {.facts = facts, .left = INSPECT_MOST_VERSIONS};
  if (!elfdynamic_value(&facts->dynamic, where, 0, &address)) return;
  if (!elfdynamic_value(&facts->dynamic, how_many, 0, &count) ||
      !elffile_at_address(&facts->file, address, &walk.begin, &available)) {
    facts->broken_versions = true;
    return;
  }
  walk.end = walk.begin + available;
  if (!walk_table(&walk, count)) facts->broken_versions = true;
}

bool inspect_versions_read(InspectFacts *facts)
{
  read_table(facts, DT_VERNEED, DT_VERNEEDNUM, walk_needed);
  read_table(facts, DT_VERDEF, DT_VERDEFNUM, walk_defined);
  uint64_t address, available;
  if (elfdynamic_value(&facts->dynamic, DT_VERSYM, 0, &address) &&
      !elffile_at_address(&facts->file, address, &facts->version_indices, &available)) {
    facts->version_indices = 0;
    facts->broken_versions = true;
  }
  return !facts->file.problem->no_memory;
}

void inspect_versions_of_symbol(const InspectFacts *facts, size_t index, InspectEntry *entry)
{
  if (facts->version_indices == 0) return;
  uint64_t number = elffile_number(&facts->file, facts->version_indices + 2 * index, 2);
  entry->version = number & VERSION_INDEX;
  entry->hidden_version = number & VERSION_HIDDEN;
}

const InspectVersion *inspect_facts_version(const InspectFacts *facts, const InspectEntry *entry)
{
  if (entry->version < 2 || !facts->version_places) return NULL;
  size_t place = facts->version_places[entry->version];
  return place ? &facts->versions[place - 1] : NULL;
}
