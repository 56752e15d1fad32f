// SPDX-License-Identifier: Apache-2.0
// A Bloom filter as an object: make, add, query, close. Answers may be falsely positive.
#include <tvm/ffi/reflection/registry.h>

namespace vendor {

namespace ffi = tvm::ffi;

class BloomObj : public ffi::Object {
 public:
  BloomObj(int64_t bits, int64_t hashes)
      : bits_(static_cast<uint64_t>(bits)), hashes_(hashes), words_((bits + 63) / 64, 0) {}

  int64_t Add(const int64_t* keys, int64_t n) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    Open();
    for (int64_t i = 0; i < n; ++i) {
      Probe(keys[i], [this](uint64_t bit) {
        words_[bit / 64] |= uint64_t{1} << (bit % 64);
        return true;
      });
    }
    return added_ += n;
  }

  void Query(const int64_t* keys, int64_t n, uint8_t* found) const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    Open();
    for (int64_t i = 0; i < n; ++i) {
      found[i] = Probe(keys[i], [this](uint64_t bit) {
        return ((words_[bit / 64] >> (bit % 64)) & 1) != 0;
      });
    }
  }

  bool Close() {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    bool was_open = !words_.empty();
    std::vector<uint64_t>().swap(words_);
    return was_open;
  }

  // How many keys were added since the filter was made, also of one that is closed.
  int64_t Added() const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    return added_;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor.Bloom", BloomObj, ffi::Object);

 private:
  void Open() const {
    if (words_.empty()) TVM_FFI_THROW(RuntimeError) << "the filter is closed";
  }

  static uint64_t Mix(uint64_t v) {
    v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdULL;
    v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return v ^ (v >> 33);
  }

  template <typename F>
  bool Probe(int64_t key, F visit) const {
    uint64_t at = Mix(static_cast<uint64_t>(key));
    const uint64_t step = Mix(at + 0x9e3779b97f4a7c15ULL) | 1;
    for (int64_t i = 0; i < hashes_; ++i, at += step) {
      if (!visit(at % bits_)) return false;
    }
    return true;
  }

  const uint64_t bits_;
  const int64_t hashes_;
  int64_t added_ = 0;
  std::vector<uint64_t> words_;
  mutable std::shared_mutex mutex_;
};

class Bloom : public ffi::ObjectRef {
 public:
  explicit Bloom(ffi::ObjectPtr<BloomObj> n) : ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Bloom, ffi::ObjectRef, BloomObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::ObjectDef<BloomObj>()
      .def("added", &BloomObj::Added)
      .def("close", &BloomObj::Close);
}

Bloom Make(int64_t bits, int64_t hashes) {
  TVM_FFI_CHECK(bits >= 8 && bits <= (1 << 20), ValueError) << "bits must be in 8..1048576";
  TVM_FFI_CHECK(hashes >= 1 && hashes <= 16, ValueError) << "hashes must be in 1..16";
  return Bloom(ffi::make_object<BloomObj>(bits, hashes));
}

int64_t Add(Bloom filter, ffi::TensorView keys) {
  set::dense(keys, set::kI64, 1, "keys");
  return filter->Add(set::begin<const int64_t>(keys), keys.size(0));
}

void Query(Bloom filter, ffi::TensorView keys, ffi::TensorView found) {
  set::dense(keys, set::kI64, 1, "keys");
  set::dense(found, set::kBool, 1, "found");
  TVM_FFI_CHECK_EQ(keys.size(0), found.size(0), ValueError) << "one answer for each key";
  filter->Query(set::begin<const int64_t>(keys), keys.size(0), set::begin<uint8_t>(found));
}

bool Close(Bloom filter) { return filter->Close(); }

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bloom_make, vendor::Make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bloom_add, vendor::Add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bloom_query, vendor::Query);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bloom_close, vendor::Close);
