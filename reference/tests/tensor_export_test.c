// SPDX-License-Identifier: Apache-2.0
// DLPack tensors of tensors, views, and what stands behind both.
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "tensor_source.h"
#include "unit/unit.h"

#define NUMBERS(...) \
  (const int64_t[])  \
  {                  \
    __VA_ARGS__      \
  }

static DLManagedTensor *export_plain(TVMFFIObjectHandle tensor)
{
  DLManagedTensor *managed = NULL;
  ck_assert_int_eq(TVMFFITensorToDLPack(tensor, &managed), 0);
  return managed;
}

static DLManagedTensorVersioned *export_versioned(TVMFFIObjectHandle tensor)
{
  DLManagedTensorVersioned *managed = NULL;
  ck_assert_int_eq(TVMFFITensorToDLPackVersioned(tensor, &managed), 0);
  return managed;
}

static TVMFFIObject *view_of(TVMFFIObjectHandle source, const DLTensor *prototype)
{
  TVMFFIObjectHandle view = NULL;
  ck_assert_int_eq(TVMFFITensorCreateUnsafeView(source, prototype, &view), 0);
  expect_counts(view, 1, 1);
  ck_assert_int_eq(((TVMFFIObject *)view)->type_index, kTVMFFITensor);
  return view;
}

static TVMFFIObject *import_versioned(DLManagedTensorVersioned *managed)
{
  TVMFFIObjectHandle tensor = NULL;
  ck_assert_int_eq(TVMFFITensorFromDLPackVersioned(managed, 0, 0, &tensor), 0);
  return tensor;
}

static TVMFFIObject *import_plain(DLManagedTensor *managed)
{
  TVMFFIObjectHandle tensor = NULL;
  ck_assert_int_eq(TVMFFITensorFromDLPack(managed, 0, 0, &tensor), 0);
  return tensor;
}

//--------------------------------------------------------------------------------------------------
// Exports
//--------------------------------------------------------------------------------------------------

TEST_GROUP(exports, .timeout = 120);

TEST(an_export_holds_one_reference, .rows = 2)
{
  Source source;
  source_init(&source, 2, NUMBERS(2, 3), NULL);
  TVMFFIObject *tensor = source_tensor(&source, _i);
  DLManagedTensor *plain = export_plain(tensor), *second = export_plain(tensor);
  DLManagedTensorVersioned *versioned = export_versioned(tensor);
  expect_counts(tensor, 4, 1);
  ck_assert_ptr_ne(plain, second);
  ck_assert_mem_eq(&plain->dl_tensor, tensor_of(tensor), sizeof(DLTensor));
  ck_assert_mem_eq(&versioned->dl_tensor, tensor_of(tensor), sizeof(DLTensor));
  ck_assert_uint_eq(versioned->version.major, DLPACK_MAJOR_VERSION);
  ck_assert_uint_eq(versioned->version.minor, DLPACK_MINOR_VERSION);
  ck_assert_uint_eq(versioned->flags, 0);
  plain->deleter(plain);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 0);
  ck_assert_int_eq(versioned->dl_tensor.strides[0], 3);
  versioned->deleter(versioned);
  ck_assert_int_eq(source.deletions, 0);
  second->deleter(second);
  ck_assert_int_eq(source.deletions, 1);
}

TEST(deleting_nothing_does_nothing)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NULL);
  TVMFFIObject *tensor = source_tensor(&source, false);
  DLManagedTensor *plain = export_plain(tensor);
  DLManagedTensorVersioned *versioned = export_versioned(tensor);
  plain->deleter(NULL);
  versioned->deleter(NULL);
  expect_counts(tensor, 3, 1);
  plain->deleter(plain);
  versioned->deleter(versioned);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 1);
}

// Whoever gets the tensor last must not write to it, whatever lies between.
TEST(a_read_only_tensor_stays_read_only)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NUMBERS(1));
  source.versioned.flags = 3;
  TVMFFIObject *tensor = source_tensor(&source, true);
  TVMFFIObject *view = view_of(tensor, tensor_of(tensor));
  TVMFFIObject *again = import_plain(export_plain(view)), *last = view_of(again, tensor_of(view));
  TVMFFIObject *chain[] = {tensor, view, again, last};
  for (int i = 0; i < 4; ++i) {
    DLManagedTensorVersioned *managed = export_versioned(chain[i]);
    ck_assert_uint_eq(managed->flags, 1);
    managed->deleter(managed);
  }
  for (int i = 0; i < 4; ++i) TVMFFIObjectDecRef(chain[i]);
  ck_assert_int_eq(source.deletions, 1);
}

TEST(an_export_may_be_imported_again, .rows = 2)
{
  Source source;
  source_init(&source, 2, NUMBERS(2, 3), NULL);
  TVMFFIObject *first = source_tensor(&source, false);
  TVMFFIObject *second =
      _i ? import_versioned(export_versioned(first)) : import_plain(export_plain(first));
  ck_assert_ptr_ne(first, second);
  ck_assert_mem_eq(tensor_of(second), tensor_of(first), sizeof(DLTensor));
  expect_counts(first, 2, 1);
  TVMFFIObjectDecRef(first);
  ck_assert_int_eq(source.deletions, 0);
  TVMFFIObjectDecRef(second);
  ck_assert_int_eq(source.deletions, 1);
}

TEST(a_long_chain_ends_on_a_short_stack, .rows = 4)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NUMBERS(1));
  TVMFFIObject *tensor = source_tensor(&source, false);
  for (int i = rounds(60000); i > 0; --i) {
    TVMFFIObject *next;
    int kind = _i < 3 ? _i : i % 3;
    if (kind == 0) {
      next = view_of(tensor, tensor_of(tensor));
    } else {
      next = kind == 1 ? import_plain(export_plain(tensor))
                       : import_versioned(export_versioned(tensor));
    }
    TVMFFIObjectDecRef(tensor);
    tensor = next;
  }
  ck_assert_int_eq(source.deletions, 0);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 1);
}

TEST(tensors_of_other_makers_are_exported_and_viewed)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NUMBERS(1));
  struct {
    TVMFFIObject header;
    DLTensor tensor;
  } foreign = {.header = {.combined_ref_count = COUNTS(1, 1), .type_index = kTVMFFITensor},
               .tensor = source.managed.dl_tensor};
  DLManagedTensorVersioned *managed = export_versioned(&foreign);
  ck_assert_uint_eq(managed->flags, 0);
  ck_assert_mem_eq(&managed->dl_tensor, &foreign.tensor, sizeof foreign.tensor);
  TVMFFIObject *view = view_of(&foreign, &foreign.tensor), *below = view_of(view, &foreign.tensor);
  TVMFFIObject *again = import_versioned(managed);
  expect_counts(&foreign, 3, 1);
  TVMFFIObjectDecRef(view);
  TVMFFIObjectDecRef(below);
  TVMFFIObjectDecRef(again);
  expect_counts(&foreign, 1, 1);
}

TEST(want_of_memory_is_reported)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NUMBERS(1));
  TVMFFIObject *tensor = source_tensor(&source, false);
  DLManagedTensor *plain = &source.managed;
  DLManagedTensorVersioned *versioned = &source.versioned;
  TVMFFIObjectHandle view = &view;
  for (int kind = 0; kind < 3; ++kind) {
    faults_arm(1);
    int code = kind == 0   ? TVMFFITensorToDLPack(tensor, &plain)
               : kind == 1 ? TVMFFITensorToDLPackVersioned(tensor, &versioned)
                           : TVMFFITensorCreateUnsafeView(tensor, tensor_of(tensor), &view);
    ck_assert(faults_disarm());
    ck_assert_int_eq(code, -1);
    expect_raised("InternalError", "memory");
    expect_counts(tensor, 1, 1);
  }
  ck_assert_ptr_eq(plain, &source.managed);
  ck_assert_ptr_eq(versioned, &source.versioned);
  ck_assert_ptr_eq(view, &view);
  TVMFFIObjectDecRef(tensor);
}

enum { THREADS = 4, ROUNDS = 500 };

static TVMFFIObject *shared;

static long export_and_delete(int number)
{
  for (int i = 0; i < ROUNDS; ++i) {
    DLManagedTensor *plain = NULL;
    DLManagedTensorVersioned *versioned = NULL;
    if (TVMFFITensorToDLPack(shared, &plain) != 0) return 1;
    if (TVMFFITensorToDLPackVersioned(shared, &versioned) != 0) return 1;
    if (number % 2) plain->deleter(plain);
    versioned->deleter(versioned);
    if (number % 2 == 0) plain->deleter(plain);
  }
  TVMFFIObjectDecRef(shared);
  return 0;
}

TEST(threads_export_at_the_same_time)
{
  Source source;
  source_init(&source, 2, NUMBERS(2, 3), NULL);
  shared = source_tensor(&source, true);
  for (int i = 1; i < THREADS; ++i) TVMFFIObjectIncRef(shared);
  ck_assert_int_eq(run_threads(THREADS, export_and_delete), 0);
  ck_assert_int_eq(source.deletions, 1);
}

//--------------------------------------------------------------------------------------------------
// Views
//--------------------------------------------------------------------------------------------------

TEST_GROUP(views);

TEST(a_view_is_what_its_prototype_says)
{
  Source source;
  source_init(&source, 1, NUMBERS(16), NULL);
  TVMFFIObject *tensor = source_tensor(&source, false);
  int64_t shape[] = {2, 3}, strides[] = {-1, 5};
  DLTensor prototype = {.data = source.data + 4,
                        .device = {kDLCUDA, 3},
                        .ndim = 2,
                        .dtype = {kDLInt, 8, 2},
                        .shape = shape,
                        .strides = strides,
                        .byte_offset = 8};
  TVMFFIObject *view = view_of(tensor, &prototype);
  expect_counts(tensor, 2, 1);
  DLTensor *seen = tensor_of(view), due = prototype;
  due.shape = seen->shape;
  due.strides = seen->strides;
  ck_assert_mem_eq(seen, &due, sizeof due);
  shape[0] = strides[1] = 99;
  ck_assert_int_eq(seen->shape[0], 2);
  ck_assert_int_eq(seen->shape[1], 3);
  ck_assert_int_eq(seen->strides[0], -1);
  ck_assert_int_eq(seen->strides[1], 5);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 0);
  TVMFFIObjectDecRef(view);
  ck_assert_int_eq(source.deletions, 1);
}

TEST(a_view_may_have_no_dimensions)
{
  Source source;
  source_init(&source, 1, NUMBERS(16), NULL);
  TVMFFIObject *tensor = source_tensor(&source, false);
  DLTensor prototype = {.data = source.data, .device = {kDLCPU, 0}, .dtype = {kDLInt, 8, 1}};
  TVMFFIObject *view = view_of(tensor, &prototype);
  ck_assert_int_eq(tensor_of(view)->ndim, 0);
  TVMFFIObjectDecRef(view);
  TVMFFIObjectDecRef(tensor);
}

static void expect_refused_view(TVMFFIObject *source, const DLTensor *prototype, const char *kind,
                                const char *word)
{
  TVMFFIObjectHandle out = &out;
  ck_assert_int_eq(TVMFFITensorCreateUnsafeView(source, prototype, &out), -1);
  expect_raised(kind, word);
  ck_assert_ptr_eq(out, &out);
  expect_counts(source, 1, 1);
}

TEST(a_prototype_that_cannot_be_is_refused)
{
  Source source;
  source_init(&source, 2, NUMBERS(4, 1), NUMBERS(1, 1));
  TVMFFIObject *tensor = source_tensor(&source, false);
  DLTensor prototype = source.managed.dl_tensor;
  source.shape[1] = -1;
  expect_refused_view(tensor, &prototype, "ValueError", "`prototype->shape` has an extent");
  prototype.ndim = 1;
  prototype.strides = NULL;
  expect_refused_view(tensor, &prototype, "InternalError", "`prototype->strides`");
  prototype.shape = NULL;
  expect_refused_view(tensor, &prototype, "ValueError", "`prototype->shape` must not be NULL");
  prototype = source.managed.dl_tensor;
  prototype.ndim = -1;
  expect_refused_view(tensor, &prototype, "ValueError", "`prototype->ndim` must not be negative");
  prototype.ndim = INT32_MAX;
  expect_refused_view(tensor, &prototype, "ValueError", "`prototype->ndim` is more than");
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 1);
}
