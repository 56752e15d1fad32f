// SPDX-License-Identifier: Apache-2.0
// What an import may require of a DLPack tensor: alignment and contiguity.
#include "cases/runtime/tensor_source.h"

CHAPTER(tensor);

//--------------------------------------------------------------------------------------------------
// Alignment
//--------------------------------------------------------------------------------------------------

typedef struct Layout {
  const char *name;
  TensorPlan plan;
} Layout;

// apache/tvm#18282 and others: an import that demands 64 bytes of everybody.
static const Layout unrequired[] = {
    {"odd_address", {.ndim = 1, .shape = {4}, .address = 0x7001}},
    {"odd_offset", {.ndim = 1, .shape = {4}, .address = 0x7000, .byte_offset = 3}},
    {"4_bytes_off", {.ndim = 1, .shape = {4}, .address = 0x7004}},
    {"transposed", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}}},
    {"reversed", {.ndim = 1, .shape = {4}, .strided = true, .strides = {-1}}},
    {"overlapping", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 1}}},
};

CASE_ROWS(nothing_is_required_unasked, unrequired, .clauses = {TEN_12},
          .title = "without requirements tensors at any address and of any layout are imported")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    TensorSource *source = new_source(form, &row->plan);
    TVMFFIObjectHandle tensor = imported(iut, source);
    expect_same_place(tensor_body(iut, tensor), &source->tensor);
    release_object(iut, tensor);
  }
}

typedef struct DeviceType {
  const char *name;
  int32_t type;
} DeviceType;

static TensorSource *source_at(DlpackForm form, int32_t device_type, uint64_t address,
                               uint64_t offset)
{
  TensorPlan plan = {.ndim = 1,
                     .shape = {4},
                     .address = address,
                     .byte_offset = offset,
                     .device = {.device_type = (DLDeviceType)device_type}};
  return new_source(form, &plan);
}

// Where data and offset lie, and the largest power of two that their sum is a multiple of.
static const struct {
  uint64_t address, offset;
  int32_t met;
} places[] = {
    {0x7000, 0, 4096}, {0x7000, 64, 64}, {0x6FC0, 64, 4096}, {0x7001, 0, 1},
    {0x7000, 4, 4},    {0x7008, 8, 16},  {0x7001, 63, 64},
};

enum { PLACES = sizeof places / sizeof places[0] };

static const DeviceType addressed[] = {
    {"cpu", kDLCPU},   {"cuda", kDLCUDA},          {"cuda_host", kDLCUDAHost},
    {"rocm", kDLROCM}, {"rocm_host", kDLROCMHost}, {"cuda_managed", kDLCUDAManaged},
};

CASE_ROWS(address_and_offset_are_aligned, addressed, .clauses = {TEN_13, TEN_15},
          .title =
              "on devices with addresses the sum of data pointer and byte offset must be a "
              "multiple of the required alignment")
{
  for (unsigned i = 0; i < PLACES * DLPACK_FORMS; ++i) {
    DlpackForm form = i / PLACES;
    uint64_t address = places[i % PLACES].address, offset = places[i % PLACES].offset;
    int32_t met = places[i % PLACES].met;
    TensorSource *source = source_at(form, row->type, address, offset);
    note("data at 0x%" PRIx64 ", byte offset %" PRIu64 ", alignment %d", address, offset, met);
    release_object(iut, imported_with(iut, source, met, 0));
    expect_deleted_once(source);
    if (met == 4096) continue;
    source = source_at(form, row->type, address, offset);
    note("data at 0x%" PRIx64 ", byte offset %" PRIu64 ", alignment %d", address, offset, 2 * met);
    expect_refused(iut, source, 2 * met, 0);
  }
}

static const DeviceType handled[] = {
    {"opencl", kDLOpenCL}, {"vulkan", kDLVulkan}, {"metal", kDLMetal},   {"vpi", kDLVPI},
    {"ext", kDLExtDev},    {"oneapi", kDLOneAPI}, {"webgpu", kDLWebGPU}, {"hexagon", kDLHexagon},
    {"maia", kDLMAIA},     {"trn", kDLTrn},
};

// The places are those on which the offset alone and its sum with the pointer agree.
CASE_ROWS(offset_alone_is_aligned, handled, .clauses = {TEN_13, TEN_15},
          .title =
              "on devices with handles an offset that is a multiple of the required alignment is "
              "accepted, and one that is not refused, with an aligned data pointer")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    static const uint64_t met[] = {0, 64, 4096};
    for (unsigned i = 0; i < 3; ++i) {
      note("handle 0x7000, byte offset %" PRIu64 ", alignment 64", met[i]);
      TVMFFIObjectHandle tensor =
          imported_with(iut, source_at(form, row->type, 0x7000, met[i]), 64, 0);
      release_object(iut, tensor);
    }
    note("handle 0x7000, byte offset 4, alignment 64");
    expect_refused(iut, source_at(form, row->type, 0x7000, 4), 64, 0);
  }
}

//--------------------------------------------------------------------------------------------------
// Contiguity
//--------------------------------------------------------------------------------------------------

static const Layout scattered[] = {
    {"transposed", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {1, 3}}},
    {"padded_rows", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {5, 1}}},
    {"every_other", {.ndim = 1, .shape = {4}, .strided = true, .strides = {2}}},
    {"reversed", {.ndim = 1, .shape = {4}, .strided = true, .strides = {-1}}},
    {"broadcast", {.ndim = 2, .shape = {3, 4}, .strided = true, .strides = {0, 1}}},
    {"middle_only", {.ndim = 3, .shape = {2, 3, 4}, .strided = true, .strides = {12, 8, 1}}},
    {"one_row_of_every_other", {.ndim = 2, .shape = {1, 4}, .strided = true, .strides = {4, 2}}},
    {"outermost_only",
     {.ndim = 2, .shape = {3, 1}, .strided = true, .strides = {INT64_C(0x100000001), 1}}},
};

CASE_ROWS(what_is_not_contiguous_is_refused, scattered, .clauses = {TEN_16},
          .title =
              "a tensor that is not contiguous is refused where contiguity is required, and "
              "imported where it is not")
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    TensorSource *source = new_source(form, &row->plan);
    note("required");
    expect_refused(iut, source, 0, 1);
    note("not required");
    release_object(iut, imported(iut, source));
  }
}

static const struct {
  const char *name;
  int32_t required;
} requirements[] = {{"1", 1}, {"minus_1", -1}, {"256", 256}, {"smallest", INT32_MIN}};

CASE_ROWS(every_number_but_0_requires_contiguity, requirements, .clauses = {TEN_16},
          .title =
              "with any required contiguity but 0 a transposed tensor is refused and a "
              "contiguous one imported")
{
  static const Layout contiguous = {
      "contiguous", {.ndim = 3, .shape = {2, 3, 4}, .strided = true, .strides = {12, 4, 1}}};
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    note("transposed");
    expect_refused(iut, new_source(form, &scattered[0].plan), 0, row->required);
    note("contiguous");
    TensorSource *source = new_source(form, &contiguous.plan);
    release_object(iut, imported_with(iut, source, 0, row->required));
    expect_deleted_once(source);
  }
}

static void expect_contiguous(Iut *iut, const TensorPlan *plan)
{
  for (DlpackForm form = 0; form < DLPACK_FORMS; ++form) {
    TensorSource *source = new_source(form, plan);
    release_object(iut, imported_with(iut, source, 0, 1));
    expect_deleted_once(source);
  }
}

static const Layout strideless[] = {
    {"vector", {.ndim = 1, .shape = {5}}},
    {"3_dimensions", {.ndim = 3, .shape = {2, 3, 4}}},
    {"no_elements", {.ndim = 2, .shape = {0, 4}}},
};

CASE_ROWS(missing_strides_are_contiguous, strideless, .clauses = {TEN_17},
          .title = "a DLPack tensor without strides is imported where contiguity is required")
{
  expect_contiguous(iut, &row->plan);
}

// apache/tvm#976, pytorch#99803, tvm-ffi#23, tilelang#1280.
static const Layout single[] = {
    {"first", {.ndim = 2, .shape = {1, 4}, .strided = true, .strides = {999, 1}}},
    {"last", {.ndim = 2, .shape = {4, 1}, .strided = true, .strides = {1, 77}}},
    {"inner", {.ndim = 3, .shape = {2, 1, 3}, .strided = true, .strides = {3, -5, 1}}},
    {"one_element", {.ndim = 1, .shape = {1}, .strided = true, .strides = {0}}},
    {"all", {.ndim = 3, .shape = {1, 1, 1}, .strided = true, .strides = {INT64_MIN, 0, 13}}},
};

CASE_ROWS(
    stride_of_a_single_element_does_not_matter, single, .clauses = {TEN_18},
    .title = "a dimension of extent 1 does not make a tensor non-contiguous, whatever its stride")
{
  expect_contiguous(iut, &row->plan);
}

static const Layout elementless[] = {
    {"vector", {.ndim = 1, .shape = {0}, .strided = true, .strides = {3}}},
    {"first", {.ndim = 2, .shape = {0, 4}, .strided = true, .strides = {9, 9}}},
    {"last", {.ndim = 2, .shape = {4, 0}, .strided = true, .strides = {-5, 7}}},
    {"inner", {.ndim = 3, .shape = {2, 0, 3}, .strided = true, .strides = {1, 2, 5}}},
};

CASE_ROWS(tensor_without_elements_is_contiguous, elementless, .clauses = {TEN_19},
          .title = "a tensor with an extent of 0 is contiguous, whatever its strides")
{
  expect_contiguous(iut, &row->plan);
}

static const struct {
  const char *name;
  DlpackForm form;
} forms[] = {{"plain", DLPACK_PLAIN}, {"versioned", DLPACK_VERSIONED}};

CASE_ROWS(refusal_is_a_runtime_error, forms, .clauses = {TEN_40}, .wrong_call = true,
          .title = "a tensor that is not aligned or contiguous is refused with a RuntimeError")
{
  TVMFFIObjectHandle out = NULL;
  note("not aligned");
  TensorSource *source = source_at(row->form, kDLCPU, 0x7004, 0);
  expect_error(iut, import_with(iut, source, 64, 0, &out), "RuntimeError");
  note("not contiguous");
  source = new_source(row->form, &scattered[0].plan);
  expect_error(iut, import_with(iut, source, 0, 1, &out), "RuntimeError");
}
