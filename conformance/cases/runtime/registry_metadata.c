// SPDX-License-Identifier: Apache-2.0
// What the runtime tells: metadata of functions, type keys, its singletons.
#include <stdio.h>

#include "cases/runtime/container_calling.h"

CHAPTER(registry);

// --- Metadata ------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *text;
  size_t size;
} metadata[] = {
    {"short", "{}", 2},
    {"seven-bytes", "{\"a\":1}", 7},
    {"eight-bytes", "{\"a\":12}", 8},
    {"json", "{\"type_schema\": {\"type\": \"int\"}, \"doc\": \"two\nlines\"}", 52},
    {"not-json", "not json at all", 15},
    {"not-ascii", "\"gr\xc3\xbc\xc3\x9f\x65\"", 9},
    {"nul-inside", "before\0behind", 13},
};

// Own: a function that is entered under the name with this metadata.
static TVMFFIObjectHandle enter(Iut *iut, const char *name, TVMFFIByteArray text)
{
  static CallLog log;
  TVMFFIObjectHandle function = new_function(iut, &log, call_log_callee, NULL);
  TVMFFIMethodInfo info = {.name = bytes_of(name),
                           .doc = bytes_of("what it does"),
                           .metadata = text,
                           .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod,
                           .method = view_of_object(iut, function)};
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(&info, 1)));
  return function;
}

// The function of this name has these metadata, a string.
static void expect_metadata(Iut *iut, const char *name, const char *expected, size_t size)
{
  TVMFFIAny value =
      value_of(iut, "ffi.GetGlobalFuncMetadata", VALUES(view_of_raw_string(fenced_string(name))));
  if (size > 7 || value.type_index == kTVMFFIStr)
    expect_heap_string(iut, &value, expected, size);
  else
    expect_small_string(&value, expected, size);
  release_any(iut, &value);
}

// tvm-ffi#442: metadata are bytes, also those that are not ASCII.
CASE_ROWS(metadata_are_given_byte_for_byte, metadata, .clauses = {REG_12},
          .title =
              "the metadata of a function are given back byte for byte, after its description "
              "has been overwritten")
{
  char text[64];
  memcpy(text, row->text, row->size);
  TVMFFIObjectHandle function = enter(iut, "conform.metadata", (TVMFFIByteArray){text, row->size});
  memset(text, '#', sizeof text);
  for (int i = 0; i < 2; ++i) expect_metadata(iut, "conform.metadata", row->text, row->size);
  release_object(iut, function);
}

// tvm-ffi#417: a function without metadata.
CASE(function_without_metadata_has_empty_ones, .clauses = {REG_13},
     .title = "a function that was registered without metadata has the empty string as such")
{
  TVMFFIByteArray name = bytes_of("conform.without");
  TVMFFIObjectHandle function = enter(iut, "conform.described", (TVMFFIByteArray){NULL, 0});
  TVMFFIObjectHandle another = enter(iut, "conform.empty", (TVMFFIByteArray){"unread", 0});
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, function, 0)));
  expect_metadata(iut, "conform.without", "", 0);
  expect_metadata(iut, "conform.described", "", 0);
  expect_metadata(iut, "conform.empty", "", 0);
  release_object(iut, function);
  release_object(iut, another);
}

CASE(unknown_function_has_no_metadata, .clauses = {REG_14}, .wrong_call = true,
     .title = "requesting the metadata of an unregistered name raises a RuntimeError")
{
  static const char *const unknown[] = {"conform.unknown", "conform.know", "conform.known.", ""};
  TVMFFIObjectHandle function = enter(iut, "conform.known", bytes_of("{}"));
  for (int i = 0; i < 4; ++i) {
    note("the name `%s`", unknown[i]);
    expect_refused(iut, "RuntimeError", "ffi.GetGlobalFuncMetadata",
                   VALUES(view_of_raw_string(unknown[i])));
  }
  expect_metadata(iut, "conform.known", "{}", 2);
  release_object(iut, function);
}

CASE(overriding_replaces_metadata, .clauses = {REG_15},
     .title =
         "the metadata of an overridden function is dropped, whether the new one has metadata or "
         "not")
{
  TVMFFIByteArray name = bytes_of("conform.overridden");
  TVMFFIObjectHandle old = enter(iut, name.data, bytes_of("the metadata of the old function"));
  TVMFFIObjectHandle new = enter(iut, name.data, bytes_of("those of the new one"));
  expect_metadata(iut, name.data, "those of the new one", 20);
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, old, 1)));
  expect_metadata(iut, name.data, "", 0);
  release_object(iut, enter(iut, name.data, bytes_of("once more")));
  expect_metadata(iut, name.data, "once more", 9);
  release_object(iut, old);
  release_object(iut, new);
}

// --- Type keys -----------------------------------------------------------------------------------

// Own: the array of keys.
static TVMFFIObjectHandle list_keys(Iut *iut)
{
  TVMFFIObjectHandle keys = object_of(iut, "ffi.GetRegisteredTypeKeys", VALUES());
  require(expect_int("type index of the list", object_type_index(iut, keys), kTVMFFIArray));
  return keys;
}

static int count_key(Iut *iut, TVMFFIObjectHandle keys, const char *key)
{
  int found = 0;
  for (int64_t i = 0; i < sequence_cell(iut, keys)->size; ++i) {
    TVMFFIByteArray text = content_of(iut, &sequence_elements(iut, keys)[i]);
    found += text.size == strlen(key) && memcmp(text.data, key, text.size) == 0;
  }
  return found;
}

CASE(own_types_have_a_namespace, .clauses = {TYPE_67},
     .title = "the types of objects that are registered from the start have keys with a namespace")
{
  TVMFFIObjectHandle keys = list_keys(iut);
  for (int64_t i = 0; i < sequence_cell(iut, keys)->size; ++i) {
    TVMFFIByteArray key = content_of(iut, &sequence_elements(iut, keys)[i]);
    int32_t index = -1;
    require(expect_ok(iut, iut->TypeKeyToIndex(&key, &index)));
    if (index < kTVMFFIStaticObjectBegin) continue;
    const char *point = memchr(key.data, '.', key.size);
    expect_that(point && point > key.data, "a key with a namespace and a point", "%.*s",
                (int)key.size, key.data);
  }
  release_object(iut, keys);
}

CASE(type_keys_are_listed_once, .clauses = {REG_16},
     .title = "the built-in types and those of others are listed by their keys, each once")
{
  static const char *const some[] = {"None",         "int",        "float",     "void*",
                                     "ffi.Object",   "ffi.String", "ffi.Bytes", "ffi.Error",
                                     "ffi.Function", "ffi.Shape",  "ffi.Array", "ffi.Map"};
  TVMFFIByteArray ours = bytes_of("conform.AType"), small = bytes_of("cf.T");
  TVMFFIObjectHandle before = list_keys(iut);
  iut->TypeGetOrAllocIndex(&ours, -1, 1, 0, 1, kTVMFFIObject);
  iut->TypeGetOrAllocIndex(&small, -1, 1, 0, 1, kTVMFFIObject);
  iut->TypeGetOrAllocIndex(&ours, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIObjectHandle after = list_keys(iut);
  expect_int("keys", sequence_cell(iut, after)->size, sequence_cell(iut, before)->size + 2);
  expect_int("times a key of ours is listed", count_key(iut, after, "conform.AType"), 1);
  expect_int("times a short key of ours is listed", count_key(iut, after, "cf.T"), 1);
  expect_int("times it was listed before", count_key(iut, before, "conform.AType"), 0);
  for (size_t i = 0; i < sizeof some / sizeof some[0]; ++i) {
    note("%s", some[i]);
    expect_int("times the key is listed", count_key(iut, after, some[i]), 1);
  }
  release_object(iut, before);
  release_object(iut, after);
}

CASE(type_keys_behind_reserved_slots_are_listed, .clauses = {REG_16},
     .title = "types are listed, each once, though hundreds of indices between them are free")
{
  enum { TYPES = 8 };
  char keys[TYPES][32];
  TVMFFIObjectHandle before = list_keys(iut);
  for (int i = 0; i < TYPES; ++i) {
    snprintf(keys[i], sizeof keys[i], "conform.Roomy.%d", i);
    TVMFFIByteArray key = bytes_of(keys[i]);
    iut->TypeGetOrAllocIndex(&key, -1, 1, 700 + 37 * i, 1, kTVMFFIObject);
  }
  TVMFFIObjectHandle after = list_keys(iut);
  int64_t count = sequence_cell(iut, after)->size;
  require(expect_int("keys", count, sequence_cell(iut, before)->size + TYPES));
  for (int i = 0; i < TYPES; ++i) {
    note("%s", keys[i]);
    expect_int("times the key is listed", count_key(iut, after, keys[i]), 1);
  }
  release_object(iut, before);
  release_object(iut, after);
}

CASE(type_keys_rise_by_index, .clauses = {REG_17},
     .title = "each listed key is a string that leads to a type index, and the indices rise")
{
  TVMFFIByteArray ours[] = {bytes_of("conform.Zebra"), bytes_of("conform.Ant")};
  for (int i = 0; i < 2; ++i) iut->TypeGetOrAllocIndex(&ours[i], -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIObjectHandle keys = list_keys(iut);
  int32_t before = INT32_MIN;
  for (int64_t i = 0; i < sequence_cell(iut, keys)->size; ++i) {
    const TVMFFIAny *key = &sequence_elements(iut, keys)[i];
    TVMFFIByteArray text = content_of(iut, key);
    int32_t type_index = INT32_MIN;
    note("the key %.*s", (int)text.size, text.data ? text.data : "");
    require(expect_that(key->type_index == kTVMFFISmallStr || key->type_index == kTVMFFIStr,
                        "a string", "type index %d", key->type_index));
    require(expect_ok(iut, iut->TypeKeyToIndex(&text, &type_index)));
    expect_that(type_index > before, "an index greater than that of the key before", "%d behind %d",
                type_index, before);
    before = type_index;
  }
  release_object(iut, keys);
}

// --- Singletons ----------------------------------------------------------------------------------

// The function gives one object, to whomever and however often it is called. Its handle.
static TVMFFIObjectHandle expect_singleton(Iut *iut, const char *function)
{
  TVMFFIObjectHandle object = object_of(iut, function, VALUES());
  expect_int("type index", object_type_index(iut, object), kTVMFFIObject);
  uint64_t strong = object_strong(iut, object);
  expect_that(strong >= 2, "a strong reference that is not the caller's", "%" PRIu64 " in all",
              strong);
  for (unsigned i = 1; i <= 3; ++i) {
    require(expect_pointer("what another call gives", object_of(iut, function, VALUES()), object));
    expect_int("strong references", (int64_t)object_strong(iut, object), (int64_t)(strong + i));
  }
  for (unsigned i = 0; i < 4; ++i) release_object(iut, object);
  note("after all callers have released it");
  require(expect_pointer("what another call gives", object_of(iut, function, VALUES()), object));
  expect_int("type index", object_type_index(iut, object), kTVMFFIObject);
  expect_int("strong references", (int64_t)object_strong(iut, object), (int64_t)strong);
  release_object(iut, object);
  return object;
}

CASE(missing_value_is_one_object, .clauses = {REG_24},
     .title =
         "ffi.GetInvalidObject always returns the same object, with a reference for each caller")
{
  expect_singleton(iut, "ffi.GetInvalidObject");
}

CASE(mark_of_keyword_arguments_is_another_object, .clauses = {REG_25},
     .title = "ffi.GetKwargsObject always returns the same object, and it is not the missing value")
{
  TVMFFIObjectHandle mark = expect_singleton(iut, "ffi.GetKwargsObject");
  TVMFFIObjectHandle missing = object_of(iut, "ffi.GetInvalidObject", VALUES());
  expect_that(mark != missing, "another object than the missing value", "the same");
  release_object(iut, missing);
}
