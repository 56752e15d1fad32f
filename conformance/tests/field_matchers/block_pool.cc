// SPDX-License-Identifier: Apache-2.0
// A pool of KV-cache blocks with reference counts, as an object. Its methods may be called from
// any thread.
namespace {

using namespace set;
using ffi::Array;
using ffi::Map;
using ffi::Shape;
using ffi::String;

class BlockPoolObj : public ffi::Object {
 public:
  BlockPoolObj(int64_t blocks, int64_t block_size)
      : blocks_(blocks), block_size_(block_size), counts_(new int64_t[blocks]()) {
    free_.resize(blocks);
    for (int64_t i = 0; i < blocks; ++i) free_[i] = i;  // a heap: the least is the first
  }

  ~BlockPoolObj() {
#if BUG != 8
    delete[] counts_;
#endif
  }

  // The n least blocks that are free, in rising order.
  Array<int64_t> Alloc(int64_t n) {
#if BUG != 7
    if (n < 0) TVM_FFI_THROW(ValueError) << "n must not be negative, is " << n;
#endif
    auto lock = Lock();
#if BUG == 5
    static std::vector<int64_t> taken;  // kept for the next call
    taken.clear();
#else
    std::vector<int64_t> taken;
#endif
#if BUG != 2
    if (n > static_cast<int64_t>(free_.size())) {
      TVM_FFI_THROW(RuntimeError) << "out of blocks: n is " << n << ", free are " << free_.size();
    }
    taken.reserve(static_cast<size_t>(std::max<int64_t>(n, 0)));
#endif
    for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
      if (free_.empty()) TVM_FFI_THROW(RuntimeError) << "out of blocks: n is " << n;
#endif
      std::pop_heap(free_.begin(), free_.end(), std::greater<int64_t>());
      const int64_t id = free_.back();
      free_.pop_back();
      counts_[id] = 1;
      taken.push_back(id);
    }
    return Array<int64_t>(taken.begin(), taken.end());
  }

  // As many blocks as the tokens fill.
  Array<int64_t> Reserve(int64_t tokens) {
    if (tokens < 0) TVM_FFI_THROW(ValueError) << "tokens must not be negative, are " << tokens;
#if BUG == 6
    return Alloc(tokens / block_size_ + 1);
#else
    return Alloc(tokens / block_size_ + (tokens % block_size_ != 0));
#endif
  }

  // Another owner for each of them: they have to be freed once more.
  void Share(Array<int64_t> ids) {
    auto lock = Lock();
    for (size_t i = 0; i < ids.size(); ++i) {
      const int64_t id = ids[i];
      if (id < 0 || id >= blocks_ || counts_[id] == 0) {
        TVM_FFI_THROW(ValueError) << "ids[" << i << "] is " << id << ", which is not in use";
      }
    }
    for (int64_t id : ids) ++counts_[id];
  }

  // Returns how many became free.
  int64_t Free(Array<int64_t> ids) {
    auto lock = Lock();
    const size_t before = free_.size();
    std::map<int64_t, int64_t> times;
    for (size_t i = 0; i < ids.size(); ++i) {
      const int64_t id = ids[i];
      if (id < 0 || id >= blocks_) {
        TVM_FFI_THROW(ValueError) << "ids[" << i << "] is " << id << ", of " << blocks_;
      }
#if BUG == 1 || BUG == 3
      const bool gone = counts_[id] == 0;
#else
      const bool gone = ++times[id] > counts_[id];
#endif
      if (gone) {
        TVM_FFI_THROW(ValueError) << "ids[" << i << "] is " << id << ", which is free already";
      }
      if (BUG == 3) DropOne(id);
    }
    for (size_t i = 0; BUG != 3 && i < ids.size(); ++i) DropOne(ids[i]);
    return static_cast<int64_t>(free_.size() - before);
  }

  int64_t Available() {
    auto lock = Lock();
    return static_cast<int64_t>(free_.size());
  }

  int64_t blocks() const { return blocks_; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.BlockPool", BlockPoolObj, ffi::Object);

 private:
  std::unique_lock<std::mutex> Lock() {
    return std::unique_lock<std::mutex>(mutex_);
  }

  void DropOne(int64_t id) {
#if BUG == 4
    counts_[id] = 0;
#else
    if (--counts_[id] > 0) return;
#endif
    free_.push_back(id);
    std::push_heap(free_.begin(), free_.end(), std::greater<int64_t>());
  }

  const int64_t blocks_;
  const int64_t block_size_;
  std::mutex mutex_;
  int64_t* counts_;
  std::vector<int64_t> free_;
};

class BlockPool : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(BlockPool, ffi::ObjectRef, BlockPoolObj);
};

BlockPoolObj* Get(const BlockPool& pool) {
  if (!pool.defined()) TVM_FFI_THROW(TypeError) << "pool must not be None";
  return const_cast<BlockPoolObj*>(pool.get());
}

BlockPool NewBlockPool(int64_t num_blocks, int64_t block_size) {
  if (num_blocks < 1 || num_blocks > (1 << 20)) {
    TVM_FFI_THROW(ValueError) << "num_blocks must be from 1 to 2^20, is " << num_blocks;
  }
  if (block_size < 1 || block_size > 65536) {
    TVM_FFI_THROW(ValueError) << "block_size must be from 1 to 65536, is " << block_size;
  }
  return BlockPool(ffi::make_object<BlockPoolObj>(num_blocks, block_size));
}

Array<int64_t> BlockPoolReserve(BlockPool pool, int64_t tokens) {
  return Get(pool)->Reserve(tokens);
}

Map<String, int64_t> BlockPoolStats(BlockPool pool) {
  BlockPoolObj* p = Get(pool);
  const int64_t free = p->Available();
  return Map<String, int64_t>({{String("blocks"), p->blocks()},
                               {String("free"), free},
                               {String("used"), p->blocks() - free}});
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<BlockPoolObj>()
      .def("alloc", &BlockPoolObj::Alloc)
      .def("share", &BlockPoolObj::Share)
      .def("free", &BlockPoolObj::Free)
      .def("available", &BlockPoolObj::Available);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool, NewBlockPool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool_reserve, BlockPoolReserve);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pool_stats, BlockPoolStats);
