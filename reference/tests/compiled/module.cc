// SPDX-License-Identifier: Apache-2.0
// A module class compiled from the official C++ headers lives in this runtime, and modules of this
// runtime are used through the classes of those headers. The program prints what differs; nothing,
// if all is well.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Bytes;
using ffi::Function;
using ffi::Module;
using ffi::Optional;
using ffi::String;

static int failures;

#define EXPECT(condition)                                 \
  do {                                                    \
    if (!(condition) && ++failures <= 20) {               \
      std::printf("line %d: %s\n", __LINE__, #condition); \
    }                                                     \
  } while (0)

template <typename... Args>
static Any Call(const char *name, Args &&...args)
{
  return Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

// Calls a function that must throw; returns "Kind: message".
template <typename... Args>
static std::string Failure(const char *name, Args &&...args)
{
  try {
    Call(name, std::forward<Args>(args)...);
  } catch (const ffi::Error &error) {
    return std::string(error.kind()) + ": " + std::string(error.message());
  }
  return "";
}

//--------------------------------------------------------------------------------------------------
// The class: it counts by as many as its bytes say, and overrides all that can be overridden
//--------------------------------------------------------------------------------------------------

static int living, uncaught;

class CounterObj : public ffi::ModuleObj
{
 public:
  explicit CounterObj(std::string step) : step_(std::move(step))
  {
    ++living;
  }
  ~CounterObj()
  {
    --living;
  }
  const char *kind() const final
  {
    return "compiled.counter";
  }
  int GetPropertyMask() const final
  {
    return Module::kBinarySerializable | Module::kRunnable;
  }
  Optional<Function> GetFunction(const String &name) final
  {
    if (name == "count") {
      return Function::FromTyped([step = step_](int64_t from) { return from + std::stoll(step); });
    }
    if (name == "throws an error") TVM_FFI_THROW(KeyError) << "thrown by a method";
    if (name == "throws something") throw std::runtime_error("something else");
    return std::nullopt;
  }
  bool ImplementsFunction(const String &name) final
  {
    return name == "count" || name == "only said";
  }
  Optional<String> GetFunctionDoc(const String &name) final
  {
    if (name != "count") return std::nullopt;
    return String("counts by " + step_ + ", which is more than seven bytes long");
  }
  Optional<String> GetFunctionMetadata(const String &name) final
  {
    if (name != "count") return std::nullopt;
    return String("{}");
  }
  Array<String> GetWriteFormats() const final
  {
    return {"txt", "text"};
  }
  Bytes SaveToBytes() const final
  {
    return Bytes(step_);
  }
  String InspectSource(const String &format) const final
  {
    return String("source as ") + format;
  }

 private:
  std::string step_;
};

static Module MakeCounter(const std::string &step)
{
  return Module(ffi::make_object<CounterObj>(step));
}

static void UseHosted()
{
  ffi::reflection::GlobalDef().def("ffi.Module.load_from_bytes.compiled.counter",
                                   [](const Bytes &bytes) { return MakeCounter(bytes); });
  Module module = MakeCounter("3");
  EXPECT(Call("ffi.ModuleGetKind", module).cast<String>() == "compiled.counter");
  EXPECT(Call("ffi.ModuleGetPropertyMask", module).cast<int>() == 3);
  Function count = Call("ffi.ModuleGetFunction", module, "count", false).cast<Function>();
  EXPECT(count(4).cast<int>() == 7);
  EXPECT(Call("ffi.ModuleGetFunction", module, "absent", true) == nullptr);
  EXPECT(Call("ffi.ModuleImplementsFunction", module, "only said", false).cast<bool>());
  EXPECT(!Call("ffi.ModuleImplementsFunction", module, "absent", true).cast<bool>());
  EXPECT(Call("ffi.ModuleGetFunctionDoc", module, "count", false).cast<String>() ==
         "counts by 3, which is more than seven bytes long");
  EXPECT(Call("ffi.ModuleGetFunctionDoc", module, "absent", false) == nullptr);
  EXPECT(Call("ffi.ModuleGetFunctionMetadata", module, "count", false).cast<String>() == "{}");
  EXPECT(Call("ffi.ModuleGetWriteFormats", module).cast<Array<String>>()[1] == "text");
  EXPECT(Call("ffi.ModuleInspectSource", module, "a long format").cast<String>() ==
         "source as a long format");
}

static void Throw()
{
  Module module = MakeCounter("1");
  std::string text = Failure("ffi.ModuleGetFunction", module, "throws an error", false);
  EXPECT(text == "KeyError: thrown by a method");
  text = Failure("ffi.ModuleGetFunction", module, "throws something", false);
  EXPECT(text.find("RuntimeError: ") == 0 && text.find("runtime_error") != std::string::npos);
  text = Failure("ffi.ModuleWriteToFile", module, "file", "format");
  EXPECT(text.find("RuntimeError: ") == 0 && text.find("compiled.counter") != std::string::npos);
  uncaught += std::uncaught_exceptions();
  EXPECT(uncaught == 0);
}

static void Import()
{
  Module top = MakeCounter("1"), below = MakeCounter("2");
  Call("ffi.ModuleImportModule", top, below);
  EXPECT(top->imports().size() == 1 && top->imports()[0].same_as(below));
  EXPECT(Failure("ffi.ModuleImportModule", below, top).find("RuntimeError: Cyclic") == 0);
  EXPECT(below->imports().empty());
  top->ImportModule(below);  // a method that the class inherits
  EXPECT(top->imports().size() == 2);
  TVMFFIObjectHandle found = nullptr;
  void *context = const_cast<ffi::ModuleObj *>(top.get());
  EXPECT(TVMFFIEnvModLookupFromImports(context, "count", &found) == 0);
  TVMFFIAny from = {}, result = {};
  from.type_index = kTVMFFIInt;
  EXPECT(TVMFFIFunctionCall(found, &from, 1, &result) == 0 && result.v_int64 == 2);
  top->ClearImports();
  EXPECT(top->imports().empty());
  top->ImportModule(below);
  Call("ffi.ModuleClearImports", top);
  EXPECT(top->imports().empty());
}

//--------------------------------------------------------------------------------------------------
// A module of the runtime, through the classes of the headers
//--------------------------------------------------------------------------------------------------

static void UseLibrary(const char *path)
{
  Module module = Call("ffi.ModuleLoadFromFile", path).cast<Module>();
  EXPECT(std::string(module->kind()) == "library");
  EXPECT(module->GetPropertyMask() & Module::kRunnable);
  Optional<Function> function = module->GetFunction("add_one");
  EXPECT(function.has_value() && (*function)(41).cast<int>() == 42);
  EXPECT(!module->GetFunction("absent").has_value());
  EXPECT(module->ImplementsFunction("add_one") && !module->ImplementsFunction("absent"));
  EXPECT(*module->GetFunctionDoc("add_one") == "adds");
  EXPECT(!module->GetFunctionDoc("absent").has_value());
  EXPECT((*module->GetFunctionMetadata("add_one")).size() == 32);
  EXPECT(module->GetWriteFormats().empty());
  EXPECT(module->InspectSource("c").empty());
  Module counter = MakeCounter("5");
  module->ImportModule(counter);
  EXPECT(Call("ffi.ModuleGetFunction", module, "count", true).cast<Function>()(1).cast<int>() == 6);
  module->ClearImports();
  EXPECT(module->imports().empty());
}

int main(int argc, char **argv)
{
  if (argc != 2) return 2;
  UseHosted();
  Throw();
  Import();
  UseLibrary(argv[1]);
  EXPECT(living == 0);
  if (living != 0) std::printf("%d modules are left\n", living);
  return failures == 0 ? 0 : 1;
}
