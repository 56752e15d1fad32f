// SPDX-License-Identifier: Apache-2.0
// ELF files that no compiler here makes, written by libelf from a list of sections and symbols: of
// any word size and byte order, with as many sections as one likes. And what is found in them.
#ifndef TVMFFI_CONFORMANCE_TESTS_INSPECT_MADE_H_
#define TVMFFI_CONFORMANCE_TESTS_INSPECT_MADE_H_

#include <gelf.h>

#include "inspect/inspect_subject.h"
#include "inspect_bytes.h"

typedef struct MadeSection {
  const char *name;
  unsigned type;  // SHT_*; the bytes of SHT_REL and SHT_RELA are those of GElf_Rel and GElf_Rela
  uint64_t flags;
  const void *data;  // borrow; NULL: zeros
  size_t size;
  unsigned info;
} MadeSection;

typedef struct MadeSymbol {
  const char *name;
  unsigned char type, binding, visibility;
  unsigned section;  // 1: the first of the list; or SHN_*
  uint64_t value, size;
} MadeSymbol;

typedef struct MadeFile {
  unsigned char class, order;  // 0: 64 bits, the byte order of this machine
  unsigned type, machine;      // 0: ET_REL, EM_X86_64
  size_t padding;  // so many empty sections between those of the list and the tables of names
  const MadeSection *sections;
  size_t section_count;
  const MadeSymbol *symbols;
  size_t symbol_count;
} MadeFile;

#define MADE_SECTIONS(list) .sections = (list), .section_count = sizeof(list) / sizeof(list)[0]
#define MADE_SYMBOLS(list) .symbols = (list), .symbol_count = sizeof(list) / sizeof(list)[0]

// The file. Behind the sections of the list come the symbols and the names of all (own, by free()).
Bytes made_file(const MadeFile *file);

// A subject and the bytes that it borrows from.
typedef struct Seen {
  Bytes bytes;
  InspectSubject *subject;
} Seen;

// What `inspect` says of the bytes, which become the result's; the test fails if they are refused.
Seen seen_in(Bytes bytes);
Seen seen_in_made(const MadeFile *file);
void seen_free(Seen *seen);

// The first finding of a kind, or NULL; how many of it there are.
const InspectFinding *seen_first(const Seen *seen, InspectFindingId id);
size_t seen_count(const Seen *seen, InspectFindingId id);

// The test fails unless there is exactly one finding of the kind, about this symbol ("" for none)
// and with this detail.
void seen_expect(const Seen *seen, InspectFindingId id, const char *symbol, const char *detail);

// The same of the bytes' only answer being a problem: with this status, these words.
void refused_expect(Bytes bytes, InspectStatus status, const char *words);

#endif  // TVMFFI_CONFORMANCE_TESTS_INSPECT_MADE_H_
