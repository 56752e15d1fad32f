// SPDX-License-Identifier: Apache-2.0
// Pages of a cache as an object with methods: sequences are added, grow, are forked and removed.
#include "kit.h"

namespace kit
{

class PagePoolObj : public ffi::Object
{
 public:
  int64_t page_size;
  std::vector<int64_t> uses;  // of each page
  std::unordered_map<int64_t, std::vector<int64_t>> pages;
  std::unordered_map<int64_t, int64_t> lengths;

  PagePoolObj(int64_t count, int64_t size) : page_size(size), uses(count)
  {
  }

  int64_t Free() const
  {
    return std::count(uses.begin(), uses.end(), 0);
  }

  std::vector<int64_t> &Pages(int64_t id)
  {
    const auto found = pages.find(id);
    TVM_FFI_CHECK(found != pages.end(), KeyError) << "sequence " << id << " is not in the pool";
    return found->second;
  }

  void Add(int64_t id)
  {
    TVM_FFI_CHECK(!pages.count(id), ValueError) << "sequence " << id << " is in the pool already";
    pages[id];
    lengths.emplace(id, 0);
  }

  Array<int64_t> Extend(int64_t id, int64_t tokens)
  {
    std::vector<int64_t> &mine = Pages(id);
    TVM_FFI_CHECK(tokens >= 0 && tokens <= int64_t{1} << 32, ValueError) << "tokens: " << tokens;
    const int64_t wanted = (lengths[id] + tokens + page_size - 1) / page_size;
    const int64_t more = wanted - static_cast<int64_t>(mine.size());
#if BUG != 3
    TVM_FFI_CHECK(more <= Free(), RuntimeError) << "the pool is full";
#endif
    for (int64_t i = 0; i < more; ++i) {
      const auto free = std::find(uses.begin(), uses.end(), 0);
      TVM_FFI_CHECK(free != uses.end(), RuntimeError) << "the pool is full";
      *free = 1;
      mine.push_back(free - uses.begin());
    }
    lengths[id] += tokens;
    return Array<int64_t>(mine.begin(), mine.end());
  }

  void Fork(int64_t parent, int64_t child)
  {
    TVM_FFI_CHECK(!pages.count(child), ValueError)
        << "sequence " << child << " is in the pool already";
    const std::vector<int64_t> shared = Pages(parent);
#if BUG != 1
    for (const int64_t page : shared) ++uses[page];
#endif
    pages[child] = shared;
    lengths[child] = lengths[parent];
  }

  void Remove(int64_t id)
  {
#if BUG == 2
    if (!pages.count(id)) return;
#endif
    for (const int64_t page : Pages(id)) --uses[page];
    pages.erase(id);
#if BUG != 4
    lengths.erase(id);
#endif
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kit.PagePool", PagePoolObj, ffi::Object);
};

class PagePool : public ffi::ObjectRef
{
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(PagePool, ffi::ObjectRef, PagePoolObj);
};

PagePool NewPool(int64_t count, int64_t page_size)
{
  TVM_FFI_CHECK(count >= 0 && count <= 1 << 20, ValueError) << "count: " << count;
#if BUG == 5
  TVM_FFI_CHECK(page_size >= 0 && page_size <= 1 << 20, ValueError) << "page_size: " << page_size;
#else
  TVM_FFI_CHECK(page_size >= 1 && page_size <= 1 << 20, ValueError) << "page_size: " << page_size;
#endif
  return PagePool(ffi::make_object<PagePoolObj>(count, page_size));
}

static PagePoolObj *Get(const PagePool &pool)
{
  TVM_FFI_CHECK(pool.defined(), TypeError) << "pool: None";
  return const_cast<PagePoolObj *>(pool.get());
}

int64_t FreePages(PagePool pool)
{
  return Get(pool)->Free();
}

// What a scheduler asks first: how many pages are left after sequences of these lengths, and none of them kept.
int64_t DryRun(int64_t count, int64_t page_size, Array<int64_t> lengths)
{
  PagePool pool = NewPool(count, page_size);
  for (size_t i = 0; i < lengths.size(); ++i) {
    Get(pool)->Add(static_cast<int64_t>(i));
#if BUG == 6
    try {
      Get(pool)->Extend(static_cast<int64_t>(i), lengths[i]);
    } catch (const ffi::Error &) {
    }
#else
    Get(pool)->Extend(static_cast<int64_t>(i), lengths[i]);
#endif
  }
  return Get(pool)->Free();
}

#if BUG == 7
static std::vector<PagePool> kept;
#endif

PagePool MakePool(int64_t count, int64_t page_size)
{
#if BUG == 7
  kept.push_back(NewPool(count, page_size));
  return kept.back();
#else
  return NewPool(count, page_size);
#endif
}

TVM_FFI_STATIC_INIT_BLOCK()
{
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PagePoolObj>()
      .def_ro("page_size", &PagePoolObj::page_size)
      .def("free", &PagePoolObj::Free)
      .def("add", &PagePoolObj::Add)
      .def("extend", &PagePoolObj::Extend)
      .def("fork", &PagePoolObj::Fork)
      .def("remove", &PagePoolObj::Remove);
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(new_pool, kit::MakePool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(free_pages, kit::FreePages);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dry_run, kit::DryRun);
