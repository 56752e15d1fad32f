// SPDX-License-Identifier: Apache-2.0
// Which devices embedded code is for: containers of the CUDA tools (fatbins), and ELF files for
// devices.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_

#include "inspect/elffile.h"

enum { INSPECT_DEVICE_TARGETS = 64 };

// Code for one kind of device: "sm_90a", or as PTX, which a driver compiles for newer devices, too,
// "compute_90".
typedef struct InspectTarget {
  uint32_t number;  // 90
  char suffix;      // 'a': for this device only; 'f': for its family; '\0'
  bool ptx;
  size_t count;
} InspectTarget;

typedef struct InspectDevices {
  InspectTarget targets[INSPECT_DEVICE_TARGETS];  // by kind, then number; code before PTX
  size_t count;
  bool unread;  // some of it is of no known form
} InspectDevices;

// Notes what `size` bytes at `offset` are for: any number of containers. They lie within the file.
void inspect_device_note(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                         uint64_t size);

// The same for one container or one ELF file that begins at `offset`, with any bytes behind it.
void inspect_device_note_one(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                             uint64_t size);

const char *inspect_device_name(const InspectTarget *target, char text[24]);  // "sm_90a"

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_
