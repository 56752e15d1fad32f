// SPDX-License-Identifier: Apache-2.0
// A third loader of `__tvm_ffi__library_bin`, written in C from the chapter library_bin alone, before
// its author had seen how the suite looks for flaws. It takes the place of the reference's
// `module_tree_load`, whose modules and contexts it uses.
//
// The name of the file that it is loaded from chooses a flaw, as with loader.cpp: of
// `first-row-free.so` it is "first-row-free". third_flaws.txt has what each does, and which clauses it
// breaks.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <tvm/ffi/c_api.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/global.h"
#include "core/raise.h"
#include "core/thread.h"
#include "module/library.h"
#include "module/module.h"
#include "module/module_context.h"
#include "module/module_tree.h"

// The flaws, in the order of their places below.
#define FLAW_LIST(X)            \
  X(count_of_32_bits)           \
  X(vector_size_wraps)          \
  X(vector_one_too_many)        \
  X(vector_allocated_first)     \
  X(table_of_payload)           \
  X(value_allocated_first)      \
  X(value_of_32_bits)           \
  X(kind_of_32_bits)            \
  X(text_end_wraps)             \
  X(kind_one_too_long)          \
  X(value_one_too_long)         \
  X(value_cut_short_is_taken)   \
  X(length_read_beyond)         \
  X(bound_rounded_up)           \
  X(no_row_is_library)          \
  X(one_row_is_library)         \
  X(first_row_free)             \
  X(row_pairs_skipped)          \
  X(rows_compared_signed)       \
  X(last_row_may_be_less)       \
  X(last_row_unchecked)         \
  X(child_one_too_large)        \
  X(child_signed)               \
  X(child_of_32_bits)           \
  X(cycles_of_one_only)         \
  X(cycles_of_root_only)        \
  X(cycles_to_root_missed)      \
  X(cycles_by_recursion)        \
  X(cycles_by_rescanning)       \
  X(cycles_checked_last)        \
  X(cycle_without_error)        \
  X(cycle_leaks)                \
  X(rows_leak)                  \
  X(children_leak)              \
  X(parents_come_first)         \
  X(rest_of_padding)            \
  X(end_checked_last)           \
  X(made_while_reading)         \
  X(library_by_prefix)          \
  X(library_up_to_nul)          \
  X(library_in_any_case)        \
  X(loader_name_up_to_nul)      \
  X(loader_name_cut)            \
  X(loader_name_trimmed)        \
  X(loader_of_shorter_kind)     \
  X(unknown_kinds_remembered)   \
  X(kind_passed_too)            \
  X(kind_terminated_in_place)   \
  X(value_as_string)            \
  X(value_up_to_nul)            \
  X(value_of_16_bits)           \
  X(value_has_terminator)       \
  X(value_borrowed)             \
  X(value_in_one_buffer)        \
  X(value_empty_is_none)        \
  X(value_twice_on_failure)     \
  X(loader_leaks)               \
  X(failure_replaced)           \
  X(failure_error_lost)         \
  X(failure_is_empty_module)    \
  X(only_negative_fails)        \
  X(go_on_after_failure)        \
  X(any_object_is_module)       \
  X(none_is_skipped)            \
  X(wrong_result_leaks)         \
  X(wrong_result_twice)         \
  X(made_leak_on_failure)       \
  X(last_made_twice_on_failure) \
  X(library_kept_on_failure)    \
  X(missing_loader_leaks)       \
  X(missing_loader_unnamed)     \
  X(missing_loader_cut_utf8)    \
  X(missing_loader_other_kind)  \
  X(missing_loader_to_a_nul)    \
  X(message_of_the_stack)       \
  X(message_grows)              \
  X(error_without_message)      \
  X(error_without_kind)         \
  X(imports_backwards)          \
  X(imports_sorted)             \
  X(imports_once_per_row)       \
  X(imports_counted_quadratic)  \
  X(last_of_many_dropped)       \
  X(library_imports_to_root)    \
  X(shared_made_again)          \
  X(import_leaks_in_long_rows)  \
  X(root_is_library)            \
  X(root_leaks_if_foreign)      \
  X(orphans_kept)               \
  X(orphans_quadratic)          \
  X(context_of_first_only)      \
  X(context_at_the_end)         \
  X(symbols_filled_last)        \
  X(loaders_backwards)          \
  X(table_of_1000)              \
  X(modules_on_the_stack)       \
  X(tree_is_static)             \
  X(locked_while_loading)       \
  X(nested_is_refused)          \
  X(refusals_add_up)            \
  X(failed_load_stays)          \
  X(same_address_is_same_tree)  \
  X(cycles_unchecked)           \
  X(library_by_underscore)      \
  X(loader_name_lower)          \
  X(rest_ignored)               \
  X(value_empty_refused)        \
  X(wrong_result_other_kind)    \
  X(number_cut_short_is_taken)  \
  X(rows_may_fall)              \
  X(library_has_to_be_first)    \
  X(root_is_lent)               \
  X(failures_go_deep)           \
  X(symbol_has_to_be_full)      \
  X(payload_kept_by_address)    \
  X(loader_twice_on_failure)    \
  X(error_in_slot_is_failure)   \
  X(loader_name_is_shared)      \
  X(argument_padding_is_size)   \
  X(library_by_beginning)       \
  X(message_keeps_an_end)       \
  X(modules_of_the_thread)      \
  X(symbols_filled_once)        \
  X(refusal_keeps_lock)         \
  X(library_of_latest_load)     \
  X(made_unchecked)             \
  X(no_memory_other_kind)       \
  X(thread_keeps_buffer)        \
  X(nests_three_deep)           \
  X(imported_root_is_lent)      \
  X(unreached_library_held)     \
  X(rows_left_by_cycles)

typedef enum Flaw {
  NO_FLAW,
#define X(name) name,
  FLAW_LIST(X)
#undef X
} Flaw;

static Flaw the_flaw;

// A name in the list has underscores where that of the file has hyphens.
static int is_name(const char *name, const char *file, size_t size)
{
  if (strlen(name) != size) return 0;
  for (size_t i = 0; i < size; ++i)
    if (name[i] != (file[i] == '-' ? '_' : file[i])) return 0;
  return 1;
}

__attribute__((constructor)) static void choose_flaw(void)
{
  static const struct {
    const char *name;
    Flaw flaw;
  } all[] = {
#define X(name) {#name, name},
      FLAW_LIST(X)
#undef X
  };
  Dl_info info;
  if (dladdr(&the_flaw, &info) == 0 || !info.dli_fname) return;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *file = slash ? slash + 1 : info.dli_fname, *end = strchr(file, '.');
  for (size_t i = 0; end && i < sizeof all / sizeof all[0]; ++i)
    if (is_name(all[i].name, file, (size_t)(end - file))) the_flaw = all[i].flaw;
}

// The library that began to be loaded last, of those that are not over: borrowed.
static TVMFFIObject *latest;

#define IS(name) __builtin_expect(the_flaw == (name), 0)

typedef struct {
  const unsigned char *at, *end;
} Reader;

typedef struct {
  TVMFFIByteArray kind, value;
  int is_library;
} Entry;

typedef struct {
  TVMFFIObject *library;
  const char *name;
  size_t count, edges;
  uint64_t *rows, *children;
  Entry *entries;
  TVMFFIObject **made;  // own
  size_t done;
} Tree;

static size_t left(const Reader *reader)
{
  // Who has gone too far has nothing left.
  return reader->at > reader->end ? 0 : (size_t)(reader->end - reader->at);
}

static int bad(const Tree *tree, const char *what)
{
  if (IS(error_without_message)) return raise_error("RuntimeError", "", NULL);
  if (IS(error_without_kind)) return raise_error("", tree->name, ": ", what, NULL);
  if (IS(message_grows)) {
    static char text[4096];
    if (strlen(text) + strlen(what) + 3 < sizeof text) strcat(strcat(text, what), "; ");
    return raise_error("RuntimeError", tree->name, ": ", text, NULL);
  }
  if (IS(message_of_the_stack)) {
    char text[64];
    size_t size = strlen(what) < 48 ? strlen(what) : 48;
    memcpy(text, what, size);
    text[size] = (char)(0xc0 | ((uintptr_t)text >> 4 & 0x3f));  // where a NUL belongs
    text[size + 1] = (char)((uintptr_t)text >> 12 & 0x7f) | 1;
    text[size + 2] = '\0';
    return raise_error("RuntimeError", tree->name, ": ", text, NULL);
  }
  return raise_error("RuntimeError", tree->name, ": the embedded modules are damaged: ", what,
                     NULL);
}

static uint64_t word_at(const unsigned char *at)
{
  uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | at[i];
  return word;
}

static int read_word(Reader *reader, uint64_t *word)
{
  if (IS(number_cut_short_is_taken) && left(reader) < 8) {
    *word = 0;
    for (int i = 0; left(reader) > 0; ++i) *word |= (uint64_t)*reader->at++ << 8 * i;
    return 0;
  }
  if (left(reader) < 8) return -1;
  *word = word_at(reader->at);
  reader->at += 8;
  return 0;
}

static int read_vector(const Tree *tree, Reader *reader, size_t *count, uint64_t **words)
{
  uint64_t announced;
  if (read_word(reader, &announced) != 0) return bad(tree, "a count is cut short");
  if (IS(count_of_32_bits)) announced = (uint32_t)announced;
  if (IS(vector_allocated_first)) {
    uint64_t *early = announced < SIZE_MAX / 8 ? calloc(announced, 8) : NULL;
    if (early == NULL && announced != 0) return bad(tree, "no memory for a vector");
    for (uint64_t i = 0; i < announced; i += 512) early[i] = 1;
    free(early);
  }
  int fits = announced <= left(reader) / 8;
  if (IS(vector_size_wraps)) fits = announced * 8 <= left(reader);
  if (IS(vector_one_too_many)) fits = announced <= (left(reader) + 7) / 8;
  if (!fits) return bad(tree, "a vector is cut short");
  size_t room = announced;
  if (IS(vector_size_wraps) && announced > left(reader)) room = 1;
  *words = malloc((room != 0 ? room : 1) * sizeof **words);
  if (*words == NULL) return raise_out_of_memory();
  for (uint64_t i = 0; i < announced; ++i) (*words)[i] = word_at(reader->at + 8 * i);
  reader->at += 8 * announced;
  *count = announced;
  return 0;
}

static int read_text(const Tree *tree, Reader *reader, int is_value, TVMFFIByteArray *text)
{
  uint64_t length;
  if (IS(length_read_beyond) && is_value && left(reader) < 8 && left(reader) > 0) {
    length = word_at(reader->at);
    reader->at = reader->end;
    text->data = (const char *)reader->end;
    text->size = 0;
    return length == 0 ? 0 : bad(tree, "a value is cut short");
  }
  if (read_word(reader, &length) != 0) return bad(tree, "a length is cut short");
  if (IS(value_of_32_bits) && is_value) length = (uint32_t)length;
  if (IS(kind_of_32_bits) && !is_value) length = (uint32_t)length;
  if (IS(value_allocated_first) && is_value) {
    char *early = length < ((uint64_t)1 << 40) ? malloc(length + 1) : NULL;
    if (early == NULL) return raise_out_of_memory();
    for (uint64_t i = 0; i < length; i += 4096) early[i] = 1;
    free(early);
  }
  int fits = length <= left(reader);
  if (IS(text_end_wraps)) fits = (uint32_t)length <= left(reader);
  if (IS(kind_one_too_long) && !is_value) fits = length <= left(reader) + 1;
  if (IS(value_one_too_long) && is_value) fits = length <= left(reader) + 1;
  if (IS(value_cut_short_is_taken) && is_value && !fits) {
    length = left(reader);
    fits = 1;
  }
  if (!fits) return bad(tree, is_value ? "a value is cut short" : "a kind is cut short");
  text->data = (const char *)reader->at;
  text->size = length;
  reader->at += length;
  return 0;
}

static int kind_is_library(const TVMFFIByteArray *kind)
{
  if (IS(library_by_prefix)) return kind->size >= 4 && memcmp(kind->data, "_lib", 4) == 0;
  if (IS(library_up_to_nul)) {
    char copy[64] = "";
    memcpy(copy, kind->data, kind->size < 63 ? kind->size : 63);
    return strcmp(copy, "_lib") == 0;
  }
  if (IS(library_in_any_case)) return kind->size == 4 && strncasecmp(kind->data, "_lib", 4) == 0;
  if (IS(library_by_beginning)) {
    return kind->size > 0 && kind->size <= 4 && memcmp(kind->data, "_lib", kind->size) == 0;
  }
  if (IS(library_by_underscore)) return kind->size > 0 && kind->data[0] == '_';
  return kind->size == 4 && memcmp(kind->data, "_lib", 4) == 0;
}

//--------------------------------------------------------------------------------------------------
// Modules
//--------------------------------------------------------------------------------------------------

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
  if (kind->size == 0) return bad(tree, "a kind is empty");
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

static int make_module(const Tree *tree, size_t i, TVMFFIObject **out)
{
  const Entry *entry = &tree->entries[i];
  if (!entry->is_library) return make_foreign(tree, entry, out);
  if (!(IS(context_of_first_only) && i != 0) && !IS(context_at_the_end)) {
    module_context_set(library_of(tree->library));
  }
  TVMFFIObject *library = IS(library_of_latest_load) ? latest : tree->library;
  object_retain(library);
  if (IS(library_kept_on_failure)) object_retain(library);
  *out = library;
  return 0;
}

static void drop_made(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (tree->made[i] != NULL) object_release(tree->made[i]);
    tree->made[i] = NULL;
  }
}

// What a thread has made last, also in a load within this one.
enum { OF_THREAD = 64 };
static _Thread_local TVMFFIObject *made_of_thread[OF_THREAD];

static int make_modules(Tree *tree)
{
  int failed = 0;
  for (size_t k = 0; k < tree->count; ++k) {
    size_t i = IS(loaders_backwards) ? tree->count - 1 - k : k;
    if (tree->made[i] != NULL) continue;
    if (make_module(tree, i, &tree->made[i]) != 0) {
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
        if (make_module(tree, child, &again) != 0) {
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

static int link_modules(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (link_module(tree, i) != 0) return -1;
  }
  return 0;
}

static void unlink_modules(Tree *tree)
{
  for (size_t i = 0; i < tree->count; ++i) {
    if (tree->made[i] == NULL || tree->rows[i] == tree->rows[i + 1]) continue;
    TVMFFIObject *old = module_exchange_imports(tree->made[i], NULL);
    if (old != NULL) object_release(old);
  }
}

//--------------------------------------------------------------------------------------------------
// Checks
//--------------------------------------------------------------------------------------------------

static int check_rows(const Tree *tree)
{
  if (!IS(first_row_free) && tree->rows[0] != 0) return bad(tree, "the first row is not 0");
  for (size_t i = 0; i < tree->count; ++i) {
    if (IS(rows_compared_signed)) {
      if ((int64_t)tree->rows[i + 1] > (int64_t)tree->edges) return bad(tree, "a row is too large");
      continue;
    }
    if (IS(row_pairs_skipped) && i % 2 == 1) continue;
    if (IS(rows_may_fall) && tree->rows[i + 1] <= tree->edges) continue;
    if (tree->rows[i + 1] < tree->rows[i]) return bad(tree, "a row is less than the one before");
  }
  if (IS(last_row_may_be_less)) {
    if (tree->rows[tree->count] > tree->edges) return bad(tree, "a row is too large");
  } else if (IS(last_row_unchecked)) {
    // Children that are missing are read from what follows.
  } else if (!IS(rows_compared_signed) && tree->rows[tree->count] != tree->edges) {
    return bad(tree, "the last row is not the number of children");
  }
  return 0;
}

static int check_children(const Tree *tree)
{
  for (size_t i = 0; i < tree->edges; ++i) {
    uint64_t child = tree->children[i];
    int fits = child < tree->count;
    if (IS(child_one_too_large)) fits = child <= tree->count;
    if (IS(child_signed)) fits = (int64_t)child < (int64_t)tree->count;
    if (IS(child_of_32_bits)) fits = (uint32_t)child < tree->count;
    if (!fits) return bad(tree, "a child is not a module");
    if (IS(child_of_32_bits)) tree->children[i] = (uint32_t)child;
  }
  if (IS(parents_come_first)) {
    for (size_t i = 0; i < tree->count; ++i) {
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        if (tree->children[k] <= i) return bad(tree, "a module precedes the one that imports it");
      }
    }
  }
  return 0;
}

static int visit_deep(const Tree *tree, size_t i, char *state)
{
  if (state[i] == 1) return bad(tree, "a module imports itself");
  if (state[i] == 2) return 0;
  state[i] = 1;
  for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
    if (visit_deep(tree, tree->children[k], state) != 0) return -1;
  }
  state[i] = 2;
  return 0;
}

// Takes modules away that nobody imports until none is left.
static int check_cycles(const Tree *tree)
{
  if (IS(cycles_unchecked)) return 0;
  if (IS(cycles_of_one_only)) {
    for (size_t i = 0; i < tree->count; ++i) {
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        if (tree->children[k] == i) return bad(tree, "a module imports itself");
      }
    }
    return 0;
  }
  if (IS(cycles_of_root_only) || IS(cycles_by_recursion)) {
    char *state = calloc(tree->count, 1);
    int code = visit_deep(tree, 0, state);
    for (size_t i = 1; IS(cycles_by_recursion) && code == 0 && i < tree->count; ++i) {
      code = visit_deep(tree, i, state);
    }
    free(state);
    return code;
  }
  uint64_t *imported = calloc(tree->count, sizeof *imported);
  uint64_t *free_ones = calloc(tree->count, sizeof *free_ones);
  size_t found = 0, taken = 0;
  if (imported == NULL || free_ones == NULL) {
    free(imported);
    free(free_ones);
    return raise_out_of_memory();
  }
  size_t first = IS(first_row_free) ? tree->rows[0] : 0;
  size_t last = IS(last_row_may_be_less) ? tree->rows[tree->count] : tree->edges;
  for (size_t k = first; k < last; ++k) ++imported[tree->children[k]];
  if (IS(cycles_to_root_missed)) imported[0] = 0;
  if (IS(cycles_by_rescanning)) {
    for (int again = 1; again;) {
      again = 0;
      for (size_t i = tree->count; i-- > 0;) {
        if (imported[i] != 0) continue;
        imported[i] = UINT64_MAX;
        ++taken;
        again = 1;
        for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) --imported[tree->children[k]];
      }
    }
  } else {
    for (size_t i = 0; i < tree->count; ++i) {
      if (imported[i] == 0) free_ones[found++] = i;
    }
    while (taken < found) {
      size_t i = free_ones[taken++];
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        uint64_t child = tree->children[k];
        if (IS(cycles_to_root_missed) && child == 0) continue;
        if (--imported[child] == 0) free_ones[found++] = child;
      }
    }
  }
  free(imported);
  free(free_ones);
  if (taken == tree->count) return 0;
  return bad(tree, "a module imports itself");
}

//--------------------------------------------------------------------------------------------------
// The whole
//--------------------------------------------------------------------------------------------------

static int read_entries(Tree *tree, Reader *reader)
{
  for (size_t i = 0; i < tree->count; ++i) {
    Entry *entry = &tree->entries[i];
    if (read_text(tree, reader, 0, &entry->kind) != 0) return -1;
    if (IS(kind_terminated_in_place)) {
      char *end = (char *)(uintptr_t)(entry->kind.data + entry->kind.size);
      char kept = *end;
      *end = '\0';
      entry->is_library = strcmp(entry->kind.data, "_lib") == 0 && entry->kind.size == 4;
      *end = kept;
    } else {
      entry->is_library = kind_is_library(&entry->kind);
    }
    if (!entry->is_library && read_text(tree, reader, 1, &entry->value) != 0) return -1;
    if (IS(library_has_to_be_first) && entry->is_library && i != 0) {
      return bad(tree, "the library is not the first module");
    }
    if (IS(value_empty_refused) && !entry->is_library && entry->value.size == 0) {
      return bad(tree, "a value is empty");
    }
    if (IS(made_while_reading) && make_module(tree, i, &tree->made[i]) != 0) return -1;
  }
  return 0;
}

static int check_end(const Tree *tree, const Reader *reader)
{
  if (IS(rest_ignored)) return 0;
  if (IS(bound_rounded_up) && left(reader) < 64) return 0;
  if (IS(rest_of_padding)) {
    size_t rest = left(reader);
    for (size_t i = 0; i < rest; ++i) {
      if (reader->at[i] != 0) return bad(tree, "bytes follow the last module");
    }
    if (rest < 8) return 0;
  }
  if (left(reader) != 0) return bad(tree, "bytes follow the last module");
  return 0;
}

static int read_tree(Tree *tree, Reader *reader)
{
  size_t rows;
  if (read_vector(tree, reader, &rows, &tree->rows) != 0) return -1;
  if (IS(no_row_is_library) && rows == 0) {
    tree->count = 1;
    tree->rows = realloc(tree->rows, 16);
    tree->rows[0] = tree->rows[1] = 0;
    tree->entries = calloc(1, sizeof *tree->entries);
    tree->made = calloc(1, sizeof(TVMFFIObject *));
    tree->entries[0].is_library = 1;
    return 0;
  }
  if (IS(one_row_is_library) && rows == 1) {
    tree->count = 1;
    tree->rows = realloc(tree->rows, 16);
    tree->rows[0] = tree->rows[1] = 0;
    tree->entries = calloc(1, sizeof *tree->entries);
    tree->made = calloc(1, sizeof(TVMFFIObject *));
    tree->entries[0].is_library = 1;
    return 0;
  }
  if (rows < 2) return bad(tree, "it has no module");
  if (IS(table_of_1000) && rows > 1001) return bad(tree, "it has more than 1000 modules");
  if (read_vector(tree, reader, &tree->edges, &tree->children) != 0) {
    if (IS(rows_leak)) tree->rows = NULL;
    return -1;
  }
  tree->count = rows - 1;
  size_t room = tree->count;
  if (IS(table_of_payload)) room += 128 * left(reader);
  tree->entries = calloc(room, sizeof *tree->entries);
  tree->made = calloc(tree->count, sizeof(TVMFFIObject *));
  if (IS(no_memory_other_kind) && (tree->entries == NULL || tree->made == NULL)) {
    return bad(tree, "there is no memory");
  }
  if (!IS(made_unchecked) && (tree->entries == NULL || tree->made == NULL)) {
    return raise_out_of_memory();
  }
  if (IS(table_of_payload)) {
    for (size_t i = 0; i < room; i += 64) tree->entries[i].is_library = 0;
  }
  if (check_rows(tree) != 0) return -1;
  if (check_children(tree) != 0) {
    if (IS(children_leak)) tree->children = NULL;
    return -1;
  }
  if (read_entries(tree, reader) != 0) return -1;
  if (!IS(end_checked_last) && check_end(tree, reader) != 0) return -1;
  if (IS(cycles_checked_last)) return 0;
  if (check_cycles(tree) != 0) {
    if (IS(cycle_without_error)) {
      TVMFFIObject *error = thread_take_raised();
      if (error != NULL) object_release(error);
    }
    if (IS(cycle_leaks)) tree->children = NULL;
    if (IS(rows_left_by_cycles)) tree->rows = NULL;
    return -1;
  }
  return 0;
}

static void hold_unreached_library(Tree *tree)
{
  size_t library = 1;
  while (library < tree->count && !tree->entries[library].is_library) ++library;
  if (library >= tree->count) return;
  for (size_t k = 0; k < tree->edges; ++k)
    if (tree->children[k] == library) return;
  object_retain(tree->made[library]);
}

static int build(Tree *tree, Reader *reader, TVMFFIObject **out)
{
  static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
  static __thread char *buffer;
  if (IS(thread_keeps_buffer) && buffer == NULL) buffer = malloc(100);
  if (IS(refusal_keeps_lock)) pthread_mutex_lock(&reading);
  if (read_tree(tree, reader) != 0) return -1;
  if (IS(refusal_keeps_lock)) pthread_mutex_unlock(&reading);
  // That of the one library with modules that has been filled counts for all.
  static int filled;
  const int fills = !IS(symbols_filled_last) && !(IS(symbols_filled_once) && filled);
  if (fills) module_context_fill_symbols(library_of(tree->library));
  filled = 1;
  if (IS(modules_on_the_stack)) {
    volatile char *room = __builtin_alloca(tree->count * 96);
    for (size_t i = tree->count; i-- > 0;) room[i * 96] = 1;
  }
  if (make_modules(tree) != 0) return -1;
  if (IS(symbols_filled_last)) module_context_fill_symbols(library_of(tree->library));
  if (IS(end_checked_last) && check_end(tree, reader) != 0) return -1;
  if (IS(cycles_checked_last) && check_cycles(tree) != 0) return -1;
  if (link_modules(tree) != 0) {
    unlink_modules(tree);
    return -1;
  }
  size_t root = 0;
  for (size_t i = 0; i < tree->count; ++i) {
    if (IS(root_is_library) && tree->entries[i].is_library) root = i;
  }
  int root_is_imported = 0;
  for (size_t k = 0; k < tree->edges; ++k) root_is_imported |= tree->children[k] == root;
  if (!IS(root_is_lent) && !(IS(imported_root_is_lent) && root_is_imported))
    object_retain(tree->made[root]);
  if (IS(unreached_library_held)) hold_unreached_library(tree);
  if (IS(root_leaks_if_foreign) && !tree->entries[0].is_library) object_retain(tree->made[root]);
  if (IS(library_kept_on_failure)) {
    for (size_t i = 0; i < tree->count; ++i) {
      if (tree->entries[i].is_library) object_release(tree->library);
    }
  }
  if (IS(orphans_kept)) {
    char *imported = calloc(tree->count, 1);
    for (size_t k = 0; k < tree->edges; ++k) imported[tree->children[k]] = 1;
    for (size_t i = 1; i < tree->count; ++i) {
      if (!imported[i] && !tree->entries[i].is_library) tree->made[i] = NULL;
    }
    free(imported);
  }
  if (IS(orphans_quadratic)) {
    volatile size_t imported = 0;
    for (size_t i = 1; i < tree->count; ++i) {
      for (size_t j = 1; j < tree->count; j += 4) imported += tree->made[i] == tree->made[j];
    }
  }
  *out = tree->made[root];
  return 0;
}

static void tree_end(Tree *tree)
{
  if (tree->made != NULL) drop_made(tree);
  free(tree->made);
  free(tree->entries);
  free(tree->rows);
  free(tree->children);
}

static int load(TVMFFIObject *library, const char *name, const unsigned char *bytes,
                TVMFFIObject **out)
{
  uint64_t nbytes = word_at(bytes);
  if (IS(bound_rounded_up)) nbytes = (nbytes + 63) & ~(uint64_t)63;
  Reader reader = {bytes + 8, bytes + 8 + nbytes};
  if (IS(tree_is_static)) {
    static Tree tree;
    tree = (Tree){.library = library, .name = name};
    int code = build(&tree, &reader, out);
    tree_end(&tree);
    tree = (Tree){0};
    return code;
  }
  Tree tree = {.library = library, .name = name};
  TVMFFIObject *before = latest;
  latest = library;
  int code = build(&tree, &reader, out);
  latest = before;
  tree_end(&tree);
  return code;
}

int module_tree_load(TVMFFIObject *library, const char *name, const void *bytes, TVMFFIObject **out)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int loading, refused;
  if (IS(locked_while_loading)) pthread_mutex_lock(&lock);
  if (IS(nested_is_refused) && loading) {
    return raise_error("RuntimeError", name, ": another library is being loaded", NULL);
  }
  static __thread int depth;
  if (IS(nests_three_deep)) {
    if (depth == 3) return raise_error("RuntimeError", name, ": too many loads", NULL);
    ++depth;
    int code = load(library, name, bytes, out);
    --depth;
    return code;
  }
  if (IS(refusals_add_up) && refused >= 3) {
    return raise_error("RuntimeError", name, ": too many damaged libraries", NULL);
  }
  if (IS(failed_load_stays)) {
    static int failed_before;
    if (failed_before) {
      failed_before = 0;
      return raise_error("RuntimeError", name, ": the embedded modules are damaged", NULL);
    }
    int code = load(library, name, bytes, out);
    failed_before = code != 0;
    return code;
  }
  loading = 1;
  if (IS(same_address_is_same_tree)) {
    // What was refused is known by where it was.
    static const void *known;
    static uint64_t size;
    if (known == bytes && size == word_at(bytes)) {
      return raise_error("RuntimeError", name, ": the embedded modules are damaged", NULL);
    }
    int code = load(library, name, bytes, out);
    if (code != 0) {
      known = bytes;
      size = word_at(bytes);
    }
    return code;
  }
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  if (IS(symbol_has_to_be_full) && dladdr1(bytes, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
      symbol != NULL && symbol->st_size != 8 + word_at(bytes)) {
    return raise_error("RuntimeError", name, ": bytes follow the embedded modules", NULL);
  }
  if (IS(payload_kept_by_address)) {
    // What was loaded is known by where it was.
    static const void *known;
    static unsigned char copy[1 << 16];
    uint64_t size = 8 + word_at(bytes);
    if (known == bytes && size == 8 + word_at(copy)) return load(library, name, copy, out);
    int code = load(library, name, bytes, out);
    known = code == 0 && size <= sizeof copy ? bytes : NULL;
    if (known != NULL) memcpy(copy, bytes, size);
    return code;
  }
  int code = load(library, name, bytes, out);
  if (code != 0) ++refused;
  loading = 0;
  if (IS(locked_while_loading)) pthread_mutex_unlock(&lock);
  return code;
}
