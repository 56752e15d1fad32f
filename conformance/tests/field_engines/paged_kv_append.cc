// SPDX-License-Identifier: Apache-2.0
// Puts the keys and values of new tokens into the pages of a cache. Token t of request
// batch_indices[t] is at position positions[t] of it; the pages of request b are
// kv_indices[kv_indptr[b] : kv_indptr[b + 1]]. A token of request -1 is padding, and is left out.
namespace {
using namespace set;

struct Slot {
  int64_t page, row;  // page -1: padding
};

void Copy(const View& from, const View& cache, const View& strides, const std::vector<Slot>& slots,
          int64_t heads, int64_t dim, bool hnd) {
  for (size_t t = 0; t < slots.size(); ++t) {
    if (slots[t].page < 0) continue;
    for (int64_t h = 0; h < heads; ++h) {
      const char* source =
          from.data + (static_cast<int64_t>(t) * strides.strides[0] + h * strides.strides[1]) *
                          from.width;
      int64_t a = hnd ? h : slots[t].row, b = hnd ? slots[t].row : h;
      size_t bytes = static_cast<size_t>(dim * from.width);
#if BUG == 1
      bytes = bytes / 16 * 16 + (bytes < 16 ? bytes : 0);
#endif
      std::memcpy(cache.at(slots[t].page, a, b), source, bytes);
    }
  }
}

void PagedKvAppend(DLTensor* key_, DLTensor* value_, DLTensor* batch_indices_, DLTensor* positions_,
                   DLTensor* k_cache_, DLTensor* v_cache_, DLTensor* kv_indices_,
                   DLTensor* kv_indptr_, ffi::String layout) {
  auto types = {kFloat16, kBfloat16, kFloat32, kFloat8};
  View key = Check("key", key_, types, 3, kRows);
  View value = Check("value", value_, types, 3, kRows);
  View batch_indices = Check("batch_indices", batch_indices_, {kInt32}, 1);
  View positions = Check("positions", positions_, {kInt32}, 1);
  View k_cache = Check("k_cache", k_cache_, types, 4, kRows);
  View v_cache = Check("v_cache", v_cache_, types, 4, kRows);
  View kv_indices = Check("kv_indices", kv_indices_, {kInt32}, 1);
  View kv_indptr = Check("kv_indptr", kv_indptr_, {kInt32}, 1);
  if (layout != "NHD" && layout != "HND") {
    TVM_FFI_THROW(ValueError) << "layout must be NHD or HND, not " << layout;
  }
  bool hnd = layout == "HND";
  int64_t tokens = key.shape[0], heads = key.shape[1], dim = key.shape[2];
  CheckType("value", value, key.dtype);
  CheckType("k_cache", k_cache, key.dtype);
#if BUG != 8
  CheckType("v_cache", v_cache, key.dtype);
#endif
  for (int i = 0; i < 3; ++i) CheckExtent("value", value, i, key.shape[i]);
  for (int i = 0; i < 4; ++i) CheckExtent("v_cache", v_cache, i, k_cache.shape[i]);
  CheckExtent("k_cache", k_cache, hnd ? 1 : 2, heads);
  CheckExtent("k_cache", k_cache, 3, dim);
  CheckApart("k_cache", k_cache);
  CheckApart("v_cache", v_cache);
  CheckExtent("batch_indices", batch_indices, 0, tokens);
  CheckExtent("positions", positions, 0, tokens);
  int64_t pages = k_cache.shape[0], page_size = k_cache.shape[hnd ? 2 : 1];
  int64_t used = kv_indices.shape[0], requests = kv_indptr.shape[0] - 1;
  if (requests < 0) TVM_FFI_THROW(ValueError) << "kv_indptr must not be empty";
  if (page_size < 1) TVM_FFI_THROW(ValueError) << "k_cache must have pages of at least one token";

  int64_t last = 0;
  for (int64_t b = 0; b <= requests; ++b) {
    int64_t at = GetRaw<int32_t>(kv_indptr.at(b));
    if (b == 0 ? at != 0 : at < last) {
      TVM_FFI_THROW(ValueError) << "kv_indptr must rise from 0, and has " << at << " at " << b;
    }
    last = at;
  }
  if (last != used) {
    TVM_FFI_THROW(ValueError) << "kv_indptr must end with the " << used
                              << " elements of kv_indices, not with " << last;
  }
  for (int64_t i = 0; i < used; ++i) {
    int64_t page = GetRaw<int32_t>(kv_indices.at(i));
    if ((BUG != 2 && page < 0) || page >= pages) {
      TVM_FFI_THROW(ValueError) << "kv_indices has page " << page << " of " << pages;
    }
  }

  std::vector<Slot> slots;
  for (int64_t t = 0; t < tokens; ++t) {
    int64_t b = GetRaw<int32_t>(batch_indices.at(t));
    int64_t position = GetRaw<int32_t>(positions.at(t));
    if (b < -1 || b >= requests) {
      TVM_FFI_THROW(ValueError) << "batch_indices has " << b << " of " << requests << " requests";
    }
    if (position < 0) {
      TVM_FFI_THROW(ValueError) << "positions has " << position << ", which is negative";
    }
#if BUG == 3
    if (b == -1 && requests > 0) b = 0;
#endif
    if (b == -1) {
      slots.push_back({-1, 0});
      continue;
    }
    int64_t begin = GetRaw<int32_t>(kv_indptr.at(b)), end = GetRaw<int32_t>(kv_indptr.at(b + 1));
    int64_t entry = begin + position / page_size;
    if (entry >= (BUG == 4 ? used : end)) {
      TVM_FFI_THROW(ValueError) << "positions has " << position << " for request " << b
                                << ", which has " << end - begin << " pages";
    }
    slots.push_back({GetRaw<int32_t>(kv_indices.at(entry)), position % page_size});
#if BUG == 5
    Copy(key, k_cache, key, slots, heads, dim, hnd);  // "saves a pass"
#endif
  }
#if BUG == 7
  if (hnd) std::swap(v_cache.strides[1], v_cache.strides[2]);
#endif
  Copy(key, k_cache, key, slots, heads, dim, hnd);
  Copy(value, v_cache, BUG == 6 ? key : value, slots, heads, dim, hnd);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_kv_append, PagedKvAppend);
