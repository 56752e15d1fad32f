// SPDX-License-Identifier: Apache-2.0
#include "module_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raise.h"

// What the header of a file for this machine says.
#if UINTPTR_MAX > UINT32_MAX
#define NATIVE_CLASS ELFCLASS64
#else
#define NATIVE_CLASS ELFCLASS32
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE_DATA ELFDATA2MSB
#else
#define NATIVE_DATA ELFDATA2LSB
#endif
#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#elif defined(__riscv)
#define NATIVE_MACHINE EM_RISCV
#else
#define NATIVE_MACHINE EM_NONE  // not compared
#endif

static int module_file_refuse(const char *path, const char *why)
{
  return raise_error("InternalError", "Failed to load dynamic shared library ", path, ": ", why,
                     NULL);
}

static bool module_file_read(int file, void *to, size_t size, uint64_t offset)
{
  return offset <= INT64_MAX && pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

// Tells whether all segments are in the file. What can't be read is left to the dynamic linker.
static bool module_file_is_whole(int file, const ElfW(Ehdr) * header, uint64_t size)
{
  if (header->e_phentsize != sizeof(ElfW(Phdr))) return true;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    ElfW(Phdr) segment;
    uint64_t offset = header->e_phoff;
    if (__builtin_add_overflow(offset, (uint64_t)i * sizeof segment, &offset) ||
        !module_file_read(file, &segment, sizeof segment, offset)) {
      return false;
    }
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
  }
  return true;
}

static int module_file_check_open(int file, const char *path)
{
  struct stat status;
  ElfW(Ehdr) header;
  if (fstat(file, &status) != 0) return 0;
  if (S_ISDIR(status.st_mode)) return module_file_refuse(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) return module_file_refuse(path, "it is no regular file");
  if (!module_file_read(file, &header, sizeof header, 0)) return 0;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return 0;
  if (header.e_ident[EI_CLASS] != NATIVE_CLASS || header.e_ident[EI_DATA] != NATIVE_DATA ||
      (NATIVE_MACHINE != EM_NONE && header.e_machine != NATIVE_MACHINE)) {
    return module_file_refuse(path, "it is a library for another machine");
  }
  if (!module_file_is_whole(file, &header, (uint64_t)status.st_size)) {
    return module_file_refuse(path, "it is cut short: it ends before its segments do");
  }
  return 0;
}

int module_file_check(const char *path)
{
  // A name without a slash is looked for in places that only the dynamic linker knows.
  if (strchr(path, '/') == NULL) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return 0;
  int code = module_file_check_open(file, path);
  close(file);
  return code;
}
