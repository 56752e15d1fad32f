// SPDX-License-Identifier: Apache-2.0
// A pool of pages for a paged cache: the lowest free pages are taken first.
using tvm::ffi::Array;

class PagePoolObj : public tvm::ffi::Object {
 public:
  explicit PagePoolObj(int64_t pages) : taken_(static_cast<size_t>(pages), false), left_(pages) {}

  Array<int64_t> Take(int64_t n) {
    if (n < 0) TVM_FFI_THROW(ValueError) << "n must not be negative, got " << n;
    std::vector<int64_t> pages;
    {
      std::lock_guard<std::mutex> guard(lock_);
      if (n > left_) TVM_FFI_THROW(RuntimeError) << "pool exhausted: " << left_ << " pages left";
      pages.reserve(static_cast<size_t>(n));
      for (size_t i = 0; static_cast<int64_t>(pages.size()) < n; ++i) {
        if (!taken_[i]) pages.push_back(static_cast<int64_t>(i));
      }
      for (int64_t page : pages) taken_[static_cast<size_t>(page)] = true;
      left_ -= n;
    }
    return Array<int64_t>(pages.begin(), pages.end());
  }

  // All or nothing: a bad page in the list leaves the pool as it was.
  int64_t Give(const std::vector<int64_t>& pages) {
    std::vector<int64_t> sorted = pages;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      TVM_FFI_THROW(ValueError) << "pages: the same page twice";
    }
    std::lock_guard<std::mutex> guard(lock_);
    for (int64_t page : sorted) {
      if (page < 0 || page >= static_cast<int64_t>(taken_.size())) {
        TVM_FFI_THROW(IndexError) << "pages: no page " << page;
      }
      if (!taken_[static_cast<size_t>(page)]) {
        TVM_FFI_THROW(ValueError) << "pages: page " << page << " is free";
      }
    }
    for (int64_t page : sorted) taken_[static_cast<size_t>(page)] = false;
    left_ += static_cast<int64_t>(sorted.size());
    return left_;
  }

  int64_t Left() {
    std::lock_guard<std::mutex> guard(lock_);
    return left_;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor5.PagePool", PagePoolObj, tvm::ffi::Object);

 private:
  std::mutex lock_;
  std::vector<bool> taken_;
  int64_t left_;
};

class PagePool : public tvm::ffi::ObjectRef {
 public:
  explicit PagePool(int64_t pages)
      : tvm::ffi::ObjectRef(tvm::ffi::make_object<PagePoolObj>(pages)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(PagePool, tvm::ffi::ObjectRef, PagePoolObj);
};

namespace {

PagePool New(int64_t pages) {
  if (pages < 1 || pages > 65536) {
    TVM_FFI_THROW(ValueError) << "pages must be between 1 and 65536, got " << pages;
  }
  return PagePool(pages);
}

Array<int64_t> Take(PagePool pool, int64_t n) { return pool->Take(n); }

int64_t Give(PagePool pool, Array<int64_t> pages) {
  return pool->Give(std::vector<int64_t>(pages.begin(), pages.end()));
}

int64_t Left(PagePool pool) { return pool->Left(); }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_new, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_take, Take);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_give, Give);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_left, Left);
