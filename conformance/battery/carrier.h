// SPDX-License-Identifier: Apache-2.0
// Libraries that a case has the runtime load. Into the mapping of one of them, the carrier, a case
// writes what the runtime is to find. They are built from ../libraries into the folder `libraries`
// beside the worker.
//
// The carrier is opened here before the runtime opens it. Both then have the same mapping, so that
// a symbol which is moved here, in the mapped symbol table, is where the runtime looks for it: a
// payload can end at an unmapped page, and nothing is written to a file. For the main thread of a
// case; a step that fails ends it as inconclusive.
#ifndef TVMFFI_CONFORMANCE_BATTERY_CARRIER_H_
#define TVMFFI_CONFORMANCE_BATTERY_CARRIER_H_

#include <stdbool.h>
#include <stddef.h>

// The path of a file in the folder of libraries: "node_3.so". Borrowed, static lifetime; it need
// not exist.
const char *library_path_of(const char *file);

// Whether a library of that folder is mapped into this process.
bool library_is_mapped(const char *file);

// Expects that a library of that folder is no longer mapped. Where the C library never unmaps any,
// as musl, the case is not applicable from here on: this comes last.
void expect_unmapped(const char *file);

typedef struct Carrier {
  const char *path;
  void *handle;         // ours; NULL once closed
  void *payload_entry;  // of __tvm_ffi__library_bin in the symbol table
} Carrier;

// Opens the carrier. `payload` is where carrier_place puts it; NULL: the carrier has no such
// symbol.
Carrier carrier_open(const void *payload, size_t size);

// From here on __tvm_ffi__library_bin points to a copy of `payload`, whose last byte is the last
// before an unmapped page. May be called again and again.
void carrier_place(const Carrier *carrier, const void *payload, size_t size);

// From here on the carrier has no such symbol. Once for each symbol.
void carrier_hide(const Carrier *carrier, const char *symbol);

// The address of a symbol that the carrier has.
void *carrier_symbol(const Carrier *carrier, const char *symbol);

// Opens it again after it was closed, as it is in its file: symbols are back in their places.
void carrier_open_again(Carrier *carrier);

// Releases our handle: the carrier stays mapped only as long as somebody else holds it.
void carrier_close(Carrier *carrier);

#endif  // TVMFFI_CONFORMANCE_BATTERY_CARRIER_H_
