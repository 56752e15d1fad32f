// SPDX-License-Identifier: Apache-2.0
// Importing: what a tensor is that was made of a DLPack tensor, and when it lets go of it.
#include "cases/runtime/tensor_source.h"

CHAPTER(tensor);

static const struct {
  const char *name;
  AbiFunctionId function;
} exports[] = {
    {"import", FN_TensorFromDLPack},
    {"import_versioned", FN_TensorFromDLPackVersioned},
    {"export", FN_TensorToDLPack},
    {"export_versioned", FN_TensorToDLPackVersioned},
};

CASE_ROWS(exports_its_functions, exports, .clauses = {TEN_1},
          .title = "the runtime exports the functions that import and export DLPack tensors")
{
  expect_that(iut_has(iut, row->function), abi_functions[row->function].symbol, "no such symbol");
}

CASE(exports_the_making_of_views, .clauses = {TEN_2},
     .title = "the runtime exports TVMFFITensorCreateUnsafeView")
{
  expect_that(iut_has(iut, FN_TensorCreateUnsafeView), "TVMFFITensorCreateUnsafeView",
              "no such symbol");
}

static const struct {
  const char *name;
  DlpackForm form;
} forms[] = {{"plain", DLPACK_PLAIN}, {"versioned", DLPACK_VERSIONED}};

//--------------------------------------------------------------------------------------------------
// What is made
//--------------------------------------------------------------------------------------------------

CASE_ROWS(import_makes_a_tensor_object, forms, .clauses = {TEN_3},
          .title =
              "importing writes the handle of a new object of type 70 with strong count 1 and weak "
              "count 1, and calls no deleter")
{
  TensorSource *source = new_source(row->form, matrix_plan());
  TVMFFIObjectHandle *out = fenced_buffer("the output", sizeof(TVMFFIObjectHandle));
  require(expect_ok(iut, import_with(iut, source, 0, 0, out)));
  require(expect_not_null("the tensor", *out));
  expect_int("type index", object_type_index(iut, *out), 70);
  expect_counts(iut, *out, .strong = 1, .weak = 1);
  expect_int("calls of the deleter", source->deleted, 0);
  TVMFFIObjectHandle other = new_tensor(iut, row->form, matrix_plan());
  expect_that(other != *out, "another object for another import", "the same one, %p", other);
  release_object(iut, other);
  expect_counts(iut, *out, .strong = 1, .weak = 1);
  expect_int("calls of the deleter", source->deleted, 0);
  release_object(iut, *out);
}

typedef struct Described {
  const char *name;
  TensorPlan plan;
} Described;

// cutlass#3450 and pytorch#193213: byte offsets that somebody on the way loses or adds up.
static const Described described[] = {
    {"vector", {.ndim = 1, .shape = {5}, .address = 0x7000}},
    {"byte_offset", {.ndim = 2, .shape = {3, 4}, .address = 0x7000, .byte_offset = 64}},
    {"byte_offset_above_4_gib",
     {.ndim = 1, .shape = {1}, .address = 0x7000, .byte_offset = UINT64_C(0x123456789A)}},
    {"odd_address", {.ndim = 1, .shape = {5}, .address = 0x7FFFDEADBEEF}},
    {"without_data", {.ndim = 2, .shape = {0, 4}}},
    {"largest_extents",
     {.ndim = 2, .shape = {INT64_C(1) << 40, INT64_C(1) << 20}, .address = 0x7000}},
    {"cuda_device_3",
     {.ndim = 1,
      .shape = {2},
      .address = 0x7000,
      .device = {.device_type = kDLCUDA, .device_id = 3}}},
    {"lanes",
     {.ndim = 1,
      .shape = {2},
      .address = 0x7000,
      .dtype = {.code = kDLBfloat, .bits = 16, .lanes = 4}}},
    {"half_bytes",
     {.ndim = 1,
      .shape = {3},
      .address = 0x7000,
      .dtype = {.code = kDLUInt, .bits = 4, .lanes = 1}}},
    {"8_dimensions", {.ndim = 8, .shape = {2, 3, 1, 4, 1, 1, 5, 2}, .address = 0x7000}},
};

CASE_ROWS(tensor_describes_the_same_memory, described, .clauses = {TEN_4},
          .title =
              "data pointer, device, dimensions, data type, extents and byte offset of the tensor "
              "are those of the DLPack tensor")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TensorSource *source = new_source(form, &row->plan);
    TVMFFIObjectHandle tensor = imported(iut, source);
    expect_same_place(tensor_body(iut, tensor), &source->tensor);
    expect_numbers("extents", tensor_body(iut, tensor)->shape, row->plan.shape, row->plan.ndim);
    release_object(iut, tensor);
  }
}

// cutlass#3327 met strides above 2^31.
static const Described kept_strides[] = {
    {"contiguous", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {4, 1}}},
    {"transposed", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}}},
    {"padded_rows", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {16, 1}}},
    {"reversed", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {-4, -1}}},
    {"broadcast", {.ndim = 3, .shape = {3, 4, 5}, .strided = true, .strides = {0, 0, 1}}},
    {"above_4_gib",
     {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {INT64_C(0x123456789A), 1}}},
    {"one_row", {.ndim = 2, .shape = {1, 4}, .strided = true, .strides = {99, 1}}},
    {"no_elements", {.ndim = 2, .shape = {0, 4}, .strided = true, .strides = {7, 9}}},
};

CASE_ROWS(given_strides_are_kept, kept_strides, .clauses = {TEN_5},
          .title = "a DLPack tensor with strides becomes a tensor with the same strides")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, &row->plan);
    expect_numbers("strides", tensor_body(iut, tensor)->strides, row->plan.strides, row->plan.ndim);
    release_object(iut, tensor);
  }
}

// `strides` are what is expected of a DLPack tensor that has none: compiled code loads them without
// asking, as CuTe's does.
static const Described filled_strides[] = {
    {"vector", {.ndim = 1, .shape = {5}, .strides = {1}}},
    {"matrix", {.ndim = 2, .shape = {3, 4}, .strides = {4, 1}}},
    {"3_dimensions", {.ndim = 3, .shape = {2, 3, 4}, .strides = {12, 4, 1}}},
    {"8_dimensions",
     {.ndim = 8, .shape = {2, 3, 1, 4, 1, 1, 5, 2}, .strides = {120, 40, 40, 10, 10, 10, 2, 1}}},
    {"ones", {.ndim = 3, .shape = {1, 1, 1}, .strides = {1, 1, 1}}},
    {"above_4_gib",
     {.ndim = 3, .shape = {4, 1 << 20, 1 << 20}, .strides = {INT64_C(1) << 40, 1 << 20, 1}}},
};

CASE_ROWS(missing_strides_are_filled_in, filled_strides, .clauses = {TEN_6},
          .title = "a DLPack tensor without strides becomes a tensor with the strides of its rows")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, &row->plan);
    TVMFFIObjectHandle other = new_tensor(iut, form, matrix_plan());
    expect_numbers("strides", tensor_body(iut, tensor)->strides, row->plan.strides, row->plan.ndim);
    release_object(iut, other);
    release_object(iut, tensor);
  }
}

static const Described elementless[] = {
    {"vector", {.ndim = 1, .shape = {0}}},
    {"first_extent_0", {.ndim = 2, .shape = {0, 4}}},
    {"inner_extent_0", {.ndim = 3, .shape = {2, 0, 4}}},
};

CASE_ROWS(missing_strides_of_no_elements_are_filled_in, elementless, .clauses = {TEN_6},
          .title = "a tensor of no elements has strides, too, if the DLPack tensor has none")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, &row->plan);
    expect_not_null("strides", tensor_body(iut, tensor)->strides);
    release_object(iut, tensor);
  }
}

static const Described scalars[] = {
    {"without_shape", {.bare = true, .address = 0x7000}},
    {"with_shape", {.bare = false, .address = 0x7000}},
    {"with_shape_and_strides", {.strided = true, .address = 0x7000}},
};

CASE_ROWS(tensor_may_have_no_dimensions, scalars, .clauses = {TEN_7},
          .title = "a DLPack tensor of 0 dimensions is imported, also where contiguity is required")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    for (int32_t contiguous = 0; contiguous < 2; ++contiguous) {
      note("%s, required contiguity %d", forms[form].name, contiguous);
      TensorSource *source = new_source(form, &row->plan);
      TVMFFIObjectHandle tensor = imported_with(iut, source, 0, contiguous);
      expect_int("number of dimensions", tensor_body(iut, tensor)->ndim, 0);
      release_object(iut, tensor);
      expect_deleted_once(source);
    }
  }
}

static const Described written[] = {
    {"without_strides", {.ndim = 2, .shape = {3, 4}}},
    {"with_strides", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}}},
    {"one_row", {.ndim = 2, .shape = {1, 4}, .strided = true, .strides = {99, 1}}},
    {"no_elements", {.ndim = 2, .shape = {0, 4}, .strided = true, .strides = {7, 9}}},
};

// Everything lies in read-only memory: a write is a fault that names it.
CASE_ROWS(dlpack_tensor_is_not_written_to, written, .clauses = {TEN_8},
          .title = "importing leaves the DLPack tensor, its shape, its strides and its data alone")
{
  static const char bytes[48] = "what stands where the elements are";
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TensorPlan plan = row->plan;
    const void *data = fenced_copy("the data", bytes, sizeof bytes);
    plan.address = (uintptr_t)data;
    TensorSource *source = new_source(form, &plan);
    const DLTensor *given = form == DLPACK_PLAIN ? &source->managed.plain->dl_tensor
                                                 : &source->managed.versioned->dl_tensor;
    TVMFFIObjectHandle tensor = imported(iut, source);
    expect_memory("the DLPack tensor", given, sizeof *given, &source->tensor, sizeof *given);
    expect_memory("data", data, sizeof bytes, bytes, sizeof bytes);
    release_object(iut, tensor);
  }
}

//--------------------------------------------------------------------------------------------------
// Letting go
//--------------------------------------------------------------------------------------------------

CASE_ROWS(deleter_runs_with_the_last_reference, forms, .clauses = {TEN_9},
          .title =
              "the deleter of the DLPack tensor runs once, with it, when the last strong "
              "reference to the tensor is dropped, and not before")
{
  TensorSource *source = new_source(row->form, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  for (int i = 0; i < 3; ++i) require(expect_ok(iut, iut->ObjectIncRef(tensor)));
  for (int i = 0; i < 3; ++i) release_object(iut, tensor);
  expect_int("calls of the deleter before the last release", source->deleted, 0);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

CASE_ROWS(deleter_does_not_wait_for_weak_references, forms, .clauses = {TEN_9},
          .title =
              "the deleter of the DLPack tensor runs when the last strong reference is dropped, "
              "though weak ones are left, and not again when they go")
{
  TensorSource *source = new_source(row->form, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  object_take_weak(iut, tensor);
  object_take_weak(iut, tensor);
  release_object(iut, tensor);
  expect_deleted_once(source);
  object_release_weak(iut, tensor);
  object_release_weak(iut, tensor);
  expect_int("calls of the deleter after the weak references are gone", source->deleted, 1);
}

static void release_in_thread(Iut *iut, __attribute__((unused)) unsigned index, void *tensor)
{
  release_object(iut, tensor);
}

// tvm-ffi#529: a deleter that relied on the thread in which it runs.
CASE(any_thread_may_drop_the_last_reference, .clauses = {TEN_9},
     .title = "the deleter runs once when four threads drop the last four references at once")
{
  for (unsigned i = 0; i < 8; ++i) {
    TensorSource *source = new_source(i % DLPACK_FORMS, matrix_plan());
    TVMFFIObjectHandle tensor = imported(iut, source);
    for (int j = 1; j < 4; ++j) require(expect_ok(iut, iut->ObjectIncRef(tensor)));
    run_in_threads(iut, 4, release_in_thread, tensor);
    expect_deleted_once(source);
  }
}

CASE_ROWS(deleter_may_be_missing, forms, .clauses = {TEN_10},
          .title = "a DLPack tensor whose deleter is NULL is imported, and the tensor released")
{
  TensorPlan plan = *matrix_plan();
  plan.undeletable = true;
  TensorSource *source = new_source(row->form, &plan);
  TVMFFIObjectHandle tensor = imported(iut, source);
  expect_same_place(tensor_body(iut, tensor), &source->tensor);
  release_object(iut, tensor);
}

//--------------------------------------------------------------------------------------------------
// Refused
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  TensorPlan plan;
  int32_t alignment, contiguous;
} refusals[] = {
    {"not_aligned", {.ndim = 2, .shape = {3, 4}, .address = 0x7004}, 64, 0},
    {"not_contiguous", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}}, 0, 1},
    {"neither",
     {.ndim = 1, .shape = {3}, .strided = true, .strides = {2}, .byte_offset = 1},
     64,
     1},
};

CASE_ROWS(refused_tensor_stays_with_the_caller, refusals, .clauses = {TEN_11},
          .title =
              "an import that fails calls no deleter, and the same DLPack tensor can be imported "
              "afterwards")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TensorSource *source = new_source(form, &row->plan);
    for (int i = 0; i < 3; ++i) expect_refused(iut, source, row->alignment, row->contiguous);
    TVMFFIObjectHandle tensor = imported(iut, source);
    expect_int("calls of the deleter after the import", source->deleted, 0);
    release_object(iut, tensor);
    expect_deleted_once(source);
  }
}

CASE_ROWS(refused_import_writes_no_output, refusals, .clauses = {TEN_41}, .wrong_call = true,
          .title = "an import that fails leaves the output as it was")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TVMFFIObjectHandle before = &before, out = before;
    TensorSource *source = new_source(form, &row->plan);
    expect_failure(iut, import_with(iut, source, row->alignment, row->contiguous, &out));
    expect_pointer("the output after the refusal", out, before);
  }
}

CASE(refused_for_its_flag_stays_with_the_caller, .clauses = {TEN_11},
     .title =
         "a tensor that is refused for its flags is not deleted; the same tensor without them is "
         "imported")
{
  TensorPlan plan = *matrix_plan();
  plan.flags = 4;
  TensorSource *source = new_source(DLPACK_VERSIONED, &plan);
  for (int i = 0; i < 3; ++i) {
    TVMFFIObjectHandle tensor = NULL;
    if (import_with(iut, source, 0, 0, &tensor) == 0)
      case_not_applicable("the library imports tensors with padded elements");
    TVMFFIObjectHandle error = take_error(iut);
    if (error) release_object(iut, error);
    expect_int("calls of the deleter after the refusal", source->deleted, 0);
  }
  TensorSource *twin = new_source(DLPACK_VERSIONED, matrix_plan());
  release_object(iut, imported(iut, twin));
  expect_deleted_once(twin);
  expect_int("calls of the deleter of the refused one", source->deleted, 0);
}

static const struct {
  const char *name;
  uint64_t flags;
} flags[] = {{"none", 0}, {"read_only", 1}, {"copied", 2}, {"read_only_and_copied", 3}};

CASE_ROWS(flags_keep_no_tensor_out, flags, .clauses = {TEN_20},
          .title = "a tensor that is read-only, copied or both is imported")
{
  TensorPlan plan = *matrix_plan();
  plan.flags = row->flags;
  TensorSource *source = new_source(DLPACK_VERSIONED, &plan);
  release_object(iut, imported(iut, source));
  expect_deleted_once(source);
}

CASE_ROWS(padded_elements_stay_padded, flags, .clauses = {TEN_42},
          .title = "a tensor of padded elements is refused, or exported as one")
{
  TensorPlan plan = *matrix_plan();
  release_object(iut, imported(iut, new_source(DLPACK_VERSIONED, &plan)));
  plan.flags = row->flags | 4;
  TensorSource *source = new_source(DLPACK_VERSIONED, &plan);
  TVMFFIObjectHandle tensor = NULL;
  int status = import_with(iut, source, 0, 0, &tensor);
  if (status != 0) {
    expect_failure(iut, status);
    return;
  }
  DLManagedTensorVersioned *made = NULL;
  require(expect_ok(iut, iut->TensorToDLPackVersioned(tensor, &made)));
  expect_int("the flag of padded elements", (int64_t)(made->flags & 4), 4);
  made->deleter(made);
  release_object(iut, tensor);
}
