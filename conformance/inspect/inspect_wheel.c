// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_wheel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 6, LONGEST_PART = 64 };

static const char runtime_name[] = "apache-tvm-ffi";

// Copies what is printable, at most what there is room for.
static void copy(char *out, size_t capacity, const char *text, size_t size)
{
  size_t count = 0;
  for (size_t i = 0; i < size && count + 1 < capacity; ++i) {
    out[count++] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
  }
  out[count] = '\0';
}

// Names are the same in small and large letters, and with any of - _ and . in them.
static void copy_name(char *out, size_t capacity, const char *text, size_t size)
{
  size_t count = 0;
  for (size_t i = 0; i < size && count + 1 < capacity; ++i) {
    unsigned char c = (unsigned char)text[i];
    bool dash = c == '-' || c == '_' || c == '.';
    if (dash && count > 0 && out[count - 1] == '-') continue;
    out[count++] = dash ? '-' : isalnum(c) ? (char)tolower(c) : '?';
  }
  out[count] = '\0';
}

// --- Tags ----------------------------------------------------------------------------------------

static const struct {
  const char *name;
  uint32_t glibc;
} legacy_tags[] = {
    {"manylinux1_", ABI_VERSION(2, 5, 0)},
    {"manylinux2010_", ABI_VERSION(2, 12, 0)},
    {"manylinux2014_", ABI_VERSION(2, 17, 0)},
};

static void note_machine(InspectWheel *wheel, const char *machine)
{
  if (wheel->machine_count == INSPECT_WHEEL_MACHINES) return;
  for (size_t i = 0; i < wheel->machine_count; ++i) {
    if (strcmp(wheel->machines[i], machine) == 0) return;
  }
  copy(wheel->machines[wheel->machine_count++], sizeof wheel->machines[0], machine,
       strlen(machine));
}

// A wheel installs where any of its tags fits, so the least demanding one is what it promises.
static void note_glibc(InspectWheel *wheel, uint32_t glibc)
{
  bool first = wheel->platform != INSPECT_WHEEL_MANYLINUX;
  if (first || glibc < wheel->glibc) wheel->glibc = glibc;
  wheel->platform = INSPECT_WHEEL_MANYLINUX;
}

// Tags of macOS name one processor, or several at once.
static void note_macos(InspectWheel *wheel, const char *machine)
{
  static const struct {
    const char *tag, *machines[2];
  } several[] = {{"universal2", {"arm64", "x86_64"}}, {"intel", {"x86_64", "i386"}}};
  wheel->systems |= INSPECT_WHEEL_ON_MACOS;
  for (size_t i = 0; i < sizeof several / sizeof several[0]; ++i) {
    if (strcmp(machine, several[i].tag) != 0) continue;
    note_machine(wheel, several[i].machines[0]);
    note_machine(wheel, several[i].machines[1]);
    return;
  }
  note_machine(wheel, machine);
}

static bool note_foreign(InspectWheel *wheel, const char *tag)
{
  static const struct {
    const char *tag, *machine;
  } windows[] = {{"win_amd64", "x86_64"}, {"win_arm64", "arm64"}, {"win32", "i386"}};
  int length = 0;
  if (sscanf(tag, "macosx_%*3u_%*3u_%n", &length) == 0 && length > 0) {
    note_macos(wheel, tag + length);
    return true;
  }
  for (size_t i = 0; i < sizeof windows / sizeof windows[0]; ++i) {
    if (strcmp(tag, windows[i].tag) != 0) continue;
    wheel->systems |= INSPECT_WHEEL_ON_WINDOWS;
    note_machine(wheel, windows[i].machine);
    return true;
  }
  return false;
}

static void note_platform(InspectWheel *wheel, const char *tag)
{
  unsigned major, minor;
  int length = 0;
  if (note_foreign(wheel, tag)) return;
  if (strstr(tag, "linux")) wheel->systems |= INSPECT_WHEEL_ON_LINUX;
  for (size_t i = 0; i < sizeof legacy_tags / sizeof legacy_tags[0]; ++i) {
    size_t begin = strlen(legacy_tags[i].name);
    if (strncmp(tag, legacy_tags[i].name, begin) != 0) continue;
    note_glibc(wheel, legacy_tags[i].glibc);
    note_machine(wheel, tag + begin);
    return;
  }
  if (sscanf(tag, "manylinux_%3u_%3u_%n", &major, &minor, &length) == 2 && length > 0) {
    note_glibc(wheel, ABI_VERSION(major, minor, 0));
    note_machine(wheel, tag + length);
  } else if (sscanf(tag, "musllinux_%3u_%3u_%n", &major, &minor, &length) == 2 && length > 0) {
    if (wheel->platform == INSPECT_WHEEL_UNKNOWN) wheel->platform = INSPECT_WHEEL_MUSLLINUX;
    note_machine(wheel, tag + length);
  } else if (strncmp(tag, "linux_", 6) == 0) {
    if (wheel->platform == INSPECT_WHEEL_UNKNOWN) wheel->platform = INSPECT_WHEEL_LINUX;
    note_machine(wheel, tag + 6);
  } else if (strcmp(tag, "any") == 0 && wheel->platform == INSPECT_WHEEL_UNKNOWN) {
    wheel->platform = INSPECT_WHEEL_ANY;
  }
}

// "manylinux2014_x86_64.manylinux_2_17_x86_64"
static void note_tags(InspectWheel *wheel, const char *text, size_t size)
{
  size_t filled = strlen(wheel->tags);
  if (filled + size + 2 < sizeof wheel->tags) {
    if (filled > 0) wheel->tags[filled++] = '.';
    copy(wheel->tags + filled, sizeof wheel->tags - filled, text, size);
  }
  while (size > 0) {
    const char *dot = memchr(text, '.', size);
    size_t length = dot ? (size_t)(dot - text) : size;
    char tag[LONGEST_PART];
    copy(tag, sizeof tag, text, length);
    note_platform(wheel, tag);
    length += dot != NULL;
    text += length;
    size -= length;
  }
}

void inspect_wheel_begin(InspectWheel *wheel, const char *path)
{
  *wheel = (InspectWheel){0};
  const char *slash = strrchr(path, '/'), *exclamation = strrchr(path, '!');
  const char *name = slash > exclamation ? slash : exclamation;
  name = name ? name + 1 : path;
  size_t size = strlen(name);
  if (size < 4 || strcmp(name + size - 4, ".whl") != 0) return;
  size -= 4;
  // name-version(-build)-python-abi-platform
  const char *parts[PARTS] = {name};
  size_t count = 1;
  for (size_t i = 0; i < size && count < PARTS; ++i) {
    if (name[i] == '-') parts[count++] = name + i + 1;
  }
  if (count < 5) return;
  copy_name(wheel->name, sizeof wheel->name, name, (size_t)(parts[1] - name - 1));
  const char *platform = parts[count - 1];
  note_tags(wheel, platform, (size_t)(name + size - platform));
}

bool inspect_wheel_has_machine(const InspectWheel *wheel, const char *machine)
{
  static const struct {
    const char *tag, *machine;
  } names[] = {{"x86_64", "x86-64"}, {"i686", "i386"},  {"i386", "i386"},
               {"armv7l", "arm"},    {"armv6l", "arm"}, {"arm64", "aarch64"}};
  for (size_t i = 0; i < wheel->machine_count; ++i) {
    if (strcmp(wheel->machines[i], machine) == 0) return true;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
      if (strcmp(wheel->machines[i], names[k].tag) == 0 && strcmp(names[k].machine, machine) == 0) {
        return true;
      }
    }
  }
  return wheel->machine_count == 0;
}

uint32_t inspect_wheel_glibcxx(uint32_t glibc)
{
  // As auditwheel's policies have it.
  static const struct {
    uint32_t glibc, glibcxx;
  } policies[] = {
      {ABI_VERSION(2, 39, 0), ABI_VERSION(3, 4, 33)},
      {ABI_VERSION(2, 35, 0), ABI_VERSION(3, 4, 30)},
      {ABI_VERSION(2, 34, 0), ABI_VERSION(3, 4, 29)},
      {ABI_VERSION(2, 31, 0), ABI_VERSION(3, 4, 28)},
      {ABI_VERSION(2, 27, 0), ABI_VERSION(3, 4, 24)},
      {ABI_VERSION(2, 24, 0), ABI_VERSION(3, 4, 22)},
      {ABI_VERSION(2, 17, 0), ABI_VERSION(3, 4, 19)},
      {ABI_VERSION(2, 12, 0), ABI_VERSION(3, 4, 13)},
  };
  for (size_t i = 0; i < sizeof policies / sizeof policies[0]; ++i) {
    if (glibc >= policies[i].glibc) return policies[i].glibcxx;
  }
  return ABI_VERSION(3, 4, 8);
}

// --- METADATA and WHEEL --------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
  size_t size = strlen(text), length = strlen(end);
  return size >= length && strcmp(text + size - length, end) == 0;
}

bool inspect_wheel_wants(const char *member)
{
  static const char *const names[] = {".dist-info/METADATA", ".dist-info/WHEEL"};
  const char *slash = strchr(member, '/');
  if (!slash || strchr(slash + 1, '/')) return false;
  return ends_with(member, names[0]) || ends_with(member, names[1]);
}

// ">= 0.1.5" of a line; moves `*text` behind it. False: it is not understood.
static bool read_condition(const char **text, InspectWheelCondition *condition)
{
  const char *at = *text + strspn(*text, " ");
  size_t length = strspn(at, "<>=!~");
  if (length == 0 || length > 3) return false;
  copy(condition->operator, sizeof condition->operator, at, length);
  at += length;
  at += strspn(at, " ");
  length = strcspn(at, " ,)");
  if (length == 0 || length >= sizeof condition->version) return false;
  copy(condition->version, sizeof condition->version, at, length);
  at += length;
  *text = at + strspn(at, " )");
  return true;
}

// "apache-tvm-ffi (>=0.1.5,<0.2) ; python_version > '3.8'". What is asked for by extras is not
// what installing the wheel brings.
static void note_requirement(InspectWheel *wheel, const char *line, size_t size)
{
  char text[sizeof wheel->requirement], name[sizeof wheel->name];
  while (size > 0 && *line == ' ') ++line, --size;
  copy(text, sizeof text, line, size);
  size_t length = strcspn(text, " ()[]<>=!~;,");
  copy_name(name, sizeof name, text, length);
  char *marker = strchr(text, ';');
  if (strcmp(name, runtime_name) != 0) return;
  if (marker && strstr(marker, "extra")) return;
  if (marker) *marker = '\0';
  wheel->required = true;
  const char *at = text + length;
  if (*at == '[') at += strcspn(at, "]") + (strchr(at, ']') != NULL);
  at += strspn(at, " (");
  size_t filled = strlen(wheel->requirement), bounds = strcspn(at, ")");
  while (bounds > 0 && at[bounds - 1] == ' ') --bounds;
  if (filled > 0 && filled + 1 < sizeof wheel->requirement) wheel->requirement[filled++] = ',';
  copy(wheel->requirement + filled, sizeof wheel->requirement - filled, at, bounds);
  while (*at && wheel->condition_count < INSPECT_WHEEL_CONDITIONS) {
    if (!read_condition(&at, &wheel->conditions[wheel->condition_count])) return;
    ++wheel->condition_count;
    if (*at == ',') ++at;
  }
}

static void note_line(InspectWheel *wheel, bool description, bool tagged, const char *line,
                      size_t size)
{
  static const char requires[] = "Requires-Dist:", name[] = "Name:", tag[] = "Tag:";
  if (description && size > sizeof requires && strncmp(line, requires, sizeof requires - 1) == 0) {
    note_requirement(wheel, line + sizeof requires - 1, size - (sizeof requires - 1));
  } else if (description && size > sizeof name && strncmp(line, name, sizeof name - 1) == 0) {
    const char *at = line + sizeof name - 1, *end = line + size;
    while (at < end && *at == ' ') ++at;
    if (wheel->name[0] == '\0') copy_name(wheel->name, sizeof wheel->name, at, (size_t)(end - at));
  } else if (!description && !tagged && size > sizeof tag &&
             strncmp(line, tag, sizeof tag - 1) == 0) {
    const char *end = line + size, *platform = end;
    while (platform > line && platform[-1] != '-' && platform[-1] != ' ') --platform;
    note_tags(wheel, platform, (size_t)(end - platform));
  }
}

void inspect_wheel_read(InspectWheel *wheel, const char *member, const unsigned char *bytes,
                        uint64_t size)
{
  bool description = ends_with(member, "/METADATA"), tagged = wheel->tags[0] != '\0';
  const char *at = (const char *)bytes, *end = at + size;
  wheel->descriptions += description;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
    if (length > 0 && at[length - 1] == '\r') --length;
    if (length == 0) return;  // what follows is text for people
    note_line(wheel, description, tagged, at, length);
    if (!newline) return;
    at = newline + 1;
  }
}

// --- Versions of the package index ---------------------------------------------------------------

// A version as numbers that compare as the index orders them: the release, then what stands behind
// it.
typedef struct Version {
  unsigned release[LONGEST_PART / 2], count;
  int stage;  // dev -4, a -3, b -2, rc -1, none 0, post 1
  unsigned number;
  bool wild;  // "0.1.*"
} Version;

static bool read_version(const char *text, Version *version)
{
  static const struct {
    const char *name;
    int stage;
  } stages[] = {{".dev", -4}, {"a", -3}, {"b", -2}, {"rc", -1}, {".post", 1}};
  *version = (Version){0};
  for (;;) {
    if (!isdigit((unsigned char)*text)) return false;
    if (version->count == LONGEST_PART / 2) return false;
    version->release[version->count++] = (unsigned)strtoul(text, (char **)&text, 10);
    if (text[0] != '.' || !isdigit((unsigned char)text[1])) break;
    ++text;
  }
  if (strcmp(text, ".*") == 0) return version->wild = true;
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; ++i) {
    size_t length = strlen(stages[i].name);
    if (strncmp(text, stages[i].name, length) != 0) continue;
    version->stage = stages[i].stage;
    version->number = (unsigned)strtoul(text + length, (char **)&text, 10);
    break;
  }
  return *text == '\0' || *text == '+';
}

static unsigned part(const Version *version, unsigned index)
{
  return index < version->count ? version->release[index] : 0;
}

// Of the first `count` numbers of the release; less, equal or greater than 0.
static int compare_release(const Version *one, const Version *other, unsigned count)
{
  for (unsigned i = 0; i < count; ++i) {
    if (part(one, i) != part(other, i)) return part(one, i) < part(other, i) ? -1 : 1;
  }
  return 0;
}

static int compare(const Version *one, const Version *other)
{
  int order = compare_release(one, other, LONGEST_PART / 2);
  if (order != 0) return order;
  if (one->stage != other->stage) return one->stage < other->stage ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

// ">0.1.9" does not accept 0.1.9.post1, and "<0.1.9" not 0.1.9rc0.
static bool satisfies(const Version *version, const char *operator, const Version * bound)
{
  int order = compare(version, bound);
  bool same_release = compare_release(version, bound, LONGEST_PART / 2) == 0;
  bool matches = bound->wild ? compare_release(version, bound, bound->count) == 0 : order == 0;
  if (strcmp(operator, "==") == 0 || strcmp(operator, "===") == 0) return matches;
  if (strcmp(operator, "!=") == 0) return !matches;
  if (strcmp(operator, ">=") == 0) return order >= 0;
  if (strcmp(operator, "<=") == 0) return order <= 0;
  if (strcmp(operator, ">") == 0) {
    return order > 0 && !(same_release && version->stage > 0 && bound->stage <= 0);
  }
  if (strcmp(operator, "<") == 0) {
    return order < 0 && !(same_release && version->stage < 0 && bound->stage >= 0);
  }
  if (strcmp(operator, "~=") == 0) {
    return order >= 0 && bound->count > 1 && compare_release(version, bound, bound->count - 1) == 0;
  }
  return true;  // not understood: nothing is said
}

bool inspect_wheel_accepts(const InspectWheel *wheel, const AbiRelease *release)
{
  Version version, bound;
  if (!wheel->required || !read_version(release->version, &version)) return false;
  bool named = false;
  for (size_t i = 0; i < wheel->condition_count; ++i) {
    if (!read_version(wheel->conditions[i].version, &bound)) continue;
    if (!satisfies(&version, wheel->conditions[i].operator, & bound)) return false;
    named |= wheel->conditions[i].operator[0] == '=' && !bound.wild;
  }
  return named || !(release->candidate || release->yanked);
}
