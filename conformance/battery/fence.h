// SPDX-License-Identifier: Apache-2.0
// Guard pages: buffers for the library under test that end at an unmapped page and begin after one.
// A read or write of one byte too many is a fault that the report names, on any binary and without
// a sanitizer. Memory that the library may only read is read-only. A buffer lives until the process
// of the case ends.
#ifndef TVMFFI_CONFORMANCE_BATTERY_FENCE_H_
#define TVMFFI_CONFORMANCE_BATTERY_FENCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"

// A read-only copy of `size` bytes whose last byte is the last before an unmapped page. `name`
// (borrowed) names the buffer in reports: "args". Size 0 gives a pointer to the
// unmapped page itself: nothing may be read. Ends the case as inconclusive if memory runs out.
const void *fenced_copy(const char *name, const void *bytes, size_t size);

// The same, but the first byte is the first after an unmapped page: a read before the start is a
// fault.
const void *fenced_front_copy(const char *name, const void *bytes, size_t size);

// A writable buffer that ends at an unmapped page, filled with the byte 0xA5.
void *fenced_buffer(const char *name, size_t size);

// `size` bytes of address space that stand for memory of a device: any access by the host is a
// fault, described as one. `name` is borrowed.
void *fenced_device_memory(const char *name, size_t size);

// Has `size` bytes at an address that somebody else has made inaccessible be known by a name, as
// memory of a device.
void fence_name_device(const char *name, void *address, size_t size);

// Makes a buffer from fenced_buffer read-only from here on.
void fence_lock(void *buffer);
// Makes it writable again.
void fence_unlock(void *buffer);

// Takes the pages of memory away, fenced or not, as a caller does who frees it: any access is a fault from here on, and
// described as one to the buffer from fenced_buffer or fenced_copy that `memory` is, if it is one. Nothing happens for
// NULL and for 0 bytes.
void fence_take_away(void *memory, size_t size);

// Whether a case that goes on making them will soon have more than are registered: it ends before,
// since what is not registered is not known when it is hit.
bool fences_are_scarce(void);
// How many there are.
unsigned fences_made(void);
// Gives back all but the first `made`: nobody may have one of them, in another thread neither. Their addresses stay out of use, so
// that an access is a fault.
void fences_give_back(unsigned made);

// A C string whose NUL is the last byte before an unmapped page.
const char *fenced_string(const char *text);

// A byte array that is itself fenced, over a fenced copy of `size` bytes without a NUL after them.
const TVMFFIByteArray *fenced_bytes(const void *bytes, size_t size);

// `count` values as a read-only args array that ends at an unmapped page. Returned writable in type
// only, as the signature of FunctionCall asks for it.
TVMFFIAny *fenced_args(const TVMFFIAny *values, size_t count);

// A result slot that ends at an unmapped page: None, with garbage in its unused bytes.
TVMFFIAny *fenced_result(void);

typedef struct FenceFacts {
  const char *name;
  const void *buffer;
  size_t size;
  bool read_only, device;
} FenceFacts;

// Finds the guarded buffer that `address` points into or right after. False if there is none.
bool fence_find(const void *address, FenceFacts *facts);

// Describes a faulting address by the fence it belongs to: "1 byte past the end of `args` (32
// bytes)". False if it is in none. Async-signal-safe.
bool fence_describe(uintptr_t address, char *out, size_t capacity);

#endif  // TVMFFI_CONFORMANCE_BATTERY_FENCE_H_
