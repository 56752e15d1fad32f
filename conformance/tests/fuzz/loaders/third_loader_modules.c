// SPDX-License-Identifier: Apache-2.0
// Makes the modules of a library, and links them.
#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/global.h"
#include "core/object.h"
#include "core/raise.h"
#include "core/thread.h"
#include "module/library.h"
#include "module/module.h"
#include "module/module_context.h"
#include "third_loader.h"

static TVMFFIObject *bytes_over(const char *data, size_t size)
{
  TVMFFIObject *object = calloc(1, sizeof(TVMFFIObject) + sizeof(TVMFFIByteArray));
  if (object == NULL) abort();
  object_init(object, kTVMFFIBytes, object_free);
  *(TVMFFIByteArray *)(object + 1) = (TVMFFIByteArray){data, size};
  return object;
}

static int loader_of(const Tree *tree, const TVMFFIByteArray *kind, TVMFFIObjectHandle *loader)
{
  static const char prefix[] = "ffi.Module.load_from_bytes.";
  const size_t start = sizeof prefix - 1;
  if (kind->size == 0) return third_bad(tree, "a kind is empty");
  if (IS(unknown_kinds_remembered)) {
    static char unknown[16][32];
    static int used;
    for (int i = 0; i < used; ++i) {
      if (strlen(unknown[i]) == kind->size && memcmp(unknown[i], kind->data, kind->size) == 0) {
        return raise_error("RuntimeError", "nothing loads the kind ", unknown[i], NULL);
      }
    }
    TVMFFIByteArray whole;
    char *name = malloc(start + kind->size);
    memcpy(name, prefix, start);
    memcpy(name + start, kind->data, kind->size);
    whole = (TVMFFIByteArray){name, start + kind->size};
    *loader = NULL;
    int code = global_find(&whole, loader);
    free(name);
    if (code == 0 && *loader == NULL && used < 16 && kind->size < 32) {
      memcpy(unknown[used++], kind->data, kind->size);
    }
    if (code == 0 && *loader == NULL) {
      return raise_error("RuntimeError", "no module of kind ", raise_name(kind).text,
                         " can be loaded", NULL);
    }
    return code;
  }
  static char shared[1 << 17];
  char *name = malloc(start + kind->size + 1);
  if (name == NULL) return raise_out_of_memory();
  memcpy(name, prefix, start);
  memcpy(name + start, kind->data, kind->size);
  name[start + kind->size] = '\0';
  TVMFFIByteArray whole = {name, start + kind->size};
  if (IS(loader_name_is_shared) && whole.size < sizeof shared) {
    whole.data = memcpy(shared, name, whole.size);
  }
  if (IS(loader_name_up_to_nul)) whole.size = strlen(name);
  if (IS(loader_name_cut) && whole.size > 127) whole.size = 127;
  if (IS(loader_name_lower)) {
    for (size_t i = start; i < whole.size; ++i) {
      if (name[i] >= 'A' && name[i] <= 'Z') name[i] |= 0x20;
    }
  }
  if (IS(loader_name_trimmed)) {
    while (whole.size > start && name[whole.size - 1] == ' ') --whole.size;
  }
  *loader = NULL;
  int code = global_find(&whole, loader);
  if (IS(loader_of_shorter_kind)) {
    while (code == 0 && *loader == NULL && whole.size > start + 1) {
      --whole.size;
      code = global_find(&whole, loader);
    }
  }
  if (!IS(missing_loader_leaks) || (code == 0 && *loader != NULL)) free(name);
  if (code != 0) return code;
  if (*loader != NULL) return 0;
  if (IS(missing_loader_unnamed)) {
    return raise_error("RuntimeError", tree->name, ": a module has no loader", NULL);
  }
  if (IS(missing_loader_cut_utf8)) {
    RaiseName text = raise_name(kind);
    text.text[kind->size > 5 ? 5 : kind->size] = '\0';
    return raise_error("RuntimeError", "no loader for modules of kind ", text.text, NULL);
  }
  if (IS(missing_loader_other_kind)) {
    return raise_error("ValueError", "no loader for kind ", raise_name(kind).text, NULL);
  }
  if (IS(missing_loader_to_a_nul)) {
    return raise_error("RuntimeError", "no loader for kind ", kind->data, NULL);
  }
  if (IS(message_keeps_an_end)) {
    static char line[256];
    memcpy(line, kind->data, kind->size < 255 ? kind->size : 255);
    return raise_error("RuntimeError", "no loader for kind ", line, NULL);
  }
  // The whole kind, whatever its size.
  char *copy = malloc(kind->size + 1);
  if (copy == NULL) return raise_out_of_memory();
  memcpy(copy, kind->data, kind->size);
  copy[kind->size] = '\0';
  code = raise_error("RuntimeError", tree->name, ": no module of kind ", copy,
                     " can be loaded: no loader is registered for it", NULL);
  free(copy);
  return code;
}

static int make_foreign(const Tree *tree, const Entry *entry, TVMFFIObject **out)
{
  TVMFFIObjectHandle loader = NULL;
  if (loader_of(tree, &entry->kind, &loader) != 0) return -1;
  TVMFFIByteArray value = entry->value;
  TVMFFIAny argument[2] = {{.type_index = kTVMFFIByteArrayPtr}, {.type_index = kTVMFFINone}};
  argument[0].v_ptr = &value;
  TVMFFIObject *own = NULL;
  if (IS(value_as_string)) {
    bytes_make_string(value.data, value.size, &argument[0]);
    own = any_held(&argument[0]);
  }
  if (IS(value_up_to_nul)) value.size = strnlen(value.data, value.size);
  if (IS(value_of_16_bits) && value.size > 65535) value.size = (uint16_t)value.size;
  if (IS(value_borrowed)) {
    own = bytes_over(value.data, value.size);
    argument[0] = any_object(own);
  }
  if (IS(value_in_one_buffer)) {
    static __thread char buffer[1 << 16];
    if (value.size <= sizeof buffer) {
      memcpy(buffer, value.data, value.size);
      own = bytes_over(buffer, value.size);
      argument[0] = any_object(own);
    }
  }
  if (IS(value_empty_is_none) && value.size == 0) argument[0] = any_none();
  if (IS(value_has_terminator)) {
    char *copy = malloc(value.size + 1);
    memcpy(copy, value.data, value.size);
    copy[value.size] = '\0';
    bytes_make_bytes(copy, value.size + 1, &argument[0]);
    own = any_held(&argument[0]);
    free(copy);
  }
  if (IS(value_twice_on_failure)) {
    bytes_make_bytes(value.data, value.size, &argument[0]);
    own = any_held(&argument[0]);
    if (own != NULL) object_retain(own);  // released twice below if the loader fails
  }
  TVMFFIAny result = any_none();
  int32_t count = IS(kind_passed_too) ? 2 : 1;
  if (IS(kind_passed_too)) {
    bytes_make_string(entry->kind.data, entry->kind.size, &argument[1]);
  }
  static __thread int depth;
  if (IS(failures_go_deep) && depth >= 64) {
    object_release(loader);
    if (own != NULL) object_release(own);
    return raise_error("RuntimeError", tree->name, ": loaders load each other", NULL);
  }
  if (IS(argument_padding_is_size)) argument[0].zero_padding = (uint32_t)value.size;
  int code = TVMFFIFunctionCall(loader, argument, count, &result);
  if (IS(error_in_slot_is_failure)) {
    TVMFFIObject *error = thread_take_raised();
    if (error != NULL) thread_raise(error);
    if (error != NULL && code == 0) any_release(&result);
    if (error != NULL) code = -1;
  }
  if (IS(loader_twice_on_failure) && code != 0) object_release(loader);
  if (code != 0) ++depth;
  if (IS(kind_passed_too)) any_release(&argument[1]);
  if (own != NULL) object_release(own);
  if (IS(value_twice_on_failure) && own != NULL) {
    object_release(own);
    if (code != 0) object_release(own);
  }
  if (!IS(loader_leaks)) object_release(loader);
  if (IS(only_negative_fails) ? code < 0 : code != 0) {
    if (IS(failure_is_empty_module)) {
      TVMFFIObject *error = thread_take_raised();
      if (error != NULL) object_release(error);
      object_retain(tree->library);
      *out = tree->library;
      return 0;
    }
    if (IS(failure_replaced)) {
      TVMFFIObject *error = thread_take_raised();
      if (error != NULL) object_release(error);
      return raise_error("RuntimeError", "the loader of kind ", raise_name(&entry->kind).text,
                         " failed", NULL);
    }
    if (IS(failure_error_lost)) {
      TVMFFIObject *error = thread_take_raised();
      if (error != NULL) object_release(error);
      return -1;
    }
    return module_failed("the loader of kind ", &entry->kind);
  }
  if (IS(only_negative_fails) && code != 0) result = any_none();
  int is_module = result.type_index == kTVMFFIModule;
  if (IS(any_object_is_module)) is_module = result.type_index >= kTVMFFIStaticObjectBegin;
  if (IS(none_is_skipped) && result.type_index == kTVMFFINone) {
    object_retain(tree->library);
    *out = tree->library;
    return 0;
  }
  if (!is_module) {
    int32_t index = result.type_index;
    if (!IS(wrong_result_leaks)) any_release(&result);
    if (IS(wrong_result_twice) && any_held(&result) != NULL) object_release(result.v_obj);
    return raise_error(IS(wrong_result_other_kind) ? "RuntimeError" : "TypeError",
                       "the loader of kind ", raise_name(&entry->kind).text,
                       " returned no module, but a value of type ", raise_number(index).text, NULL);
  }
  *out = result.v_obj;
  return 0;
}

int third_make_module(const Tree *tree, size_t i, TVMFFIObject **out)
{
  const Entry *entry = &tree->entries[i];
  if (!entry->is_library) return make_foreign(tree, entry, out);
  if (!(IS(context_of_first_only) && i != 0) && !IS(context_at_the_end)) {
    module_context_set(library_of(tree->library));
  }
  TVMFFIObject *library = IS(library_of_latest_load) ? third_latest : tree->library;
  object_retain(library);
  if (IS(library_kept_on_failure)) object_retain(library);
  *out = library;
  return 0;
}

void third_drop_made(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (tree->made[i] != NULL) object_release(tree->made[i]);
    tree->made[i] = NULL;
  }
}

// What a thread has made last, also in a load within this one.
enum { OF_THREAD = 64 };
static _Thread_local TVMFFIObject *made_of_thread[OF_THREAD];

int third_make_modules(Tree *tree)
{
  int failed = 0;
  for (size_t k = 0; k < tree->count; ++k) {
    size_t i = IS(loaders_backwards) ? tree->count - 1 - k : k;
    if (tree->made[i] != NULL) continue;
    if (third_make_module(tree, i, &tree->made[i]) != 0) {
      if (IS(go_on_after_failure)) {
        failed = 1;
        continue;
      }
      if (IS(made_leak_on_failure)) {
        for (size_t j = 0; j < i; ++j) {
          if (!tree->entries[j].is_library) tree->made[j] = NULL;
        }
      }
      if (IS(last_made_twice_on_failure) && i > 0 && tree->made[i - 1] != NULL) {
        object_release(tree->made[i - 1]);
      }
      return -1;
    }
    if (i < OF_THREAD) made_of_thread[i] = tree->made[i];
  }
  if (failed) return -1;
  if (IS(context_at_the_end)) {
    for (size_t i = 0; i < tree->count; ++i) {
      if (tree->entries[i].is_library) module_context_set(library_of(tree->library));
    }
  }
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Imports
//--------------------------------------------------------------------------------------------------

static int link_module(Tree *tree, size_t i)
{
  uint64_t begin = tree->rows[i], end = tree->rows[i + 1];
  size_t to = i;
  if (IS(library_imports_to_root) && tree->entries[i].is_library) to = 0;
  if (IS(last_of_many_dropped) && end - begin > 8) --end;
  if (begin >= end) return 0;
  TVMFFIObject *array = sequence_new(kTVMFFIArray, (int64_t)(end - begin));
  if (array == NULL) return raise_out_of_memory();
  for (uint64_t k = begin; k < end; ++k) {
    uint64_t child = tree->children[IS(imports_backwards) ? end - 1 - (k - begin) : k];
    if (IS(imports_sorted) && end - begin <= 64) {
      // The smallest that is not there yet, duplicates included.
      uint64_t rank = k - begin;
      for (uint64_t a = begin; a < end; ++a) {
        uint64_t less = 0;
        for (uint64_t b = begin; b < end; ++b) {
          less += tree->children[b] < tree->children[a] ||
                  (tree->children[b] == tree->children[a] && b < a);
        }
        if (less == rank) child = tree->children[a];
      }
    }
    TVMFFIObject *module = tree->made[child];
    if (IS(modules_of_the_thread) && child < OF_THREAD) module = made_of_thread[child];
    if (IS(imports_once_per_row) && k - begin < 64) {
      int there = 0;
      for (uint64_t b = begin; b < k; ++b) there |= tree->children[b] == child;
      if (there) continue;
    }
    if (IS(imports_counted_quadratic)) {
      volatile uint64_t met = 0;
      for (uint64_t b = begin; b < k; ++b) met += tree->children[b] == child;
    }
    if (IS(shared_made_again) && k < 64 && !tree->entries[child].is_library) {
      // Who has been imported before is made once more.
      int before = 0;
      for (uint64_t b = 0; b < k; ++b) before |= tree->children[b] == child;
      if (before && tree->rows[child] == tree->rows[child + 1]) {
        TVMFFIObject *again = NULL;
        if (third_make_module(tree, child, &again) != 0) {
          object_release(array);
          return -1;
        }
        sequence_append(array, any_object(again));
        continue;
      }
    }
    object_retain(module);
    if (IS(import_leaks_in_long_rows) && end - begin > 2) object_retain(module);
    sequence_append(array, any_object(module));
  }
  TVMFFIObject *old = module_exchange_imports(tree->made[to], array);
  if (old != NULL) object_release(old);
  return 0;
}

int third_link_modules(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (link_module(tree, i) != 0) return -1;
  }
  return 0;
}

void third_unlink_modules(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (tree->made[i] == NULL || tree->rows[i] == tree->rows[i + 1]) continue;
    TVMFFIObject *old = module_exchange_imports(tree->made[i], NULL);
    if (old != NULL) object_release(old);
  }
}
