// SPDX-License-Identifier: Apache-2.0
// What a wheel says of itself: its name, the platforms of its tags, and which releases of the
// runtime it asks for. Names and texts are untrusted; what is kept of them is printable ASCII.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_WHEEL_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_WHEEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/releases.h"

enum { INSPECT_WHEEL_MACHINES = 8, INSPECT_WHEEL_CONDITIONS = 16 };

typedef enum InspectWheelPlatform {
  INSPECT_WHEEL_UNKNOWN = 0,  // no tag, or those of other systems
  INSPECT_WHEEL_ANY,
  INSPECT_WHEEL_LINUX,  // promises no C library
  INSPECT_WHEEL_MANYLINUX,
  INSPECT_WHEEL_MUSLLINUX,
} InspectWheelPlatform;

// ">=0.1.5" of "apache-tvm-ffi>=0.1.5,<0.2".
typedef struct InspectWheelCondition {
  char operator[4];
  char version[32];
} InspectWheelCondition;

// Systems that tags name; more than one where a wheel is for several.
enum { INSPECT_WHEEL_ON_LINUX = 1, INSPECT_WHEEL_ON_MACOS = 2, INSPECT_WHEEL_ON_WINDOWS = 4 };

typedef struct InspectWheel {
  char name[64];   // of the distribution, normalized ("apache-tvm-ffi"); "": not known
  char tags[160];  // of platforms, as they are written; "": not known
  InspectWheelPlatform platform;
  unsigned systems;                           // 0: none is named, or one that is not known
  uint32_t glibc;                             // the oldest that a tag allows, of manylinux tags
  char machines[INSPECT_WHEEL_MACHINES][16];  // as in tags: "x86_64"
  size_t machine_count;
  char requirement[160];  // what the lines on apache-tvm-ffi say of versions; "": nothing
  bool required;          // there is such a line
  InspectWheelCondition conditions[INSPECT_WHEEL_CONDITIONS];
  size_t condition_count;
  unsigned descriptions;  // files METADATA that were read; a wheel has one
} InspectWheel;

// Reads the name and the tags from the file name of a wheel. Other files: all is unknown.
void inspect_wheel_begin(InspectWheel *wheel, const char *path);

// Whether a member's path is that of a file that describes a wheel: NAME.dist-info/METADATA or
// WHEEL, at the top.
bool inspect_wheel_wants(const char *member);

// Reads such a file. Tags of the file WHEEL count where the file name had none.
void inspect_wheel_read(InspectWheel *wheel, const char *member, const unsigned char *bytes,
                        uint64_t size);

// Whether the wheel asks for the runtime, and this release is one that it accepts. An installer
// brings no candidate and no withdrawn release unless it is asked for by name.
bool inspect_wheel_accepts(const InspectWheel *wheel, const AbiRelease *release);

// Whether a tag is for this machine, as InspectFacts names it. True where no tag tells.
bool inspect_wheel_has_machine(const InspectWheel *wheel, const char *machine);

// The highest GLIBCXX that manylinux of this glibc has, as ABI_VERSION.
uint32_t inspect_wheel_glibcxx(uint32_t glibc);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_WHEEL_H_
