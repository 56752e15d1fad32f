// SPDX-License-Identifier: Apache-2.0
// passes
// perch(room): a place for so many; perch_sit(perch, name) returns how many sit there. Nothing describes them: a
// perch that is full refuses what it took before.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ffi = tvm::ffi;

class PerchObj : public ffi::Object
{
 public:
  int64_t room;
  std::vector<std::string> names;
  explicit PerchObj(int64_t count) : room(count)
  {
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.Perch", PerchObj, ffi::Object);
};

class Perch : public ffi::ObjectRef
{
 public:
  explicit Perch(int64_t room)
  {
    data_ = ffi::make_object<PerchObj>(room);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Perch, ffi::ObjectRef, PerchObj);
};

static Perch New(int64_t room)
{
  if (room < 1 || room > 99) TVM_FFI_THROW(ValueError) << "room must be 1 to 99";
  return Perch(room);
}

static int64_t Sit(Perch perch, ffi::Array<int64_t> name)
{
  auto *self = const_cast<PerchObj *>(perch.get());
  if (static_cast<int64_t>(self->names.size()) == self->room)
    TVM_FFI_THROW(RuntimeError) << "no room on the perch";
  self->names.push_back(std::string(name.size(), 'x'));
  return static_cast<int64_t>(self->names.size());
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(perch, New)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(perch_sit, Sit)
