// SPDX-License-Identifier: Apache-2.0
// The files that are inspected together: what each library among them exports, so that what another
// one needs can be found there, and what the wheels among them say of themselves.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_SET_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_SET_H_

#include "inspect/inspect_facts.h"
#include "inspect/inspect_wheel.h"

enum {
  INSPECT_SET_LIBRARIES = 1 << 12,  // so many wheels, too; others stand alone
  INSPECT_SET_SYMBOLS = 1 << 22,    // of all libraries; what comes after is not known
  INSPECT_SET_LINKED = 1 << 10,     // libraries that one leads to
};

typedef struct InspectSet InspectSet;

// Where a file stands; NULL in place of it: alone.
typedef struct InspectPlace {
  const InspectSet *set;  // borrow
  const char *package;    // borrow; the wheel, archive or folder that it lies in
  const char *path;       // borrow; its own, as inspect_set_add has it
} InspectPlace;

// A library of the set.
typedef struct InspectSibling InspectSibling;

// What the libraries that a file needs lead to, directly and through libraries of the set.
typedef struct InspectLinks {
  const InspectSibling *siblings[INSPECT_SET_LINKED];  // borrow
  size_t count;
  ElfText unknown;      // a library that is needed and not known here; size 0: none
  const char *runtime;  // borrow; the file name of a sibling that is a runtime, or NULL
} InspectLinks;

// Own, by inspect_set_free; NULL if memory is out.
InspectSet *inspect_set_new(void);
void inspect_set_free(InspectSet *set);

// Adds the file in `bytes` if it is a shared library that can be read; others are passed over.
// `path` is its own, `package` where it lies. `bytes` may be written to. False if memory is out.
bool inspect_set_add(InspectSet *set, const char *package, const char *path, unsigned char *bytes,
                     uint64_t size);

size_t inspect_set_count(const InspectSet *set);  // of libraries

// The wheel that this package is; added where there is none yet. Lives as long as the set, until
// the next call. NULL if there is no room for it.
InspectWheel *inspect_set_wheel(InspectSet *set, const char *package);

// The same, only looked up: NULL where the package is no wheel.
const InspectWheel *inspect_set_find_wheel(const InspectSet *set, const char *package);

// A library that one of the set needs and none of them is, and where the loader may look for it.
typedef struct InspectWanted {
  const char *name;    // borrowed, as are these, until something is added; with no folder
  const char *by;      // the path of the library that needs it
  const char *search;  // its RUNPATH or RPATH, or the folders of a Mach-O file
  size_t search_size;
} InspectWanted;

// The next one. `*library` and `*needed` are 0 at first. False: there are no more.
bool inspect_set_wanted(const InspectSet *set, size_t *library, size_t *needed,
                        InspectWanted *wanted);

// Follows what the file needs. `known` says of a name which library of the system it is; those are not followed.
void inspect_set_follow(const InspectPlace *place, const InspectFacts *facts,
                        bool (*known)(const InspectFacts *facts, ElfText library),
                        InspectLinks *links);

// The library of the place that a name in `facts->needed` is, or NULL.
const InspectSibling *inspect_set_sibling(const InspectPlace *place, const InspectFacts *facts,
                                          ElfText needed);

const char *inspect_set_path(const InspectSibling *library);
bool inspect_set_is_runtime(const InspectSibling *library);

// Whether it lies in the package of the place, and is known not to export a symbol.
bool inspect_set_lacks(const InspectPlace *place, const InspectSibling *library, ElfText symbol);

// Whether the package has this library for another machine as well, as a part of the same universal
// file or in a file of its name.
bool inspect_set_has_machine(const InspectPlace *place, const char *machine);

// Which of the libraries exports a symbol, or NULL; `runtimes`: those that are runtimes count.
const InspectSibling *inspect_set_provider(const InspectLinks *links, ElfText symbol,
                                           bool runtimes);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_SET_H_
