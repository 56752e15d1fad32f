// SPDX-License-Identifier: Apache-2.0
#include "module/module_walk.h"

#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"
#include "module/module.h"

//--------------------------------------------------------------------------------------------------
// Sets
//--------------------------------------------------------------------------------------------------

#define FIRST_SLOTS (sizeof((ModuleSet *)0)->first / sizeof *((ModuleSet *)0)->first)

void module_set_start(ModuleSet *set)
{
  memset(set->first, 0, sizeof set->first);
  set->slots = set->first;
  set->mask = FIRST_SLOTS - 1;
  set->used = 0;
}

void module_set_end(ModuleSet *set)
{
  if (set->slots != set->first) free(set->slots);
}

// Returns the slot where a module is, or belongs.
static const TVMFFIObject **module_set_find(const ModuleSet *set, const TVMFFIObject *module)
{
  uint64_t hash = ((uint64_t)(uintptr_t)module >> 4) * 0x9e3779b97f4a7c15u;
  for (size_t at = (size_t)(hash >> 32) & set->mask;; at = (at + 1) & set->mask) {
    if (set->slots[at] == NULL || set->slots[at] == module) return &set->slots[at];
  }
}

static int module_set_grow(ModuleSet *set)
{
  ModuleSet old = *set;
  size_t count = 2 * (set->mask + 1);
  const TVMFFIObject **slots = calloc(count, sizeof *slots);
  if (slots == NULL) return raise_out_of_memory();
  const TVMFFIObject **from = set->slots;
  set->slots = slots;
  set->mask = count - 1;
  for (size_t i = 0; i <= old.mask; ++i) {
    if (from[i] != NULL) *module_set_find(set, from[i]) = from[i];
  }
  if (from != set->first) free(from);
  return 0;
}

int module_set_add(ModuleSet *set, const TVMFFIObject *module)
{
  if (*module_set_find(set, module) != NULL) return 0;
  if (2 * set->used > set->mask && module_set_grow(set) != 0) return -1;
  *module_set_find(set, module) = module;
  ++set->used;
  return 1;
}

//--------------------------------------------------------------------------------------------------
// Walks
//--------------------------------------------------------------------------------------------------

// The imports of a module, and how far the walk has come in them.
typedef struct {
  TVMFFIObject *imports;  // own
  int64_t next;
} ModuleStep;

typedef struct {
  ModuleSet met;
  ModuleStep *steps;
  size_t depth, room;
  ModuleStep first[16];
} ModuleWalk;

// Goes below a module, unless it imports nothing. Returns 0; -1 with InternalError.
static int module_walk_down(ModuleWalk *walk, TVMFFIObject *module)
{
  TVMFFIObject *imports = module_imports(module);
  if (imports == NULL) return 0;
  if (walk->depth == walk->room) {
    ModuleStep *old = walk->steps == walk->first ? NULL : walk->steps;
    ModuleStep *steps = realloc(old, 2 * walk->room * sizeof *steps);
    if (steps == NULL) {
      object_release(imports);
      return raise_out_of_memory();
    }
    if (old == NULL) memcpy(steps, walk->first, sizeof walk->first);
    walk->steps = steps;
    walk->room *= 2;
  }
  walk->steps[walk->depth++] = (ModuleStep){imports, 0};
  return 0;
}

// Goes to the next module that wasn't met. Returns borrow; NULL at the end. code: not 0 on failure.
static TVMFFIObject *module_walk_next(ModuleWalk *walk, int *code)
{
  while (walk->depth > 0) {
    ModuleStep *step = &walk->steps[walk->depth - 1];
    if (step->next == sequence_cell(step->imports)->size) {
      --walk->depth;
      object_release(step->imports);
      continue;
    }
    const TVMFFIAny *import = &sequence_values(step->imports)[step->next++];
    if (import->type_index != kTVMFFIModule || import->v_obj == NULL) {
      *code = raise_wrong_type("imports_", "an import", "a Module", import->type_index);
      return NULL;
    }
    int is_new = module_set_add(&walk->met, import->v_obj);
    if (is_new < 0) *code = -1;
    if (is_new != 0) return is_new > 0 ? import->v_obj : NULL;
  }
  return NULL;
}

int module_walk(TVMFFIObject *module, ModuleVisit *visit, void *state)
{
  ModuleWalk walk = {.room = sizeof walk.first / sizeof *walk.first};
  walk.steps = walk.first;
  module_set_start(&walk.met);
  (void)module_set_add(&walk.met, module);  // the first fits
  int code = module_walk_down(&walk, module);
  while (code == 0) {
    TVMFFIObject *next = module_walk_next(&walk, &code);
    if (next == NULL) break;
    code = visit(next, state);
    if (code == 0) code = module_walk_down(&walk, next);
  }
  while (walk.depth > 0) object_release(walk.steps[--walk.depth].imports);
  if (walk.steps != walk.first) free(walk.steps);
  module_set_end(&walk.met);
  return code;
}

int module_walk_all(TVMFFIObject *module, ModuleVisit *visit, void *state)
{
  int code = visit(module, state);
  return code != 0 ? code : module_walk(module, visit, state);
}
