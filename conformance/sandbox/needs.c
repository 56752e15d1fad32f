// SPDX-License-Identifier: Apache-2.0
#include "sandbox/needs.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEGMENTS_MAX = 64, ENTRIES_MAX = 4096, DEEPEST = 16, FILES_MAX = 256 };

typedef struct Segments {
  ElfW(Phdr) items[SEGMENTS_MAX];
  size_t count;
} Segments;

static bool read_at(int file, uint64_t offset, void *out, size_t size)
{
  return offset <= (uint64_t)INT64_MAX - size && (uint64_t)(off_t)offset == offset &&
         pread(file, out, size, (off_t)offset) == (ssize_t)size;
}

static bool read_segments(int file, Segments *segments)
{
  ElfW(Ehdr) header;
  const uint16_t one = 1;
  unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
  unsigned char word = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (!read_at(file, 0, &header, sizeof header)) return false;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != word ||
      header.e_ident[EI_DATA] != order || header.e_type != ET_DYN)
    return false;
  if (header.e_phentsize != sizeof segments->items[0] || header.e_phnum > SEGMENTS_MAX)
    return false;
  segments->count = header.e_phnum;
  return read_at(file, header.e_phoff, segments->items,
                 segments->count * sizeof segments->items[0]);
}

// Where in the file the byte at this address is; 0 if it is not in it.
static uint64_t offset_of(const Segments *segments, uint64_t address)
{
  for (size_t i = 0; i < segments->count; ++i) {
    const ElfW(Phdr) *segment = &segments->items[i];
    if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
    uint64_t within = address - segment->p_vaddr;
    if (within < segment->p_filesz) return segment->p_offset + within;
  }
  return 0;
}

static bool read_entries(int file, const ElfW(Phdr) * segment, uint64_t *strings, Needs *needs)
{
  uint64_t folders_for_all = 0;
  bool has_for_all = false;
  needs->folders = UINT64_MAX;
  for (size_t i = 0; i < ENTRIES_MAX && (i + 1) * sizeof(ElfW(Dyn)) <= segment->p_filesz; ++i) {
    ElfW(Dyn) entry;
    if (!read_at(file, segment->p_offset + i * sizeof entry, &entry, sizeof entry)) return false;
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_STRTAB) *strings = entry.d_un.d_ptr;
    if (entry.d_tag == DT_RUNPATH) needs->folders = entry.d_un.d_val;
    if (entry.d_tag == DT_RPATH) {
      folders_for_all = entry.d_un.d_val;
      has_for_all = true;
    }
    if (entry.d_tag == DT_NEEDED && needs->count < NEEDS_NAMES_MAX)
      needs->names[needs->count++] = entry.d_un.d_val;
  }
  // The linker takes no notice of the older kind of list where there is the newer one.
  needs->for_all = needs->folders == UINT64_MAX && has_for_all;
  if (needs->for_all) needs->folders = folders_for_all;
  return true;
}

bool needs_read(int file, Needs *needs)
{
  Segments segments;
  uint64_t strings = 0;
  *needs = (Needs){.count = 0};
  if (!read_segments(file, &segments)) return false;
  const ElfW(Phdr) *dynamic = NULL;
  for (size_t i = 0; i < segments.count && !dynamic; ++i)
    if (segments.items[i].p_type == PT_DYNAMIC) dynamic = &segments.items[i];
  if (!dynamic || !read_entries(file, dynamic, &strings, needs)) return false;
  uint64_t base = offset_of(&segments, strings);
  if (base == 0) return false;
  for (size_t i = 0; i < needs->count; ++i) needs->names[i] += base;
  needs->folders = needs->folders == UINT64_MAX ? 0 : needs->folders + base;
  return true;
}

bool needs_text(int file, uint64_t offset, char text[NEEDS_TEXT_MAX])
{
  if (offset > INT64_MAX) return false;
  ssize_t size = pread(file, text, NEEDS_TEXT_MAX, (off_t)offset);
  return size > 0 && memchr(text, '\0', (size_t)size) && text[0];
}

// --- Looking for them ----------------------------------------------------------------------------

typedef struct Search {
  SandboxPolicy *policy;
  unsigned files;  // looked into so far
} Search;

// The list of directories with the library's own in the place of $ORIGIN.
static void expand(const char *list, const char *origin, char *out, size_t size)
{
  static const char *const names[] = {"${ORIGIN}", "$ORIGIN"};
  size_t used = 0;
  out[0] = '\0';
  while (*list && used + 1 < size) {
    const char *name = NULL;
    for (size_t i = 0; i < 2 && !name; ++i)
      if (strncmp(list, names[i], strlen(names[i])) == 0) name = names[i];
    used += (size_t)(name ? snprintf(out + used, size - used, "%s", origin)
                          : snprintf(out + used, size - used, "%c", *list));
    list += name ? strlen(name) : 1;
  }
}

// Opens what is a regular file, and nothing else: to open a pipe would wait for its writer.
static int open_regular(const char *path)
{
  struct stat status;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  if (file >= 0) close(file);
  return -1;
}

static void look_into(Search *search, const char *path, const char *inherited, unsigned depth);

static bool take(Search *search, const char *path, const char *inherited, unsigned depth)
{
  Needs needs;
  int file = open_regular(path);
  bool sound = file >= 0 && needs_read(file, &needs);
  if (file >= 0) close(file);
  if (!sound) return false;
  if (policy_has_path(search->policy, path)) return true;
  policy_add_path(search->policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  policy_add_libraries_beside(search->policy, path);
  look_into(search, path, inherited, depth + 1);
  return true;
}

// Looks for one name in a list of directories.
static void look_for(Search *search, const char *name, const char *folders, const char *inherited,
                     unsigned depth)
{
  char path[PATH_MAX];
  if (strchr(name, '/')) {
    take(search, name, inherited, depth);
    return;
  }
  for (const char *at = folders; *at; at += strspn(at, ":")) {
    size_t length = strcspn(at, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
    at += length;
    if (length && take(search, path, inherited, depth)) return;
  }
}

// `inherited` are the directories that those who need it say are to be looked into.
static void look_into(Search *search, const char *path, const char *inherited, unsigned depth)
{
  Needs needs;
  char origin[PATH_MAX], name[NEEDS_TEXT_MAX], list[NEEDS_TEXT_MAX], own[2 * PATH_MAX],
      all[4 * PATH_MAX];
  if (depth > DEEPEST || ++search->files > FILES_MAX || !realpath(path, origin)) return;
  *strrchr(origin, '/') = '\0';
  int file = open_regular(path);
  if (file < 0 || !needs_read(file, &needs)) goto cleanup;
  if (!needs.folders || !needs_text(file, needs.folders, list)) list[0] = '\0';
  expand(list, origin, own, sizeof own);
  bool searches_inherited = !needs.folders || needs.for_all;
  snprintf(all, sizeof all, "%s%s%s", own, own[0] ? ":" : "", searches_inherited ? inherited : "");
  for (size_t i = 0; i < needs.count; ++i)
    if (needs_text(file, needs.names[i], name))
      look_for(search, name, all, needs.for_all ? all : inherited, depth);
cleanup:
  if (file >= 0) close(file);
}

void needs_add(SandboxPolicy *policy, const char *path)
{
  Search search = {policy, 0};
  look_into(&search, path, "", 0);
}
