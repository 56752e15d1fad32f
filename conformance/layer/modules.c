// SPDX-License-Identifier: Apache-2.0
#include "layer/modules.h"

#include <stdlib.h>
#include <string.h>

#include "layer/census.h"
#include "layer/errors.h"
#include "layer/layer.h"
#include "layer/link.h"
#include "layer/memory.h"
#include "layer/quarantine.h"
#include "layer/recorder.h"
#include "layer/registry.h"
#include "layer/shadow.h"

static atomic_bool exiting;

static void on_open(const LayerImage *image)
{
  RingModule *module = layer_ring->modules, *end = module + RING_MODULES_MAX;
  for (unsigned none = 0; module < end; ++module, none = 0)
    if (atomic_compare_exchange_strong(&module->ready, &none, 1)) break;
  if (module == end) {
    atomic_fetch_add(&layer_ring->lost_modules, 1);
    return;
  }
  recorder_note_opened(image->start, image->end);
  module->image = layer_process->image;
  module->base = image->base;
  module->start = image->start;
  module->end = image->end;
  atomic_store(&module->opened, atomic_fetch_add(&layer_ring->clock, 1) + 1);
  const char *path = image->path;
  for (size_t i = 0; path && path[i] && i + 1 < RING_PATH_MAX; ++i) module->path[i] = path[i];
  atomic_store(&layer_process->runtimes, atomic_load(&tvmffi_layer_link.runtime_count));
  atomic_store(&layer_process->unwritable, atomic_load(&tvmffi_layer_link.unwritable));
  atomic_store(&layer_process->lost_runtimes, atomic_load(&tvmffi_layer_link.lost_runtimes));
  atomic_store(&layer_process->lost_entries, atomic_load(&tvmffi_layer_link.lost_entries));
  if (atomic_load(&tvmffi_layer_link.by_preload)) atomic_store(&layer_process->way, RING_PRELOAD);
  atomic_store(&module->ready, 2);
}

// At the exit of the process everything is closed, and nothing is wrong with that.
static void on_exit_begins(void)
{
  if (atomic_exchange(&exiting, true)) return;
  registry_note_exit();
  errors_note_exit();
  census_take();
  quarantine_flush(false);
}

// What is mapped at its place later is no runtime, and its functions are gone.
static void forget_runtime(uintptr_t start)
{
  for (LayerRuntime *runtime = tvmffi_layer_link.runtimes, *end = runtime + LAYER_RUNTIMES_MAX;
       runtime < end; ++runtime)
    if (runtime->start == start) runtime->start = runtime->end = 0;
}

static void forget_entries(uintptr_t start, uintptr_t end)
{
  unsigned count = atomic_load(&tvmffi_layer_link.entry_count);
  for (unsigned i = 0; i < count && i < LAYER_ENTRIES_MAX; ++i) {
    LayerEntry *entry = &tvmffi_layer_link.entries[i];
    if ((uintptr_t)atomic_load(&entry->real) - start < end - start)
      atomic_store(&entry->real, NULL);
  }
}

// The deleters of living objects are in it, or their code.
static void check_needed(const RingModule *module)
{
  ShadowEntry entry;
  size_t count = shadow_count_in(module->start, module->end, &entry);
  if (count == 0) return;
  const LayerParties who = {entry.made, entry.code ? entry.code : (uintptr_t)entry.deleter,
                            ABI_FUNCTION_COUNT, entry.runtime};
  LAYER_REPORT(CHECK_LIBRARY_CLOSED, &who, NULL, (int64_t)count);
}

// The program itself goes first of its namespace, and only at the end; other namespaces go before.
static bool is_program(const RingModule *module)
{
  return module->path[0] == '\0';
}

static void on_close(uintptr_t base, int namespace_id)
{
  if (atomic_load(&exiting)) return;
  memory_changed();
  quarantine_flush(true);
  for (RingModule *module = layer_ring->modules, *end = module + RING_MODULES_MAX; module < end;
       ++module)
    if (atomic_load(&module->ready) == 2 && module->image == layer_process->image &&
        module->base == base && !atomic_load(&module->closed)) {
      if (is_program(module)) {
        on_exit_begins();
        return;
      }
      if (namespace_id == 0) check_needed(module);
      atomic_store(&module->closed, atomic_fetch_add(&layer_ring->clock, 1) + 1);
      forget_runtime(module->start);
      forget_entries(module->start, module->end);
    }
}

static void before_close(void)
{
  memory_changed();
  quarantine_flush(true);
}

void modules_start(void)
{
  LayerLink *link = &tvmffi_layer_link;
  unsigned count = atomic_load(&link->early_count);
  for (unsigned i = 0; i < count && i < LAYER_EARLY_MAX; ++i) on_open(&link->early[i]);
  atomic_store(&link->before_close, before_close);
  atomic_store(&link->on_close, on_close);
  atomic_store(&link->on_open, on_open);
  atexit(on_exit_begins);
}
