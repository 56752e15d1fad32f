// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_hash.h"

#include <string.h>

enum { LONGEST_CHAIN = 1 << 16 };  // a hostile chain may lead in a circle

static uint64_t word(const InspectFacts *facts, uint64_t offset)
{
  return elffile_number(&facts->file, offset, 4);
}

// Whether the dynamic symbol with this index has the name.
static bool is_named(const InspectFacts *facts, uint64_t index, ElfText name)
{
  uint64_t address, offset, available;
  size_t size = elffile_record_size(&facts->file, ELF_T_SYM);
  const ElfDynamic *dynamic = &facts->dynamic;
  ElfText found;
  if (!elfdynamic_value(dynamic, DT_SYMTAB, 0, &address) ||
      !elffile_at_address(&facts->file, address, &offset, &available) ||
      index >= available / size) {
    return false;
  }
  uint64_t at = elffile_number(&facts->file, offset + index * size, 4);  // st_name comes first
  return elffile_text(&facts->file, dynamic->names_offset, dynamic->names_size, at, &found) &&
         binary_text_same(found, name);
}

static bool gnu_finds(const InspectFacts *facts, ElfText name)
{
  uint32_t hash = 5381;
  for (size_t i = 0; i < name.size; ++i) hash = hash * 33 + (unsigned char)name.data[i];
  uint64_t buckets = word(facts, facts->gnu_hash), first = word(facts, facts->gnu_hash + 4);
  uint64_t blooms = word(facts, facts->gnu_hash + 8), shift = word(facts, facts->gnu_hash + 12);
  if (buckets == 0 || blooms == 0) return false;
  unsigned width = facts->word_size, bits = width * 8;
  uint64_t filter =
      elffile_number(&facts->file, facts->gnu_hash + 16 + hash / bits % blooms * width, width);
  if (!(filter >> hash % bits & 1) || !(filter >> (hash >> (shift & 31)) % bits & 1)) return false;
  uint64_t bucket_at = facts->gnu_hash + 16 + blooms * width, chain_at = bucket_at + 4 * buckets;
  uint64_t symbol = word(facts, bucket_at + 4 * (hash % buckets));
  if (symbol < first) return false;
  for (int i = 0; i < LONGEST_CHAIN; ++i, ++symbol) {
    uint64_t place = chain_at + 4 * (symbol - first);
    if (!elffile_holds(&facts->file, place, 4)) return false;
    uint64_t link = word(facts, place);
    if ((link | 1) == (hash | 1) && is_named(facts, symbol, name)) return true;
    if (link & 1) return false;
  }
  return false;
}

static bool sysv_finds(const InspectFacts *facts, ElfText name)
{
  uint32_t hash = 0;
  for (size_t i = 0; i < name.size; ++i) {
    hash = (hash << 4) + (unsigned char)name.data[i];
    uint32_t high = hash & 0xf0000000u;
    hash = (hash ^ high >> 24) & ~high;
  }
  uint64_t buckets = word(facts, facts->hash);
  if (buckets == 0) return false;
  uint64_t symbol = word(facts, facts->hash + 8 + 4 * (hash % buckets));
  for (int i = 0; i < LONGEST_CHAIN && symbol != 0; ++i) {
    if (is_named(facts, symbol, name)) return true;
    uint64_t place = facts->hash + 8 + 4 * (buckets + symbol);
    if (!elffile_holds(&facts->file, place, 4)) return false;
    symbol = word(facts, place);
  }
  return false;
}

bool inspect_hash_finds(const InspectFacts *facts, ElfText name)
{
  unsigned machine = facts->file.header.e_machine;
  bool wide =
      facts->word_size == 8 && (machine == EM_S390 || machine == EM_ALPHA || machine == 0x9026);
  if (facts->gnu_hash) return gnu_finds(facts, name);
  return !facts->hash || wide || sysv_finds(facts, name);
}
