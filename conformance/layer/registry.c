// SPDX-License-Identifier: Apache-2.0
#include "layer/registry.h"

#include <string.h>

#include "layer/hooks.h"
#include "layer/memory.h"
#include "layer/threads.h"

// --- Threads -------------------------------------------------------------------------------------

// The thread that is registering something, with which runtime, and from where.
static _Atomic uintptr_t registering;
static const LayerRuntime *_Atomic registering_with;
static _Atomic uintptr_t registering_from;

// Whether this thread is the one from here on; it may be already, further out.
static bool begin_registering(const LayerSite *at)
{
  uintptr_t there = 0;
  if (atomic_compare_exchange_strong(&registering, &there, threads_pointer())) {
    atomic_store(&registering_with, at->runtime);
    atomic_store(&registering_from, at->caller);
    return true;
  }
  const LayerParties who = {at->caller, atomic_load(&registering_from), at->function, at->runtime};
  if (there != threads_pointer() && atomic_load(&registering_with) == at->runtime)
    LAYER_REPORT(CHECK_REGISTRATION, &who, NULL, 0);
  return false;
}

static void end_registering(bool began)
{
  if (began) atomic_store(&registering, 0);
}

void registry_forked(void)
{
  atomic_store(&registering, 0);
}

// --- Names ---------------------------------------------------------------------------------------

// Who registered a name first, to name both when it is registered again. What has no room is not
// named.
enum { NAMES = 1 << 14, PROBES = 8 };
static struct {
  _Atomic uint64_t hash;
  _Atomic uintptr_t caller;
} names[NAMES];

static bool is_text(const TVMFFIByteArray *text)
{
  return text && memory_is_readable(text, sizeof *text) &&
         (text->size == 0 || memory_is_readable(text->data, text->size));
}

static uint64_t hash_of(const TVMFFIByteArray *name, uint64_t seed)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
  for (size_t i = 0; i < name->size; ++i)
    hash = (hash ^ (unsigned char)name->data[i]) * UINT64_C(0x100000001b3);
  return hash | 1;
}

static void remember(uint64_t hash, uintptr_t caller)
{
  for (unsigned i = 0; i < PROBES; ++i) {
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&names[(hash + i) % NAMES].hash, &none, hash) ||
        none == hash) {
      atomic_store(&names[(hash + i) % NAMES].caller, caller);
      return;
    }
  }
}

static uintptr_t first_caller(uint64_t hash)
{
  for (unsigned i = 0; i < PROBES; ++i)
    if (atomic_load(&names[(hash + i) % NAMES].hash) == hash)
      return atomic_load(&names[(hash + i) % NAMES].caller);
  return 0;
}

// Before the runtime is called, which may end the process.
static void check_name(const LayerSite *at, const TVMFFIByteArray *name, uint64_t hash, bool taken)
{
  char text[RING_TEXT_MAX];
  const LayerParties who = {at->caller, first_caller(hash), at->function, at->runtime};
  if (taken) {
    size_t length = name->size < sizeof text - 1 ? name->size : sizeof text - 1;
    memcpy(text, name->data, length);
    text[length] = '\0';
    LAYER_REPORT(CHECK_NAME_TWICE, &who, text, 0);
  } else {
    remember(hash, at->caller);
  }
}

int ffi_call_registry_FunctionSetGlobal(const LayerSite *at, const TVMFFIByteArray *name,
                                        TVMFFIObjectHandle f, int allow_override)
{
  const AbiApi *real = &at->runtime->real;
  if (is_text(name) && real->FunctionGetGlobal && real->ObjectDecRef) {
    TVMFFIObjectHandle there = NULL;
    if (!allow_override && real->FunctionGetGlobal(name, &there) != 0) there = NULL;
    check_name(at, name, hash_of(name, 0), there != NULL);
    if (there) real->ObjectDecRef(there);
  }
  bool began = begin_registering(at);
  int code = real->FunctionSetGlobal(name, f, allow_override);
  end_registering(began);
  return code;
}

static bool has_attribute(const AbiApi *real, int32_t type_index, const TVMFFIByteArray *name)
{
  const TVMFFITypeAttrColumn *column = real->GetTypeAttrColumn(name);
  if (!column || type_index < column->begin_index || !column->data) return false;
  int64_t place = (int64_t)type_index - column->begin_index;
  return place < column->size && column->data[place].type_index != kTVMFFINone;
}

int ffi_call_registry_TypeRegisterAttr(const LayerSite *at, int32_t type_index,
                                       const TVMFFIByteArray *attr_name,
                                       const TVMFFIAny *attr_value)
{
  const AbiApi *real = &at->runtime->real;
  if (is_text(attr_name) && real->GetTypeAttrColumn && type_index > kTVMFFINone)
    check_name(at, attr_name, hash_of(attr_name, (uint64_t)type_index << 32),
               has_attribute(real, type_index, attr_name));
  bool began = begin_registering(at);
  int code = real->TypeRegisterAttr(type_index, attr_name, attr_value);
  end_registering(began);
  return code;
}

// --- Types ---------------------------------------------------------------------------------------

static void check_type(const LayerSite *at, int32_t index, int32_t depth, int32_t parent)
{
  const AbiApi *real = &at->runtime->real;
  const TVMFFITypeInfo *there = real->GetTypeInfo(index);
  if (!there) return;
  int32_t its = there->type_depth > 0 && there->type_ancestors
                    ? there->type_ancestors[there->type_depth - 1]->type_index
                    : -1;
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (there->type_depth != depth || (parent >= 0 && its != parent))
    LAYER_REPORT(CHECK_TYPE_CONFLICT, &who, NULL, depth, parent, there->type_depth, its);
}

int32_t ffi_call_registry_TypeGetOrAllocIndex(const LayerSite *at, const TVMFFIByteArray *type_key,
                                              int32_t static_type_index, int32_t type_depth,
                                              int32_t num_child_slots,
                                              int32_t child_slots_can_overflow,
                                              int32_t parent_type_index)
{
  enum { ASKED_ONLY = -2 };
  const AbiApi *real = &at->runtime->real;
  bool began = parent_type_index != ASKED_ONLY && begin_registering(at);
  int32_t index =
      real->TypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                child_slots_can_overflow, parent_type_index);
  end_registering(began);
  if (parent_type_index != ASKED_ONLY && index >= 0 && real->GetTypeInfo)
    check_type(at, index, type_depth, parent_type_index);
  return index;
}

// The thread that is asking, and for what.
static _Atomic uintptr_t asking;
static LayerParties asking_who;
static int32_t asking_index;

const TVMFFITypeInfo *ffi_call_registry_GetTypeInfo(const LayerSite *at, int32_t type_index)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (type_index < 0) {
    LAYER_REPORT(CHECK_TYPE_UNKNOWN, &who, NULL, type_index);
    return at->runtime->real.GetTypeInfo(type_index);
  }
  uintptr_t nobody = 0;
  bool mine = atomic_compare_exchange_strong(&asking, &nobody, threads_pointer());
  if (mine) {
    asking_who = who;
    asking_index = type_index;
  }
  const TVMFFITypeInfo *info = at->runtime->real.GetTypeInfo(type_index);
  if (mine) atomic_store(&asking, 0);
  if (!info) LAYER_REPORT(CHECK_TYPE_UNKNOWN, &who, NULL, type_index);
  return info;
}

void registry_note_exit(void)
{
  if (atomic_load(&asking) == threads_pointer())
    LAYER_REPORT(CHECK_TYPE_UNKNOWN, &asking_who, NULL, asking_index);
}
