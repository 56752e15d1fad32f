// SPDX-License-Identifier: Apache-2.0
#include "cuda/image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/state.h"

// A fat binary: a header, then entries, each with a header of its own. A wrapper with another
// number points to one.
enum { WRAPPER_MAGIC = 0x466243b1, FATBIN_MAGIC = (int)0xba55ed50, ENTRIES_MAX = 64 };
enum { SECTIONS_MAX = 65535, SYMBOLS_MAX = 1 << 20, INFO_MOST = 1 << 16, TEXT_MOST = 1 << 24 };

typedef struct Wrapper {
  uint32_t magic, version;
  uintptr_t data;
} Wrapper;

typedef struct Fatbin {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;  // of all that follows
} Fatbin;

typedef struct Entry {
  uint16_t kind, version;
  uint32_t header_size;
  uint64_t size;  // of what follows
} Entry;

static uint32_t first_word(uintptr_t at)
{
  uint32_t word = 0;
  return read_safely(&word, at, sizeof word) ? word : 0;
}

static bool is_elf(uintptr_t at)
{
  unsigned char magic[SELFMAG];
  return read_safely(magic, at, sizeof magic) && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

// Whether the string at `at` is `before` with `name` behind it.
static bool is_text(uintptr_t at, const char *before, const char *name)
{
  char here[64];
  size_t first = strlen(before), size = first + strlen(name) + 1;
  for (size_t done = 0; done < size;) {
    size_t step = size - done < sizeof here ? size - done : sizeof here;
    if (!read_safely(here, at + done, step)) return false;
    for (size_t i = 0; i < step; ++i, ++done)
      if (here[i] != (done < first ? before[done] : name[done - first])) return false;
  }
  return true;
}

// --- ELF -----------------------------------------------------------------------------------------

typedef struct Cubin {
  uintptr_t at;
  Elf64_Ehdr header;
  Elf64_Shdr names;
} Cubin;

static bool read_section(const Cubin *cubin, unsigned index, Elf64_Shdr *section)
{
  return read_safely(section, cubin->at + cubin->header.e_shoff + index * sizeof *section,
                     sizeof *section);
}

static bool open_cubin(Cubin *cubin, uintptr_t at)
{
  cubin->at = at;
  return read_safely(&cubin->header, at, sizeof cubin->header) &&
         cubin->header.e_ident[EI_CLASS] == ELFCLASS64 &&
         cubin->header.e_shentsize == sizeof(Elf64_Shdr) &&
         read_section(cubin, cubin->header.e_shstrndx, &cubin->names);
}

// The section with this name; false if there is none.
static bool find_section(const Cubin *cubin, const char *before, const char *name,
                         Elf64_Shdr *section)
{
  for (unsigned i = 1; i < cubin->header.e_shnum; ++i)
    if (read_section(cubin, i, section) &&
        is_text(cubin->at + cubin->names.sh_offset + section->sh_name, before, name))
      return true;
  return false;
}

// Records of one to four bytes and what follows them: the attribute with this number tells of one
// argument.
static void read_arguments(const Cubin *cubin, const Elf64_Shdr *info, ImageKernel *kernel)
{
  enum { FORM_SIZED = 4, ARGUMENT = 0x17, ARGUMENT_SIZE = 12 };
  struct {
    uint8_t form, attribute;
    uint16_t size;
  } record;
  size_t size = info->sh_size < INFO_MOST ? (size_t)info->sh_size : INFO_MOST;
  uintptr_t at = cubin->at + info->sh_offset, end = at + size;
  unsigned seen = 0, most = 0;
  while (end - at >= sizeof record && read_safely(&record, at, sizeof record)) {
    at += sizeof record;
    if (record.form != FORM_SIZED) continue;
    struct {
      uint32_t index;
      uint16_t number, offset;
      uint32_t size;
    } argument;
    if (record.size > end - at) return;
    if (record.attribute == ARGUMENT && record.size == ARGUMENT_SIZE &&
        read_safely(&argument, at, sizeof argument)) {
      if (argument.number >= CUDA_ARGUMENTS_MAX) return;
      kernel->argument_at[argument.number] = argument.offset;
      kernel->argument_size[argument.number] = (uint16_t)(argument.size >> 18);
      if (argument.number + 1u > most) most = argument.number + 1u;
      ++seen;
    }
    at += record.size;
  }
  kernel->argument_count = most;
  kernel->has_arguments = seen == most && at <= end;
}

static ImageAnswer find_in_cubin(uintptr_t at, const char *name, ImageKernel *kernel)
{
  Cubin cubin;
  Elf64_Shdr section;
  if (!open_cubin(&cubin, at)) return IMAGE_BROKEN;
  if (!find_section(&cubin, ".text.", name, &section)) return IMAGE_LACKS;
  if (find_section(&cubin, ".nv.info.", name, &section)) read_arguments(&cubin, &section, kernel);
  return IMAGE_HAS;
}

static ImageAnswer find_variable_in_cubin(uintptr_t at, const char *name, size_t *size)
{
  Cubin cubin;
  Elf64_Shdr table, names;
  Elf64_Sym symbol;
  if (!open_cubin(&cubin, at)) return IMAGE_BROKEN;
  if (!find_section(&cubin, ".symtab", "", &table) || !read_section(&cubin, table.sh_link, &names))
    return IMAGE_LACKS;
  for (size_t i = 0; i < table.sh_size / sizeof symbol && i < SYMBOLS_MAX; ++i) {
    if (!read_safely(&symbol, at + table.sh_offset + i * sizeof symbol, sizeof symbol)) break;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT ||
        !is_text(at + names.sh_offset + symbol.st_name, "", name))
      continue;
    *size = (size_t)symbol.st_size;
    return IMAGE_HAS;
  }
  return IMAGE_LACKS;
}

// --- PTX -----------------------------------------------------------------------------------------

// How many bytes a type has: ".u64"; 0 if it is none that an argument can have.
static unsigned type_size(const char *type)
{
  if (strncmp(type, ".pred", 5) == 0) return 1;
  if (type[0] != '.' || !strchr("usbf", type[1])) return 0;
  return (unsigned)strtoul(type + 2, NULL, 10) / 8;
}

// One argument, ".param .align 4 .b8 name[12]"; false if it is not understood.
static bool take_argument(char *words, ImageKernel *kernel, size_t *end)
{
  size_t alignment = 0, size = 0, count = 1;
  char *rest = NULL, *bracket = strchr(words, '[');
  if (bracket) count = strtoul(bracket + 1, NULL, 10);
  for (char *word = strtok_r(words, " \t\r\n", &rest); word;
       word = strtok_r(NULL, " \t\r\n", &rest)) {
    if (strcmp(word, ".align") == 0) {
      word = strtok_r(NULL, " \t\r\n", &rest);
      alignment = word && !size ? strtoul(word, NULL, 10) : alignment;
    } else if (type_size(word)) {
      size = type_size(word);
    } else if (strcmp(word, ".ptr") == 0) {
      break;
    }
  }
  if (!alignment) alignment = size;
  if (!size || !count || count > 4096 || alignment > 256) return false;
  if (kernel->argument_count == CUDA_ARGUMENTS_MAX) return false;
  *end = (*end + alignment - 1) / alignment * alignment;
  kernel->argument_at[kernel->argument_count] = (uint16_t)*end;
  kernel->argument_size[kernel->argument_count++] = (uint16_t)(size * count);
  *end += size * count;
  return *end < UINT16_MAX;
}

// The list of arguments that begins at `at`, behind the bracket.
static void read_ptx_arguments(const char *at, const char *end, ImageKernel *kernel)
{
  size_t size = 0;
  for (;;) {
    char words[256];
    size_t length = strcspn(at, ",)");
    if (at + length >= end || length >= sizeof words) return;
    memcpy(words, at, length);
    words[length] = '\0';
    bool empty = strspn(words, " \t\r\n") == length;
    if (!(empty && at[length] == ')' && kernel->argument_count == 0) &&
        !take_argument(words, kernel, &size))
      return;
    if (at[length] == ')') break;
    at += length + 1;
  }
  kernel->has_arguments = true;
}

// A copy of the text; NULL if it is none. Own: ptx_free.
static char *copy_text(uintptr_t at, size_t *size)
{
  enum { STEP = 4096 };
  static char text[TEXT_MOST];  // takes memory as far as it is used; the caller holds the lock
  for (*size = 0; *size + STEP < TEXT_MOST; *size += STEP - (at + *size) % STEP) {
    size_t step = STEP - (at + *size) % STEP;
    if (!read_safely(text + *size, at + *size, step)) break;
    char *nul = memchr(text + *size, '\0', step);
    if (!nul) continue;
    *size = (size_t)(nul - text);
    return text;
  }
  return NULL;
}

static bool is_name(char c)
{
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

static ImageAnswer find_in_ptx(uintptr_t at, const char *name, ImageKernel *kernel)
{
  static pthread_mutex_t of_text = PTHREAD_MUTEX_INITIALIZER;
  ImageAnswer answer = IMAGE_LACKS;
  size_t size = 0, length = strlen(name);
  pthread_mutex_lock(&of_text);
  const char *text = copy_text(at, &size);
  if (!text || !strstr(text, ".version")) answer = IMAGE_BROKEN;
  for (const char *entry = text; entry && answer == IMAGE_LACKS;) {
    entry = strstr(entry, ".entry");
    if (!entry) break;
    entry += strlen(".entry");
    entry += strspn(entry, " \t\r\n");
    if (strncmp(entry, name, length) != 0 || is_name(entry[length])) continue;
    answer = IMAGE_HAS;
    entry += length + strspn(entry + length, " \t\r\n");
    if (*entry == '(') read_ptx_arguments(entry + 1, text + size, kernel);
  }
  pthread_mutex_unlock(&of_text);
  return answer;
}

// --- Any image -----------------------------------------------------------------------------------

// The fat binary that a wrapper points to, or the image itself.
static uintptr_t unwrap(const void *image)
{
  Wrapper wrapper;
  uintptr_t at = (uintptr_t)image;
  if (first_word(at) == WRAPPER_MAGIC && read_safely(&wrapper, at, sizeof wrapper))
    at = wrapper.data;
  return at;
}

static bool is_text_image(uintptr_t at)
{
  char c = 0;
  return read_safely(&c, at, 1) && (c == '\n' || c == '\r' || c == '\t' || (c >= ' ' && c <= '~'));
}

bool image_is_one(const void *image)
{
  uintptr_t at = unwrap(image);
  return first_word(at) == (uint32_t)FATBIN_MAGIC || is_elf(at) || is_text_image(at);
}

// What the entries of a fat binary say, the best of it; the first entry that is a cubin and has
// what is looked for.
static ImageAnswer find_in_fatbin(uintptr_t at, const char *name, ImageKernel *kernel, size_t *size)
{
  Fatbin fatbin;
  Entry entry;
  ImageAnswer answer = IMAGE_LACKS;
  if (!read_safely(&fatbin, at, sizeof fatbin)) return IMAGE_BROKEN;
  uintptr_t end = at + fatbin.header_size + (uintptr_t)fatbin.size;
  at += fatbin.header_size;
  for (int i = 0; i < ENTRIES_MAX && end - at > sizeof entry; ++i) {
    if (!read_safely(&entry, at, sizeof entry) || entry.header_size < sizeof entry) break;
    uintptr_t content = at + entry.header_size;
    if (content > end || entry.size > end - content) break;
    ImageAnswer here = !is_elf(content) ? IMAGE_HIDES
                       : kernel         ? find_in_cubin(content, name, kernel)
                                        : find_variable_in_cubin(content, name, size);
    if (here == IMAGE_HAS) return IMAGE_HAS;
    if (here == IMAGE_HIDES) answer = IMAGE_HIDES;
    at = content + (uintptr_t)entry.size;
  }
  return answer;
}

ImageAnswer image_find_kernel(const void *image, const char *name, ImageKernel *kernel)
{
  uintptr_t at = unwrap(image);
  *kernel = (ImageKernel){0};
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  if (first_word(at) == (uint32_t)FATBIN_MAGIC) return find_in_fatbin(at, name, kernel, NULL);
  if (is_elf(at)) return find_in_cubin(at, name, kernel);
  return is_text_image(at) ? find_in_ptx(at, name, kernel) : IMAGE_BROKEN;
}

ImageAnswer image_find_variable(const void *image, const char *name, size_t *size)
{
  uintptr_t at = unwrap(image);
  if (first_word(at) == (uint32_t)FATBIN_MAGIC) return find_in_fatbin(at, name, NULL, size);
  if (is_elf(at)) return find_variable_in_cubin(at, name, size);
  return is_text_image(at) ? IMAGE_HIDES : IMAGE_BROKEN;
}
