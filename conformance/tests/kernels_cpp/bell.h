// SPDX-License-Identifier: Apache-2.0
// bell(on_ring): an object with a method ring(n), which calls on_ring(n) and returns how often it has rung; what
// on_ring does not answer with 0 is an error, and does not count. bell_note(bell, ...) returns how many notes it was
// given. An including file may count otherwise, keep the callback in another way, drop its errors, or keep notes.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BELL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BELL_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>

#ifndef KEPT
#define KEPT ffi::Function
#endif
#ifndef ANSWER
#define ANSWER(on_ring, n) on_ring(n)
#endif
// Of what else bell_note is given.
#ifndef KEEP
#define KEEP(bell, value)
#endif
#ifndef COUNTS_FIRST
#define COUNTS_FIRST 0
#endif

namespace ringing
{

namespace ffi = tvm::ffi;

// A function without a reference to it.
class Borrowed
{
 public:
  explicit Borrowed(const ffi::Function &f) : object(static_cast<const ffi::FunctionObj *>(f.get()))
  {
  }
  ffi::Any operator()(int64_t n) const
  {
    const ffi::AnyView args[] = {n};
    ffi::Any result;
    object->CallPacked(args, 1, &result);
    return result;
  }

 private:
  const ffi::FunctionObj *object;
};

class BellObj : public ffi::Object
{
 public:
  KEPT on_ring;
  int64_t rung = 0;
  ffi::Any noted;
  explicit BellObj(const ffi::Function &f) : on_ring(f)
  {
  }
  int64_t Ring(int64_t n)
  {
    rung += COUNTS_FIRST;
    const ffi::Any answer = ANSWER(on_ring, n);
    const auto number = answer.as<int64_t>();
    if (!number || *number != 0) TVM_FFI_THROW(RuntimeError) << "on_ring did not return 0";
    rung += !COUNTS_FIRST;
    return rung;
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.Bell", BellObj, ffi::Object);
};

class Bell : public ffi::ObjectRef
{
 public:
  explicit Bell(ffi::Function f)
  {
    data_ = ffi::make_object<BellObj>(f);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Bell, ffi::ObjectRef, BellObj);
};

inline Bell New(ffi::Function on_ring)
{
  if (!on_ring.defined()) TVM_FFI_THROW(TypeError) << "on_ring must be a function";
  return Bell(on_ring);
}

// How many notes come with a bell.
inline int64_t Note(const TVMFFIAny *args, int32_t count)
{
  const auto *values = reinterpret_cast<const ffi::AnyView *>(args);
  if (count < 1) TVM_FFI_THROW(TypeError) << "bell_note takes a bell and notes";
  const auto given = values[0].try_cast<Bell>();
  if (!given) TVM_FFI_THROW(TypeError) << "argument 0 must be a bell";
  for (int32_t i = 1; i < count; ++i) {
    KEEP(const_cast<BellObj *>(given->get()), values[i]);
  }
  return count - 1;
}

static const int registered = []() {
  ffi::reflection::ObjectDef<BellObj>().def("ring", &BellObj::Ring);
  return 0;
}();

}  // namespace ringing

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bell, ringing::New)

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_bell_note(void *, const TVMFFIAny *args, int32_t count,
                                                      TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  const int64_t notes = ringing::Note(args, count);
  result->type_index = kTVMFFIInt;
  result->v_int64 = notes;
  TVM_FFI_SAFE_CALL_END();
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BELL_H_
