// SPDX-License-Identifier: Apache-2.0
// Keys whose type is written in C++: its attributes are pointers to native functions, of two forms.
#include "cases/runtime/container_layout.h"
#include "cases/runtime/container_map.h"

CHAPTER(container);

// --- The functions -------------------------------------------------------------------------------

// Objects of the type are equal if the first bytes behind their headers are. These are small: who
// calls a function by the other form reads its result as a type index or a truth, and goes on.
static const Iut *library;
static atomic_uint equal_calls, hash_calls;

static unsigned char first_byte(const TVMFFIAny *value)
{
  return *(const unsigned char *)object_body(library, value->v_obj);
}

// Both halves differ from object to object.
static int64_t hash_of(unsigned char content)
{
  return (int64_t)content << 40 | content;
}

static TVMFFIAny equality_value(const TVMFFIAny *one, const TVMFFIAny *other)
{
  atomic_fetch_add(&equal_calls, 1);
  return view_of_bool(first_byte(one) == first_byte(other));
}

static TVMFFIAny hash_value(const TVMFFIAny *value)
{
  atomic_fetch_add(&hash_calls, 1);
  return view_of_int(hash_of(first_byte(value)));
}

static bool equality_number(const TVMFFIAny *one, const TVMFFIAny *other)
{
  atomic_fetch_add(&equal_calls, 1);
  return first_byte(one) == first_byte(other);
}

static int64_t hash_number(const TVMFFIAny *value)
{
  atomic_fetch_add(&hash_calls, 1);
  return hash_of(first_byte(value));
}

typedef struct Natives {
  void *equality, *hash;
} Natives;

static const Natives values = {__extension__(void *) equality_value,
                               __extension__(void *) hash_value};
static const Natives numbers = {__extension__(void *) equality_number,
                                __extension__(void *) hash_number};

// Gives a type of its own the two functions; returns its index.
static int32_t new_native_type(Iut *iut, const Natives *natives)
{
  TVMFFIByteArray key = bytes_of("conform.Native");
  TVMFFIByteArray equality = bytes_of("__any_equal__"), hash = bytes_of("__any_hash__");
  TVMFFIAny pointer = view_of_bits(kTVMFFIOpaquePtr, 0);
  library = iut;
  int32_t type_index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  pointer.v_ptr = natives->equality;
  require(expect_ok(iut, iut->TypeRegisterAttr(type_index, &equality, &pointer)));
  pointer.v_ptr = natives->hash;
  require(expect_ok(iut, iut->TypeRegisterAttr(type_index, &hash, &pointer)));
  return type_index;
}

static TVMFFIAny new_native(Iut *iut, int32_t type_index, unsigned char content)
{
  TVMFFIObjectHandle object = new_probe_object_of(iut, type_index);
  *(unsigned char *)object_body(iut, object) = content;
  return view_of_object(iut, object);
}

// --- Either form ---------------------------------------------------------------------------------

enum { KEYS = 3, FIRST = 3 };  // contents 3, 4 and 5

// Own: a map with the keys, which lead to 70 and so on, and with some integers.
static TVMFFIAny new_map_of(Iut *iut, const MapKind *kind, const TVMFFIAny *keys, int others)
{
  TVMFFIAny args[2 * KEYS + 24];
  size_t count = 0;
  for (int i = 0; i < 2 * others; ++i) args[count++] = view_of_int(1000 + i);
  for (int i = 0; i < KEYS; ++i) {
    args[count++] = keys[i];
    args[count++] = view_of_int(70 + i);
  }
  return value_of(iut, kind->make, args, count);
}

typedef struct NativeMap {
  const char *name;
  const MapKind *kind;
  int others;
} NativeMap;

static const NativeMap native_maps[] = {{"small-map", &the_map, 0},
                                        {"dense-map", &the_map, 10},
                                        {"small-dict", &the_dict, 0},
                                        {"dense-dict", &the_dict, 10}};

static void natives_decide(Iut *iut, const NativeMap *row, const Natives *natives)
{
  TVMFFIAny keys[KEYS];
  int32_t type_index = new_native_type(iut, natives);
  for (int i = 0; i < KEYS; ++i) keys[i] = new_native(iut, type_index, (unsigned char)(FIRST + i));
  TVMFFIAny map = new_map_of(iut, row->kind, keys, row->others);
  note("%d keys, no two of them equal, and %d others", KEYS, row->others);
  expect_gives(iut, view_of_int(KEYS + row->others), row->kind->size, VALUES(map));
  for (int i = 0; i < KEYS; ++i) {
    TVMFFIAny twin = new_native(iut, type_index, (unsigned char)(FIRST + i));
    note("an object that is equal to key %d", i);
    expect_entry(iut, row->kind, map, twin, view_of_int(70 + i));
  }
  note("an object that is equal to none");
  expect_no_entry(iut, row->kind, map, new_native(iut, type_index, FIRST + KEYS));
  expect_that(equal_calls > 0, "calls of __any_equal__", "none");
  if (row->others) expect_that(hash_calls > 0, "calls of __any_hash__", "none");
  release_any(iut, &map);
}

static const struct {
  const char *name;
  const MapKind *kind;
} native_kinds[] = {{"map", &the_map}, {"dict", &the_dict}};

// Each key stands in the chain of the hash that compiled code computes for it.
static void natives_hash(Iut *iut, const MapKind *kind, const Natives *natives)
{
  TVMFFIAny keys[KEYS];
  int32_t type_index = new_native_type(iut, natives), found = 0;
  for (int i = 0; i < KEYS; ++i) keys[i] = new_native(iut, type_index, (unsigned char)(FIRST + i));
  TVMFFIAny map = new_map_of(iut, kind, keys, 10);
  const MapBody *body = map_body(iut, map.v_obj);
  require(expect_that(!map_is_small(body), "a dense map of 13 entries", "a small one"));
  for (uint64_t slot = 0; slot < body->slots; ++slot) {
    if (!map_slot_is_used(body, slot)) continue;
    const TVMFFIAny *key = &map_item(body, slot)->key;
    if (key->type_index != type_index) continue;
    unsigned char content = first_byte(key);
    note("the key of content %d, whose hash is %#" PRIx64, content, hash_of(content));
    expect_in_chain(body, map_combine((uint64_t)type_index, (uint64_t)hash_of(content)), slot);
    ++found;
  }
  expect_int("keys of the type in the map", found, KEYS);
  release_any(iut, &map);
}

// --- From 0.1.16 on ------------------------------------------------------------------------------

CASE_ROWS(native_equality_returns_a_value, native_maps, .clauses = {CON_79},
          .title =
              "objects of a type with native functions that return values are the same key if "
              "these say so")
{
  natives_decide(iut, row, &values);
}

CASE_ROWS(native_hash_returns_a_value, native_kinds, .clauses = {CON_79},
          .title = "the int that a native function returns as a value is the hash of the key")
{
  natives_hash(iut, row->kind, &values);
}

// The error that the functions return, one reference at a time, if that is due.
static TVMFFIObjectHandle failure;
static bool equality_fails, hashing_fails;

static TVMFFIAny given_failure(void)
{
  library->ObjectIncRef(failure);
  return view_of_object((Iut *)(uintptr_t)library, failure);
}

static TVMFFIAny equality_or_failure(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return equality_fails ? given_failure() : equality_value(one, other);
}

static TVMFFIAny hash_or_failure(const TVMFFIAny *value)
{
  return hashing_fails ? given_failure() : hash_value(value);
}

static const struct {
  const char *name;
  int others;
  bool *fails;
  const MapKind *kind;
} native_failures[] = {{"equality-in-a-small-map", 0, &equality_fails, &the_map},
                       {"equality-in-a-dense-map", 10, &equality_fails, &the_map},
                       {"hash-in-a-dense-map", 10, &hashing_fails, &the_map},
                       {"equality-in-a-small-dict", 0, &equality_fails, &the_dict},
                       {"equality-in-a-dense-dict", 10, &equality_fails, &the_dict},
                       {"hash-in-a-dense-dict", 10, &hashing_fails, &the_dict}};

// The call fails with that error, and there is a reference more than before: that of the slot.
static void expect_failure_arrives(Iut *iut, const char *name, TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none(), none = any_none();
  note("%s while the function returns an error", name);
  int returned = call_registered(iut, &result, name, args, count);
  require(expect_int("return code", returned, -1));
  expect_same_bytes(&result, &none);
  TVMFFIObjectHandle raised = take_raised_error(iut);
  expect_pointer("error in the slot", raised, failure);
  expect_counts(iut, failure, .strong = 2, .weak = 1);
  release_object(iut, raised);
}

CASE_ROWS(native_failure_arrives, native_failures, .clauses = {CON_80},
          .title =
              "when a native function for equality or hash returns an error, it is raised and "
              "not leaked, and the map stays as it is")
{
  static const Natives failing = {__extension__(void *) equality_or_failure,
                                  __extension__(void *) hash_or_failure};
  TVMFFIAny keys[KEYS];
  int32_t type_index = new_native_type(iut, &failing);
  failure = new_error(iut, "LookupError", "no equality today", "");
  for (int i = 0; i < KEYS; ++i) keys[i] = new_native(iut, type_index, (unsigned char)(FIRST + i));
  TVMFFIAny map = new_map_of(iut, row->kind, keys, row->others);
  TVMFFIAny twin = new_native(iut, type_index, FIRST);
  *row->fails = true;
  expect_failure_arrives(iut, row->kind->get, VALUES(map, twin));
  expect_failure_arrives(iut, row->kind->count, VALUES(map, twin));
  expect_failure_arrives(iut, row->kind->get_or_missing, VALUES(map, twin));
  if (row->kind == &the_dict) {
    expect_failure_arrives(iut, "ffi.DictSetItem", VALUES(map, twin, view_of_int(78)));
    expect_failure_arrives(iut, "ffi.DictErase", VALUES(map, twin));
  }
  *row->fails = false;
  expect_gives(iut, view_of_int(KEYS + row->others), row->kind->size, VALUES(map));
  expect_entry(iut, row->kind, map, twin, view_of_int(70));
  expect_counts(iut, failure, .strong = 1, .weak = 1);
  release_any(iut, &map);
  release_object(iut, failure);
}

// --- Until 0.1.15 --------------------------------------------------------------------------------

CASE_ROWS(native_equality_returns_a_number, native_maps, .clauses = {CON_81},
          .title =
              "objects of a type with native functions that return numbers are the same key if "
              "these say so")
{
  natives_decide(iut, row, &numbers);
}

CASE_ROWS(native_hash_returns_a_number, native_kinds, .clauses = {CON_81},
          .title = "the number that a native function returns is the hash of the key")
{
  natives_hash(iut, row->kind, &numbers);
}
