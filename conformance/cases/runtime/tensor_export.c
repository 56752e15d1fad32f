// SPDX-License-Identifier: Apache-2.0
// Exporting: what consumers get, and what keeps the tensor alive for them.
#include "cases/runtime/tensor_export.h"

CHAPTER(tensor);

static const struct {
  const char *name;
  DlpackForm form;
} forms[] = {{"plain", DLPACK_PLAIN}, {"versioned", DLPACK_VERSIONED}};

//--------------------------------------------------------------------------------------------------
// What is exported
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  TensorPlan plan;
} shapes[] = {
    {"vector", {.ndim = 1, .shape = {5}, .address = 0x7000, .strided = true, .strides = {1}}},
    {"byte_offset",
     {.ndim = 2,
      .shape = {3, 4},
      .address = 0x7000,
      .byte_offset = 64,
      .strided = true,
      .strides = {4, 1}}},
    {"reversed_and_broadcast",
     {.ndim = 3, .shape = {3, 4, 5}, .address = 0x7001, .strided = true, .strides = {-20, 0, 1}}},
    {"cuda_lanes",
     {.ndim = 1,
      .shape = {2},
      .address = 0x7000,
      .strided = true,
      .strides = {1},
      .device = {.device_type = kDLCUDA, .device_id = 3},
      .dtype = {.code = kDLBfloat, .bits = 16, .lanes = 4}}},
    {"no_elements", {.ndim = 2, .shape = {0, 4}, .strided = true, .strides = {7, 9}}},
    {"no_dimensions", {.address = 0x7000}},
};

// tvm-ffi#40: the device of a tensor was lost on its way.
CASE_ROWS(export_describes_the_same_memory, shapes, .clauses = {TEN_21},
          .title = "an exported tensor has a deleter, and every field that the tensor has")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TensorSource *source = new_source(form, &row->plan);
    TVMFFIObjectHandle tensor = imported(iut, source);
    TensorExport export = exported(iut, tensor, form);
    expect_same_tensor(export_tensor(&export), &source->tensor);
    export_delete(&export);
    release_object(iut, tensor);
    expect_deleted_once(source);
  }
}

static const struct {
  const char *name;
  TensorPlan plan;
} filled[] = {
    {"vector", {.ndim = 1, .shape = {5}, .strides = {1}}},
    {"3_dimensions", {.ndim = 3, .shape = {2, 3, 4}, .strides = {12, 4, 1}}},
    {"no_elements", {.ndim = 3, .shape = {2, 0, 4}, .strides = {0, 4, 1}}},
};

// tvm-ffi's consumers load strides unasked; the source has none.
CASE_ROWS(export_has_strides, filled, .clauses = {TEN_22, TEN_21},
          .title = "a tensor whose strides were filled in is exported with them")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, &row->plan);
    TensorExport export = exported(iut, tensor, form);
    release_object(iut, tensor);
    expect_numbers("strides", export_tensor(&export)->strides, row->plan.strides, row->plan.ndim);
    export_delete(&export);
  }
}

CASE(export_is_of_version_1, .clauses = {TEN_25},
     .title = "a versioned export has the major version 1")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("of a tensor that came as %s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, matrix_plan());
    TensorExport export = exported(iut, tensor, DLPACK_VERSIONED);
    expect_int("major version", export.versioned->version.major, 1);
    export_delete(&export);
    release_object(iut, tensor);
  }
}

CASE(export_has_no_flags, .clauses = {TEN_26},
     .title = "a tensor that came without flags is exported with flags 0")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("of a tensor that came as %s", forms[form].name);
    TVMFFIObjectHandle tensor = new_tensor(iut, form, matrix_plan());
    TensorExport export = exported(iut, tensor, DLPACK_VERSIONED);
    expect_hex("flags", export.versioned->flags, 0);
    export_delete(&export);
    release_object(iut, tensor);
  }
}

CASE(read_only_tensor_stays_read_only, .clauses = {TEN_27},
     .title = "a tensor that came as read-only is exported as read-only")
{
  TensorPlan plan = *matrix_plan();
  plan.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  TVMFFIObjectHandle tensor = new_tensor(iut, DLPACK_VERSIONED, &plan);
  TensorExport export = exported(iut, tensor, DLPACK_VERSIONED);
  expect_hex("the flag for read-only", export.versioned->flags & DLPACK_FLAG_BITMASK_READ_ONLY,
             DLPACK_FLAG_BITMASK_READ_ONLY);
  export_delete(&export);
  release_object(iut, tensor);
}

//--------------------------------------------------------------------------------------------------
// What it holds
//--------------------------------------------------------------------------------------------------

CASE_ROWS(export_holds_one_reference, forms, .clauses = {TEN_23},
          .title =
              "exporting adds exactly one strong reference, which the deleter of the exported "
              "tensor gives back")
{
  TensorSource *source = new_source(row->form, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  TensorExport export = exported(iut, tensor, row->form);
  expect_counts(iut, tensor, .strong = 2, .weak = 1);
  export_delete(&export);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  expect_int("calls of the source's deleter", source->deleted, 0);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

// tvm-ffi#424: what an export needs is freed by its deleter, and no sooner.
CASE_ROWS(export_outlives_the_handle, forms, .clauses = {TEN_23},
          .title =
              "an exported tensor stays as it is when every other reference is dropped, and its "
              "deleter then ends the tensor")
{
  TensorSource *source = new_source(row->form, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  TensorExport export = exported(iut, tensor, row->form);
  release_object(iut, tensor);
  expect_int("calls of the source's deleter", source->deleted, 0);
  expect_same_place(export_tensor(&export), &source->tensor);
  expect_numbers("extents", export_tensor(&export)->shape, (int64_t[]){3, 4}, 2);
  expect_numbers("strides", export_tensor(&export)->strides, (int64_t[]){4, 1}, 2);
  export_delete(&export);
  expect_deleted_once(source);
}

enum { EXPORTS = 20 };

static const struct {
  const char *name;
  unsigned start, step;  // in which order they are deleted; the step has no divisor in common
} orders[] = {
    {"as_they_were_made", 0, 1}, {"last_first", EXPORTS - 1, EXPORTS - 1}, {"mixed", 3, 7}};

CASE_ROWS(exports_are_independent, orders, .clauses = {TEN_24, TEN_23},
          .title =
              "twenty exports of one tensor, in both forms, lie at addresses of their own and "
              "can be deleted in any order")
{
  TensorExport exports[EXPORTS];
  TensorSource *source = new_source(DLPACK_PLAIN, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  for (unsigned i = 0; i < EXPORTS; ++i) {
    exports[i] = exported(iut, tensor, i % DLPACK_FORMS);
    for (unsigned j = 0; j < i; ++j)
      require(expect_that(export_address(&exports[i]) != export_address(&exports[j]),
                          "an address of its own", "%p once more", export_address(&exports[j])));
  }
  expect_counts(iut, tensor, .strong = EXPORTS + 1, .weak = 1);
  for (unsigned i = 0, at = row->start; i < EXPORTS; ++i, at = (at + row->step) % EXPORTS) {
    expect_same_place(export_tensor(&exports[at]), &source->tensor);
    export_delete(&exports[at]);
    require(expect_counts(iut, tensor, .strong = EXPORTS - i, .weak = 1));
  }
  release_object(iut, tensor);
  expect_deleted_once(source);
}

static const struct {
  const char *name;
  DlpackForm from, by;
} paths[] = {
    {"plain_by_plain", DLPACK_PLAIN, DLPACK_PLAIN},
    {"plain_by_versioned", DLPACK_PLAIN, DLPACK_VERSIONED},
    {"versioned_by_plain", DLPACK_VERSIONED, DLPACK_PLAIN},
    {"versioned_by_versioned", DLPACK_VERSIONED, DLPACK_VERSIONED},
};

CASE_ROWS(export_may_be_imported_again, paths, .clauses = {TEN_29},
          .title =
              "a tensor that is exported and imported three times over describes the same memory, "
              "and the first one lives as long as the last")
{
  TensorSource *source = new_source(row->from, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  for (int i = 0; i < 3; ++i) {
    TensorExport export = exported(iut, tensor, row->by);
    TVMFFIObjectHandle next = export_imported(iut, &export);
    expect_that(next != tensor, "a new tensor", "the old one, %p", tensor);
    expect_counts(iut, next, .strong = 1, .weak = 1);
    expect_same_tensor(tensor_body(iut, next), tensor_body(iut, tensor));
    release_object(iut, tensor);
    expect_counts(iut, tensor, .strong = 1, .weak = 1);
    tensor = next;
  }
  expect_int("calls of the source's deleter", source->deleted, 0);
  expect_same_place(tensor_body(iut, tensor), &source->tensor);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

enum { AT_ONCE = 16, ROUNDS = 24 };

// Exports come in batches, so that the count is another one whenever two threads meet.
static void export_and_delete(Iut *iut, unsigned index, void *tensor)
{
  DLManagedTensor *plain[AT_ONCE] = {0};
  DLManagedTensorVersioned *versioned[AT_ONCE] = {0};
  for (unsigned round = 0; round < ROUNDS; ++round) {
    int status = 0;
    for (unsigned i = 0; i < AT_ONCE; ++i)
      status |= (index + round) % 2 ? iut->TensorToDLPack(tensor, &plain[i])
                                    : iut->TensorToDLPackVersioned(tensor, &versioned[i]);
    if (!expect_int("what exporting returned", status, 0)) return;
    for (unsigned i = 0; i < AT_ONCE; ++i)
      if ((index + round) % 2)
        plain[i]->deleter(plain[i]);
      else
        versioned[i]->deleter(versioned[i]);
  }
}

CASE(threads_export_one_tensor, .clauses = {TEN_30, TEN_23}, .patience = 2,
     .title =
         "after four threads exported one tensor and deleted what they got, the counts are what "
         "they were")
{
  TensorSource *source = new_source(DLPACK_PLAIN, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  run_in_threads(iut, 4, export_and_delete, tensor);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  expect_int("calls of the source's deleter", source->deleted, 0);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

enum { KEPT = 256 };

static DLManagedTensor *kept[4][KEPT];
static DLManagedTensorVersioned *kept_versioned[4][KEPT];

static void export_and_keep(Iut *iut, unsigned index, void *tensor)
{
  int status = 0;
  for (unsigned i = 0; i < KEPT; ++i)
    status |= iut->TensorToDLPack(tensor, &kept[index][i]) |
              iut->TensorToDLPackVersioned(tensor, &kept_versioned[index][i]);
  expect_int("what exporting returned", status, 0);
}

static void delete_kept(__attribute__((unused)) Iut *iut, unsigned index,
                        __attribute__((unused)) void *context)
{
  for (unsigned i = 0; i < KEPT; ++i) {
    kept[index][i]->deleter(kept[index][i]);
    kept_versioned[index][i]->deleter(kept_versioned[index][i]);
  }
}

CASE(threads_keep_what_they_exported, .clauses = {TEN_30, TEN_23},
     .title =
         "while four threads keep 512 exports of one tensor each, it has that many references "
         "more, and none when they have deleted them")
{
  TensorSource *source = new_source(DLPACK_PLAIN, matrix_plan());
  TVMFFIObjectHandle tensor = imported(iut, source);
  run_in_threads(iut, 4, export_and_keep, tensor);
  require(expect_counts(iut, tensor, .strong = 1 + 4 * 2 * KEPT, .weak = 1));
  run_in_threads(iut, 4, delete_kept, NULL);
  expect_counts(iut, tensor, .strong = 1, .weak = 1);
  release_object(iut, tensor);
  expect_deleted_once(source);
}

typedef struct Imports {
  TensorSource *sources[4][40];
} Imports;

static void import_export_and_release(Iut *iut, unsigned index, void *context)
{
  Imports *imports = context;
  for (unsigned i = 0; i < 40; ++i) {
    TVMFFIObjectHandle tensor = NULL;
    DLManagedTensor *plain = NULL;
    int status = import_with(iut, imports->sources[index][i], 64, 1, &tensor);
    if (status == 0) status = iut->TensorToDLPack(tensor, &plain);
    if (!expect_int("what importing and exporting returned", status, 0)) return;
    iut->ObjectDecRef(tensor);
    plain->deleter(plain);
  }
}

CASE(threads_import_and_release, .clauses = {TEN_30},
     .title = "tensors that four threads import, export and release at once end once each")
{
  static Imports imports;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 40; ++j)
      imports.sources[i][j] = new_source(j % DLPACK_FORMS, matrix_plan());
  run_in_threads(iut, 4, import_export_and_release, &imports);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 40; ++j) expect_deleted_once(imports.sources[i][j]);
}

//--------------------------------------------------------------------------------------------------
// The heap
//--------------------------------------------------------------------------------------------------

static void import_and_release(Iut *iut, void *source)
{
  TVMFFIObjectHandle tensor = NULL;
  if (import_with(iut, source, 0, 0, &tensor) == 0) iut->ObjectDecRef(tensor);
}

static void be_refused(Iut *iut, void *source)
{
  TVMFFIObjectHandle tensor = NULL;
  require(expect_error(iut, import_with(iut, source, 1 << 30, 1, &tensor), NULL));
}

static void export_in_both_forms(Iut *iut, void *source)
{
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensor *plain = NULL;
  DLManagedTensorVersioned *versioned = NULL;
  require(expect_ok(iut, import_with(iut, source, 0, 0, &tensor)));
  require(expect_ok(iut, iut->TensorToDLPack(tensor, &plain)));
  require(expect_ok(iut, iut->TensorToDLPackVersioned(tensor, &versioned)));
  require(expect_that(plain && versioned, "two DLPack tensors", "NULL"));
  plain->deleter(plain);
  versioned->deleter(versioned);
  iut->ObjectDecRef(tensor);
}

static void go_round(Iut *iut, void *source)
{
  TVMFFIObjectHandle tensor = NULL, next = NULL;
  DLManagedTensorVersioned *versioned = NULL;
  require(expect_ok(iut, import_with(iut, source, 0, 0, &tensor)));
  require(expect_ok(iut, iut->TensorToDLPackVersioned(tensor, &versioned)));
  require(expect_ok(iut, iut->TensorFromDLPackVersioned(versioned, 0, 0, &next)));
  require(expect_not_null("the tensor that went round", next));
  iut->ObjectDecRef(tensor);
  iut->ObjectDecRef(next);
}

static const struct {
  const char *name;
  void (*operation)(Iut *iut, void *source);
} operations[] = {
    {"importing", import_and_release},
    {"being_refused", be_refused},
    {"exporting", export_in_both_forms},
    {"going_round", go_round},
};

CASE_ROWS(no_memory_is_left_behind, operations, .clauses = {TEN_28},
          .title = "importing, exporting and releasing tensors does not leak")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("%s", forms[form].name);
    TensorSource *source = new_source(form, matrix_plan());
    expect_no_heap_growth(iut, 200, row->operation, source);
    expect_int("calls of the deleter", source->deleted, row->operation == be_refused ? 0 : 264);
  }
}
