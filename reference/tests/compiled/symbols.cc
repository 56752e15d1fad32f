// SPDX-License-Identifier: Apache-2.0
// Every C++ function of the official headers that is not in them is called once, and does what its
// registered twin does. The program prints what differs; nothing, if all is well.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Function;
using ffi::Module;
using ffi::ObjectRef;
using ffi::String;

static int failures;

#define EXPECT(condition)                                 \
  do {                                                    \
    if (!(condition) && ++failures <= 20) {               \
      std::printf("line %d: %s\n", __LINE__, #condition); \
    }                                                     \
  } while (0)

//--------------------------------------------------------------------------------------------------
// JSON
//--------------------------------------------------------------------------------------------------

static void ParseAndWrite()
{
  String message = "untouched";
  Any value = ffi::json::Parse("{\"a\": [1, 2.5, null]}");
  EXPECT(ffi::json::Stringify(value) == "{\"a\":[1,2.5,null]}");
  EXPECT(ffi::json::Stringify(Array<Any>{1}, 2) == "[\n  1\n]");
  EXPECT(ffi::json::Parse("[1]", &message).cast<Array<int>>()[0] == 1 && message.empty());
  EXPECT(ffi::json::Parse("[1", &message) == nullptr && !message.empty());
  try {
    ffi::json::Parse("[1");
    EXPECT(false);
  } catch (const ffi::Error &error) {
    EXPECT(error.kind() == "ValueError" && error.message() == std::string(message));
  }
}

static void MakeGraphs()
{
  Array<Any> shared = {1, "text"}, value = {shared, shared};
  Any graph = ffi::ToJSONGraph(value, ffi::Map<String, Any>{{"k", 1}});
  Array<Any> back = ffi::FromJSONGraph(graph).cast<Array<Any>>();
  EXPECT(back.size() == 2 && back[0].same_as(back[1]));
  EXPECT(ffi::StructuralEqual::Equal(back, value));
}

//--------------------------------------------------------------------------------------------------
// Values
//--------------------------------------------------------------------------------------------------

static void Compare()
{
  Array<Any> one = {1, Array<Any>{2}}, same = {1, Array<Any>{2}}, more = {1, Array<Any>{3}};
  EXPECT(ffi::RecursiveEq(one, same) && !ffi::RecursiveEq(one, more));
  EXPECT(ffi::RecursiveLt(one, more) && !ffi::RecursiveLt(one, same));
  EXPECT(ffi::RecursiveLe(one, same) && !ffi::RecursiveLe(more, one));
  EXPECT(ffi::RecursiveGt(more, one) && !ffi::RecursiveGt(one, same));
  EXPECT(ffi::RecursiveGe(one, same) && !ffi::RecursiveGe(one, more));
  EXPECT(ffi::RecursiveHash(one) == ffi::RecursiveHash(same));
  Any copy = ffi::DeepCopy(one);
  EXPECT(!copy.same_as(one) && ffi::RecursiveEq(copy, one));
  EXPECT(ffi::ReprPrint(one) == "(1, (2,))");
  EXPECT(ffi::StructuralEqual::Equal(one, same) && !ffi::StructuralEqual::Equal(one, more));
  EXPECT(ffi::StructuralHash::Hash(one) == ffi::StructuralHash::Hash(same));
  EXPECT(ffi::StructuralHash::Hash(one) != ffi::StructuralHash::Hash(more));
  EXPECT(!ffi::StructuralEqual::GetFirstMismatch(one, same).has_value());
  auto mismatch = ffi::StructuralEqual::GetFirstMismatch(one, more);
  EXPECT(mismatch.has_value());
  if (mismatch.has_value()) EXPECT(ffi::ReprPrint((*mismatch).get<0>()) == "<root>[1][0]");
}

// What an error says of where it was raised.
class PairObj : public ffi::Object
{
 public:
  ObjectRef first, second;
  PairObj(ObjectRef one, ObjectRef other) : first(one), second(other)
  {
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("compiled.Pair", PairObj, ffi::Object);
};

static ObjectRef MakePair(ObjectRef first, ObjectRef second)
{
  return ObjectRef(ffi::make_object<PairObj>(first, second));
}

static void FindPaths()
{
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PairObj>().def_ro("first", &PairObj::first).def_ro("second", &PairObj::second);
  Array<ObjectRef> nothing;
  ObjectRef leaf = MakePair(nothing, nothing), absent = MakePair(nothing, nothing);
  ObjectRef root = MakePair(nothing, Array<ObjectRef>{leaf});
  auto context = ffi::make_object<ffi::VisitErrorContextObj>();
  context->reverse_visit_pattern = ffi::List<ObjectRef>{leaf, root};
  Array<refl::AccessPath> paths =
      ffi::VisitErrorContext::FindAccessPaths(root, ffi::VisitErrorContext(context));
  EXPECT(paths.size() == 1);
  for (const refl::AccessPath &path : paths) EXPECT(ffi::ReprPrint(path) == "<root>.second[0]");
  context->reverse_visit_pattern = ffi::List<ObjectRef>{absent, leaf, root};
  ffi::VisitErrorContext missing(context);
  EXPECT(ffi::VisitErrorContext::FindAccessPaths(root, missing).empty());
  paths = ffi::VisitErrorContext::FindAccessPaths(root, missing, true);
  EXPECT(paths.size() == 1);
  for (const refl::AccessPath &path : paths) EXPECT(ffi::ReprPrint(path) == "<root>.second[0]");
}

//--------------------------------------------------------------------------------------------------
// Modules
//--------------------------------------------------------------------------------------------------

static void UseModules(const char *path)
{
  Module module = Module::LoadFromFile(path);
  EXPECT(module->GetFunction("add_one", true).value()(41).cast<int>() == 42);
  EXPECT(!module->GetFunction("absent", true).has_value());
  EXPECT(module->ImplementsFunction("add_one", false));
  EXPECT(!module->ImplementsFunction("absent", true));
  EXPECT(module->GetFunctionDoc("add_one", true).value() == "adds");
  EXPECT(module->GetFunctionMetadata("add_one", true).value().size() == 32);
  try {
    Module::LoadFromFile("/absent.so");
    EXPECT(false);
  } catch (const ffi::Error &) {
  }
}

static void VisitSymbols()
{
  static int here, there;
  int seen = 0, calls = 0;
  TVMFFIEnvModRegisterContextSymbol("compiled_here", &here);
  TVMFFIEnvModRegisterContextSymbol("compiled_there", &there);
  Module::VisitContextSymbols(
      ffi::TypedFunction<void(String, void *)>([&seen](const String &name, void *address) {
        seen += (name == "compiled_here" && address == &here) +
                (name == "compiled_there" && address == &there);
      }));
  EXPECT(seen == 2);
  try {
    Module::VisitContextSymbols(
        ffi::TypedFunction<void(String, void *)>([&calls](const String &, void *) {
          ++calls;
          TVM_FFI_THROW(IndexError) << "seen enough";
        }));
    EXPECT(false);
  } catch (const ffi::Error &error) {
    EXPECT(calls == 1 && error.kind() == "IndexError" && error.message() == "seen enough");
  }
}

int main(int argc, char **argv)
{
  if (argc != 2) return 2;
  ParseAndWrite();
  MakeGraphs();
  Compare();
  FindPaths();
  UseModules(argv[1]);
  VisitSymbols();
  return failures == 0 ? 0 : 1;
}
