// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_read.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inspect/inspect_format.h"
#include "macho/macho.h"

#define LARGEST_FILE (UINT64_C(4) << 30)

static const char *kind_of_file(mode_t mode)
{
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a named pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
      return "a character device";
    case S_IFBLK:
      return "a block device";
    default:
      return "no regular file";
  }
}

static bool refuse_errno(InspectProblem *problem, int error)
{
  const char *remedy = error == ENOENT || error == ENOTDIR ? "check the path"
                       : error == EACCES || error == EPERM
                           ? "make it readable, or run as a user who may read it"
                           : "copy it to a local disk and try again";
  return inspect_problem(problem, INSPECT_UNREADABLE, "%s (%s)", strerror(error), remedy);
}

static bool is_acceptable(const struct stat *status, InspectProblem *problem)
{
  if (!S_ISREG(status->st_mode)) {
    return inspect_problem(problem, INSPECT_UNREADABLE, "is %s (give the path of a shared library)",
                           kind_of_file(status->st_mode));
  }
  if ((uint64_t)status->st_size > LARGEST_FILE) {
    return inspect_problem(
        problem, INSPECT_UNREADABLE,
        "has %llu bytes, more than 4 GiB (strip it, or move large data out of it)",
        (unsigned long long)status->st_size);
  }
  return true;
}

bool inspect_read_is_unchanged(const struct stat *before, int descriptor, InspectProblem *problem)
{
  struct stat after;
  if (fstat(descriptor, &after) != 0) return refuse_errno(problem, errno);
  if (after.st_size == before->st_size && after.st_mtim.tv_sec == before->st_mtim.tv_sec &&
      after.st_mtim.tv_nsec == before->st_mtim.tv_nsec) {
    return true;
  }
  return inspect_problem(problem, INSPECT_UNREADABLE,
                         "changed while it was read (try again when its build or copy is done)");
}

static bool read_all(int descriptor, InspectBytes *bytes, InspectProblem *problem)
{
  size_t filled = 0;
  while (filled < bytes->size) {
    ssize_t count = read(descriptor, bytes->data + filled, bytes->size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refuse_errno(problem, errno);
    if (count == 0) {
      return inspect_problem(problem, INSPECT_UNREADABLE,
                             "only %zu of its %zu bytes could be read (try again when its build or "
                             "copy is done)",
                             filled, bytes->size);
    }
    filled += (size_t)count;
  }
  return true;
}

static bool read_descriptor(int descriptor, const struct stat *status, InspectBytes *bytes,
                            InspectProblem *problem)
{
  bytes->size = (size_t)status->st_size;
  bytes->data = malloc(bytes->size + 1);  // an empty file has a block of its own, too
  if (!bytes->data) return inspect_problem_no_memory(problem);
  return read_all(descriptor, bytes, problem) &&
         inspect_read_is_unchanged(status, descriptor, problem);
}

int inspect_read_open(const char *path, struct stat *status, InspectProblem *problem)
{
  // Looked at before it is opened, because opening a device may already do something.
  int descriptor = -1;
  if (stat(path, status) != 0) {
    refuse_errno(problem, errno);
  } else if (is_acceptable(status, problem)) {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) refuse_errno(problem, errno);
  }
  if (descriptor < 0) return -1;
  bool good = fstat(descriptor, status) == 0 || refuse_errno(problem, errno);
  if (good && is_acceptable(status, problem)) return descriptor;
  close(descriptor);
  return -1;
}

bool inspect_read(const char *path, InspectBytes *bytes, InspectProblem *problem)
{
  struct stat status;
  *bytes = (InspectBytes){0};
  int descriptor = inspect_read_open(path, &status, problem);
  if (descriptor < 0) return false;
  bool done = read_descriptor(descriptor, &status, bytes, problem);
  close(descriptor);
  if (!done) {
    free(bytes->data);
    *bytes = (InspectBytes){0};
  }
  return done;
}

// What people hand in by mistake, by its first bytes.
static const struct {
  const char *begin;
  size_t length;
  const char *what;
} other_formats[] = {
    {"!<arch>\n", 8, "a static library (link it into a shared one: cc -shared)"},
    {"/* GNU ld script", 16, "a linker script (give the path of the library that it names)"},
    {"INPUT", 5, "a linker script (give the path of the library that it names)"},
    {"GROUP", 5, "a linker script (give the path of the library that it names)"},
    {"version https://git-lfs", 23, "a Git LFS pointer (fetch the file with 'git lfs pull')"},
    {"PK\3\4", 4, "a zip archive or wheel (unpack it and give the path of the library inside)"},
    {"\x1f\x8b", 2, "a gzip archive (unpack it and give the path of the library inside)"},
    {"MZ", 2, "a program for DOS, or a damaged Windows library (give an ELF shared library)"},
    {"\0asm", 4, "a WebAssembly module (give an ELF shared library)"},
    {"BC\xc0\xde", 4, "LLVM bitcode (compile it to a shared library: cc -shared)"},
};

static bool is_text(const InspectBytes *bytes)
{
  size_t looked_at = bytes->size < 512 ? bytes->size : 512;
  for (size_t i = 0; i < looked_at; ++i) {
    unsigned char byte = bytes->data[i];
    if (byte == 0x7f || (byte < ' ' && (byte < '\t' || byte > '\r') && byte != 0x1b)) return false;
  }
  return true;
}

// Libraries of other systems are read, but not run.
static const char *other_system(const InspectBytes *bytes)
{
  switch (inspect_format_of(bytes->data, bytes->size)) {
    case INSPECT_FORMAT_MACHO:
      return "macOS";
    case INSPECT_FORMAT_PE:
      return "Windows";
    default:
      return macho_is_universal(bytes->data, bytes->size) ? "macOS" : NULL;
  }
}

bool inspect_read_is_elf(const InspectBytes *bytes, InspectProblem *problem)
{
  const char *system = other_system(bytes);
  if (system) {
    return inspect_problem(problem, INSPECT_NOT_ELF,
                           "is a %s library (only 'inspect' reads it: give an ELF shared library)",
                           system);
  }
  if (bytes->size >= SELFMAG && memcmp(bytes->data, ELFMAG, SELFMAG) == 0) return true;
  if (bytes->size == 0) {
    return inspect_problem(problem, INSPECT_NOT_ELF, "is empty (build or copy it again)");
  }
  for (size_t i = 0; i < sizeof other_formats / sizeof other_formats[0]; ++i) {
    if (bytes->size < other_formats[i].length) continue;
    if (memcmp(bytes->data, other_formats[i].begin, other_formats[i].length) != 0) continue;
    return inspect_problem(problem, INSPECT_NOT_ELF, "is %s", other_formats[i].what);
  }
  return inspect_problem(problem, INSPECT_NOT_ELF, "is %s (give the path of a shared library)",
                         is_text(bytes) ? "a text file" : "not an ELF file");
}

void inspect_read_hex(const unsigned char *data, size_t count, char *hex)
{
  for (size_t i = 0; i < count; ++i) {
    *hex++ = "0123456789abcdef"[data[i] >> 4];
    *hex++ = "0123456789abcdef"[data[i] & 15];
  }
  *hex = '\0';
}

void inspect_read_digest(const InspectBytes *bytes, char hex[65])
{
  uint8_t digest[SHA256_DIGEST_SIZE];
  struct sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes->size, bytes->data);
  sha256_digest(&context, sizeof digest, digest);
  inspect_read_hex(digest, sizeof digest, hex);
}
