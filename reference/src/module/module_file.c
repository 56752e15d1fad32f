// SPDX-License-Identifier: Apache-2.0
#include "module/module_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/raise.h"
#include "module/module.h"

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
#elif defined(__i386__)
#define NATIVE_MACHINE EM_386
#elif defined(__s390x__)
#define NATIVE_MACHINE EM_S390
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

static bool module_file_has(const ElfW(Phdr) * segment, uint64_t size)
{
  return segment->p_type != PT_LOAD ||
         (segment->p_offset <= size && segment->p_filesz <= size - segment->p_offset);
}

// Tells whether all segments are in the file. What can't be understood is left to the dynamic
// linker.
static bool module_file_is_whole(int file, const ElfW(Ehdr) * header, uint64_t size)
{
  enum { AT_ONCE = 16 };
  ElfW(Phdr) segments[AT_ONCE];
  unsigned left = header->e_phnum;
  uint64_t offset = header->e_phoff;
  if (header->e_phentsize != sizeof *segments) return true;
  while (left > 0) {
    unsigned count = left < AT_ONCE ? left : AT_ONCE;
    if (!module_file_read(file, segments, count * sizeof *segments, offset)) return false;
    for (unsigned i = 0; i < count; ++i) {
      if (!module_file_has(&segments[i], size)) return false;
    }
    left -= count;
    offset += count * sizeof *segments;  // of a place that was read: no overflow
  }
  return true;
}

// What is no ELF file is left to the dynamic linker as well.
static int module_file_check_open(int file, const char *path, uint64_t size)
{
  ElfW(Ehdr) header;
  if (!module_file_read(file, &header, sizeof header, 0)) return 0;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return 0;
  if (header.e_ident[EI_CLASS] != NATIVE_CLASS || header.e_ident[EI_DATA] != NATIVE_DATA ||
      (NATIVE_MACHINE != EM_NONE && header.e_machine != NATIVE_MACHINE)) {
    return module_file_refuse(path, "it is a library for another machine");
  }
  if (!module_file_is_whole(file, &header, size)) {
    return module_file_refuse(path, "it is cut short: it ends before its segments do");
  }
  return 0;
}

static int module_file_check(const char *path, uint64_t size)
{
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return 0;
  int code = module_file_check_open(file, path, size);
  close(file);
  return code;
}

// The file that was looked at last and found whole, with the lock: as long as it is the same, it
// still is.
static struct stat whole;

static bool module_file_is_same(const struct stat *file)
{
  return file->st_ino == whole.st_ino && file->st_dev == whole.st_dev &&
         file->st_size == whole.st_size && file->st_mtim.tv_sec == whole.st_mtim.tv_sec &&
         file->st_mtim.tv_nsec == whole.st_mtim.tv_nsec &&
         file->st_ctim.tv_sec == whole.st_ctim.tv_sec &&
         file->st_ctim.tv_nsec == whole.st_ctim.tv_nsec;
}

static int module_file_check_once(const char *path, const struct stat *file)
{
  module_lock();
  bool is_same = module_file_is_same(file);
  module_unlock();
  if (is_same) return 0;
  if (module_file_check(path, (uint64_t)file->st_size) != 0) return -1;
  module_lock();
  whole = *file;
  module_unlock();
  return 0;
}

// What this thread has seen mapped last, and how many objects had come and gone by then: as long as
// none has since, it still is.
typedef struct ModuleFileMapped {
  unsigned long long come, gone;
  char name[256];
} ModuleFileMapped;

static _Thread_local ModuleFileMapped mapped;

typedef struct ModuleFileSearch {
  const char *path;
  bool has_begun;
} ModuleFileSearch;

static bool module_file_is_still(const struct dl_phdr_info *info, const char *path)
{
  return info->dlpi_adds == mapped.come && info->dlpi_subs == mapped.gone &&
         strcmp(mapped.name, path) == 0;
}

static void module_file_note(const struct dl_phdr_info *info, const char *path)
{
  size_t size = strlen(path) + 1;
  if (size > sizeof mapped.name) return;
  mapped.come = info->dlpi_adds;
  mapped.gone = info->dlpi_subs;
  memcpy(mapped.name, path, size);
}

// For dl_iterate_phdr: 1 where the name that is looked for is found.
static int module_file_is_name(struct dl_phdr_info *info, size_t size, void *context)
{
  ModuleFileSearch *search = context;
  bool counts = size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
  if (counts && !search->has_begun && module_file_is_still(info, search->path)) return 1;
  search->has_begun = true;
  if (info->dlpi_name == NULL || strcmp(info->dlpi_name, search->path) != 0) return 0;
  if (counts) module_file_note(info, search->path);
  return 1;
}

// Tells whether an object is mapped under this name.
static bool module_file_is_mapped(const char *path)
{
  ModuleFileSearch search = {path, false};
  return dl_iterate_phdr(module_file_is_name, &search) != 0;
}

// Refuses what must not come to the dynamic linker. Returns 0; -1 with InternalError.
static int module_file_look(const char *path)
{
  struct stat status;
  // A name without a slash is looked for in places that only the dynamic linker knows.
  if (strchr(path, '/') == NULL) return 0;
  // What is mapped under this name is not opened again.
  if (module_file_is_mapped(path)) return 0;
  if (stat(path, &status) != 0) return 0;
  if (S_ISREG(status.st_mode)) return module_file_check_once(path, &status);
  return module_file_refuse(path,
                            S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file");
}

void *module_file_open(const char *path)
{
  if (module_file_look(path) != 0) return NULL;
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);  // MOD-14, MOD-15
  if (library == NULL) {
    const char *reason = dlerror();
    module_file_refuse(path, reason != NULL ? reason : "no reason was given");  // MOD-10
  }
  return library;
}
