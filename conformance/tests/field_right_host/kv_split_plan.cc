// SPDX-License-Identifier: Apache-2.0
// Plans split-KV attention: the pages of each request are cut into tiles of at most chunk pages.
// A request without pages has one tile, so that something writes its output.
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;

constexpr int32_t kMostPages = 65536;

static Tuple<Tensor, Tensor, Tensor> split_plan(TensorView indptr, int64_t chunk) {
  const int32_t* at = kit::dense<int32_t>(indptr, "indptr", 1);
  int64_t ends = indptr.size(0);
  if (ends < 1) TVM_FFI_THROW(ValueError) << "indptr must have one element more than requests";
  if (chunk < 1) TVM_FFI_THROW(ValueError) << "chunk must be at least 1, got " << chunk;
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must start with 0";
  for (int64_t i = 1; i < ends; ++i)
    if (at[i] < at[i - 1]) TVM_FFI_THROW(ValueError) << "indptr falls at " << i;
  if (at[ends - 1] > kMostPages)
    TVM_FFI_THROW(ValueError) << "more than " << kMostPages << " pages";

  Tensor tile_ends = kit::own({ends}, kit::type_of<int32_t>());
  int32_t* end = kit::start<int32_t>(tile_ends);
  end[0] = 0;
  for (int64_t i = 1; i < ends; ++i) {
    int64_t pages = at[i] - at[i - 1];
    int64_t tiles = pages == 0 ? 1 : pages / chunk + (pages % chunk != 0);
    end[i] = static_cast<int32_t>(end[i - 1] + tiles);
  }
  Tensor request = kit::own({end[ends - 1]}, kit::type_of<int32_t>());
  Tensor tile = kit::own({end[ends - 1]}, kit::type_of<int32_t>());
  int32_t* r = kit::start<int32_t>(request);
  int32_t* t = kit::start<int32_t>(tile);
  for (int64_t i = 1; i < ends; ++i) {
    for (int32_t k = end[i - 1]; k < end[i]; ++k) {
      *r++ = static_cast<int32_t>(i - 1);
      *t++ = k - end[i - 1];
    }
  }
  return Tuple<Tensor, Tensor, Tensor>(std::move(request), std::move(tile), std::move(tile_ends));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(kv_split_plan, split_plan);
