// SPDX-License-Identifier: Apache-2.0
// hoard(size): an object that holds the numbers from 0 on. hoard_take(hoard) takes the least one out, and raises a RuntimeError
// where none is left. hoard_open(name) and hoard_close(name), which is whether it was open, need no object. hoard.json describes both. An including file may leave the lock out, or work in memory
// that all have in common.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HOARD_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HOARD_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#ifndef LOCK
#define LOCK(lock_of) const std::lock_guard<std::mutex> lock(lock_of)
#endif

// What is left without the first.
#ifndef DROP_FIRST
#define DROP_FIRST(numbers) (numbers).erase((numbers).begin())
#endif

namespace hoarding
{

namespace ffi = tvm::ffi;

class HoardObj : public ffi::Object
{
 public:
  std::mutex mutex;
  std::vector<int64_t> numbers;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.Hoard", HoardObj, ffi::Object);
};

class Hoard : public ffi::ObjectRef
{
 public:
  explicit Hoard(int64_t size)
  {
    auto object = ffi::make_object<HoardObj>();
    for (int64_t i = 0; i < size; ++i) object->numbers.push_back(i);
    data_ = object;
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Hoard, ffi::ObjectRef, HoardObj);
};

inline Hoard New(int64_t size)
{
  if (size < 0 || size > 1000) TVM_FFI_THROW(ValueError) << "size must be from 0 to 1000";
  return Hoard(size);
}

inline int64_t Take(Hoard hoard)
{
  HoardObj *object = const_cast<HoardObj *>(static_cast<const HoardObj *>(hoard.get()));
  LOCK(object->mutex);
  if (object->numbers.empty()) TVM_FFI_THROW(RuntimeError) << "the hoard is empty";
  const int64_t number = object->numbers.front();
  DROP_FIRST(object->numbers);
  return number;
}

// Names are the same for all.
class Names
{
 public:
  static Names &Get()
  {
    static Names *names = new Names();
    return *names;
  }
  void Open(const std::string &name)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    open.insert(name);
  }
  bool Close(const std::string &name)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    return open.erase(name) > 0;
  }

 private:
  std::mutex mutex;
  std::set<std::string> open;
};

inline void Open(ffi::String name)
{
  Names::Get().Open(name);
}

inline bool Close(ffi::String name)
{
  return Names::Get().Close(name);
}

}  // namespace hoarding

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hoard, hoarding::New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hoard_take, hoarding::Take);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hoard_open, hoarding::Open);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hoard_close, hoarding::Close);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HOARD_H_
