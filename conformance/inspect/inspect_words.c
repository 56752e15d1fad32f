// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/elffile.h"
#include "inspect/inspect_read.h"

// Whether all letters are small, or all are capital ones.
static bool is_word(const unsigned char *text, size_t size)
{
  bool small = false, capital = false;
  if (size < 2 || size >= INSPECT_WORD_MAX || !isalpha(text[0])) return false;
  for (size_t i = 0; i < size; ++i) {
    if (!isalnum(text[i]) && text[i] != '_' && text[i] != '-') return false;
    small |= islower(text[i]) != 0;
    capital |= isupper(text[i]) != 0;
  }
  return small != capital;
}

static void add(InspectWordList *list, const unsigned char *text, size_t size)
{
  if (list->count == INSPECT_WORDS_MAX || !is_word(text, size)) return;
  char *word = list->items[list->count];
  memcpy(word, text, size);
  word[size] = '\0';
  for (size_t i = 0; i < list->count; ++i)
    if (strcmp(list->items[i], word) == 0) return;
  ++list->count;
}

static void add_literal(InspectWords *words, const unsigned char *text, size_t size)
{
  size_t first = 0;
  while (first < size && text[first] != ' ' && text[first] != ':') ++first;
  add(first < size ? &words->subjects : &words->literals, text, first);
}

static void add_literals(InspectWords *words, const unsigned char *bytes, size_t size)
{
  size_t first = 0;
  for (size_t at = 0; at < size; ++at) {
    if (bytes[at] >= ' ' && bytes[at] < 0x7f) continue;
    if (bytes[at] == '\0') add_literal(words, bytes + first, at - first);
    first = at + 1;
  }
}

static bool holds_constants(const ElfFile *file, const GElf_Shdr *section, size_t names)
{
  const char *name = elf_strptr(file->elf, names, section->sh_name);
  const uint64_t kinds = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;
  return section->sh_type == SHT_PROGBITS && (section->sh_flags & kinds) == SHF_ALLOC && name &&
         strncmp(name, ".rodata", strlen(".rodata")) == 0 &&
         elffile_holds(file, section->sh_offset, section->sh_size);
}

static void read_sections(const ElfFile *file, InspectWords *words)
{
  size_t names;
  if (elf_getshdrstrndx(file->elf, &names) != 0) return;
  for (Elf_Scn *at = elf_nextscn(file->elf, NULL); at; at = elf_nextscn(file->elf, at)) {
    GElf_Shdr section;
    if (gelf_getshdr(at, &section) && holds_constants(file, &section, names))
      add_literals(words, file->bytes + section.sh_offset, (size_t)section.sh_size);
  }
}

void inspect_words_read(const char *path, InspectWords *words)
{
  InspectProblem problem = {0};
  InspectBytes bytes;
  words->literals.count = words->subjects.count = 0;
  if (!inspect_read(path, &bytes, &problem)) return;
  ElfFile file = {0};
  if (inspect_read_is_elf(&bytes, &problem) &&
      elffile_open(&file, bytes.data, bytes.size, &problem))
    read_sections(&file, words);
  elffile_close(&file);
  free(bytes.data);
}
