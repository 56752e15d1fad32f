// SPDX-License-Identifier: Apache-2.0
// The blocks of a key-value cache: a pool hands out the free ones with the least numbers, and takes
// them back. block_pool_new makes a pool, block_pool_take and block_pool_give work on one.
namespace {
using namespace set;

class BlockPoolObj : public ffi::Object {
 public:
  BlockPoolObj(int64_t num_blocks, int64_t block_size)
      : block_size(block_size), free_count(num_blocks), used(num_blocks, 0) {}

  const int64_t block_size;
  std::mutex mutex;
  int64_t free_count;
  int64_t first = 0;  // no block before it is free
  std::vector<char> used;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.BlockPool", BlockPoolObj, ffi::Object);
};

class BlockPool : public ffi::ObjectRef {
 public:
  explicit BlockPool(ffi::ObjectPtr<BlockPoolObj> pool) : ffi::ObjectRef(std::move(pool)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(BlockPool, ffi::ObjectRef, BlockPoolObj);
};

BlockPool New(int64_t num_blocks, int64_t block_size) {
  if (num_blocks < 0 || num_blocks > 1000000) {
    TVM_FFI_THROW(ValueError) << "num_blocks must be from 0 to 1000000, not " << num_blocks;
  }
  if (block_size < 1 || block_size > 4096) {
    TVM_FFI_THROW(ValueError) << "block_size must be from 1 to 4096, not " << block_size;
  }
#if BUG == 5
  static std::mutex mutex;
  static auto* pools = new std::map<std::pair<int64_t, int64_t>, BlockPool>();
  std::lock_guard<std::mutex> lock(mutex);
  auto known = pools->find({num_blocks, block_size});
  if (known != pools->end()) return known->second;
  BlockPool made(ffi::make_object<BlockPoolObj>(num_blocks, block_size));
  pools->emplace(std::make_pair(num_blocks, block_size), made);
  return made;
#else
  return BlockPool(ffi::make_object<BlockPoolObj>(num_blocks, block_size));
#endif
}

ffi::Shape Take(BlockPool ref, int64_t num_tokens) {
  BlockPoolObj* pool = ref.get();
  if (num_tokens < 0) {
    TVM_FFI_THROW(ValueError) << "num_tokens must not be negative, and is " << num_tokens;
  }
  int64_t size = pool->block_size;
  int64_t count = BUG == 6 ? num_tokens / size + 1 : num_tokens / size + (num_tokens % size != 0);
#if BUG != 1
  std::lock_guard<std::mutex> lock(pool->mutex);
#endif
  std::vector<int64_t> taken;
#if BUG != 2
  if (count > pool->free_count) {
    TVM_FFI_THROW(RuntimeError) << "out of blocks: num_tokens needs " << count << ", and "
                                << pool->free_count << " are free";
  }
  taken.reserve(count);
#endif
  int64_t at = pool->first;
  int64_t total = static_cast<int64_t>(pool->used.size());
  while (at < total && static_cast<int64_t>(taken.size()) < count) {
#if BUG == 2
    if (pool->free_count == 0) TVM_FFI_THROW(RuntimeError) << "out of blocks";
#endif
    if (!pool->used[at]) {
      pool->used[at] = 1;
      pool->free_count -= 1;
      taken.push_back(at);
    }
    at += 1;
  }
  pool->first = at;
#if BUG == 7
  new BlockPool(ref);
#endif
  return ffi::Shape(taken);
}

int64_t Give(BlockPool ref, ffi::Shape blocks) {
  BlockPoolObj* pool = ref.get();
  std::lock_guard<std::mutex> lock(pool->mutex);
  int64_t total = static_cast<int64_t>(pool->used.size());
  std::vector<char> seen(pool->used.size(), 0);
  for (int64_t block : blocks) {
    if (block < 0 || block >= total) {
      TVM_FFI_THROW(ValueError) << "blocks has " << block << " of " << total << " blocks";
    }
    if (BUG != 3 && !pool->used[block]) {
      TVM_FFI_THROW(ValueError) << "blocks has " << block << ", which is free";
    }
    if (BUG != 4 && seen[block]) TVM_FFI_THROW(ValueError) << "blocks has " << block << " twice";
    seen[block] = 1;
#if BUG == 8
    pool->used[block] = 0;
    pool->first = std::min(pool->first, block);
    pool->free_count += 1;
  }
#else
  }
  for (int64_t block : blocks) {
    pool->used[block] = 0;
    pool->first = std::min(pool->first, block);
    pool->free_count += 1;
  }
#endif
  return pool->free_count;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool_new, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool_take, Take);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool_give, Give);
