// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A fatbin: a header, then entries with a header each. Found with the CUDA tools of version 13.5:
// cuobjdump names the same targets.
#define FATBIN_MAGIC UINT64_C(0xba55ed50)
enum {
  FATBIN_HEADER = 16,
  ENTRY_HEADER = 64,
  ENTRY_PTX = 1,
  ENTRY_CODE = 2,
  FLAG_THIS_DEVICE = 1 << 20,
  FLAG_FAMILY = 1 << 21,
  MOST_ENTRIES = 1 << 20,
  NEWER_CUBIN = 8,  // the ABI version since which e_flags have the target elsewhere
};

static int compare(const InspectTarget *one, const InspectTarget *other)
{
  if (one->ptx != other->ptx) return one->ptx ? 1 : -1;
  if (one->number != other->number) return one->number < other->number ? -1 : 1;
  return one->suffix - other->suffix;
}

static void add(InspectDevices *devices, InspectTarget target)
{
  size_t at = 0;
  while (at < devices->count && compare(&devices->targets[at], &target) < 0) ++at;
  if (at < devices->count && compare(&devices->targets[at], &target) == 0) {
    ++devices->targets[at].count;
    return;
  }
  if (devices->count == INSPECT_DEVICE_TARGETS) {
    devices->unread = true;
    return;
  }
  memmove(&devices->targets[at + 1], &devices->targets[at],
          (devices->count - at) * sizeof devices->targets[0]);
  target.count = 1;
  devices->targets[at] = target;
  ++devices->count;
}

// Entries up to `end`. False: one of them is not sound.
static bool note_entries(InspectDevices *devices, const ElfFile *file, uint64_t at, uint64_t end,
                         size_t *budget)
{
  while (end - at >= ENTRY_HEADER && *budget > 1) {
    --*budget;
    uint64_t kind = elffile_number(file, at, 4) & 0xffff;
    uint64_t header = elffile_number(file, at + 4, 4), size = elffile_number(file, at + 8, 8);
    uint64_t flags = elffile_number(file, at + 40, 8);
    if (header < ENTRY_HEADER || header > end - at || size > end - at - header) return false;
    InspectTarget target = {.number = (uint32_t)elffile_number(file, at + 28, 4),
                            .suffix = flags & FLAG_THIS_DEVICE ? 'a'
                                      : flags & FLAG_FAMILY    ? 'f'
                                                               : '\0',
                            .ptx = kind == ENTRY_PTX};
    if (kind == ENTRY_PTX || kind == ENTRY_CODE) {
      add(devices, target);
    } else {
      devices->unread = true;
    }
    at += header + size;
  }
  return true;
}

// An ELF file for a device of NVIDIA.
static bool note_cubin(InspectDevices *devices, const ElfFile *file, uint64_t offset, uint64_t size)
{
  const unsigned char *bytes = file->bytes + offset;
  if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
      (elffile_number(file, offset + 16, 4) >> 16) != EM_CUDA) {
    return false;
  }
  uint64_t flags = elffile_number(file, offset + 48, 4);
  bool newer = bytes[EI_ABIVERSION] >= NEWER_CUBIN;
  add(devices, (InspectTarget){.number = (newer ? flags >> 8 : flags) & 0xff});
  return true;
}

// One container. Where it ends; 0: it is not sound.
static uint64_t note_container(InspectDevices *devices, const ElfFile *file, uint64_t at,
                               uint64_t end, size_t *budget)
{
  if (end - at < FATBIN_HEADER || elffile_number(file, at, 4) != FATBIN_MAGIC) return 0;
  uint64_t header = elffile_number(file, at + 4, 4) >> 16, length = elffile_number(file, at + 8, 8);
  if (header < FATBIN_HEADER || header > end - at || length > end - at - header) return 0;
  uint64_t behind = at + header + length;
  return note_entries(devices, file, at + header, behind, budget) ? behind : 0;
}

void inspect_device_note(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                         uint64_t size)
{
  uint64_t at = offset, end = offset + size;
  size_t budget = MOST_ENTRIES;
  while (end - at >= 8 && budget-- > 0) {
    bool between = elffile_number(file, at, 8) == 0;
    at = between ? at + 8 : note_container(devices, file, at, end, &budget);
    if (at == 0) break;
  }
  if (at == 0 || end - at >= 8) devices->unread = true;
}

void inspect_device_note_one(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                             uint64_t size)
{
  size_t budget = MOST_ENTRIES;
  if (note_cubin(devices, file, offset, size)) return;
  if (!note_container(devices, file, offset, offset + size, &budget)) devices->unread = true;
}

const char *inspect_device_name(const InspectTarget *target, char text[24])
{
  snprintf(text, 24, "%s_%" PRIu32 "%.1s", target->ptx ? "compute" : "sm", target->number,
           target->suffix ? &target->suffix : "");
  return text;
}
