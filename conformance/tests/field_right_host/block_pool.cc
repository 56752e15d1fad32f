// SPDX-License-Identifier: Apache-2.0
// The blocks of a paged KV cache, handed out and taken back. The lowest free one is given first.
namespace x7 {

using namespace tvm::ffi;

class BlockPoolObj : public Object {
 public:
  explicit BlockPoolObj(int64_t blocks) : blocks_(blocks) {}

  Shape Take(int64_t n) {
    std::lock_guard<std::mutex> hold(mutex_);
    if (n < 0) TVM_FFI_THROW(ValueError) << "cannot take " << n << " blocks";
    if (n > Left()) TVM_FFI_THROW(RuntimeError) << "out of blocks: " << Left() << " are left";
    std::vector<int64_t> ids;
    ids.reserve(n);
    while (static_cast<int64_t>(ids.size()) < n) {
      if (back_.empty()) {
        ids.push_back(next_++);
      } else {
        ids.push_back(*back_.begin());
        back_.erase(back_.begin());
      }
    }
    return Shape(std::move(ids));
  }

  // All of them or none.
  int64_t Give(Shape ids) {
    std::set<int64_t> more;
    std::lock_guard<std::mutex> hold(mutex_);
    for (int64_t id : ids) {
      if (id < 0 || id >= next_ || back_.count(id) != 0)
        TVM_FFI_THROW(ValueError) << "block " << id << " is not taken";
      if (!more.insert(id).second) TVM_FFI_THROW(ValueError) << "block " << id << " is given twice";
    }
    back_.merge(more);
    return Left();
  }

  int64_t Count() {
    std::lock_guard<std::mutex> hold(mutex_);
    return Left();
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x7.BlockPool", BlockPoolObj, Object);

 private:
  int64_t Left() const { return blocks_ - next_ + static_cast<int64_t>(back_.size()); }

  const int64_t blocks_;
  std::mutex mutex_;
  int64_t next_ = 0;         // the first that was never taken
  std::set<int64_t> back_;   // those below that are free again
};

class BlockPool : public ObjectRef {
 public:
  explicit BlockPool(ObjectPtr<BlockPoolObj> p) : ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(BlockPool, ObjectRef, BlockPoolObj);
};

BlockPool open(int64_t blocks) {
  if (blocks < 1 || blocks > 1000000)
    TVM_FFI_THROW(ValueError) << "a pool has 1 to 1000000 blocks, not " << blocks;
  return BlockPool(make_object<BlockPoolObj>(blocks));
}

Shape take(BlockPool pool, int64_t n) { return pool->Take(n); }

int64_t give(BlockPool pool, Shape ids) { return pool->Give(std::move(ids)); }

TVM_FFI_STATIC_INIT_BLOCK() {
  // A second copy of this module in the process finds the methods of the first, which are the same.
  if (TVMFFIGetTypeInfo(BlockPoolObj::RuntimeTypeIndex())->num_methods > 0) return;
  reflection::ObjectDef<BlockPoolObj>()
      .def("take", &BlockPoolObj::Take)
      .def("give", &BlockPoolObj::Give)
      .def("left", &BlockPoolObj::Count);
}

}  // namespace x7

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_open, x7::open);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_take, x7::take);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_give, x7::give);
