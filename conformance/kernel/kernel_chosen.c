// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_chosen.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { SLOTS = 16 };

// A library may write anywhere, at any time: what was stored is taken if the copy has its digest.
typedef struct Chosen {
  _Atomic uint32_t count;  // 0: nothing is stored
  uint64_t of, digest;     // of the signature, and of the choices
  KernelChoice choices[KERNEL_CHOICES_MAX];
} Chosen;

static Chosen *shared;

void kernel_chosen_share(void)
{
  void *memory =
      mmap(NULL, SLOTS * sizeof(Chosen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = memory == MAP_FAILED ? NULL : memory;
}

// FNV-1a, eight bytes at a time.
static uint64_t digest_of(const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  uint64_t digest = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
    digest = (digest ^ word) * UINT64_C(1099511628211);
  }
  return digest;
}

size_t kernel_chosen(const Signature *signature, KernelChoice *choices)
{
  if (!shared) return kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  const uint64_t of = digest_of(signature, signature->size);
  Chosen *slot = &shared[(of >> 32) % SLOTS];
  const uint32_t stored = atomic_load(&slot->count);
  if (stored > 0 && stored <= KERNEL_CHOICES_MAX && slot->of == of) {
    memcpy(choices, slot->choices, stored * sizeof *choices);
    if (slot->digest == digest_of(choices, stored * sizeof *choices)) return stored;
  }
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  atomic_store(&slot->count, 0);
  memcpy(slot->choices, choices, count * sizeof *choices);
  slot->of = of;
  slot->digest = digest_of(choices, count * sizeof *choices);
  atomic_store(&slot->count, (uint32_t)count);
  return count;
}
