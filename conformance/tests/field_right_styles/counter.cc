// SPDX-License-Identifier: Apache-2.0
// A counter as an object: any number of them, each with a ceiling that it does not pass.
namespace x4 {

class CounterObj : public ffi::Object {
 public:
  CounterObj(int64_t start, int64_t ceiling) : value_(start), ceiling_(ceiling) {}

  int64_t Add(int64_t by) {
    if (by < 0) TVM_FFI_THROW(ValueError) << "a counter does not go down";
    std::lock_guard<std::mutex> hold(lock_);
    if (by > ceiling_ - value_) TVM_FFI_THROW(OverflowError) << "the ceiling is " << ceiling_;
    return value_ += by;
  }

  bool TryAdd(int64_t by) {
    std::lock_guard<std::mutex> hold(lock_);
    if (by > ceiling_ - value_) return false;
    value_ += by;
    return true;
  }

  int64_t Value() const {
    std::lock_guard<std::mutex> hold(lock_);
    return value_;
  }

  int64_t Room() const {
    std::lock_guard<std::mutex> hold(lock_);
    return ceiling_ - value_;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x4.Counter", CounterObj, ffi::Object);

 private:
  mutable std::mutex lock_;
  int64_t value_;
  const int64_t ceiling_;
};

class Counter : public ffi::ObjectRef {
 public:
  Counter(int64_t start, int64_t ceiling) {
    data_ = ffi::make_object<CounterObj>(start, ceiling);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Counter, ffi::ObjectRef, CounterObj);
};

static Counter Open(int64_t start, ffi::Optional<int64_t> ceiling) {
  int64_t top = ceiling.value_or(1000000);
  TVM_FFI_CHECK(start >= 0, ValueError) << "start is negative";
  TVM_FFI_CHECK(top <= 1000000000, ValueError) << "the ceiling is too high";
  TVM_FFI_CHECK(start <= top, ValueError) << "start is above the ceiling";
  return Counter(start, top);
}

// Adds amounts in order, up to the first that there is no room for; says how much that was.
static int64_t Fill(Counter into, ffi::Array<int64_t> amounts) {
  for (int64_t a : amounts) {
    TVM_FFI_CHECK(a >= 0 && a <= 1000000, ValueError) << "an amount is from 0 to 1000000";
  }
  int64_t added = 0;
  for (int64_t a : amounts) {
    if (!into->TryAdd(a)) break;
    added += a;
  }
  return added;
}

static int64_t Value(Counter c) { return c->Value(); }

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<CounterObj>()
      .def("add", &CounterObj::Add)
      .def("value", &CounterObj::Value)
      .def("room", &CounterObj::Room);
}

}  // namespace x4

TVM_FFI_DLL_EXPORT_TYPED_FUNC(counter_open, x4::Open);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(counter_fill, x4::Fill);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(counter_value, x4::Value);
