// SPDX-License-Identifier: Apache-2.0
#include "layer/starter.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = sizeof((Starter *)0)->loader, HEADERS_MAX = 64, SCRIPTS_MAX = 4 };

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

// The first bytes of a file, and a NUL.
typedef union Start {
  char text[TEXT_MAX];
  ElfW(Ehdr) header;
} Start;

// What a script is started by.
static bool read_script(const Start *start, char executable[TEXT_MAX])
{
  if (strncmp(start->text, "#!", 2) != 0) return false;
  const char *name = start->text + 2 + strspn(start->text + 2, " \t");
  size_t length = strcspn(name, " \t\r\n");
  memcpy(executable, name, length);
  executable[length] = '\0';
  return length > 0;
}

// The header is where it is in files of either size of address up to the machine.
static bool is_of_machine(const Start *start)
{
  return MACHINE == EM_NONE ||
         (start->header.e_ident[EI_CLASS] == ELFCLASS64 && start->header.e_machine == MACHINE);
}

static void read_loader(int file, const ElfW(Ehdr) * header, char loader[TEXT_MAX])
{
  for (unsigned i = 0; i < header->e_phnum && i < HEADERS_MAX; ++i) {
    ElfW(Phdr) segment;
    off_t at = (off_t)(header->e_phoff + i * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) != (ssize_t)sizeof segment) return;
    if (segment.p_type != PT_INTERP || segment.p_filesz == 0) continue;
    size_t length = segment.p_filesz < TEXT_MAX ? segment.p_filesz : TEXT_MAX - 1;
    ssize_t size = pread(file, loader, length, (off_t)segment.p_offset);
    loader[size > 0 ? size : 0] = '\0';
    return;
  }
}

// False: it is a script, and `executable` is what starts it.
static bool read_executable(int file, const Start *start, Starter *starter, StarterFit *fit)
{
  bool is_elf = memcmp(start->header.e_ident, ELFMAG, SELFMAG) == 0;
  if (!is_elf) return !read_script(start, starter->executable);
  if (!is_of_machine(start))
    *fit = STARTER_MACHINE;
  else if (start->header.e_phentsize == sizeof(ElfW(Phdr)))
    read_loader(file, &start->header, starter->loader);
  if (strstr(starter->loader, "/ld-musl-")) *fit = STARTER_MUSL;
  return true;
}

StarterFit starter_read(const char *path, Starter *starter)
{
  *starter = (Starter){.loader = ""};
  strncpy(starter->executable, path, sizeof starter->executable - 1);
  StarterFit fit = STARTER_FITS;
  for (int depth = 0; depth <= SCRIPTS_MAX; ++depth) {
    Start start = {{0}};
    int file = open(depth ? starter->executable : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return fit;
    bool is_read = pread(file, start.text, sizeof start.text - 1, 0) > 0 &&
                   read_executable(file, &start, starter, &fit);
    close(file);
    if (is_read) return fit;
  }
  return fit;
}
