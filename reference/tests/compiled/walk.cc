// SPDX-License-Identifier: Apache-2.0
// Code compiled from the official C++ headers and the functions of this runtime work on the same
// containers, in turns, and see the same. The program prints what differs; nothing, if all is well.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using AnyArray = ffi::Array<Any>;
using AnyList = ffi::List<Any>;
using AnyMap = ffi::Map<Any, Any>;
using AnyDict = ffi::Dict<Any, Any>;

static int failures;

#define EXPECT(condition, what)                                                          \
  do {                                                                                   \
    if (!(condition) && ++failures <= 20) {                                              \
      std::printf("line %d: %s: %s\n", __LINE__, #condition, std::string(what).c_str()); \
    }                                                                                    \
  } while (0)

template <typename... Args>
static Any Call(const char *name, Args &&...args)
{
  return ffi::Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

static Any CallPacked(const char *name, const std::vector<Any> &args)
{
  std::vector<ffi::AnyView> views(args.begin(), args.end());
  Any result;
  ffi::Function::GetGlobalRequired(name).CallPacked(views.data(), static_cast<int>(views.size()),
                                                    &result);
  return result;
}

static bool Equal(const Any &one, const Any &other)
{
  return ffi::AnyEqual()(one, other);
}

//--------------------------------------------------------------------------------------------------
// Keys of all kinds, among them objects whose type brings a comparison of its own
//--------------------------------------------------------------------------------------------------

static int living;

class PairObj : public ffi::Object
{
 public:
  int64_t one, other;
  PairObj(int64_t first, int64_t second) : one(first), other(second)
  {
    ++living;
  }
  ~PairObj()
  {
    --living;
  }
  TVM_FFI_DECLARE_OBJECT_INFO("walk.Pair", PairObj, ffi::Object);
};

class Pair : public ffi::ObjectRef
{
 public:
  Pair(int64_t one, int64_t other) : ObjectRef(ffi::make_object<PairObj>(one, other))
  {
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ffi::ObjectRef, PairObj);
};

static void RegisterPair()
{
  auto hash = ffi::Function::FromTyped([](Pair pair) { return pair->one * 31 + pair->other; });
  auto equal = ffi::Function::FromTyped(
      [](Pair left, Pair right) { return left->one == right->one && left->other == right->other; });
  int32_t index = PairObj::RuntimeTypeIndex();
  for (auto &[name, function] : {std::pair{"__any_hash__", hash}, {"__any_equal__", equal}}) {
    TVMFFIByteArray text = {name, std::char_traits<char>::length(name)};
    Any value = function;
    EXPECT(TVMFFITypeRegisterAttr(index, &text, reinterpret_cast<TVMFFIAny *>(&value)) == 0, name);
  }
}

// Number 0 is None; keys of different numbers differ.
static Any KeyOf(int number)
{
  switch (number % 7) {
    case 0:
      return number == 0 ? Any() : Any(number);
    case 1:
      return Any(number * 0.25);
    case 2:
      return Any(ffi::String("k" + std::to_string(number)));
    case 3:
      return Any(
          ffi::String("a key that is longer than seven bytes, number " + std::to_string(number)));
    case 4:
      return Any(ffi::Bytes(std::string("b\0", 2) + std::to_string(number)));
    case 5:
      return Any(reinterpret_cast<void *>(static_cast<intptr_t>(number) << 12));
    default:
      return Any(Pair(number, number / 3));
  }
}

//--------------------------------------------------------------------------------------------------
// Maps
//--------------------------------------------------------------------------------------------------

static std::vector<Any> Entries(int count)
{
  std::vector<Any> entries;
  for (int i = 0; i < count; ++i) {
    entries.push_back(KeyOf(i));
    entries.push_back(Any(i * 10));
  }
  return entries;
}

static void WalkMap(int count)
{
  std::string what = "a map of " + std::to_string(count);
  AnyMap map = CallPacked("ffi.Map", Entries(count)).cast<AnyMap>();
  EXPECT(map.size() == static_cast<size_t>(count), what);
  int at = 0;
  for (const auto &[key, value] : map) {
    EXPECT(Equal(key, KeyOf(at)) && value.cast<int>() == at * 10, what);
    ++at;
  }
  EXPECT(at == count, what);
  auto end = map.end();
  for (int i = count; i > 0; --i) EXPECT(Equal((*--end).first, KeyOf(i - 1)), what);
  for (int i = 0; i < count; ++i) EXPECT(map.at(KeyOf(i)).cast<int>() == i * 10, what);
  for (int i = count; i < count + 20; ++i) EXPECT(map.count(KeyOf(i)) == 0, what);
}

// Compiled code copies what others hold, too, and changes what it holds alone.
static void ChangeMap(int count)
{
  std::string what = "a changed map of " + std::to_string(count);
  AnyMap map = CallPacked("ffi.Map", Entries(count)).cast<AnyMap>();
  AnyMap copy = map;
  for (int i = 0; i < 10; ++i) copy.Set(KeyOf(count + i), Any(i));
  for (int i = 0; i < count; i += 2) copy.erase(KeyOf(i));
  EXPECT(map.size() == static_cast<size_t>(count), what);
  for (int i = 0; i < count + 10; ++i) {
    bool is_there = i >= count || i % 2 != 0;
    EXPECT(Call("ffi.MapCount", copy, KeyOf(i)).cast<int>() == is_there, what);
    EXPECT(Call("ffi.MapCount", map, KeyOf(i)).cast<int>() == (i < count), what);
  }
}

//--------------------------------------------------------------------------------------------------
// Dicts, changed in turns. The model is what should be there, in order.
//--------------------------------------------------------------------------------------------------

using Model = std::vector<std::pair<int, int>>;

static Model::iterator Find(Model &model, int number)
{
  return std::find_if(model.begin(), model.end(),
                      [=](auto &entry) { return entry.first == number; });
}

static void CompareDict(const AnyDict &dict, Model &model, bool in_order, const std::string &what)
{
  EXPECT(dict.size() == model.size(), what);
  EXPECT(Call("ffi.DictSize", dict).cast<size_t>() == model.size(), what);
  size_t at = 0;
  for (const auto &[key, value] : dict) {
    if (at < model.size() && in_order) EXPECT(Equal(key, KeyOf(model[at].first)), what);
    ++at;
  }
  EXPECT(at == model.size(), what);
  ffi::Function walk = Call("ffi.DictForwardIterFunctor", dict).cast<ffi::Function>();
  for (const auto &[key, value] : dict) {
    EXPECT(Equal(walk(0), key) && Equal(walk(1), value), what);
    walk(2);
  }
  for (const auto &[number, value] : model) {
    EXPECT(dict.at(KeyOf(number)).cast<int>() == value, what);
    EXPECT(Call("ffi.DictGetItem", dict, KeyOf(number)).cast<int>() == value, what);
  }
}

static void ChangeDict(AnyDict dict, unsigned seed, int keys, const std::string &what)
{
  Model model;
  bool in_order = true;  // compiled code moves a replaced entry to the end
  for (int step = 0; step < 600; ++step) {
    seed = seed * 1103515245u + 12345u;
    unsigned draw = seed >> 8;
    int number = static_cast<int>(draw / 8 % static_cast<unsigned>(keys));
    bool compiled = draw & 1, erases = (draw >> 1 & 3) == 0;
    auto there = Find(model, number);
    if (step % 200 == 199) {
      compiled ? dict.clear() : static_cast<void>(Call("ffi.DictClear", dict));
      model.clear();
      in_order = true;
    } else if (erases) {
      compiled ? dict.erase(KeyOf(number))
               : static_cast<void>(Call("ffi.DictErase", dict, KeyOf(number)));
      if (there != model.end()) model.erase(there);
    } else {
      compiled ? dict.Set(KeyOf(number), Any(step))
               : static_cast<void>(Call("ffi.DictSetItem", dict, KeyOf(number), step));
      if (there == model.end()) {
        model.emplace_back(number, step);
      } else {
        there->second = step;
        in_order = false;
      }
    }
    if (step % 7 == 0) CompareDict(dict, model, in_order, what);
  }
}

//--------------------------------------------------------------------------------------------------
// Arrays, lists, shapes
//--------------------------------------------------------------------------------------------------

static void WalkSequences(int count)
{
  std::vector<Any> values;
  for (int i = 0; i < count; ++i) values.push_back(KeyOf(i));
  AnyArray array = CallPacked("ffi.Array", values).cast<AnyArray>(), copy = array;
  AnyList list = CallPacked("ffi.List", values).cast<AnyList>();
  copy.push_back(Any(1));
  EXPECT(array.size() == values.size() && list.size() == values.size(), "sizes");
  EXPECT(Call("ffi.ArraySize", copy).cast<int>() == count + 1, "copy");
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT(Equal(array[i], values[i]) && Equal(list[i], values[i]), "element");
    EXPECT(Equal(Call("ffi.ArrayGetItem", copy, static_cast<int64_t>(i)), values[i]), "copied");
    EXPECT(Call("ffi.ArrayContains", copy, values[i]).cast<bool>(), "contained");
  }
}

static void ChangeList(AnyList list, unsigned seed)
{
  std::vector<int> model;
  for (int step = 0; step < 2000; ++step) {
    seed = seed * 1103515245u + 12345u;
    unsigned draw = seed >> 8;
    int64_t size = static_cast<int64_t>(model.size()), at = size == 0 ? 0 : draw / 64 % size;
    bool compiled = draw & 1;
    if (size > 0 && (draw >> 1 & 3) == 0) {
      compiled ? static_cast<void>(list.erase(list.begin() + at))
               : static_cast<void>(Call("ffi.ListErase", list, at));
      model.erase(model.begin() + at);
    } else if ((draw >> 1 & 3) == 1) {
      compiled ? list.insert(list.begin() + at, KeyOf(step))
               : static_cast<void>(Call("ffi.ListInsert", list, at, KeyOf(step)));
      model.insert(model.begin() + at, step);
    } else {
      compiled ? list.push_back(KeyOf(step))
               : static_cast<void>(Call("ffi.ListAppend", list, KeyOf(step)));
      model.push_back(step);
    }
  }
  EXPECT(list.size() == model.size(), "list");
  for (size_t i = 0; i < model.size(); ++i) {
    EXPECT(Equal(list[static_cast<int64_t>(i)], KeyOf(model[i])), "list");
    EXPECT(Equal(Call("ffi.ListGetItem", list, static_cast<int64_t>(i)), KeyOf(model[i])), "list");
  }
}

static void ReadShape()
{
  ffi::Shape shape = Call("ffi.Shape", 2, -3, INT64_MAX).cast<ffi::Shape>();
  EXPECT(shape.size() == 3 && shape[0] == 2 && shape[1] == -3 && shape[2] == INT64_MAX, "shape");
  EXPECT(Call("ffi.Shape").cast<ffi::Shape>().size() == 0, "no shape");
}

int main()
{
  RegisterPair();
  for (int count = 0; count < 300; count += count < 20 ? 1 : 37) {
    WalkMap(count);
    ChangeMap(count);
    WalkSequences(count);
  }
  WalkMap(5000);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    for (int keys : {3, 6, 20, 200}) {
      ChangeDict(Call("ffi.Dict").cast<AnyDict>(), seed, keys, "a dict of the runtime");
      ChangeDict(AnyDict(), seed, keys, "a dict of compiled code");
    }
    ChangeList(Call("ffi.List").cast<AnyList>(), seed);
    ChangeList(AnyList(), seed);
  }
  ReadShape();
  EXPECT(living == 0, std::to_string(living) + " objects are left");
  return failures == 0 ? 0 : 1;
}
