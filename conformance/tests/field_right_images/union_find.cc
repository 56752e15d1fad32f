// SPDX-License-Identifier: Apache-2.0
// Disjoint sets as an object: made by union_find, joined by its methods, read by the others.
namespace graphkit {
namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class UnionFindObj : public ffi::Object {
 public:
  explicit UnionFindObj(int64_t n) : up_(n), size_(n, 1), sets_(n) {
    std::iota(up_.begin(), up_.end(), 0);
  }

  bool Unite(int64_t a, int64_t b) {
    std::lock_guard<std::mutex> hold(lock_);
    a = Root(Checked(a)), b = Root(Checked(b));
    if (a == b) return false;
    if (size_[a] < size_[b]) std::swap(a, b);
    up_[b] = a;
    size_[a] += size_[b];
    --sets_;
    return true;
  }

  bool Same(int64_t a, int64_t b) {
    std::lock_guard<std::mutex> hold(lock_);
    return Root(Checked(a)) == Root(Checked(b));
  }

  int64_t SizeOf(int64_t a) {
    std::lock_guard<std::mutex> hold(lock_);
    return size_[Root(Checked(a))];
  }

  int64_t Sets() {
    std::lock_guard<std::mutex> hold(lock_);
    return sets_;
  }

  // The least member of each one's set.
  std::vector<int64_t> Labels() {
    std::lock_guard<std::mutex> hold(lock_);
    int64_t n = int64_t(up_.size());
    std::vector<int64_t> least(n, n), label(n);
    for (int64_t i = 0; i < n; ++i) {
      int64_t& l = least[Root(i)];
      l = std::min(l, i);
      label[i] = l;
    }
    return label;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphkit.UnionFind", UnionFindObj, ffi::Object);

 private:
  int64_t Checked(int64_t a) const {
    if (a < 0 || a >= int64_t(up_.size())) {
      TVM_FFI_THROW(IndexError) << "no vertex " << a << " among " << up_.size();
    }
    return a;
  }

  int64_t Root(int64_t a) {
    while (up_[a] != a) a = up_[a] = up_[up_[a]];
    return a;
  }

  std::mutex lock_;
  std::vector<int64_t> up_, size_;
  int64_t sets_;
};

class UnionFind : public ffi::ObjectRef {
 public:
  explicit UnionFind(int64_t n) : ObjectRef(ffi::make_object<UnionFindObj>(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(UnionFind, ffi::ObjectRef, UnionFindObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<UnionFindObj>(refl::init(false))
      .def("unite", &UnionFindObj::Unite)
      .def("same", &UnionFindObj::Same)
      .def("size", &UnionFindObj::SizeOf);
}

UnionFind Make(int64_t n) {
  if (n < 0 || n > 4096) TVM_FFI_THROW(ValueError) << "n must be 0 to 4096, not " << n;
  return UnionFind(n);
}

int64_t Components(UnionFind sets) { return const_cast<UnionFindObj*>(sets.get())->Sets(); }

void Labels(UnionFind sets, kit::TensorView out) {
  int32_t* to = kit::elements<int32_t>(out, "out", 1);
  std::vector<int64_t> label = const_cast<UnionFindObj*>(sets.get())->Labels();
  if (out.size(0) != int64_t(label.size())) {
    TVM_FFI_THROW(ValueError) << "out must have an element for each of " << label.size();
  }
  std::copy(label.begin(), label.end(), to);
}
}  // namespace graphkit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(union_find, graphkit::Make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(components, graphkit::Components);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(labels, graphkit::Labels);
