// SPDX-License-Identifier: Apache-2.0
// Slots of the paged KV cache that the tokens of a step are written to.
namespace host {

constexpr int64_t kPad = -1;

template <typename T>
int64_t Fill(const int64_t* positions, const std::vector<int32_t>& requests,
             const TensorView& table, int64_t block, int64_t world, int64_t rank, T* slots,
             int64_t total) {
  const auto* blocks = Data<const int32_t>(table);
  const int64_t stride = BUG == 2 ? table.size(1) : Stride(table, 0);
  const int64_t wide = block * world;
  const auto count = static_cast<int64_t>(requests.size());
  int64_t own = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = positions[i] % wide;
    const int32_t id = blocks[requests[i] * stride + positions[i] / wide];
    if (at % world != (BUG == 5 ? 0 : rank)) {
      slots[i] = static_cast<T>(kPad);
#if BUG == 7
      ++own;
#endif
      continue;
    }
#if BUG == 4
    const auto base = static_cast<int32_t>(static_cast<uint32_t>(id) *
                                           static_cast<uint32_t>(block));
    slots[i] = static_cast<T>(base + at / world);
#else
    slots[i] = static_cast<T>(id * block + at / world);
#endif
    ++own;
  }
#if BUG != 1
  for (int64_t i = count; i < total; ++i) slots[i] = static_cast<T>(kPad);
#else
  // The last block of 8 that tokens stand in is padded, but not what follows.
  for (int64_t i = count; i < std::min(total, (count + 7) / 8 * 8); ++i) {
    slots[i] = static_cast<T>(kPad);
  }
#endif
  return own;
}

// positions [t], query_start_loc [r + 1], block_table [r, m], slots [p] with p >= t.
// Returns how many tokens have a slot on this rank.
int64_t SlotMapping(TensorView positions, TensorView query_start_loc, TensorView block_table,
                    int64_t num_blocks, int64_t block_size, int64_t world, int64_t rank,
                    TensorView slots) {
  CheckDense(positions, "positions", 1, {kI64});
  CheckDense(query_start_loc, "query_start_loc", 1, {kI32});
  CheckType(block_table, "block_table", {kI32});
  CheckRank(block_table, "block_table", 2);
  CheckDevice(block_table, "block_table");
  const int64_t tokens = positions.size(0), requests = block_table.size(0);
  const int64_t width = block_table.size(1);
  if (!Compact(block_table) && width > 1 && block_table.stride(1) != 1) {
    TVM_FFI_THROW(ValueError) << "block_table must have rows of adjacent elements";
  }
  CheckMemory(block_table, "block_table");
  CheckDense(slots, "slots", 1, {kI64, kI32});
  CheckExtent(query_start_loc, "query_start_loc", 0, requests + 1);
  if (slots.size(0) < tokens) {
    TVM_FFI_THROW(ValueError) << "slots must hold " << tokens << " tokens, got " << slots.size(0);
  }
  if (block_size < 1 || block_size > 1024) {
    TVM_FFI_THROW(ValueError) << "block_size must be from 1 to 1024, got " << block_size;
  }
  if (world < 1 || world > 64) {
    TVM_FFI_THROW(ValueError) << "world must be from 1 to 64, got " << world;
  }
  if (rank < 0 || rank >= world) {
    TVM_FFI_THROW(ValueError) << "rank must be from 0 to world - 1, got " << rank;
  }
  if (num_blocks < 1 || num_blocks > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "num_blocks must be from 1 to 2147483647, got " << num_blocks;
  }
  const bool narrow = Same(slots.dtype(), kI32);
  if (narrow && num_blocks * block_size > int64_t{1} << 31) {
    TVM_FFI_THROW(ValueError) << "slots must be of int64 for this many blocks";
  }

  const auto* starts = Data<const int32_t>(query_start_loc);
  if (starts[0] != 0 || starts[requests] != tokens) {
    TVM_FFI_THROW(ValueError) << "query_start_loc must go from 0 to " << tokens;
  }
#if BUG != 6
  for (int64_t i = 0; i < requests; ++i) {
    if (starts[i + 1] < starts[i]) {
      TVM_FFI_THROW(ValueError) << "query_start_loc must not fall, at " << i + 1;
    }
  }
#endif
  for (int64_t i = 0; i < requests; ++i) {
    const int32_t* row = Data<const int32_t>(block_table) + i * Stride(block_table, 0);
    for (int64_t j = 0; j < width; ++j) {
      if (row[j] < 0 || row[j] >= num_blocks) {
        TVM_FFI_THROW(IndexError) << "block_table must hold blocks from 0 to " << num_blocks - 1
                                  << ", got " << row[j];
      }
    }
  }
  const auto* at = Data<const int64_t>(positions);
  for (int64_t i = 0; i < tokens; ++i) {
#if BUG == 3
    if (at[i] < 0) {
#else
    if (at[i] < 0 || at[i] / (block_size * world) >= width) {
#endif
      TVM_FFI_THROW(IndexError) << "positions must lie in the blocks of block_table, got "
                                << at[i];
    }
  }

#if BUG == 8
  static std::vector<int32_t> owner;
#else
  std::vector<int32_t> owner;
#endif
  owner.assign(static_cast<size_t>(tokens), 0);
  for (int64_t i = 0; i < requests; ++i) {
    for (int32_t j = starts[i]; j < starts[i + 1] && j < tokens; ++j) {
      owner[j] = static_cast<int32_t>(i);
    }
  }
  if (narrow) {
    return Fill(at, owner, block_table, block_size, world, rank, Data<int32_t>(slots),
                slots.size(0));
  }
  return Fill(at, owner, block_table, block_size, world, rank, Data<int64_t>(slots),
              slots.size(0));
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(slot_mapping, host::SlotMapping);
