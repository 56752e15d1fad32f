// SPDX-License-Identifier: Apache-2.0
#include "inspect_made.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// That of this machine, so that tests may change numbers in place.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OWN_ORDER = ELFDATA2LSB };
#else
enum { OWN_ORDER = ELFDATA2MSB };
#endif

// Names one behind the other, each with its NUL.
typedef struct Names {
  char *text;
  size_t size;
} Names;

static unsigned name_in(Names *names, const char *name)
{
  size_t at = names->size, length = strlen(name) + 1;
  names->text = realloc(names->text, at + length);
  ck_assert_ptr_nonnull(names->text);
  memcpy(names->text + at, name, length);
  names->size += length;
  return (unsigned)at;
}

static Elf_Data *data_of(Elf_Scn *section, void *bytes, size_t size, Elf_Type type)
{
  Elf_Data *data = elf_newdata(section);
  ck_assert_ptr_nonnull(data);
  data->d_buf = bytes;
  data->d_size = size;
  data->d_type = type;
  data->d_align = type == ELF_T_BYTE ? 1 : 8;
  data->d_version = EV_CURRENT;
  return data;
}

// Relocations as this file's word size has them (own).
static void *relocations(Elf *elf, Elf_Scn *scn, const MadeSection *section)
{
  bool with_addend = section->type == SHT_RELA;
  size_t record = with_addend ? sizeof(GElf_Rela) : sizeof(GElf_Rel);
  size_t count = section->size / record;
  Elf_Type type = with_addend ? ELF_T_RELA : ELF_T_REL;
  size_t size = gelf_fsize(elf, type, count, EV_CURRENT);
  void *bytes = calloc(1, size);
  Elf_Data *data = data_of(scn, bytes, size, type);
  for (size_t i = 0; i < count; ++i) {
    int done = with_addend
                   ? gelf_update_rela(data, (int)i, &((GElf_Rela *)(uintptr_t)section->data)[i])
                   : gelf_update_rel(data, (int)i, &((GElf_Rel *)(uintptr_t)section->data)[i]);
    ck_assert_int_ne(done, 0);
  }
  return bytes;
}

static void *fill(Elf *elf, Elf_Scn *scn, const MadeSection *section)
{
  if (section->type == SHT_REL || section->type == SHT_RELA) return relocations(elf, scn, section);
  void *bytes = calloc(1, section->size + 1);
  if (section->data) memcpy(bytes, section->data, section->size);
  data_of(scn, bytes, section->size, ELF_T_BYTE);
  return bytes;
}

static void set_header(Elf_Scn *scn, unsigned name, unsigned type, uint64_t flags, unsigned info,
                       size_t link)
{
  GElf_Shdr header;
  ck_assert_ptr_nonnull(gelf_getshdr(scn, &header));
  header.sh_name = name;
  header.sh_type = type;
  header.sh_flags = flags;
  header.sh_info = info;
  header.sh_link = (GElf_Word)link;
  if (type == SHT_SYMTAB) header.sh_entsize = 0;  // libelf knows
  ck_assert_int_ne(gelf_update_shdr(scn, &header), 0);
}

// The symbols, and their names in `names` (own).
static void *symbols_of(Elf *elf, Elf_Scn *scn, const MadeFile *file, Names *names)
{
  size_t size = gelf_fsize(elf, ELF_T_SYM, file->symbol_count + 1, EV_CURRENT);
  void *bytes = calloc(1, size);
  Elf_Data *data = data_of(scn, bytes, size, ELF_T_SYM);
  name_in(names, "");
  for (size_t i = 0; i < file->symbol_count; ++i) {
    const MadeSymbol *from = &file->symbols[i];
    GElf_Sym symbol = {.st_name = name_in(names, from->name),
                       .st_info = (unsigned char)GELF_ST_INFO(from->binding, from->type),
                       .st_other = from->visibility,
                       .st_shndx = (GElf_Section)from->section,
                       .st_value = from->value,
                       .st_size = from->size};
    ck_assert_int_ne(gelf_update_sym(data, (int)i + 1, &symbol), 0);
  }
  return bytes;
}

static void put_header(Elf *elf, const MadeFile *file)
{
  GElf_Ehdr header;
  ck_assert_ptr_nonnull(gelf_newehdr(elf, file->class ? file->class : ELFCLASS64));
  ck_assert_ptr_nonnull(gelf_getehdr(elf, &header));
  header.e_ident[EI_DATA] = file->order ? file->order : OWN_ORDER;
  header.e_type = (GElf_Half)(file->type ? file->type : ET_REL);
  header.e_machine = (GElf_Half)(file->machine ? file->machine : EM_X86_64);
  header.e_version = EV_CURRENT;
  ck_assert_int_ne(gelf_update_ehdr(elf, &header), 0);
}

// An index that does not fit into the header stands in the first section's.
static void put_names_index(Elf *elf, size_t index)
{
  GElf_Ehdr header;
  GElf_Shdr first;
  ck_assert_ptr_nonnull(gelf_getehdr(elf, &header));
  header.e_shstrndx = (GElf_Half)(index < SHN_LORESERVE ? index : SHN_XINDEX);
  ck_assert_int_ne(gelf_update_ehdr(elf, &header), 0);
  if (index < SHN_LORESERVE) return;
  ck_assert_ptr_nonnull(gelf_getshdr(elf_getscn(elf, 0), &first));
  first.sh_link = (GElf_Word)index;
  ck_assert_int_ne(gelf_update_shdr(elf_getscn(elf, 0), &first), 0);
}

static void put_sections(Elf *elf, const MadeFile *file, void **kept)
{
  Names section_names = {0}, symbol_names = {0};
  name_in(&section_names, "");
  for (size_t i = 0; i < file->section_count; ++i) {
    const MadeSection *section = &file->sections[i];
    Elf_Scn *scn = elf_newscn(elf);
    kept[i] = fill(elf, scn, section);
    set_header(scn, name_in(&section_names, section->name), section->type, section->flags,
               section->info, 0);
  }
  for (size_t i = 0; i < file->padding; ++i) set_header(elf_newscn(elf), 0, SHT_PROGBITS, 0, 0, 0);
  Elf_Scn *symbols = elf_newscn(elf), *names = elf_newscn(elf), *titles = elf_newscn(elf);
  kept[file->section_count] = symbols_of(elf, symbols, file, &symbol_names);
  set_header(symbols, name_in(&section_names, ".symtab"), SHT_SYMTAB, 0, 1, elf_ndxscn(names));
  data_of(names, symbol_names.text, symbol_names.size, ELF_T_BYTE);
  set_header(names, name_in(&section_names, ".strtab"), SHT_STRTAB, 0, 0, 0);
  unsigned own = name_in(&section_names, ".shstrtab");
  data_of(titles, section_names.text, section_names.size, ELF_T_BYTE);
  set_header(titles, own, SHT_STRTAB, 0, 0, 0);
  put_names_index(elf, elf_ndxscn(titles));
  kept[file->section_count + 1] = symbol_names.text;
  kept[file->section_count + 2] = section_names.text;
}

Bytes made_file(const MadeFile *file)
{
  int descriptor = memfd_create("made", MFD_CLOEXEC);
  ck_assert_uint_ne(elf_version(EV_CURRENT), EV_NONE);
  Elf *elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
  ck_assert_msg(elf != NULL, "%s", elf_errmsg(-1));
  size_t blocks = file->section_count + 3;
  void **kept = calloc(blocks, sizeof *kept);
  put_header(elf, file);
  put_sections(elf, file, kept);
  int64_t size = elf_update(elf, ELF_C_WRITE);
  ck_assert_msg(size > 0, "%s", elf_errmsg(-1));
  elf_end(elf);
  for (size_t i = 0; i < blocks; ++i) free(kept[i]);
  free(kept);
  Bytes bytes = {malloc((size_t)size), (size_t)size};
  ck_assert_int_eq(pread(descriptor, bytes.data, bytes.size, 0), size);
  close(descriptor);
  return bytes;
}

Seen seen_in(Bytes bytes)
{
  InspectProblem problem = {0};
  Seen seen = {bytes, inspect_subject_read("it", bytes.data, bytes.size, false, NULL, &problem)};
  ck_assert_msg(seen.subject != NULL, "refused: %s", problem.text);
  return seen;
}

Seen seen_in_made(const MadeFile *file)
{
  return seen_in(made_file(file));
}

void seen_free(Seen *seen)
{
  inspect_subject_free(seen->subject);
  free(seen->bytes.data);
  *seen = (Seen){0};
}

const InspectFinding *seen_first(const Seen *seen, InspectFindingId id)
{
  const InspectFindings *findings = &seen->subject->findings;
  for (size_t i = 0; i < findings->count; ++i) {
    if (findings->items[i].id == id) return &findings->items[i];
  }
  return NULL;
}

size_t seen_count(const Seen *seen, InspectFindingId id)
{
  const InspectFindings *findings = &seen->subject->findings;
  size_t count = findings->unstored[id];
  for (size_t i = 0; i < findings->count; ++i) count += findings->items[i].id == id;
  return count;
}

void seen_expect(const Seen *seen, InspectFindingId id, const char *symbol, const char *detail)
{
  const InspectFinding *finding = seen_first(seen, id);
  ck_assert_msg(finding != NULL, "%s is not found", inspect_finding_kinds[id].id);
  ck_assert_uint_eq(seen_count(seen, id), 1);
  ck_assert_msg(binary_text_is(finding->symbol, symbol), "it is of '%.*s' instead of '%s'",
                (int)finding->symbol.size, finding->symbol.data, symbol);
  ck_assert_str_eq(finding->detail, detail);
}

void refused_expect(Bytes bytes, InspectStatus status, const char *words)
{
  InspectProblem problem = {0};
  ck_assert_ptr_null(inspect_subject_read("it", bytes.data, bytes.size, false, NULL, &problem));
  ck_assert_int_eq(problem.status, status);
  ck_assert_msg(strstr(problem.text, words) != NULL, "'%s' is not in '%s'", words, problem.text);
}
