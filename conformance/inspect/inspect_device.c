// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_device.h"

#include <ctype.h>
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

// A bundle: its magic, the number of entries, and of each where it begins, its size and its name,
// as in "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-". LLVM's manual of clang-offload-bundler has it.
static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum {
  BUNDLE_MAGIC = sizeof bundle_magic - 1,
  BUNDLE_HEADER = BUNDLE_MAGIC + 8,
  BUNDLE_ENTRY = 24,
  BUNDLE_NAME = 256,
};

// A compressed bundle: its magic, a version and a method of two bytes each; since version 2 its size
// with the header, as 32 bits, since version 3 as 64. The source of LLVM's OffloadBundler has it.
#define COMPRESSED_MAGIC UINT64_C(0x424f4343)  // "CCOB"
enum { COMPRESSED_HEADER = 24 };

static int compare(const InspectTarget *one, const InspectTarget *other)
{
  bool amd = one->name[0] != '\0', too = other->name[0] != '\0';
  if (amd || too) return amd && too ? strverscmp(one->name, other->name) : too - amd;
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

// --- Bundles -------------------------------------------------------------------------------------

// Copies what names the device; the host's entry, which is empty, names none.
static bool copy_device(const char *name, size_t size, char out[INSPECT_DEVICE_NAME])
{
  static const char *const begins[] = {"gfx", "amdgcnspirv"};
  for (size_t i = 0; i < sizeof begins / sizeof begins[0]; ++i) {
    const char *at = memmem(name, size, begins[i], strlen(begins[i]));
    size_t length = at ? (size_t)(name + size - at) : 0;
    if (length == 0 || length >= INSPECT_DEVICE_NAME) continue;
    for (size_t k = 0; k < length; ++k) {
      out[k] = isalnum((unsigned char)at[k]) || strchr(":+-", at[k]) ? at[k] : '?';
    }
    out[length] = '\0';
    return true;
  }
  return false;
}

// Notes the entry at `*at` and moves that behind it; `*last` is the end of all code so far. False:
// it is not sound.
static bool note_entry(InspectDevices *devices, const ElfFile *file, uint64_t bundle, uint64_t end,
                       uint64_t *at, uint64_t *last)
{
  if (end - *at < BUNDLE_ENTRY) return false;
  uint64_t begin = elffile_number(file, *at, 8), size = elffile_number(file, *at + 8, 8);
  uint64_t length = elffile_number(file, *at + 16, 8);
  *at += BUNDLE_ENTRY;
  if (length > BUNDLE_NAME || length > end - *at) return false;
  if (begin > end - bundle || size > end - bundle - begin) return false;
  InspectTarget target = {.number = 0};
  const char *name = (const char *)file->bytes + *at;
  if (copy_device(name, (size_t)length, target.name)) {
    target.ptx = strncmp(target.name, "gfx", 3) != 0;
    add(devices, target);
  } else if (size > 0 && !memmem(name, (size_t)length, "host", 4)) {
    devices->unread = true;
  }
  *at += length;
  if (bundle + begin + size > *last) *last = bundle + begin + size;
  return true;
}

static bool is_bundle(const ElfFile *file, uint64_t at, uint64_t end)
{
  return end - at >= BUNDLE_HEADER && memcmp(file->bytes + at, bundle_magic, BUNDLE_MAGIC) == 0;
}

// Where it ends; 0: it is not sound.
static uint64_t note_bundle(InspectDevices *devices, const ElfFile *file, uint64_t bundle,
                            uint64_t end, size_t *budget)
{
  uint64_t count = elffile_number(file, bundle + BUNDLE_MAGIC, 8), at = bundle + BUNDLE_HEADER;
  uint64_t last = at;
  for (; count > 0 && *budget > 1; --count, --*budget) {
    if (!note_entry(devices, file, bundle, end, &at, &last)) return 0;
  }
  return at > last ? at : last;
}

// Where a compressed one ends; 0: it is not sound. The first version has no size: the rest is of it.
static uint64_t note_compressed(InspectDevices *devices, const ElfFile *file, uint64_t at,
                                uint64_t end)
{
  if (end - at < COMPRESSED_HEADER) return 0;
  uint64_t version = elffile_number(file, at + 4, 2);
  uint64_t size = version < 2 ? end - at : elffile_number(file, at + 8, version == 2 ? 4 : 8);
  if (version == 0 || version > 3 || size < COMPRESSED_HEADER || size > end - at) return 0;
  devices->compressed = true;
  return at + size;
}

// --- Sections ------------------------------------------------------------------------------------

// What follows a bundle begins at a multiple of eight bytes, as it does itself.
static uint64_t note_next(InspectDevices *devices, const ElfFile *file, uint64_t at, uint64_t end,
                          size_t *budget)
{
  bool compressed = elffile_number(file, at, 4) == COMPRESSED_MAGIC;
  if (!compressed && !is_bundle(file, at, end))
    return note_container(devices, file, at, end, budget);
  uint64_t behind = compressed ? note_compressed(devices, file, at, end)
                               : note_bundle(devices, file, at, end, budget);
  uint64_t rest = (behind - at) % 8;
  if (behind == 0 || rest == 0) return behind;
  return end - behind < 8 - rest ? end : behind + 8 - rest;
}

void inspect_device_note(InspectDevices *devices, const ElfFile *file, uint64_t offset,
                         uint64_t size)
{
  uint64_t at = offset, end = offset + size;
  size_t budget = MOST_ENTRIES;
  while (end - at >= 8 && budget-- > 0) {
    bool between = elffile_number(file, at, 8) == 0;
    at = between ? at + 8 : note_next(devices, file, at, end, &budget);
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

const char *inspect_device_name(const InspectTarget *target, char text[INSPECT_DEVICE_NAME])
{
  if (target->name[0]) return target->name;
  snprintf(text, INSPECT_DEVICE_NAME, "%s_%" PRIu32 "%.1s", target->ptx ? "compute" : "sm",
           target->number, target->suffix ? &target->suffix : "");
  return text;
}
