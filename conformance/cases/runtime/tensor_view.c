// SPDX-License-Identifier: Apache-2.0
// Views: tensors that look at another one's memory in a way of their own.
#include "cases/runtime/tensor_export.h"

CHAPTER(tensor);

// Own: a view of the source by the prototype. Ends the case if it is not available.
static TVMFFIObjectHandle new_view(Iut *iut, TVMFFIObjectHandle source, const DLTensor *prototype)
{
  TVMFFIObjectHandle *out = fenced_buffer("the output", sizeof(TVMFFIObjectHandle));
  require(expect_ok(iut, iut->TensorCreateUnsafeView(source, prototype, out)));
  require(expect_not_null("the view", *out));
  return *out;
}

// Own: the same by a plan, fenced.
static TVMFFIObjectHandle new_view_of_plan(Iut *iut, TVMFFIObjectHandle source,
                                           const TensorPlan *plan)
{
  DLTensor prototype = tensor_of_plan(plan);
  return new_view(iut, source, fenced_copy("the prototype", &prototype, sizeof prototype));
}

// The second row of what matrix_plan() describes.
static const TensorPlan row_of_matrix = {
    .ndim = 1, .shape = {4}, .strided = true, .strides = {1}, .address = 0x7000, .byte_offset = 16};

static const struct {
  const char *name;
  TensorPlan plan;
} views[] = {
    {"row",
     {.ndim = 1,
      .shape = {4},
      .strided = true,
      .strides = {1},
      .address = 0x7000,
      .byte_offset = 16}},
    {"transposed",
     {.ndim = 2, .shape = {4, 3}, .strided = true, .strides = {1, 4}, .address = 0x7000}},
    {"reversed", {.ndim = 1, .shape = {12}, .strided = true, .strides = {-1}, .address = 0x702C}},
    {"other_type_and_device",
     {.ndim = 1,
      .shape = {48},
      .strided = true,
      .strides = {1},
      .address = 0x7000,
      .device = {.device_type = kDLCUDAHost, .device_id = 2},
      .dtype = {.code = kDLUInt, .bits = 8, .lanes = 1}}},
    {"8_dimensions",
     {.ndim = 8,
      .shape = {1, 1, 3, 1, 2, 1, 2, 1},
      .strided = true,
      .strides = {12, 12, 4, 4, 2, 2, 1, 1},
      .address = 0x7000}},
    {"no_elements", {.ndim = 2, .shape = {0, 4}, .strided = true, .strides = {7, 9}}},
    {"no_dimensions", {.strided = true, .address = 0x7008}},
};

CASE_ROWS(view_is_what_its_prototype_says, views, .clauses = {TEN_31},
          .title =
              "a view is a new object of type 70 with strong count 1 and weak count 1, and has "
              "every field of the prototype")
{
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_PLAIN, matrix_plan());
  DLTensor prototype = tensor_of_plan(&row->plan);
  TVMFFIObjectHandle view =
      new_view(iut, tensor, fenced_copy("the prototype", &prototype, sizeof prototype));
  require(expect_that(view != tensor, "a new object", "the source itself"));
  expect_int("type index", object_type_index(iut, view), 70);
  expect_counts(iut, view, .strong = 1, .weak = 1);
  expect_same_tensor(tensor_body(iut, view), &prototype);
  release_object(iut, view);
  release_object(iut, tensor);
}

typedef struct Scrap {
  DLTensor prototype;
  int64_t shape[3], strides[3];
} Scrap;

CASE(view_has_its_own_shape_and_strides, .clauses = {TEN_32},
     .title =
         "overwriting the prototype, its shape and its strides after the call does not change the "
         "view")
{
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_PLAIN, matrix_plan());
  Scrap *scrap = malloc(sizeof *scrap);
  *scrap = (Scrap){.shape = {3, 2, 2}, .strides = {4, 2, 1}};
  scrap->prototype = *tensor_body(iut, tensor);
  scrap->prototype.ndim = 3;
  scrap->prototype.shape = scrap->shape;
  scrap->prototype.strides = scrap->strides;
  Scrap before = *scrap;
  TVMFFIObjectHandle view = new_view(iut, tensor, &scrap->prototype);
  expect_memory("prototype, shape and strides", scrap, sizeof *scrap, &before, sizeof before);
  memset(scrap, 0x77, sizeof *scrap);
  before.prototype.shape = before.shape;
  before.prototype.strides = before.strides;
  expect_same_tensor(tensor_body(iut, view), &before.prototype);
  note("after the memory of the prototype was freed");
  free(scrap);
  TensorExport export = exported(iut, view, DLPACK_PLAIN);
  expect_same_tensor(export_tensor(&export), &before.prototype);
  export_delete(&export);
  release_object(iut, view);
  release_object(iut, tensor);
}

CASE(view_does_not_write_to_its_prototype, .clauses = {TEN_32},
     .title = "making a view writes neither to the prototype nor to its shape and strides")
{
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_PLAIN, matrix_plan());
  DLTensor before = tensor_of_plan(&row_of_matrix);
  const DLTensor *prototype = fenced_copy("the prototype", &before, sizeof before);
  TVMFFIObjectHandle view = new_view(iut, tensor, prototype);
  expect_memory("prototype", prototype, sizeof before, &before, sizeof before);
  expect_numbers("extents", prototype->shape, row_of_matrix.shape, 1);
  expect_numbers("strides", prototype->strides, row_of_matrix.strides, 1);
  release_object(iut, view);
  release_object(iut, tensor);
}

//--------------------------------------------------------------------------------------------------
// What a view holds
//--------------------------------------------------------------------------------------------------

CASE(view_holds_one_reference, .clauses = {TEN_33},
     .title =
         "a view takes exactly one strong reference to its source and gives it back when its last "
         "strong reference is dropped")
{
  TensorSource *source = new_source(DLPACK_PLAIN, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  TVMFFIObjectHandle view = new_view_of_plan(iut, tensor, &row_of_matrix);
  expect_counts(iut, tensor, .strong = 2, .weak = 1);
  TVMFFIObjectHandle other = new_view_of_plan(iut, tensor, &row_of_matrix);
  expect_counts(iut, tensor, .strong = 3, .weak = 1);
  release_object(iut, other);
  expect_counts(iut, tensor, .strong = 2, .weak = 1);
  note("a weak reference to the view is left");
  object_take_weak(iut, view);
  release_object(iut, view);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  object_release_weak(iut, view);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  expect_int("calls of the source's deleter", source->deleted, 0);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

CASE(view_keeps_its_source_alive, .clauses = {TEN_33},
     .title = "a tensor that only a view holds ends with the view, not before")
{
  TensorSource *source = new_source(DLPACK_VERSIONED, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  TVMFFIObjectHandle view = new_view_of_plan(iut, tensor, &row_of_matrix);
  release_object(iut, tensor);
  expect_int("calls of the source's deleter", source->deleted, 0);
  expect_counts(iut, view, .strong = 1, .weak = 1);
  release_object(iut, view);
  expect_deleted_once(source);
}

CASE(views_keep_the_chain_alive, .clauses = {TEN_33},
     .title =
         "a view of a view of a view, exported, keeps the first tensor alive when all else is "
         "released")
{
  TensorSource *source = new_source(DLPACK_PLAIN, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  for (int i = 0; i < 3; ++i) {
    TVMFFIObjectHandle view = new_view_of_plan(iut, tensor, &row_of_matrix);
    expect_counts(iut, tensor, .strong = 2, .weak = 1);
    release_object(iut, tensor);
    expect_counts(iut, tensor, .strong = 1, .weak = 1);
    tensor = view;
  }
  TensorExport export = exported(iut, tensor, DLPACK_VERSIONED);
  release_object(iut, tensor);
  expect_int("calls of the source's deleter", source->deleted, 0);
  expect_numbers("extents", export_tensor(&export)->shape, row_of_matrix.shape, 1);
  expect_numbers("strides", export_tensor(&export)->strides, row_of_matrix.strides, 1);
  expect_int("byte offset", (int64_t)export_tensor(&export)->byte_offset, 16);
  export_delete(&export);
  expect_deleted_once(source);
}

static void view_and_release(Iut *iut, void *tensor)
{
  int64_t shape = 4, stride = 1;
  DLTensor prototype = *tensor_body(iut, tensor);
  prototype.ndim = 1;
  prototype.shape = &shape;
  prototype.strides = &stride;
  TVMFFIObjectHandle view = NULL;
  require(expect_ok(iut, iut->TensorCreateUnsafeView(tensor, &prototype, &view)));
  require(expect_not_null("the view", view));
  iut->ObjectDecRef(view);
}

CASE(views_leave_no_memory_behind, .clauses = {TEN_28, TEN_33},
     .title = "making and releasing views does not leak")
{
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_PLAIN, matrix_plan());
  expect_no_heap_growth(iut, 200, view_and_release, tensor);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  release_object(iut, tensor);
}

CASE(prototype_without_strides_is_refused, .clauses = {TEN_34},
     .title =
         "a prototype without strides becomes a view with strides, or is refused and leaves the "
         "counts as they were")
{
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_PLAIN, matrix_plan());
  TensorPlan plan = row_of_matrix;
  plan.strided = false;
  DLTensor prototype = tensor_of_plan(&plan);
  TVMFFIObjectHandle out = NULL;
  int status = iut->TensorCreateUnsafeView(tensor, &prototype, &out);
  if (status == 0) {
    require(expect_not_null("the view", out));
    require(expect_not_null("strides of the view", tensor_body(iut, out)->strides));
    expect_int("stride of the last dimension",
               tensor_body(iut, out)->strides[tensor_body(iut, out)->ndim - 1], 1);
    release_object(iut, out);
  } else {
    expect_failure(iut, status);
  }
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  note("with strides");
  release_object(iut, new_view_of_plan(iut, tensor, &row_of_matrix));
  release_object(iut, tensor);
}
