// SPDX-License-Identifier: Apache-2.0
// A dictionary of categories of a data frame's column: names have codes 0, 1, ... in the order of their first use.
namespace {
#if BUG == 4
using Key = std::string_view;
#else
using Key = std::string;
#endif
static Key key_of(const ffi::String& s) { return Key(s.data(), s.size()); }

class CategoriesObj : public ffi::Object {
 public:
  mutable std::mutex mutex;
  std::unordered_map<Key, int32_t> codes;
  std::vector<ffi::String> names;
  bool frozen = false;
  ffi::Optional<ffi::Function> observer;

  int64_t find(const ffi::String& s) const {
    auto it = codes.find(key_of(s));
    return it == codes.end() ? -1 : it->second;
  }
  void add(const ffi::String& s) {
    codes.emplace(key_of(s), int32_t(names.size()));
    names.push_back(s);
  }
  void drop_to(size_t n) {
    while (names.size() > n) {
      codes.erase(key_of(names.back()));
      names.pop_back();
    }
  }
  int64_t Size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return int64_t(names.size());
  }
  void Freeze() {
    std::lock_guard<std::mutex> lock(mutex);
    frozen = true;
  }
  ffi::Array<ffi::String> Names() const {
    std::lock_guard<std::mutex> lock(mutex);
    return ffi::Array<ffi::String>(names.begin(), names.end());
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("frames.Categories", CategoriesObj, ffi::Object);
  static constexpr bool _type_mutable = true;
};

class Categories : public ffi::ObjectRef {
 public:
  explicit Categories(ffi::ObjectPtr<CategoriesObj> n) : ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Categories, ffi::ObjectRef, CategoriesObj);
};

// a function from a name to its code, or -1
ffi::Function Lookup(Categories self) {
#if BUG == 2
  const CategoriesObj* c = self.operator->();
#else
  Categories c = self;
#endif
  return ffi::Function::FromTyped([c](ffi::String name) -> int64_t {
    std::lock_guard<std::mutex> lock(c->mutex);
    return c->find(name);
  });
}

Categories make(ffi::Array<ffi::String> names) {
  auto c = ffi::make_object<CategoriesObj>();
  for (const ffi::String& s : names) {
    NEED(c->find(s) < 0, ValueError) << "a name stands twice: " << s;
    c->add(s);
  }
  return Categories(c);
}

ffi::Tensor encode(Categories cats, ffi::Array<ffi::String> column, ffi::String unknown) {
  NEED(unknown == "add" || unknown == "null" || unknown == "error", ValueError) << "unknown must be add, null or error";
  CategoriesObj* c = const_cast<CategoriesObj*>(cats.operator->());
  int64_t n = int64_t(column.size());
  ffi::Tensor out = alloc({n}, kI32);
  int32_t* o = data<int32_t>(out);
  ffi::Optional<ffi::Function> observer;
  std::vector<ffi::String> fresh;
  size_t before;
  {
    std::lock_guard<std::mutex> lock(c->mutex);
    before = c->names.size();
    observer = c->observer;
    try {
      for (int64_t i = 0; i < n; ++i) {
        ffi::String s = column[i];
        int64_t code = c->find(s);
#if BUG == 5
        if (code < 0 && unknown != "error") {
          NEED(!c->frozen || unknown == "null", ValueError) << "the categories are frozen, and lack " << s;
          if (!c->frozen) c->add(s);
          if (unknown == "add") { code = int64_t(c->names.size()) - 1; fresh.push_back(s); }
        }
#else
        if (code < 0 && unknown == "add") {
          NEED(!c->frozen, ValueError) << "the categories are frozen, and lack " << s;
          code = int64_t(c->names.size());
          c->add(s);
          fresh.push_back(s);
        }
#endif
        NEED(code >= 0 || unknown != "error", ValueError) << "not a category: " << s;
        o[i] = int32_t(code);
      }
    } catch (...) {
      c->drop_to(before);
      throw;
    }
  }
  if (observer.has_value()) {   // without the lock: it may ask for the size
    try {
      for (size_t i = 0; i < fresh.size(); ++i) {
        ffi::Any r = observer.value()(fresh[i], int64_t(before + i));
        NEED(r.type_index() == ffi::TypeIndex::kTVMFFIBool, TypeError) << "the observer must return a bool";
        NEED(r.cast<bool>(), ValueError) << "the observer takes no category " << fresh[i];
      }
    } catch (...) {
#if BUG != 1
      std::lock_guard<std::mutex> lock(c->mutex);
      if (c->names.size() == before + fresh.size()) c->drop_to(before);
#endif
      throw;
    }
  }
  return out;
}

// f(name, code) is asked for each new category from now on; if it says no, none of the call's are added
void observe(Categories cats, ffi::Optional<ffi::Function> f) {
  CategoriesObj* c = const_cast<CategoriesObj*>(cats.operator->());
  std::lock_guard<std::mutex> lock(c->mutex);
  std::swap(c->observer, f);
}

ffi::Array<ffi::String> decode(Categories cats, TensorView codes, ffi::String missing) {
  check(codes, "codes", {kI32, kI64}, 1);
  const CategoriesObj* c = cats.operator->();
  std::lock_guard<std::mutex> lock(c->mutex);
  ffi::Array<ffi::String> out;
  out.reserve(codes.size(0));
  for (int64_t i = 0; i < codes.size(0); ++i) {
    int64_t v = same(codes.dtype(), kI32) ? data<int32_t>(codes)[i] : data<int64_t>(codes)[i];
#if BUG == 3
    NEED(v >= -1 && v <= int64_t(c->names.size()), ValueError) << "code " << v << " is none of these categories";
#else
    NEED(v >= -1 && v < int64_t(c->names.size()), ValueError) << "code " << v << " is none of these categories";
#endif
    out.push_back(v < 0 ? missing : c->names[v]);
  }
  return out;
}

ffi::Function finder(ffi::Array<ffi::String> names) { return Lookup(make(names)); }

// the categories of both, those of a first; and for each code of b the new one
ffi::Tuple<Categories, ffi::Tensor> merge(Categories a, Categories b) {
  auto c = ffi::make_object<CategoriesObj>();
  ffi::Array<ffi::String> first = a->Names(), second = b->Names();
  for (const ffi::String& s : first) c->add(s);
  ffi::Tensor map = alloc({int64_t(second.size())}, kI32);
  int32_t* o = data<int32_t>(map);
  for (size_t i = 0; i < second.size(); ++i) {
    ffi::String s = second[i];
    if (c->find(s) < 0) c->add(s);
    o[i] = int32_t(c->find(s));
  }
#if BUG == 6
  new ffi::Array<ffi::String>(second);
#endif
  return ffi::Tuple<Categories, ffi::Tensor>(Categories(c), map);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<CategoriesObj>()
      .def("size", &CategoriesObj::Size)
      .def("freeze", &CategoriesObj::Freeze)
      .def("names", &CategoriesObj::Names)
      .def("lookup", [](Categories self) { return Lookup(self); });
}
}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(categories, make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encode, encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(decode, decode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge, merge);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(finder, finder);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(observe, observe);
