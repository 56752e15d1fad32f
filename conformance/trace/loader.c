// SPDX-License-Identifier: Apache-2.0
#include "trace/loader.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, HEADERS_MAX = 64 };

// The file that would be started.
static bool find_program(const char *program, char path[PATH_SIZE])
{
  const char *at = getenv("PATH");
  if (strchr(program, '/')) return snprintf(path, PATH_SIZE, "%s", program) < PATH_SIZE;
  for (size_t length; at && *at; at += length + (at[length] == ':')) {
    length = strcspn(at, ":");
    int size = snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, at, program);
    if (length && size < PATH_SIZE && access(path, X_OK) == 0) return true;
  }
  return false;
}

// What starts the file: the loader that an executable names, or the program that a script names.
static bool read_starter(const char *path, bool *is_script, char starter[PATH_SIZE])
{
  union {
    char text[PATH_SIZE];
    ElfW(Ehdr) header;
  } start = {{0}};
  ElfW(Phdr) segments[HEADERS_MAX];
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t size = file < 0 ? -1 : pread(file, start.text, sizeof start.text - 1, 0);
  *is_script = size > 2 && strncmp(start.text, "#!", 2) == 0;
  *starter = '\0';
  if (*is_script) {
    const char *name = start.text + 2 + strspn(start.text + 2, " \t");
    snprintf(starter, PATH_SIZE, "%.*s", (int)strcspn(name, " \t\r\n"), name);
  } else if (size >= (ssize_t)sizeof start.header &&
             memcmp(start.header.e_ident, ELFMAG, SELFMAG) == 0 &&
             start.header.e_phentsize == sizeof *segments && start.header.e_phnum <= HEADERS_MAX) {
    ssize_t bytes = (ssize_t)(start.header.e_phnum * sizeof *segments);
    if (pread(file, segments, (size_t)bytes, (off_t)start.header.e_phoff) != bytes) bytes = 0;
    for (size_t i = 0; i < (size_t)bytes / sizeof *segments; ++i) {
      size_t length = segments[i].p_filesz;
      if (segments[i].p_type != PT_INTERP || length == 0 || length >= PATH_SIZE) continue;
      if (pread(file, starter, length, (off_t)segments[i].p_offset) != (ssize_t)length) length = 0;
      starter[length] = '\0';
    }
  }
  if (file >= 0) close(file);
  return *starter;
}

bool loader_takes_layer(const char *program, char *why, size_t why_size)
{
#ifdef __GLIBC__
  char path[PATH_SIZE], starter[PATH_SIZE];
  bool is_script = true;
  if (!find_program(program, path)) return true;
  for (int depth = 0; depth < 4 && is_script; ++depth) {
    if (!read_starter(path, &is_script, starter)) return true;
    if (is_script) memcpy(path, starter, sizeof path);
  }
  if (!strstr(starter, "/ld-musl-")) return true;
  snprintf(why, why_size,
           "%s was built for musl (its loader is %s), which cannot load the layer: that is built "
           "for glibc",
           path, starter);
  return false;
#else
  (void)program, (void)why, (void)why_size, (void)find_program, (void)read_starter;
  return true;
#endif
}
