// SPDX-License-Identifier: Apache-2.0
// What containers hold.
#include "kernel/kernel_held.h"

#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "battery/registered.h"
#include "kernel/kernel_result.h"

typedef enum Question { SIZE, ITEM, HAS, ITERATOR, QUESTION_COUNT } Question;

static const char *const *names_for(const TVMFFIAny *container)
{
  static const char *const of_array[QUESTION_COUNT] = {"ffi.ArraySize", "ffi.ArrayGetItem", "", ""};
  static const char *const of_list[QUESTION_COUNT] = {"ffi.ListSize", "ffi.ListGetItem", "", ""};
  static const char *const of_map[QUESTION_COUNT] = {"ffi.MapSize", "ffi.MapGetItem",
                                                     "ffi.MapCount", "ffi.MapForwardIterFunctor"};
  static const char *const of_dict[QUESTION_COUNT] = {
      "ffi.DictSize", "ffi.DictGetItem", "ffi.DictCount", "ffi.DictForwardIterFunctor"};
  const int32_t index = container->type_index;
  return index == kTVMFFIMap    ? of_map
         : index == kTVMFFIDict ? of_dict
         : index == kTVMFFIList ? of_list
                                : of_array;
}

static int ask(Iut *iut, const TVMFFIAny *container, Question question, const TVMFFIAny *key,
               TVMFFIAny *answer)
{
  TVMFFIAny args[2] = {*container, key ? *key : any_none()};
  *answer = any_none();
  return call_registered(iut, answer, names_for(container)[question], args, key ? 2 : 1);
}

bool kernel_is_sequence(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList;
}

bool kernel_is_map(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIMap || value->type_index == kTVMFFIDict;
}

bool kernel_held_is_open(Iut *iut, const TVMFFIAny *value)
{
  bool open = kernel_is_sequence(value) || kernel_is_map(value);
  for (int i = 0; open && i < QUESTION_COUNT; ++i) {
    const char *name = names_for(value)[i];
    open = !*name || is_registered(iut, name);
  }
  return open;
}

int kernel_held_size(Iut *iut, const TVMFFIAny *container, int64_t *size)
{
  TVMFFIAny answer;
  const int code = ask(iut, container, SIZE, NULL, &answer);
  *size = code == 0 ? answer.v_int64 : 0;
  return code;
}

int kernel_held_item(Iut *iut, const TVMFFIAny *container, TVMFFIAny key, TVMFFIAny *item)
{
  return ask(iut, container, ITEM, &key, item);
}

int kernel_held_has(Iut *iut, const TVMFFIAny *map, TVMFFIAny key, bool *has)
{
  TVMFFIAny answer;
  const int code = ask(iut, map, HAS, &key, &answer);
  *has = code == 0 && answer.v_int64 != 0;
  return code;
}

static int take_elements(Iut *iut, const TVMFFIAny *sequence, int64_t size, KernelHeld *held)
{
  for (int64_t i = 0; i < size && i < KERNEL_HELD_MAX; ++i) {
    held->keys[i] = view_of_int(i);
    const int code = kernel_held_item(iut, sequence, held->keys[i], &held->items[i]);
    if (code != 0) return code;
    ++held->count;
  }
  return 0;
}

// The function that goes through a map gives the key, or the value, of where it is, or goes on.
static int take_entries(Iut *iut, TVMFFIObjectHandle iterator, int64_t size, KernelHeld *held)
{
  enum { KEY, VALUE, NEXT };
  for (int64_t i = 0; i < size && i < KERNEL_HELD_MAX; ++i) {
    TVMFFIAny key = view_of_int(KEY), value = view_of_int(VALUE), next = view_of_int(NEXT);
    TVMFFIAny more = any_none();
    held->keys[i] = held->items[i] = any_none();
    int code = iut->FunctionCall(iterator, &key, 1, &held->keys[i]);
    if (code != 0) return code;
    ++held->count;
    code = iut->FunctionCall(iterator, &value, 1, &held->items[i]);
    if (code == 0 && i + 1 < size) code = iut->FunctionCall(iterator, &next, 1, &more);
    if (code != 0) return code;
  }
  return 0;
}

int kernel_held_take(Iut *iut, const TVMFFIAny *container, KernelHeld *held)
{
  TVMFFIAny iterator;
  int64_t size;
  held->count = 0;
  int code = kernel_held_size(iut, container, &size);
  if (code != 0 || size == 0) return code;
  if (kernel_is_sequence(container)) return take_elements(iut, container, size, held);
  code = ask(iut, container, ITERATOR, NULL, &iterator);
  if (code == 0) code = take_entries(iut, iterator.v_obj, size, held);
  release_any(iut, &iterator);
  return code;
}

void kernel_held_release(Iut *iut, KernelHeld *held)
{
  for (int64_t i = 0; i < held->count; ++i) {
    release_any(iut, &held->keys[i]);
    release_any(iut, &held->items[i]);
  }
  held->count = 0;
}

const char *kernel_held_name(Iut *iut, const KernelHeld *held, int64_t i, const char *what,
                             char name[128])
{
  TVMFFIByteArray text;
  if (held->keys[i].type_index == kTVMFFIInt)
    snprintf(name, 128, "%.80s[%lld]", what, (long long)held->keys[i].v_int64);
  else if (result_text(iut, &held->keys[i], &text))
    snprintf(name, 128, "%.80s[\"%.*s\"]", what, (int)(text.size < 40 ? text.size : 40), text.data);
  else
    snprintf(name, 128, "%.80s, entry %lld", what, (long long)i);
  return name;
}
