// SPDX-License-Identifier: Apache-2.0
// Which devices embedded code is for: containers of the CUDA tools (fatbins), those of Clang, which
// HIP uses (bundles), and ELF files for devices.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_

#include "inspect/elffile.h"

enum { INSPECT_DEVICE_TARGETS = 64, INSPECT_DEVICE_NAME = 64 };

// Code for one kind of device: "sm_90a", or as PTX, which a driver compiles for newer devices, too,
// "compute_90". Of AMD "gfx90a:xnack-", or for all of them "amdgcnspirv".
typedef struct InspectTarget {
  char name[INSPECT_DEVICE_NAME];  // of AMD; "": of NVIDIA, and what follows tells
  uint32_t number;                 // 90
  char suffix;                     // 'a': for this device only; 'f': for its family; '\0'
  bool ptx;
  size_t count;
} InspectTarget;

typedef struct InspectDevices {
  InspectTarget targets[INSPECT_DEVICE_TARGETS];  // AMD's by name, then code and PTX by number
  size_t count;
  bool unread;      // some of it is of no known form
  bool compressed;  // some of it is, for devices that its header does not name
} InspectDevices;

// Notes what `size` bytes at `offset` are for: any number of containers. They lie within the file.
void inspect_device_note(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                         uint64_t size);

// The same for one container or one ELF file that begins at `offset`, with any bytes behind it.
void inspect_device_note_one(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                             uint64_t size);

// "sm_90a"
const char *inspect_device_name(const InspectTarget *target, char text[INSPECT_DEVICE_NAME]);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_DEVICE_H_
