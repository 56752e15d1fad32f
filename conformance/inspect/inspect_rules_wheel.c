// SPDX-License-Identifier: Apache-2.0
// Rules about a library and the wheel that it lies in: tags, dependencies, a second runtime.
#include <stdio.h>
#include <string.h>

#include "inspect/inspect_rules.h"

static const ElfText no_symbol = {"", 0};

static void add_machine(const InspectCase *file, const InspectWheel *wheel, const char *what,
                        const char *more)
{
  inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_MACHINE, no_symbol,
                       "the library is for %s%s, the tag is %s", what, more, wheel->tags);
}

static bool is_for_system(const InspectCase *file, const InspectWheel *wheel)
{
  static const struct {
    unsigned system;
    const char *name;
  } systems[] = {[INSPECT_FORMAT_ELF] = {INSPECT_WHEEL_ON_LINUX, "Linux"},
                 [INSPECT_FORMAT_MACHO] = {INSPECT_WHEEL_ON_MACOS, "macOS"},
                 [INSPECT_FORMAT_PE] = {INSPECT_WHEEL_ON_WINDOWS, "Windows"}};
  const InspectFormat format = file->facts->format;
  if (wheel->systems == 0 || wheel->systems & systems[format].system) return true;
  add_machine(file, wheel, systems[format].name, "");
  return false;
}

// A universal file has the machines of its other parts, too; each part is a file here.
static bool has_other_part(const InspectCase *file, const InspectWheel *wheel)
{
  static const char *const machines[] = {"arm64", "x86-64"};
  for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
    if (!inspect_wheel_has_machine(wheel, machines[i])) continue;
    if (inspect_set_has_machine(file->place, machines[i])) return true;
  }
  return false;
}

// A tag for several machines promises each of them.
static void check_universal(const InspectCase *file, const InspectWheel *wheel)
{
  static const char *const machines[] = {"arm64", "x86-64"};
  if (wheel->systems != INSPECT_WHEEL_ON_MACOS || !strstr(wheel->tags, "universal2")) return;
  for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
    if (inspect_set_has_machine(file->place, machines[i])) continue;
    add_machine(file, wheel, file->facts->machine, " alone");
    return;
  }
}

static void check_machine(const InspectCase *file, const InspectWheel *wheel)
{
  const char *machine = file->facts->machine;
  if (wheel->platform == INSPECT_WHEEL_ANY) {
    inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_ANY, no_symbol,
                         "the library is for %s", machine);
    return;
  }
  if (!is_for_system(file, wheel)) return;
  if (file->facts->format == INSPECT_FORMAT_MACHO) check_universal(file, wheel);
  // Those of Windows' arm64ec and arm64x have code for both of its machines.
  if (file->facts->format == INSPECT_FORMAT_PE && strncmp(machine, "arm64", 5) == 0) return;
  if (inspect_wheel_has_machine(wheel, machine)) return;
  if (file->facts->format == INSPECT_FORMAT_MACHO && has_other_part(file, wheel)) return;
  add_machine(file, wheel, machine, "");
}

// Names of versions are of glibc wherever they appear; musl has none.
static void check_glibc(const InspectCase *file, const InspectWheel *wheel)
{
  char needs[16], promises[16];
  uint32_t glibc = file->facts->floors.glibc;
  bool musl = wheel->platform == INSPECT_WHEEL_MUSLLINUX;
  bool above = wheel->platform == INSPECT_WHEEL_MANYLINUX && glibc > wheel->glibc;
  if (glibc == 0 || !(musl || above)) return;
  abi_version_text(glibc, needs);
  if (musl) {
    inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_GLIBC, no_symbol,
                         "it needs GLIBC %s, the tag %s is for musl", needs, wheel->tags);
    return;
  }
  inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_GLIBC, no_symbol,
                       "it needs GLIBC %s, the tag %s promises %s", needs, wheel->tags,
                       abi_version_text(wheel->glibc, promises));
}

// A C++ library that the wheel brings along is as new as it has to be.
static bool brings_cxx_library(const InspectCase *file)
{
  static const char name[] = "_ZTVN10__cxxabiv117__class_type_infoE";
  return inspect_set_provider(file->links, (ElfText){name, sizeof name - 1}, true) != NULL;
}

static void check_glibcxx(const InspectCase *file, const InspectWheel *wheel)
{
  char needs[16], promises[16];
  uint32_t most = inspect_wheel_glibcxx(wheel->glibc), glibcxx = file->facts->floors.glibcxx;
  if (wheel->platform != INSPECT_WHEEL_MANYLINUX || glibcxx <= most) return;
  if (brings_cxx_library(file)) return;
  inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_GLIBC, no_symbol,
                       "it needs GLIBCXX %s, the tag %s promises %s",
                       abi_version_text(glibcxx, needs), wheel->tags,
                       abi_version_text(most, promises));
}

// --- The runtime ---------------------------------------------------------------------------------

static bool is_runtime_project(const InspectWheel *wheel)
{
  return strcmp(wheel->name, "apache-tvm-ffi") == 0;
}

static void check_floor(const InspectCase *file, const InspectWheel *wheel)
{
  const AbiRelease *worst = NULL;
  size_t count = 0;
  for (size_t i = 0; i < abi_release_count(); ++i) {
    const AbiRelease *release = abi_release(i);
    if (!inspect_wheel_accepts(wheel, release)) continue;
    if (inspect_api_lacking(file->api, release) == 0) continue;
    if (!worst) worst = release;
    ++count;
  }
  if (!worst) return;
  char more[40] = "";
  if (count > 1) snprintf(more, sizeof more, " and %zu more", count - 1);
  inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_FLOOR, no_symbol,
                       "Requires-Dist: apache-tvm-ffi%s accepts %s%s; %s is the oldest that has "
                       "the functions",
                       wheel->requirement, worst->version, more,
                       file->api->oldest ? file->api->oldest->version : "no release");
}

static void check_requirement(const InspectCase *file, const InspectWheel *wheel)
{
  if (is_runtime_project(wheel)) return;
  if (file->facts->profile == INSPECT_PROFILE_RUNTIME) {
    char requires[200] = "";
    if (wheel->required) {
      snprintf(requires, sizeof requires, ", and requires apache-tvm-ffi%s", wheel->requirement);
    }
    inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_RUNTIME, no_symbol,
                         "%u functions of the C API%s", file->api->export_count, requires);
    return;
  }
  if (file->api->linking == INSPECT_LINKING_NONE || wheel->descriptions != 1) return;
  if (wheel->required) {
    check_floor(file, wheel);
  } else if (file->api->needs_libtvm_ffi && !file->links->runtime) {
    inspect_findings_add(file->findings, INSPECT_FINDING_WHEEL_UNREQUIRED, no_symbol, "%s", "");
  }
}

void inspect_rules_wheel(const InspectCase *file)
{
  if (!file->place || file->facts->kind != INSPECT_KIND_SHARED) return;
  const InspectWheel *wheel = inspect_set_find_wheel(file->place->set, file->place->package);
  // A folder with the descriptions of several is none of them.
  if (!wheel || wheel->descriptions > 1 || (wheel->descriptions == 0 && !wheel->tags[0])) return;
  // Wheels bring libraries of other machines along for debuggers and devices.
  bool known = inspect_rules_is_known(file->facts, file->api);
  if (known) check_machine(file, wheel);
  if (inspect_wheel_has_machine(wheel, file->facts->machine)) {
    check_glibc(file, wheel);
    check_glibcxx(file, wheel);
  }
  if (known) check_requirement(file, wheel);
}
