// SPDX-License-Identifier: Apache-2.0
// Opaque objects: somebody else's pointer under the counters of the runtime.
#include "object_header.h"

CHAPTER(object);

// What the deleter of the pointer saw. It has no other way to tell: the pointer may be NULL.
static struct {
  atomic_uint calls;
  void *last;
} deleted;

static void note_deletion(void *handle)
{
  atomic_fetch_add(&deleted.calls, 1);
  deleted.last = handle;
}

// Pointers that a runtime must not follow: the fenced one lies in an unmapped page.
static void *pointer_named(const char *name)
{
  static int target;
  if (strcmp(name, "null") == 0) return NULL;
  if (strcmp(name, "address-1") == 0) return (void *)1;
  if (strcmp(name, "all-bits-set") == 0) return (void *)UINTPTR_MAX;
  if (strcmp(name, "unmapped") == 0) return fenced_buffer("what the object wraps", 0);
  return &target;
}

static const struct {
  const char *name;
} pointers[] = {{"a-variable"}, {"null"}, {"address-1"}, {"all-bits-set"}, {"unmapped"}};

CASE_ROWS(opaque_object_holds_the_pointer, pointers, .clauses = {OBJ_20},
          .title = "an opaque object of type index 74 holds the pointer, which is not followed")
{
  void *pointer = pointer_named(row->name);
  TVMFFIObjectHandle object = new_opaque(iut, pointer, note_deletion);
  expect_int("type index", object_type_index(iut, object), kTVMFFIOpaquePyObject);
  const TVMFFIOpaqueObjectCell *cell = object_body(iut, object);
  expect_pointer("the pointer in the cell", cell->handle, pointer);
  release_object(iut, object);
  expect_int("calls of the deleter", atomic_load(&deleted.calls), 1);
}

CASE(opaque_objects_are_new_ones, .clauses = {OBJ_20},
     .title = "wrapping one pointer twice makes two objects, each with its own reference")
{
  int target;
  TVMFFIObjectHandle one = new_opaque(iut, &target, note_deletion);
  TVMFFIObjectHandle other = new_opaque(iut, &target, note_deletion);
  expect_that(one != other, "two objects", "one handle twice");
  expect_counts(iut, one, .strong = 1, .weak = 1);
  expect_counts(iut, other, .strong = 1, .weak = 1);
  release_object(iut, one);
  expect_int("calls of the deleter", atomic_load(&deleted.calls), 1);
  release_object(iut, other);
  expect_int("calls of the deleter", atomic_load(&deleted.calls), 2);
}

// --- The deleter ---------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool null;
  unsigned retained, weak;
} endings[] = {
    {"only-reference", false, 0, 0},
    {"retained-three-times", false, 3, 0},
    {"weakly-held", false, 0, 1},
    {"retained-and-weakly-held", false, 2, 5},
    {"null", true, 0, 0},
    {"null-weakly-held", true, 1, 1},
};

CASE_ROWS(opaque_deleter_runs_with_the_last_strong_reference, endings, .clauses = {OBJ_21},
          .title =
              "the deleter of an opaque object runs once, with its pointer, when the last strong "
              "reference goes")
{
  int target;
  void *pointer = row->null ? NULL : &target;
  deleted.last = &deleted;
  TVMFFIObjectHandle object = new_opaque(iut, pointer, note_deletion);
  for (unsigned i = 0; i < row->retained; ++i) iut->ObjectIncRef(object);
  for (unsigned i = 0; i < row->weak; ++i) object_take_weak(iut, object);
  for (unsigned i = 0; i < row->retained; ++i) expect_ok(iut, iut->ObjectDecRef(object));
  expect_int("calls of the deleter before the last release", atomic_load(&deleted.calls), 0);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_int("calls of the deleter after the last release", atomic_load(&deleted.calls), 1);
  expect_pointer("what it was called with", deleted.last, pointer);
  for (unsigned i = 0; i < row->weak; ++i) object_release_weak(iut, object);
  expect_int("calls of the deleter in the end", atomic_load(&deleted.calls), 1);
}

enum { RACERS = 4, RACED_OBJECTS = 300 };

static void release_each(Iut *iut, unsigned index, void *objects)
{
  (void)index;
  TVMFFIObjectHandle *object = objects;
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) iut->ObjectDecRef(object[i]);
}

CASE(opaque_deleter_runs_once_under_threads, .clauses = {OBJ_21}, .patience = 2,
     .title = "when threads race to release opaque objects, each deleter runs once")
{
  static TVMFFIObjectHandle objects[RACED_OBJECTS];
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) {
    objects[i] = new_opaque(iut, &objects[i], note_deletion);
    for (unsigned retained = 1; retained < RACERS; ++retained) iut->ObjectIncRef(objects[i]);
    require(expect_counts(iut, objects[i], .strong = RACERS, .weak = 1));
  }
  run_in_threads(iut, RACERS, release_each, objects);
  expect_int("calls of the deleters", atomic_load(&deleted.calls), RACED_OBJECTS);
}

static Iut *iut_of_nested;

static void release_wrapped(void *handle)
{
  atomic_fetch_add(&deleted.calls, 1);
  expect_ok(iut_of_nested, iut_of_nested->ObjectDecRef(handle));
}

CASE(opaque_object_wraps_an_object, .clauses = {OBJ_21},
     .title = "the deleter of an opaque object may release an object that it wraps")
{
  iut_of_nested = iut;
  TVMFFIObjectHandle inner = new_opaque(iut, NULL, note_deletion);
  TVMFFIObjectHandle outer = new_opaque(iut, inner, release_wrapped);
  expect_ok(iut, iut->ObjectDecRef(outer));
  expect_int("calls of both deleters", atomic_load(&deleted.calls), 2);
}

static const struct {
  const char *name;
  bool null, weak;
} no_deleter[] = {
    {"a-variable", false, false}, {"null", true, false}, {"weakly-held", false, true}};

CASE_ROWS(opaque_object_without_deleter, no_deleter, .clauses = {OBJ_22}, .wrong_call = true,
          .title = "an opaque object with a NULL deleter is made, and released without a call")
{
  int target = 42;
  void *pointer = row->null ? NULL : &target;
  TVMFFIObjectHandle object = new_opaque(iut, pointer, NULL);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  if (row->weak) object_take_weak(iut, object);
  expect_ok(iut, iut->ObjectDecRef(object));
  if (row->weak) object_release_weak(iut, object);
  expect_int("what the pointer points to", target, 42);
}
