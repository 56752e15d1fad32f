// SPDX-License-Identifier: Apache-2.0
// Fields of objects: a program reads and writes them by functions in the runtime's tables of types, in
// whose place the layer puts its own.
#include "layer/link.h"
#include "layer/memory.h"
#include "layer/recorder.h"
#include "layer/recorder_write.h"
#include "layer/shadow.h"
#include "layer/site.h"

static struct {
  TVMFFIFieldGetter get;
  TVMFFIFieldSetter set;
  TVMFFIByteArray name;
  int64_t offset;
  uint32_t runtime;
} fields[LAYER_FIELDS_MAX];
static atomic_uint field_count;

typedef struct Access {
  TVMFFIObject *object;
  const TVMFFIByteArray *name;
  int code;
  const TVMFFIAny *value;  // NULL: there is none
} Access;

static void put_access(RecordSink *sink, const void *of)
{
  const Access *access = of;
  recorder_put_object(sink, access->object);
  recorder_put_text(sink, access->name);
  recorder_put_int(sink, access->code);
  if (access->value)
    recorder_put_value(sink, access->value);
  else
    recorder_put_none(sink);
}

// An object that the layer does not follow may be none.
static void emit(unsigned field, uintptr_t caller, void *address, bool writes, int code,
                 const TVMFFIAny *value)
{
  TVMFFIObject *object = (void *)((char *)address - fields[field].offset);
  if (recorder_is_kept(caller) || !shadow_record(object)) return;
  recorder_emit((RecorderEvent){RECORD_FIELD, writes, fields[field].runtime}, put_access,
                &(const Access){object, &fields[field].name, code, value});
}

int ffi_call_get(unsigned field, uintptr_t caller, void *address, TVMFFIAny *result)
{
  int code = fields[field].get(address, result);
  emit(field, caller, address, false, code, code == 0 ? result : NULL);
  return code;
}

int ffi_call_set(unsigned field, uintptr_t caller, void *address, const TVMFFIAny *value)
{
  int code = fields[field].set(address, value);
  emit(field, caller, address, true, code, value);
  return code;
}

// The layer's own library.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

// A function of the runtime: also one that it exports, which is the layer's here.
static bool is_kept_function(const void *function)
{
  uintptr_t code = (uintptr_t)function, start = (uintptr_t)__ehdr_start;
  return function && (recorder_is_kept(code) || code - start < (uintptr_t)_end - start);
}

static bool is_taken_over(TVMFFIFieldGetter getter)
{
  unsigned count = atomic_load(&field_count);
  for (unsigned i = 0; i < count && i < LAYER_FIELDS_MAX; ++i)
    if (layer_fields[i].get == getter) return true;
  return false;
}

// Those of a program's own types are not there when a recording is played.
static void take_over(uint32_t runtime, TVMFFIFieldInfo *field)
{
  TVMFFIFieldGetter getter = __atomic_load_n(&field->getter, __ATOMIC_ACQUIRE);
  if (is_taken_over(getter) || !is_kept_function((const void *)(uintptr_t)getter) ||
      !memory_is_writable(&field->getter))
    return;
  unsigned place = atomic_fetch_add(&field_count, 1);
  if (place >= LAYER_FIELDS_MAX) {
    atomic_store(&field_count, LAYER_FIELDS_MAX);
    return;
  }
  bool sets =
      !(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && is_kept_function(field->setter);
  fields[place].get = getter;
  fields[place].set = sets ? (TVMFFIFieldSetter)(uintptr_t)field->setter : NULL;
  fields[place].name = field->name;
  fields[place].offset = field->offset;
  fields[place].runtime = runtime;
  // (Another thread may have been faster; then this place is not used.)
  if (!__atomic_compare_exchange_n(&field->getter, &getter, layer_fields[place].get, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  if (sets)
    __atomic_store_n(&field->setter, (void *)(uintptr_t)layer_fields[place].set, __ATOMIC_RELEASE);
}

void recorder_note_fields(const LayerSite *at, const TVMFFITypeInfo *info)
{
  for (int32_t i = 0; info && i < info->num_fields; ++i)
    take_over(recorder_index(at->runtime), (TVMFFIFieldInfo *)(uintptr_t)&info->fields[i]);
}
