// SPDX-License-Identifier: Apache-2.0
// The objects that the runtime makes: how they begin, and how their memory comes back. Every way to
// make one goes through the same cases.
#include "object_header.h"

CHAPTER(object);

static const char text[] = "longer than a small string";
static unsigned contents_destroyed;

static void destroy_content(void *content)
{
  (void)content;
  ++contents_destroyed;
}

static int do_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

// --- Makers --------------------------------------------------------------------------------------

static TVMFFIObjectHandle make_opaque(Iut *iut)
{
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->ObjectCreateOpaque(&contents_destroyed, kTVMFFIOpaquePyObject,
                                                 destroy_content, &object)));
  return object;
}

static TVMFFIObjectHandle make_string(Iut *iut)
{
  TVMFFIByteArray bytes = bytes_of(text);
  TVMFFIAny made = rubbish_but_none();
  require(expect_ok(iut, iut->StringFromByteArray(&bytes, &made)));
  require(expect_type_index(&made, kTVMFFIStr));
  return made.v_obj;
}

static TVMFFIObjectHandle make_bytes(Iut *iut)
{
  TVMFFIByteArray bytes = bytes_of(text);
  TVMFFIAny made = rubbish_but_none();
  require(expect_ok(iut, iut->BytesFromByteArray(&bytes, &made)));
  require(expect_type_index(&made, kTVMFFIBytes));
  return made.v_obj;
}

static TVMFFIObjectHandle make_string_of_view(Iut *iut)
{
  TVMFFIAny view = view_of_raw_string(text), made = rubbish_but_none();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, &made)));
  require(expect_type_index(&made, kTVMFFIStr));
  return made.v_obj;
}

static TVMFFIObjectHandle make_closure(Iut *iut)
{
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(
      iut, iut->FunctionCreate(&contents_destroyed, do_nothing, destroy_content, &object)));
  return object;
}

static TVMFFIObjectHandle make_function(Iut *iut)
{
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->FunctionCreate(NULL, do_nothing, NULL, &object)));
  return object;
}

static TVMFFIObjectHandle make_error(Iut *iut)
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of(text), none = {NULL, 0};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->ErrorCreate(&kind, &message, &none, &object)));
  return object;
}

static TVMFFIObjectHandle make_raised_error(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("ValueError", text);
  TVMFFIObjectHandle object = take_error(iut);
  require(expect_not_null("the raised error", object));
  return object;
}

static void destroy_plain(DLManagedTensor *self)
{
  destroy_content(self);
}

static void destroy_versioned(DLManagedTensorVersioned *self)
{
  destroy_content(self);
}

static int64_t extent = 3, stride = 1;
static float elements[3];

#define TENSOR                                                                      \
  {                                                                                 \
    .data = elements, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 32, 1}, \
    .shape = &extent, .strides = &stride                                            \
  }

static TVMFFIObjectHandle make_tensor(Iut *iut)
{
  static DLManagedTensor managed = {.dl_tensor = TENSOR, .deleter = destroy_plain};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->TensorFromDLPack(&managed, 0, 0, &object)));
  return object;
}

static TVMFFIObjectHandle make_versioned_tensor(Iut *iut)
{
  static DLManagedTensorVersioned managed = {
      .version = {DLPACK_MAJOR_VERSION, 0}, .dl_tensor = TENSOR, .deleter = destroy_versioned};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->TensorFromDLPackVersioned(&managed, 0, 0, &object)));
  return object;
}

// One that went out of the runtime and came back.
static TVMFFIObjectHandle make_tensor_of_tensor(Iut *iut)
{
  DLManagedTensor *managed = NULL;
  TVMFFIObjectHandle object = NULL, first = make_tensor(iut);
  require(expect_ok(iut, iut->TensorToDLPack(first, &managed)));
  require(expect_ok(iut, iut->TensorFromDLPack(managed, 0, 0, &object)));
  iut->ObjectDecRef(first);
  return object;
}

static TVMFFIObjectHandle make_view(Iut *iut)
{
  static const DLTensor prototype = TENSOR;
  TVMFFIObjectHandle object = NULL, source = make_tensor(iut);
  require(expect_ok(iut, iut->TensorCreateUnsafeView(source, &prototype, &object)));
  iut->ObjectDecRef(source);
  return object;
}

// `destroys`: there is a content of ours, whose destruction can be watched.
static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
  bool destroys;
} makers[] = {
    {"opaque", make_opaque, true},
    {"string", make_string, false},
    {"bytes", make_bytes, false},
    {"string-of-a-view", make_string_of_view, false},
    {"closure", make_closure, true},
    {"function", make_function, false},
    {"error", make_error, false},
    {"raised-error", make_raised_error, false},
    {"tensor", make_tensor, true},
    {"versioned-tensor", make_versioned_tensor, true},
    {"tensor-of-a-tensor", make_tensor_of_tensor, true},
    {"view", make_view, true},
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

CASE_ROWS(new_object_has_one_reference_of_each_kind, makers, .clauses = {OBJ_2},
          .title = "a new object of the runtime has strong count 1 and weak count 1")
{
  TVMFFIObjectHandle object = row->make(iut);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  release_object(iut, object);
}

// --- End, by the runtime -------------------------------------------------------------------------

static void make_and_release(Iut *iut, void *context)
{
  TVMFFIObjectHandle made = maker_of(context)(iut);
  require(expect_not_null("the object that was made", made));
  iut->ObjectDecRef(made);
}

CASE_ROWS(releasing_gives_the_memory_back, makers, .clauses = {OBJ_19},
          .title = "making and releasing objects over and over does not make the process grow")
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

CASE_ROWS(inline_release_frees_with_flags_3, makers, .clauses = {OBJ_17},
          .title =
              "whoever drops the last reference inline calls the deleter with flags 3, and all is "
              "given back")
{
  unsigned before = contents_destroyed;
  TVMFFIObjectHandle object = row->make(iut);
  require(expect_that(object_deleter(iut, object) != NULL, "a deleter", "NULL"));
  Maker *make = row->make;
  make_and_delete_both(iut, &make);
  expect_int("contents destroyed", contents_destroyed - before, row->destroys ? 1 : 0);
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
              "whoever drops the last strong and then the last weak reference inline calls the "
              "deleter with flags 1 and 2, and all is given back")
{
  unsigned before = contents_destroyed;
  TVMFFIObjectHandle object = row->make(iut);
  require(expect_that(object_deleter(iut, object) != NULL, "a deleter", "NULL"));
  delete_content_then_memory(iut, object);
  expect_int("contents destroyed", contents_destroyed - before, row->destroys ? 1 : 0);
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
  TVMFFIObjectHandle object = row->make(iut);
  ObjectDeleter *deleter = object_deleter(iut, object);
  object_take_weak(iut, object);
  unsigned before = contents_destroyed;
  require(expect_ok(iut, iut->ObjectDecRef(object)));
  overwrite_freed_memory();
  expect_counts(iut, object, .strong = 0, .weak = 1);
  expect_that(object_deleter(iut, object) == deleter, "the deleter that the object had", "another");
  expect_int("contents destroyed", contents_destroyed - before, row->destroys ? 1 : 0);
  note("dropping the weak reference");
  object_release_weak(iut, object);
  expect_int("contents destroyed", contents_destroyed - before, row->destroys ? 1 : 0);
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
  expect_operation_gives_back(iut, row->make, make_and_outlive);
}
