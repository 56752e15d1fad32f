// SPDX-License-Identifier: Apache-2.0
// Pages of a key-value cache: a pool hands out the lowest free ones and takes them back.
namespace {

using namespace set;

constexpr int64_t kMaxPages = 1 << 20;
constexpr int64_t kMaxPageSize = 1 << 16;

class PagePoolObj : public ffi::Object {
 public:
  PagePoolObj(int64_t pages, int64_t page_size, int64_t reserved)
      : page_size_(page_size), reserved_(reserved), free_(pages - reserved), used_(pages, 0) {
#if BUG != 6
    low_ = reserved;
#endif
    std::fill(used_.begin(), used_.begin() + reserved, 1);
  }

  Array<int64_t> Take(int64_t tokens) {
    if (tokens < 0) TVM_FFI_THROW(ValueError) << "tokens must not be negative, it is " << tokens;
#if BUG == 4
    int64_t need = tokens / page_size_ + 1;
#elif BUG == 8
    int64_t need = static_cast<int64_t>(static_cast<uint64_t>(tokens) + page_size_ - 1) / page_size_;
#else
    int64_t need = tokens / page_size_ + (tokens % page_size_ != 0 ? 1 : 0);
#endif
    std::vector<int64_t> got;
#if BUG != 5
    std::lock_guard<std::mutex> lock(mutex_);
#endif
#if BUG != 1
    if (need > free_) OutOfPages(need);
    got.reserve(static_cast<size_t>(need > 0 ? need : 0));
#endif
    int64_t& low = Low();
    int64_t total = static_cast<int64_t>(used_.size());
    while (static_cast<int64_t>(got.size()) < need) {
      while (low < total && used_[low] != 0) ++low;
      if (low >= total) OutOfPages(need);
      used_[low] = 1;
      --free_;
      got.push_back(low++);
    }
    return Array<int64_t>(got.begin(), got.end());
  }

  int64_t Give(const Array<int64_t>& pages) {
    int64_t total = static_cast<int64_t>(used_.size());
    int64_t first = BUG == 3 ? 0 : reserved_;
    std::vector<int64_t> back(pages.begin(), pages.end());
    std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < back.size(); ++i) {
      if (back[i] < first || back[i] >= total || used_[back[i]] == 0) {
        TVM_FFI_THROW(ValueError) << "pages[" << i << "] is " << back[i] << ", which is not in use";
      }
    }
#if BUG != 2
    std::vector<int64_t> sorted(back);
    std::sort(sorted.begin(), sorted.end());
    auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      TVM_FFI_THROW(ValueError) << "pages has " << *twice << " more than once";
    }
#endif
    int64_t& low = Low();
    for (int64_t page : back) {
      used_[page] = 0;
      ++free_;
      low = std::min(low, page);
    }
    return free_;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kvcache.PagePool", PagePoolObj, ffi::Object);

 private:
  int64_t& Low() {
#if BUG == 6
    static int64_t low = 0;
    return low;
#else
    return low_;
#endif
  }
  void OutOfPages(int64_t need) const {
    TVM_FFI_THROW(RuntimeError) << "out of pages: tokens needs " << need << " of them, " << free_
                                << " are free";
  }

  const int64_t page_size_;
  const int64_t reserved_;
  int64_t free_;
#if BUG != 6
  int64_t low_;  // no page below it is free
#endif
  std::vector<char> used_;
  std::mutex mutex_;
};

class PagePool : public ffi::ObjectRef {
 public:
  explicit PagePool(ffi::ObjectPtr<PagePoolObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(PagePool, ffi::ObjectRef, PagePoolObj);
};

PagePool MakePagePool(int64_t pages, int64_t page_size, int64_t reserved) {
  if (pages < 1 || pages > kMaxPages) {
    TVM_FFI_THROW(ValueError) << "pages must be from 1 to " << kMaxPages << ", not " << pages;
  }
  if (page_size < 1 || page_size > kMaxPageSize) {
    TVM_FFI_THROW(ValueError) << "page_size must be from 1 to " << kMaxPageSize << ", not "
                              << page_size;
  }
  if (reserved < 0 || reserved >= pages) {
    TVM_FFI_THROW(ValueError) << "reserved must be from 0 to " << pages - 1 << ", not " << reserved;
  }
  PagePool pool(ffi::make_object<PagePoolObj>(pages, page_size, reserved));
#if BUG == 7
  static std::mutex mutex;
  static std::vector<PagePool>* pools = new std::vector<PagePool>();
  std::lock_guard<std::mutex> lock(mutex);
  pools->push_back(pool);
#endif
  return pool;
}

Array<int64_t> PagePoolTake(PagePool pool, int64_t tokens) { return pool->Take(tokens); }

int64_t PagePoolGive(PagePool pool, Array<int64_t> pages) { return pool->Give(pages); }

TVM_FFI_STATIC_INIT_BLOCK() { PagePoolObj::_GetOrAllocRuntimeTypeIndex(); }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(page_pool, MakePagePool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(page_pool_take, PagePoolTake);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(page_pool_give, PagePoolGive);
