// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_input.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inspect/archive.h"

enum { MOST_NEIGHBOURS = 512 };

// One operand.
typedef struct Walk {
  const InspectInputVisitor *visitor;
  const char *package;  // the folder that it lies in, or that was named
  size_t files;         // looked at, or not to be read
} Walk;

static void tell(Walk *walk, const char *path, const InspectProblem *problem)
{
  if (walk->visitor->problem) walk->visitor->problem(walk->visitor->context, path, problem);
}

// --- Files and archives --------------------------------------------------------------------------

// "x.whl" of "x.whl!lib/libx.so"
static char *before_last(const char *path)
{
  const char *end = strrchr(path, '!');
  return strndup(path, end ? (size_t)(end - path) : strlen(path));
}

static void give_member(Walk *walk, const ArchiveMember *member,
                        void (*give)(void *, const InspectInput *))
{
  InspectProblem problem = {0};
  char *file = member->slice ? before_last(member->path) : strdup(member->path);
  // A universal file on disk lies where other files do.
  char *package = file && strchr(file, '!') ? before_last(file) : strdup(walk->package);
  if (file && package) {
    InspectInput input = {package, member->path, file, member->bytes, member->size, NULL};
    give(walk->visitor->context, &input);
  } else {
    inspect_problem_no_memory(&problem);
    tell(walk, member->path, &problem);
  }
  free(package);
  free(file);
}

static bool on_member(void *context, const ArchiveMember *member)
{
  Walk *walk = context;
  give_member(walk, member, walk->visitor->image);
  return true;
}

static bool on_name(void *context, const char *name)
{
  Walk *walk = context;
  return walk->visitor->document && inspect_wheel_wants(name);
}

static void on_document(void *context, const ArchiveMember *member)
{
  Walk *walk = context;
  give_member(walk, member, walk->visitor->document);
}

static void on_problem(void *context, const char *path, const char *text)
{
  InspectProblem problem = {0};
  inspect_problem(&problem, INSPECT_UNREADABLE, "%s", text);
  tell(context, path, &problem);
}

static void visit_map(Walk *walk, const char *path, InspectMap *map)
{
  InspectProblem problem = {0};
  if (archive_kind(map->data, map->size) == ARCHIVE_KIND_NONE) {
    InspectInput input = {walk->package, path, path, map->data, map->size, map};
    walk->visitor->image(walk->visitor->context, &input);
    return;
  }
  ArchiveVisitor visitor = {walk, on_member, on_problem, on_name, on_document};
  archive_visit(path, map->data, map->size, NULL, &visitor);
  if (!inspect_map_is_whole(map, &problem)) tell(walk, path, &problem);
}

static void visit_file(Walk *walk, const char *path)
{
  ++walk->files;
  InspectMap map;
  InspectProblem problem = {0};
  if (!inspect_map_open(path, &map, &problem)) {
    tell(walk, path, &problem);
    return;
  }
  visit_map(walk, path, &map);
  inspect_map_close(&map);
}

// --- Folders -------------------------------------------------------------------------------------

// "libx.so", "libx.so.1.2", "x.dll", "x.whl"
static bool is_library_name(const char *name)
{
  static const char *const ends[] = {".whl", ".dylib", ".dll", ".pyd"};
  size_t size = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
    size_t length = strlen(ends[i]);
    if (size > length && strcasecmp(name + size - length, ends[i]) == 0) return true;
  }
  while (size > 0 && strchr("0123456789.", name[size - 1])) --size;
  bool numbered = name[size] == '\0' || (name[size] == '.' && name[strlen(name) - 1] != '.');
  return size > 3 && strncmp(name + size - 3, ".so", 3) == 0 && numbered;
}

static void visit_document(Walk *walk, const char *path)
{
  InspectMap map;
  InspectProblem problem = {0};
  const char *name = path + strlen(walk->package) + 1;
  if (!walk->visitor->document || !inspect_wheel_wants(name)) return;
  if (!inspect_map_open(path, &map, &problem)) return;
  InspectInput input = {walk->package, path, path, map.data, map.size, &map};
  if (map.size <= ARCHIVE_DOCUMENT) walk->visitor->document(walk->visitor->context, &input);
  inspect_map_close(&map);
}

static void visit_folder(Walk *walk, const char *folder, unsigned depth);

static void visit_entry(Walk *walk, const char *folder, const char *name, unsigned depth)
{
  struct stat status;
  InspectProblem problem = {0};
  size_t length = strlen(folder);
  bool slash = length > 0 && folder[length - 1] == '/';
  char *path = malloc(length + strlen(name) + 2);
  if (!path) {
    inspect_problem_no_memory(&problem);
    tell(walk, folder, &problem);
    return;
  }
  sprintf(path, "%s%s%s", folder, slash ? "" : "/", name);
  if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    visit_folder(walk, path, depth + 1);
  } else if (S_ISREG(status.st_mode)) {
    if (is_library_name(name)) visit_file(walk, path);
    visit_document(walk, path);
  }
  free(path);
}

static int is_entry(const struct dirent *entry)
{
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **one, const struct dirent **other)
{
  return strcmp((*one)->d_name, (*other)->d_name);
}

static void visit_folder(Walk *walk, const char *folder, unsigned depth)
{
  struct dirent **entries;
  InspectProblem problem = {0};
  int count = depth > INSPECT_INPUT_DEPTH ? -1 : scandir(folder, &entries, is_entry, by_bytes);
  if (count < 0) {
    inspect_problem(
        &problem, INSPECT_UNREADABLE, "%s",
        depth > INSPECT_INPUT_DEPTH ? "lies too deep (name it alone)" : strerror(errno));
    tell(walk, folder, &problem);
    return;
  }
  for (int i = 0; i < count; ++i) {
    visit_entry(walk, folder, entries[i]->d_name, depth);
    free(entries[i]);
  }
  free(entries);
}

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool is_folder(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void inspect_input_visit(const char *path, const InspectInputVisitor *visitor)
{
  InspectProblem problem = {0};
  bool folder = is_folder(path);
  char *package = folder ? strdup(path) : folder_of(path);
  Walk walk = {visitor, package, 0};
  for (size_t i = package ? strlen(package) : 0; folder && i > 1 && package[i - 1] == '/'; --i) {
    package[i - 1] = '\0';
  }
  if (!package) {
    inspect_problem_no_memory(&problem);
    tell(&walk, path, &problem);
  } else if (folder) {
    visit_folder(&walk, package, 0);
    if (walk.files == 0) {
      inspect_problem(
          &problem, INSPECT_UNREADABLE,
          "has no library or wheel in it (a file whose name ends as .so, .so.1, .dylib, .dll, .pyd or .whl)");
      tell(&walk, path, &problem);
    }
  } else {
    visit_file(&walk, path);
  }
  free(package);
}

// --- Gathering -----------------------------------------------------------------------------------

typedef struct Gathering {
  InspectSet *set;
  bool good;
} Gathering;

static void gather_image(void *context, const InspectInput *input)
{
  Gathering *gathering = context;
  gathering->good &=
      inspect_set_add(gathering->set, input->package, input->file, input->bytes, input->size);
  // A name with tags is all that some wheels have.
  if (!input->map) inspect_set_wheel(gathering->set, input->package);
}

static void gather_document(void *context, const InspectInput *input)
{
  Gathering *gathering = context;
  InspectWheel *wheel = inspect_set_wheel(gathering->set, input->package);
  if (wheel) inspect_wheel_read(wheel, input->path, input->bytes, input->size);
}

static bool add_neighbour(InspectSet *set, const char *path, const char *package)
{
  Gathering gathering = {set, true};
  const InspectInputVisitor visitor = {&gathering, gather_image, NULL, NULL};
  Walk walk = {&visitor, package, 0};
  visit_file(&walk, path);
  return gathering.good;
}

// How much of a folder means the one that the library itself lies in.
static size_t origin_of(const char *folder, size_t length)
{
  static const char *const names[] = {"$ORIGIN", "${ORIGIN}", "@loader_path"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    size_t size = strlen(names[i]);
    if (size <= length && strncmp(folder, names[i], size) == 0) return size;
  }
  return 0;
}

// Tries the folder of the library that needs it, and those that it names which begin there.
static bool find_neighbour(InspectSet *set, const InspectWanted *wanted)
{
  char path[2 * PATH_MAX];
  char *folder = folder_of(wanted->by);
  const char *name = wanted->name, *search = wanted->search, *end = search + wanted->search_size;
  if (!folder) return false;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  bool there = access(path, R_OK) == 0;
  while (search < end && !there) {
    const char *colon = memchr(search, ':', (size_t)(end - search));
    size_t length = (size_t)((colon ? colon : end) - search), origin = origin_of(search, length);
    if (origin > 0) {
      snprintf(path, sizeof path, "%s%.*s/%s", folder, (int)(length - origin), search + origin,
               name);
      there = access(path, R_OK) == 0;
    }
    search += length + 1;
  }
  bool good = !there || add_neighbour(set, path, folder);
  free(folder);
  return good;
}

static bool gather_neighbours(InspectSet *set, size_t library)
{
  InspectWanted wanted;
  size_t needed = 0;
  for (int i = 0; i < MOST_NEIGHBOURS && inspect_set_wanted(set, &library, &needed, &wanted); ++i) {
    if (!strchr(wanted.by, '!') && !find_neighbour(set, &wanted)) return false;
  }
  return true;
}

bool inspect_input_gather(const char *path, InspectSet *set)
{
  Gathering gathering = {set, true};
  const InspectInputVisitor visitor = {&gathering, gather_image, gather_document, NULL};
  size_t before = inspect_set_count(set);
  inspect_input_visit(path, &visitor);
  return gathering.good && gather_neighbours(set, before);
}
