// SPDX-License-Identifier: Apache-2.0
// An object that keeps tables, with methods; a hook that may be set; sequences.
#include <tvm/ffi/reflection/registry.h>
class BankObj : public ffi::Object {
 public:
  mutable std::mutex m;
  Array<Tensor> tables;  // kept
  Function hook;         // kept, or none
  bool closed = false;
  int64_t served = 0;

  Array<Tensor> open() const {
    std::lock_guard<std::mutex> lock(m);
    REQUIRE(RuntimeError, !closed) << "the bank is closed";
    return tables;
  }
  int64_t Rows() const {
    int64_t n = 0;
    for (Tensor t : open()) n += t.size(0);
    return n;
  }
  int64_t Served() const {
    std::lock_guard<std::mutex> lock(m);
    return served;
  }
  // a copy of one row; what the hook returns for its number is added
  Tensor Row(int64_t i) {
    Array<Tensor> all = open();
    Function f;
    {
      std::lock_guard<std::mutex> lock(m);
      f = hook;
    }
    REQUIRE(IndexError, i >= 0) << "no row " << i;
    int64_t at = i;
    for (Tensor t : all) {
      View v = view(t, "table", {F32}, 2);
      if (at < v.n(0)) {
        double extra = f.defined() ? to_float(Any(f(i)), "hook") : 0;
        Tensor out = alloc({v.n(1)}, F32);
        for (int64_t j = 0; j < v.n(1); ++j) data<float>(out)[j] = float(v.as<float>()[at * v.n(1) + j] + extra);
        std::lock_guard<std::mutex> lock(m);
        ++served;
        return out;
      }
      at -= v.n(0);
    }
    TVM_FFI_THROW(IndexError) << "no row " << i;
  }
  void Close() {
    Array<Tensor> old;
    Function f;
    std::lock_guard<std::mutex> lock(m);
    std::swap(old, tables), std::swap(f, hook);
    closed = true;
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("v2.Bank", BankObj, ffi::Object);
};
class Bank : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Bank, ffi::ObjectRef, BankObj);
};
Bank MakeBank(Array<Tensor> tables) {
  REQUIRE(ValueError, tables.size() >= 1) << "tables must not be empty";
  int64_t d = -1;
  for (Tensor t : tables) {
    View v = view(t, "tables", {F32}, 2);
    REQUIRE(ValueError, d < 0 || d == v.n(1)) << "tables: rows differ in length";
    d = v.n(1);
  }
  auto b = ffi::make_object<BankObj>();
  // an array of its own: the caller's may be changed
  Array<Tensor> own;
  for (Tensor t : tables) own.push_back(t);
  b->tables = own;
  return Bank(b);
}
Tensor Gather(Bank bank, TensorView ids) {
  REQUIRE(TypeError, bank.defined()) << "bank must not be None";
  View v = view(ids, "ids", {I32, I64}, 1);
  Array<Tensor> all = bank->open();
  std::vector<const float*> rows;
  int64_t d = all[0].size(1);
  for (Tensor t : all) {
    View table = view(t, "table", {F32}, 2);
    for (int64_t i = 0; i < table.n(0); ++i) rows.push_back(table.as<float>() + i * d);
  }
  auto id = [&](int64_t i) { return v.dtype == I32 ? int64_t(v.as<int32_t>()[i]) : v.as<int64_t>()[i]; };
  for (int64_t i = 0; i < v.numel; ++i)
    REQUIRE(IndexError, id(i) >= 0 && id(i) < int64_t(rows.size())) << "ids: no row " << id(i);
  Tensor out = alloc({v.numel, d}, F32);
  for (int64_t i = 0; i < v.numel; ++i)
    if (d) std::memcpy(data<float>(out) + i * d, rows[id(i)], size_t(d) * 4);
  return out;
}
// sets the hook (None: takes it away); the number of rows
int64_t Watch(Bank bank, Optional<Function> f) {
  REQUIRE(TypeError, bank.defined()) << "bank must not be None";
  int64_t rows = bank->Rows();
  Function next = f.has_value() ? f.value() : Function(nullptr);
  {
    std::lock_guard<std::mutex> lock(bank->m);
    std::swap(next, bank.get()->hook);
  }
  return rows;
}
// a bank of the tables of both
Bank Join(Bank a, Bank b) {
  REQUIRE(TypeError, a.defined() && b.defined()) << "join: banks must not be None";
  Array<Tensor> all;
  for (Tensor t : a->open()) all.push_back(t);
  for (Tensor t : b->open()) all.push_back(t);
  return MakeBank(all);
}
TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<BankObj>()
      .def("rows", &BankObj::Rows)
      .def("served", &BankObj::Served)
      .def("row", &BankObj::Row)
      .def("close", &BankObj::Close);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bank, MakeBank);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bank_gather, Gather);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bank_watch, Watch);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bank_join, Join);
