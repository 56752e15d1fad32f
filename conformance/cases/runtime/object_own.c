// SPDX-License-Identifier: Apache-2.0
// The objects that the runtime makes: how they begin, and how their memory comes back. Every way to
// make one goes through the same cases.
#include "object_header.h"

CHAPTER(object);

// `destroys`: there is a content of ours, whose destruction can be watched.
static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
  bool destroys;
} makers[] = {
    {"opaque", new_opaque_object, true},
    {"string", new_string_object, false},
    {"bytes", new_bytes_object, false},
    {"string-of-a-view", new_string_object_of_view, false},
    {"closure", new_closure_object, true},
    {"function", new_function_object, false},
    {"error", new_error_object, false},
    {"raised-error", new_raised_error_object, false},
    {"tensor", new_tensor_object, true},
    {"versioned-tensor", new_versioned_tensor_object, true},
    {"tensor-of-a-tensor", new_tensor_object_of_tensor, true},
    {"view", new_tensor_view_object, true},
};

typedef TVMFFIObjectHandle Maker(Iut *iut);

static Maker *maker_of(void *context)
{
  Maker **maker = context;
  return *maker;
}

// Runs an operation that makes and ends objects over and over.
static void expect_operation_gives_back(Iut *iut, Maker *make, void (*operation)(Iut *, void *))
{
  expect_no_heap_growth(iut, 200, operation, &make);
}

// --- Beginning -----------------------------------------------------------------------------------

// What never changes and has no deleter of the caller's: others may have it, too.
static bool can_be_shared(Maker *make)
{
  static Maker *const makers_of_such[] = {new_string_object, new_bytes_object,
                                          new_string_object_of_view, new_bytes_object_of_view,
                                          new_function_object};
  for (size_t i = 0; i < sizeof makers_of_such / sizeof *makers_of_such; ++i) {
    if (makers_of_such[i] == make) return true;
  }
  return false;
}

CASE_ROWS(new_object_has_one_reference_of_each_kind, makers, .clauses = {OBJ_2},
          .title =
              "a new object of the runtime has strong count 1 and weak count 1, one that can be "
              "shared at least 1 of each")
{
  TVMFFIObjectHandle object = row->make(iut);
  if (can_be_shared(row->make) && object_strong(iut, object) > 1)
    expect_that(object_weak(iut, object) > 0, "a weak reference of the strong ones", "none");
  else
    expect_counts(iut, object, .strong = 1, .weak = 1);
  release_object(iut, object);
}

// Own: a new object of which nobody else has a reference.
static TVMFFIObjectHandle make_alone(Iut *iut, Maker *make)
{
  TVMFFIObjectHandle object = make(iut);
  if (can_be_shared(make) && (object_strong(iut, object) > 1 || object_weak(iut, object) > 1))
    case_not_concerned("the library shares equal objects");
  return object;
}

// --- End, by the runtime -------------------------------------------------------------------------

static void make_and_release(Iut *iut, void *context)
{
  TVMFFIObjectHandle made = maker_of(context)(iut);
  require(expect_not_null("the object that was made", made));
  iut->ObjectDecRef(made);
}

CASE_ROWS(releasing_gives_the_memory_back, makers, .clauses = {OBJ_19},
          .title = "making and releasing objects does not leak")
{
  expect_operation_gives_back(iut, row->make, make_and_release);
}

// --- End, by hand --------------------------------------------------------------------------------

static void make_and_delete_both(Iut *iut, void *context)
{
  TVMFFIObjectHandle object = maker_of(context)(iut);
  object_set_counts(iut, object, 0, 1);
  object_deleter(iut, object)(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

CASE_ROWS(
    inline_release_frees_with_flags_3, makers, .clauses = {OBJ_17},
    .title = "dropping the last reference inline with a deleter call of flags 3 frees everything")
{
  unsigned before = object_contents_destroyed();
  TVMFFIObjectHandle object = make_alone(iut, row->make);
  require(expect_that(object_deleter(iut, object) != NULL, "a deleter", "NULL"));
  Maker *make = row->make;
  make_and_delete_both(iut, &make);
  expect_int("contents destroyed", object_contents_destroyed() - before, row->destroys ? 1 : 0);
  release_object(iut, object);
  expect_operation_gives_back(iut, row->make, make_and_delete_both);
}

static void delete_content_then_memory(Iut *iut, TVMFFIObjectHandle object)
{
  ObjectDeleter *deleter = object_deleter(iut, object);
  object_set_counts(iut, object, 0, 1);
  deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object_set_counts(iut, object, 0, 0);
  deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

static void make_and_delete_in_two_calls(Iut *iut, void *context)
{
  delete_content_then_memory(iut, maker_of(context)(iut));
}

CASE_ROWS(inline_release_frees_with_flags_1_and_2, makers, .clauses = {OBJ_17},
          .title =
              "dropping the last strong and then the last weak reference inline with deleter "
              "calls of flags 1 and 2 frees everything")
{
  unsigned before = object_contents_destroyed();
  TVMFFIObjectHandle object = make_alone(iut, row->make);
  require(expect_that(object_deleter(iut, object) != NULL, "a deleter", "NULL"));
  delete_content_then_memory(iut, object);
  expect_int("contents destroyed", object_contents_destroyed() - before, row->destroys ? 1 : 0);
  expect_operation_gives_back(iut, row->make, make_and_delete_in_two_calls);
}

// --- Held weakly ---------------------------------------------------------------------------------

// Takes memory of the sizes that an object may have had, so that a block freed too early is
// overwritten.
static void overwrite_freed_memory(void)
{
  for (size_t size = 24; size <= 280; size += 16) {
    void *block = malloc(size);
    if (!block) return;
    memset(block, 0xEE, size);
  }
}

CASE_ROWS(weakly_held_object_keeps_its_header, makers, .clauses = {OBJ_18},
          .title =
              "an object whose content is destroyed keeps its header, strong count 0 and deleter, "
              "for its weak holders")
{
  TVMFFIObjectHandle object = make_alone(iut, row->make);
  ObjectDeleter *deleter = object_deleter(iut, object);
  object_take_weak(iut, object);
  unsigned before = object_contents_destroyed();
  require(expect_ok(iut, iut->ObjectDecRef(object)));
  overwrite_freed_memory();
  expect_counts(iut, object, .strong = 0, .weak = 1);
  expect_that(object_deleter(iut, object) == deleter, "the deleter that the object had", "another");
  expect_int("contents destroyed", object_contents_destroyed() - before, row->destroys ? 1 : 0);
  note("dropping the weak reference");
  object_release_weak(iut, object);
  expect_int("contents destroyed", object_contents_destroyed() - before, row->destroys ? 1 : 0);
}

static void make_and_outlive(Iut *iut, void *context)
{
  TVMFFIObjectHandle object = maker_of(context)(iut);
  object_take_weak(iut, object);
  iut->ObjectDecRef(object);
  object_release_weak(iut, object);
}

CASE_ROWS(last_weak_reference_gives_the_memory_back, makers, .clauses = {OBJ_18},
          .title =
              "the memory of an object that was weakly held is given back with the last weak "
              "reference")
{
  release_object(iut, make_alone(iut, row->make));
  expect_operation_gives_back(iut, row->make, make_and_outlive);
}
