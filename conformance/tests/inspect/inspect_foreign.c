// SPDX-License-Identifier: Apache-2.0
#include "inspect_foreign.h"

#include <check.h>
#include <libelf.h>
#include <string.h>

enum {
  BASE = 0x10000,
  SEGMENTS = 3,
  SYMBOLS = 6,
  SEGMENTS_AT = sizeof(Elf32_Ehdr),
  SYMBOLS_AT = SEGMENTS_AT + SEGMENTS * sizeof(Elf32_Phdr),
  NAMES_AT = SYMBOLS_AT + SYMBOLS * sizeof(Elf32_Sym),
  NAMES_SIZE = 128,
  HASH_AT = NAMES_AT + NAMES_SIZE,
  HASH_WORDS = 2 + 1 + SYMBOLS,
  NOTE_AT = HASH_AT + HASH_WORDS * 4,
  NOTE_SIZE = 12 + 4 + 20,
  DYNAMIC_AT = NOTE_AT + NOTE_SIZE,
  ENTRIES = 7,
  CODE_AT = 0x800,
  SIZE = DYNAMIC_AT + ENTRIES * sizeof(Elf32_Dyn),
};
_Static_assert((int)SIZE <= (int)FOREIGN_CAPACITY && SIZE < CODE_AT, "the parts overlap");

static const char names[NAMES_SIZE] =
    "\0libforeign.so\0libc.so.6\0local_"
    "name\0TVMFFIGetVersion\0TVMFFIOfTomorrow\0TVMFFIObjectIncRef";

static Elf32_Word name_at(const char *name)
{
  const char *found = memmem(names, sizeof names, name, strlen(name) + 1);
  ck_assert_ptr_nonnull(found);
  return (Elf32_Word)(found - names);
}

static void put(unsigned char *image, size_t offset, const void *records, size_t size,
                Elf_Type type)
{
  Elf_Data from = {
      .d_buf = (void *)records, .d_size = size, .d_type = type, .d_version = EV_CURRENT};
  Elf_Data to = {.d_buf = image + offset, .d_size = size, .d_version = EV_CURRENT};
  ck_assert_ptr_nonnull(elf32_xlatetof(&to, &from, ELFDATA2MSB));
}

static void put_header(unsigned char *image)
{
  Elf32_Ehdr header = {
      .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2MSB, EV_CURRENT},
      .e_type = ET_DYN,
      .e_machine = EM_PPC,
      .e_version = EV_CURRENT,
      .e_phoff = SEGMENTS_AT,
      .e_ehsize = sizeof(Elf32_Ehdr),
      .e_phentsize = sizeof(Elf32_Phdr),
      .e_phnum = SEGMENTS,
  };
  Elf32_Phdr segments[SEGMENTS] = {
      {PT_LOAD, 0, BASE, BASE, SIZE, 0x1000, PF_R | PF_X, 0x10000},
      {PT_DYNAMIC, DYNAMIC_AT, BASE + DYNAMIC_AT, BASE + DYNAMIC_AT, SIZE - DYNAMIC_AT,
       SIZE - DYNAMIC_AT, PF_R, 4},
      {PT_NOTE, NOTE_AT, BASE + NOTE_AT, BASE + NOTE_AT, NOTE_SIZE, NOTE_SIZE, PF_R, 4},
  };
  put(image, 0, &header, sizeof header, ELF_T_EHDR);
  put(image, SEGMENTS_AT, segments, sizeof segments, ELF_T_PHDR);
}

static Elf32_Sym function(const char *name, Elf32_Addr address, Elf32_Word size, unsigned binding)
{
  return (Elf32_Sym){.st_name = name_at(name),
                     .st_value = BASE + address,
                     .st_size = size,
                     .st_info = ELF32_ST_INFO(binding, STT_FUNC),
                     .st_shndx = 1};
}

static void put_symbols(unsigned char *image)
{
  Elf32_Sym symbols[SYMBOLS] = {
      {0},
      function("local_name", CODE_AT, 16, STB_LOCAL),
      function("TVMFFIGetVersion", CODE_AT, 16, STB_GLOBAL),
      function("TVMFFIObjectIncRef", CODE_AT + 0x20, 32, STB_GLOBAL),
      function("TVMFFIOfTomorrow", CODE_AT + 0x10, 0, STB_WEAK),
      {.st_name = name_at("libc.so.6"), .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC)},
  };
  Elf32_Word hash[HASH_WORDS] = {1, SYMBOLS, 2, 0, 0, 3, 4, 5, 0};
  put(image, SYMBOLS_AT, symbols, sizeof symbols, ELF_T_SYM);
  put(image, HASH_AT, hash, sizeof hash, ELF_T_WORD);
  memcpy(image + NAMES_AT, names, sizeof names);
}

static void put_note(unsigned char *image)
{
  Elf32_Word header[3] = {4, 20, NT_GNU_BUILD_ID};
  put(image, NOTE_AT, header, sizeof header, ELF_T_WORD);
  memcpy(image + NOTE_AT + 12, "GNU", 4);
  for (unsigned char i = 0; i < 20; ++i) image[NOTE_AT + 16 + i] = i;
}

static void put_dynamic(unsigned char *image)
{
  Elf32_Dyn entries[ENTRIES] = {
      {DT_NEEDED, {name_at("libc.so.6")}},
      {DT_SONAME, {name_at("libforeign.so")}},
      {DT_SYMTAB, {BASE + SYMBOLS_AT}},
      {DT_STRTAB, {BASE + NAMES_AT}},
      {DT_STRSZ, {NAMES_SIZE}},
      {DT_HASH, {BASE + HASH_AT}},
      {DT_NULL, {0}},
  };
  put(image, DYNAMIC_AT, entries, sizeof entries, ELF_T_DYN);
}

size_t foreign_library(unsigned char image[FOREIGN_CAPACITY])
{
  ck_assert_uint_ne(elf_version(EV_CURRENT), EV_NONE);
  memset(image, 0, FOREIGN_CAPACITY);
  put_header(image);
  put_symbols(image);
  put_note(image);
  put_dynamic(image);
  return SIZE;
}
