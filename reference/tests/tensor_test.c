// SPDX-License-Identifier: Apache-2.0
// Tensors of DLPack tensors. Loops run over the form without a version, 0, and the one with, 1.
#include <string.h>

#include "probe.h"
#include "tensor_source.h"
#include "unit/unit.h"

#define NUMBERS(...) \
  (const int64_t[])  \
  {                  \
    __VA_ARGS__      \
  }

static void expect_numbers(const int64_t *seen, const int64_t *due, int count)
{
  for (int i = 0; i < count; ++i) ck_assert_int_eq(seen[i], due[i]);
}

static void *source_form(Source *source, bool versioned)
{
  return versioned ? (void *)&source->versioned : (void *)&source->managed;
}

//--------------------------------------------------------------------------------------------------
// What is taken
//--------------------------------------------------------------------------------------------------

TEST(a_tensor_describes_the_same_memory, .rows = 2)
{
  Source source;
  source_init(&source, 2, NUMBERS(2, 3), NUMBERS(-3, 0));
  DLTensor odd = source.managed.dl_tensor;
  odd.device = (DLDevice){kDLROCM, 7};
  odd.dtype = (DLDataType){kDLBfloat, 16, 4};
  odd.byte_offset = 24;
  source_set(&source, &odd);
  Source before = source;
  TVMFFIObject *tensor = source_tensor(&source, _i);
  ck_assert_mem_eq(tensor_of(tensor), &odd, sizeof odd);
  ck_assert_mem_eq(&source, &before, sizeof source);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 1);
  ck_assert_ptr_eq(source.deleted, source_form(&source, _i));
}

static const struct {
  int32_t ndim;
  int64_t shape[SOURCE_MAX_NDIM], strides[SOURCE_MAX_NDIM];
} compact[] = {
    {1, {7}, {1}},
    {1, {0}, {1}},
    {3, {2, 3, 4}, {12, 4, 1}},
    {3, {2, 0, 4}, {0, 4, 1}},
    {4, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {6, {1, 2, 3, 4, 5, 6}, {720, 360, 120, 30, 6, 1}},
    {2, {1 << 21, 3}, {3, 1}},
    {3, {2, INT64_MAX, 1}, {INT64_MAX, 1, 1}},
};

TEST(missing_strides_are_filled_in, .rows = 2)
{
  Source source, before;
  for (int row = 0; row < ROWS(compact); ++row) {
    source_init(&source, compact[row].ndim, compact[row].shape, NULL);
    before = source;
    TVMFFIObjectHandle tensor;
    ck_assert_int_eq(source_import(&source, _i, 64, 1, &tensor), 0);  // they are contiguous
    ck_assert_ptr_eq(tensor_of(tensor)->shape, source.shape);
    ck_assert_ptr_nonnull(tensor_of(tensor)->strides);
    expect_numbers(tensor_of(tensor)->strides, compact[row].strides, compact[row].ndim);
    ck_assert_mem_eq(&source, &before, sizeof source);
    TVMFFIObjectDecRef(tensor);
    ck_assert_int_eq(source.deletions, 1);
  }
}

TEST(a_tensor_may_have_no_dimensions, .rows = 2)
{
  Source source;
  for (int with = 0; with < 4; ++with) {
    source_init(&source, 0, NULL, NULL);
    DLTensor scalar = source.managed.dl_tensor;
    scalar.shape = with & 1 ? source.shape : NULL;
    scalar.strides = with & 2 ? source.strides : NULL;
    source_set(&source, &scalar);
    TVMFFIObjectHandle tensor;
    ck_assert_int_eq(source_import(&source, _i, 64, 1, &tensor), 0);
    ck_assert_int_eq(tensor_of(tensor)->ndim, 0);
    TVMFFIObjectDecRef(tensor);
    ck_assert_int_eq(source.deletions, 1);
  }
}

TEST(a_tensor_needs_no_deleter, .rows = 2)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NULL);
  source.managed.deleter = NULL;
  source.versioned.deleter = NULL;
  TVMFFIObjectDecRef(source_tensor(&source, _i));
  ck_assert_int_eq(source.deletions, 0);
}

TEST(the_deleter_is_called_when_the_tensor_dies, .rows = 2)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NULL);
  TVMFFIObject *tensor = source_tensor(&source, _i);
  tensor->combined_ref_count += COUNTS(0, 1);
  TVMFFIObjectIncRef(tensor);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 0);
  TVMFFIObjectDecRef(tensor);
  ck_assert_int_eq(source.deletions, 1);
  expect_counts(tensor, 0, 1);
  tensor->combined_ref_count = 0;
  tensor->deleter(tensor, kTVMFFIObjectDeleterFlagBitMaskWeak);
  ck_assert_int_eq(source.deletions, 1);
}

static const struct {
  uint32_t minor;
  uint64_t flags;
} known[] = {{0, 0}, {1, 0}, {99, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 8}};

TEST(known_versions_and_flags_are_taken, .rows = ROWS(known))
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NULL);
  source.versioned.version.minor = known[_i].minor;
  source.versioned.flags = known[_i].flags;
  TVMFFIObjectDecRef(source_tensor(&source, true));
  ck_assert_int_eq(source.deletions, 1);
}

//--------------------------------------------------------------------------------------------------
// What is required
//--------------------------------------------------------------------------------------------------

// Data begin `address` bytes behind a multiple of 64.
static const struct {
  int device;
  unsigned address, offset;
  int32_t alignment;
  bool met;
} alignments[] = {
    {kDLCPU, 0, 0, 64, true},       {kDLCPU, 8, 0, 8, true},
    {kDLCPU, 8, 0, 16, false},      {kDLCPU, 8, 8, 16, true},
    {kDLCPU, 0, 8, 16, false},      {kDLCPU, 1, 0, 1, true},
    {kDLCPU, 1, 0, 0, true},        {kDLCPU, 3, 0, 2, false},
    {kDLCUDA, 8, 0, 16, false},     {kDLCUDA, 8, 56, 64, true},
    {kDLCUDAHost, 8, 0, 16, false}, {kDLROCM, 8, 0, 16, false},
    {kDLROCMHost, 8, 0, 16, false}, {kDLCUDAManaged, 8, 0, 16, false},
    {kDLOpenCL, 8, 0, 16, true},    {kDLOpenCL, 8, 8, 16, false},
    {kDLVulkan, 8, 32, 32, true},   {kDLMetal, 8, 0, 16, true},
    {kDLVPI, 8, 0, 16, true},       {kDLExtDev, 8, 0, 16, true},
    {kDLOneAPI, 8, 4, 16, false},   {kDLWebGPU, 8, 0, 16, true},
    {kDLHexagon, 8, 0, 16, true},   {kDLMAIA, 8, 0, 16, true},
    {kDLTrn, 8, 0, 16, true},       {1000, 8, 0, 16, true},
    {-1, 8, 8, 16, false},          {kDLOpenCL, 0, 24, 24, true},
    {kDLOpenCL, 0, 25, 24, false},
};

TEST(alignment_is_that_of_address_or_offset, .rows = ROWS(alignments))
{
  Source source;
  for (int versioned = 0; versioned < 2; ++versioned) {
    source_init(&source, 1, NUMBERS(4), NULL);
    DLTensor moved = source.managed.dl_tensor;
    moved.data = source.data + alignments[_i].address;
    moved.byte_offset = alignments[_i].offset;
    moved.device.device_type = (DLDeviceType)alignments[_i].device;
    source_set(&source, &moved);
    TVMFFIObjectHandle tensor;
    int code = source_import(&source, versioned, alignments[_i].alignment, 0, &tensor);
    ck_assert_int_eq(code, alignments[_i].met ? 0 : -1);
    if (code == 0) {
      TVMFFIObjectDecRef(tensor);
    } else {
      expect_raised("RuntimeError", "`require_alignment`");
      ck_assert_ptr_eq(tensor, &source);
    }
    ck_assert_int_eq(source.deletions, alignments[_i].met);
  }
}

static const struct {
  int32_t ndim;
  int64_t shape[4], strides[4];
  bool met;
} layouts[] = {
    {1, {4}, {1}, true},
    {1, {4}, {2}, false},
    {1, {4}, {-1}, false},
    {1, {1}, {77}, true},
    {1, {0}, {77}, true},
    {2, {2, 3}, {3, 1}, true},
    {2, {2, 3}, {1, 2}, false},
    {2, {2, 3}, {0, 1}, false},
    {2, {1, 3}, {-9, 1}, true},
    {2, {2, 1}, {1, 5}, true},
    {3, {2, 1, 3}, {3, 99, 1}, true},
    {3, {2, 1, 3}, {4, 3, 1}, false},
    {3, {2, 0, 3}, {5, 6, 7}, true},
    {4, {1, 1, 1, 1}, {9, 8, 7, 6}, true},
};

TEST(contiguity_is_that_of_what_has_elements, .rows = ROWS(layouts))
{
  Source source;
  for (int versioned = 0; versioned < 2; ++versioned) {
    source_init(&source, layouts[_i].ndim, layouts[_i].shape, layouts[_i].strides);
    TVMFFIObjectHandle tensor;
    int code = source_import(&source, versioned, 0, 7, &tensor);
    ck_assert_int_eq(code, layouts[_i].met ? 0 : -1);
    if (code != 0) {
      expect_raised("RuntimeError", "`require_contiguous`");
      ck_assert_ptr_eq(tensor, &source);
      ck_assert_int_eq(source.deletions, 0);
      tensor = source_tensor(&source, versioned);  // it is still the caller's
    }
    expect_numbers(tensor_of(tensor)->strides, layouts[_i].strides, layouts[_i].ndim);
    TVMFFIObjectDecRef(tensor);
    ck_assert_int_eq(source.deletions, 1);
  }
}

//--------------------------------------------------------------------------------------------------
// What is refused
//--------------------------------------------------------------------------------------------------

static void expect_refused_import(Source *source, bool versioned, const char *kind,
                                  const char *word)
{
  Source before = *source;
  TVMFFIObjectHandle tensor;
  ck_assert_int_eq(source_import(source, versioned, 0, 0, &tensor), -1);
  expect_raised(kind, word);
  ck_assert_ptr_eq(tensor, source);
  ck_assert_mem_eq(source, &before, sizeof before);
}

static const struct {
  int32_t ndim;
  int64_t shape[4];
  bool strided;
  const char *word;
} impossible[] = {
    {1, {-1}, false, "negative"},
    {1, {-1}, true, "negative"},
    {2, {3, INT64_MIN}, false, "negative"},
    {2, {-5, 0}, true, "negative"},
    {3, {2, INT64_MAX, 2}, false, "than can be counted"},
    {4, {1, 1 << 30, 1 << 30, 1 << 30}, false, "than can be counted"},
    {-1, {1}, false, "`from->dl_tensor.ndim` must not be negative"},
    {INT32_MIN, {1}, true, "`from->dl_tensor.ndim` must not be negative"},
    {INT32_MAX, {1}, true, "`from->dl_tensor.ndim` is more than any tensor has"},
    {65537, {1}, false, "`from->dl_tensor.ndim` is more than any tensor has"},
};

TEST(a_tensor_that_cannot_be_is_refused, .rows = ROWS(impossible))
{
  Source source;
  for (int versioned = 0; versioned < 2; ++versioned) {
    source_init(&source, 4, impossible[_i].shape,
                impossible[_i].strided ? NUMBERS(1, 1, 1, 1) : NULL);
    source.managed.dl_tensor.ndim = source.versioned.dl_tensor.ndim = impossible[_i].ndim;
    expect_refused_import(&source, versioned, "ValueError", impossible[_i].word);
    expect_refused_import(&source, versioned, "ValueError", "`from->dl_tensor");
  }
}

TEST(what_has_no_elements_may_have_any_extents, .rows = 2)
{
  Source source;
  source_init(&source, 4, NUMBERS(INT64_MAX, 3, 0, INT64_MAX), NULL);
  TVMFFIObjectDecRef(source_tensor(&source, _i));
  ck_assert_int_eq(source.deletions, 1);
}

TEST(dimensions_need_a_shape, .rows = 2)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NUMBERS(1));
  source.managed.dl_tensor.shape = source.versioned.dl_tensor.shape = NULL;
  expect_refused_import(&source, _i, "ValueError", "`from->dl_tensor.shape` must not be NULL");
}

TEST(unknown_versions_and_padded_elements_are_refused)
{
  Source source;
  source_init(&source, 1, NUMBERS(4), NULL);
  source.versioned.version.major = 2;
  expect_refused_import(&source, true, "RuntimeError", "`from->version` has the major version 2");
  source.versioned.version.major = UINT32_MAX;
  expect_refused_import(&source, true, "RuntimeError", "4294967295");
  source.versioned.version.major = 1;
  source.versioned.flags = 4;
  expect_refused_import(&source, true, "RuntimeError", "`from->flags`");
  source.versioned.flags = 7;
  expect_refused_import(&source, true, "RuntimeError", "padded");
  source.versioned.flags = 3;
  TVMFFIObjectDecRef(source_tensor(&source, true));
  ck_assert_int_eq(source.deletions, 1);
}

TEST(want_of_memory_is_reported, .rows = 2)
{
  Source source;
  for (int strided = 0; strided < 2; ++strided) {
    source_init(&source, 2, NUMBERS(4, 2), strided ? NUMBERS(2, 1) : NULL);
    faults_arm(1);
    TVMFFIObjectHandle tensor;
    int code = source_import(&source, _i, 0, 0, &tensor);
    ck_assert(faults_disarm());
    ck_assert_int_eq(code, -1);
    expect_raised("InternalError", "memory");
    ck_assert_ptr_eq(tensor, &source);
    ck_assert_int_eq(source.deletions, 0);
    TVMFFIObjectDecRef(source_tensor(&source, _i));
    ck_assert_int_eq(source.deletions, 1);
  }
}
