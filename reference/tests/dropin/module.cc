// SPDX-License-Identifier: Apache-2.0
// A module as C++ authors write it, with nothing but the official headers: typed functions of every
// kind of parameter and result, a class with fields and methods, and errors.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Bytes;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::Shape;
using ffi::String;
using ffi::Tensor;

//--------------------------------------------------------------------------------------------------
// Plain values, texts, shapes
//--------------------------------------------------------------------------------------------------

static int64_t Add(int64_t left, int64_t right)
{
  return left + right;
}

static double Halve(double number)
{
  return number / 2;
}

static bool Negate(bool truth)
{
  return !truth;
}

static String Greet(const String &name)
{
  return String("hello, ") + name;
}

static Bytes ReverseBytes(const Bytes &bytes)
{
  std::string reversed(bytes.data(), bytes.size());
  std::reverse(reversed.begin(), reversed.end());
  return Bytes(reversed);
}

static Shape ReverseShape(const Shape &shape)
{
  std::vector<int64_t> numbers(shape.begin(), shape.end());
  std::reverse(numbers.begin(), numbers.end());
  return Shape(numbers);
}

static DLDataType WithLanes(DLDataType dtype, int lanes)
{
  dtype.lanes = static_cast<uint16_t>(lanes);
  return dtype;
}

static DLDevice NextDevice(DLDevice device)
{
  ++device.device_id;
  return device;
}

//--------------------------------------------------------------------------------------------------
// Tensors
//--------------------------------------------------------------------------------------------------

struct HeapAllocator {
  void AllocData(DLTensor *tensor)
  {
    tensor->data = std::malloc(ffi::GetDataSize(*tensor));
  }
  void FreeData(DLTensor *tensor)
  {
    std::free(tensor->data);
  }
};

// A tensor of this module, whose memory this module gives back.
static Tensor Iota(int64_t size)
{
  Tensor made = Tensor::FromNDAlloc(HeapAllocator(), Shape({size}), DLDataType{kDLFloat, 32, 1},
                                    DLDevice{kDLCPU, 0});
  for (int64_t i = 0; i < size; ++i) static_cast<float *>(made.data_ptr())[i] = i * 0.5f;
  return made;
}

static double Sum(ffi::TensorView tensor)
{
  if (tensor.dtype().code != kDLFloat || tensor.dtype().bits != 32) {
    TVM_FFI_THROW(TypeError) << "Sum takes float32, not " << tensor.dtype();
  }
  double sum = 0;
  for (int64_t i = 0; i < tensor.numel(); ++i) sum += static_cast<float *>(tensor.data_ptr())[i];
  return sum;
}

static Tensor Same(Tensor tensor)
{
  return tensor;
}

//--------------------------------------------------------------------------------------------------
// Containers, optional values, functions
//--------------------------------------------------------------------------------------------------

static Array<int64_t> Squares(const Array<int64_t> &numbers)
{
  return numbers.Map([](int64_t number) { return number * number; });
}

static Map<String, int64_t> Lengths(const Array<String> &words)
{
  Map<String, int64_t> lengths;
  for (const String &word : words) lengths.Set(word, static_cast<int64_t>(word.size()));
  return lengths;
}

static int64_t Total(const Map<String, int64_t> &numbers)
{
  int64_t total = 0;
  for (const auto &[name, number] : numbers) total += number;
  return total;
}

static Optional<String> NameOf(Optional<int64_t> number)
{
  if (!number.has_value()) return std::nullopt;
  return String("number " + std::to_string(*number));
}

static Function Twice(Function function)
{
  return Function::FromTyped([function](Any value) { return function(function(value)); });
}

static int64_t Apply(const Function &function, int64_t number)
{
  return function(number).cast<int64_t>();
}

static Any Echo(Any value)
{
  return value;
}

//--------------------------------------------------------------------------------------------------
// Errors
//--------------------------------------------------------------------------------------------------

static void Fail(const String &message)
{
  TVM_FFI_THROW(ValueError) << message;
}

// Says what a function threw, and throws it on, if it threw.
static String Catch(const Function &function, bool rethrow)
{
  try {
    function();
  } catch (const ffi::Error &error) {
    if (rethrow) throw;
    return String(std::string(error.kind()) + ": " + std::string(error.message()));
  }
  return "nothing";
}

//--------------------------------------------------------------------------------------------------
// A class
//--------------------------------------------------------------------------------------------------

class CounterObj : public ffi::Object
{
 public:
  int64_t count = 0;
  String name = "nameless";
  Array<int64_t> steps;

  CounterObj() = default;
  CounterObj(int64_t from, String called) : count(from), name(std::move(called))
  {
  }
  int64_t Advance(int64_t by)
  {
    if (by < 0) TVM_FFI_THROW(ValueError) << "a counter never goes back, by " << by;
    steps.push_back(by);
    return count += by;
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("dropin.Counter", CounterObj, ffi::Object);
};

class Counter : public ffi::ObjectRef
{
 public:
  Counter(int64_t from, String name)
      : ObjectRef(ffi::make_object<CounterObj>(from, std::move(name)))
  {
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Counter, ffi::ObjectRef, CounterObj);
};

static Counter MakeCounter(int64_t from, String name)
{
  return Counter(from, std::move(name));
}

TVM_FFI_STATIC_INIT_BLOCK()
{
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<CounterObj>()
      .def_rw("count", &CounterObj::count, "how far it is", refl::default_value(7))
      .def_rw("name", &CounterObj::name)
      .def_ro("steps", &CounterObj::steps)
      .def("advance", &CounterObj::Advance, "goes on")
      .def_static("make", MakeCounter);
  refl::GlobalDef().def("dropin.counted", [](const Counter &counter) { return counter->count; });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add, Add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(halve, Halve);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(negate, Negate);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(greet, Greet);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reverse_bytes, ReverseBytes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reverse_shape, ReverseShape);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(with_lanes, WithLanes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(next_device, NextDevice);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(iota, Iota);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum, Sum);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(squares, Squares);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lengths, Lengths);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(total, Total);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(name_of, NameOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, Twice);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply, Apply);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(echo, Echo);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fail, Fail);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(catch_error, Catch);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_counter, MakeCounter);
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(add, "adds two numbers");
