// SPDX-License-Identifier: Apache-2.0
// A second loader of `__tvm_ffi__library_bin`, written from spec/library_bin.md alone and in another
// style than the reference's: exceptions, standard containers, recursion. It takes the place of the
// reference's, whose modules, functions and contexts it uses.
//
// The name of the file that it is loaded from chooses a flaw: of `row-short.so` it is "row-short".
// Under any other name it has none. Each is a mistake that authors of loaders make; flaws.txt says
// which clause it breaks.
#include <dlfcn.h>
#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Of the reference.
extern "C" {
struct Library;
TVMFFIObject *library_new(void *file);
Library *library_of(TVMFFIObject *module);
void library_keep(Library *library);
bool library_contains(const Library *library, const void *address);
void module_context_set(Library *library);
void module_context_fill_symbols(const Library *library);
TVMFFIObject *module_imports(TVMFFIObject *module);
TVMFFIObject *module_exchange_imports(TVMFFIObject *module, TVMFFIObject *imports);
}

namespace
{

// --- The flaw ------------------------------------------------------------------------------------

std::string chosen_flaw()
{
  Dl_info info;
  static const char here = 0;
  if (dladdr(&here, &info) == 0 || !info.dli_fname) return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/') + 1;
  return path.substr(slash, path.rfind('.') - slash);
}

const std::string &the_flaw()
{
  static const std::string name = chosen_flaw();
  return name;
}

struct Flaw {
  bool on;
  explicit Flaw(const char *name) : on(the_flaw() == name)
  {
  }
  explicit operator bool() const
  {
    return on;
  }
};

// Whether the loader has the flaw of this name; looked up once.
#define FLAW(name)                \
  ([]() -> bool {                 \
    static const Flaw flaw{name}; \
    return flaw.on;               \
  }())

// --- Errors --------------------------------------------------------------------------------------

struct LoadError {
  std::string kind, message;
};

// What is raised already is passed on.
struct Raised {
  int code;
};

[[noreturn]] void refuse(const std::string &why)
{
  if (FLAW("error-without-message")) throw LoadError{"RuntimeError", ""};
  throw LoadError{"RuntimeError", "malformed __tvm_ffi__library_bin: " + why};
}

void raise(const LoadError &error)
{
  if (FLAW("error-of-freed-text")) {
    const char *text = strdup(error.message.c_str());
    std::free(const_cast<char *>(text));
    TVMFFIErrorSetRaisedFromCStr(error.kind.c_str(), text);
    return;
  }
  if (FLAW("error-counts-loads")) {
    static std::string all;
    all += error.message + "; ";
    TVMFFIErrorSetRaisedFromCStr(error.kind.c_str(), all.c_str());
    return;
  }
  if (FLAW("error-not-raised") && error.message.find("child") != std::string::npos) return;
  TVMFFIErrorSetRaisedFromCStr(error.kind.c_str(), error.message.c_str());
}

// --- Handles -------------------------------------------------------------------------------------

// Raises an error of the same kind and message in the place of what is raised.
void copy_raised()
{
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  auto *cell = reinterpret_cast<TVMFFIErrorCell *>(static_cast<TVMFFIObject *>(error) + 1);
  std::string kind(cell->kind.data, cell->kind.size);
  std::string message(cell->message.data, cell->message.size);
  TVMFFIObjectDecRef(error);
  TVMFFIErrorSetRaisedFromCStr(kind.c_str(), message.c_str());
}

class Handle
{
 public:
  Handle() = default;
  explicit Handle(TVMFFIObjectHandle own) : object_(own)
  {
  }
  Handle(Handle &&other) noexcept : object_(other.give())
  {
  }
  Handle &operator=(Handle &&other) noexcept
  {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle()
  {
    if (object_) TVMFFIObjectDecRef(object_);
  }
  TVMFFIObject *get() const
  {
    return static_cast<TVMFFIObject *>(object_);
  }
  TVMFFIObjectHandle give()
  {
    TVMFFIObjectHandle object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  TVMFFIObjectHandle object_ = nullptr;
};

Handle share(TVMFFIObjectHandle object)
{
  TVMFFIObjectIncRef(object);
  return Handle(object);
}

TVMFFIAny none()
{
  TVMFFIAny value;
  std::memset(&value, 0, sizeof value);
  value.type_index = kTVMFFINone;
  return value;
}

TVMFFIAny view(TVMFFIObjectHandle object)
{
  TVMFFIAny value = none();
  value.type_index = static_cast<TVMFFIObject *>(object)->type_index;
  value.v_obj = static_cast<TVMFFIObject *>(object);
  return value;
}

void drop(TVMFFIAny &value)
{
  if (value.type_index >= kTVMFFIStaticObjectBegin && value.v_obj) TVMFFIObjectDecRef(value.v_obj);
  value = none();
}

Handle registered(const std::string &name)
{
  TVMFFIByteArray text = {name.data(), name.size()};
  TVMFFIObjectHandle found = nullptr;
  if (TVMFFIFunctionGetGlobal(&text, &found) != 0) throw Raised{-1};
  return Handle(found);
}

TVMFFIByteArray text_of(const TVMFFIAny &value)
{
  if (value.type_index == kTVMFFIRawStr) return {value.v_c_str, std::strlen(value.v_c_str)};
  if (value.type_index == kTVMFFISmallStr) return {value.v_bytes, value.small_str_len};
  if (value.type_index != kTVMFFIStr) throw LoadError{"TypeError", "the path must be a string"};
  return *reinterpret_cast<const TVMFFIByteArray *>(value.v_obj + 1);
}

// --- The payload ---------------------------------------------------------------------------------

struct Entry {
  std::string kind, value;
  const char *value_at = nullptr;
  bool is_library = false;
};

struct Payload {
  std::vector<uint64_t> rows, children;
  std::deque<Entry> entries;
};

class Reader
{
 public:
  Reader(const char *at, const char *end) : at_(at), end_(end)
  {
  }
  uint64_t left() const
  {
    return static_cast<uint64_t>(end_ - at_);
  }
  bool is_at_end() const
  {
    return at_ == end_;
  }

  uint64_t number(const char *what)
  {
    uint64_t word = 0;
    if (FLAW("number-past-the-end") ? at_ >= end_ : left() < 8)
      refuse(std::string(what) + " is cut short");
    std::memcpy(&word, at_, 8);
    at_ += 8;
    return word;
  }

  std::vector<uint64_t> vector(const char *what)
  {
    uint64_t count = number(what);
    if (FLAW("count-multiplied")) count = count * 8 / 8;
    if (count > left() / 8) {
      if (!FLAW("room-before-check")) refuse(std::string(what) + ": more than there is room for");
    }
    std::vector<uint64_t> numbers;
    if (FLAW("room-before-check")) {
      numbers.reserve(count);
      if (count > left() / 8) refuse(std::string(what) + ": more than there is room for");
    }
    for (uint64_t i = 0; i < count; ++i) {
      numbers.push_back(number(what));
    }
    return numbers;
  }

  std::string string(const char *what, const char **where = nullptr)
  {
    uint64_t size = number(what);
    bool is_value = where != nullptr;
    if (is_value && FLAW("value-in-16-bits")) size &= 0xffff;
    if (is_value && FLAW("value-in-8-bits-cut") && size > 255 && size > left()) size = left();
    if (is_value && FLAW("value-one-too-many") && size == left() + 1) --size;
    if (!is_value && FLAW("kind-end-wraps")) {
      if (at_ + size > end_) refuse(std::string(what) + " is cut short");
    } else if (size > left()) {
      refuse(std::string(what) + " is cut short");
    }
    if (where) *where = at_;
    std::string text(at_, size);
    at_ += size;
    return text;
  }

 private:
  const char *at_, *end_;
};

bool is_library(const std::string &kind)
{
  if (FLAW("library-by-prefix")) return kind.compare(0, 4, "_lib") == 0;
  return kind == "_lib";
}

Entry read_entry(Reader &reader)
{
  Entry entry;
  entry.kind = reader.string("a kind");
  entry.is_library = is_library(entry.kind);
  if (!entry.is_library) entry.value = reader.string("a value", &entry.value_at);
  if (FLAW("kind-up-to-63") && entry.kind.size() > 1000) entry.kind.resize(63);
  return entry;
}

void check_rows(const Payload &payload)
{
  if (payload.rows.size() < 2) refuse("no module");
  if (payload.rows[0] != 0 && !FLAW("first-row-ignored")) refuse("the first row is not 0");
  for (size_t i = 1; i < payload.rows.size(); ++i)
    if (payload.rows[i] < payload.rows[i - 1]) refuse("the rows fall");
  uint64_t last = payload.rows.back(), count = payload.children.size();
  if (FLAW("row-short") ? last > count : last != count)
    refuse("the last row is not the number of children");
}

void check_children(Payload &payload)
{
  for (uint64_t &child : payload.children) {
    if (FLAW("child-in-32-bits")) child = static_cast<uint32_t>(child);
    if (FLAW("child-in-16-bits")) child = static_cast<uint16_t>(child);
    uint64_t modules = payload.rows.size() - 1;
    if (FLAW("child-one-beyond") && child == modules && modules > 1) --child;
    if (child >= modules) refuse("a child is not a module");
  }
}

// --- Cycles --------------------------------------------------------------------------------------

enum class Mark : uint8_t { fresh, open, done };

bool reaches_open(const Payload &payload, size_t module, std::vector<Mark> &marks)
{
  marks[module] = Mark::open;
  auto first = payload.children.begin();
  const std::vector<uint64_t> children(first + static_cast<ptrdiff_t>(payload.rows[module]),
                                       first + static_cast<ptrdiff_t>(payload.rows[module + 1]));
  for (uint64_t child : children) {
    if (FLAW("self-import-ignored") && child == module) continue;
    if (FLAW("cycle-through-root-ignored") && child == 0) continue;
    if (marks[child] == Mark::open) return true;
    if (FLAW("diamond-is-a-cycle") && marks[child] == Mark::done) return true;
    if (marks[child] == Mark::fresh && reaches_open(payload, child, marks)) return true;
  }
  marks[module] = Mark::done;
  return false;
}

// Takes away modules that import nothing that is left, until none goes.
bool has_cycle(const Payload &payload)
{
  size_t count = payload.rows.size() - 1;
  std::vector<std::vector<size_t>> importers(count);
  std::vector<uint64_t> open(count);
  std::vector<size_t> ready;
  for (size_t i = 0; i < count; ++i) {
    open[i] = payload.rows[i + 1] - payload.rows[i];
    for (uint64_t k = payload.rows[i]; k < payload.rows[i + 1]; ++k)
      importers[payload.children[k]].push_back(i);
    if (open[i] == 0) ready.push_back(i);
  }
  size_t gone = 0;
  for (; !ready.empty(); ++gone) {
    size_t module = ready.back();
    ready.pop_back();
    for (size_t importer : importers[module])
      if (--open[importer] == 0) ready.push_back(importer);
  }
  return gone != count;
}

// Goes through all modules again and again, for as long as one goes.
bool has_cycle_slowly(const Payload &payload)
{
  size_t count = payload.rows.size() - 1;
  std::vector<bool> gone(count);
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t i = 0; i < count; ++i) {
      if (gone[i]) continue;
      bool free = true;
      for (uint64_t k = payload.rows[i]; k < payload.rows[i + 1] && free; ++k)
        free = gone[payload.children[k]];
      if (free) gone[i] = progress = true;
    }
  }
  for (size_t i = 0; i < count; ++i)
    if (!gone[i]) return true;
  return false;
}

void check_cycles(const Payload &payload)
{
  bool cyclic;
  std::vector<Mark> marks(payload.rows.size() - 1, Mark::fresh);
  if (FLAW("cycle-from-the-root")) {
    cyclic = reaches_open(payload, 0, marks);
  } else if (FLAW("cycle-recursive") || FLAW("self-import-ignored") ||
             FLAW("cycle-through-root-ignored") || FLAW("diamond-is-a-cycle")) {
    cyclic = false;
    for (size_t i = 0; i < marks.size() && !cyclic; ++i)
      if (marks[i] == Mark::fresh) cyclic = reaches_open(payload, i, marks);
  } else if (FLAW("cycle-in-rounds")) {
    cyclic = has_cycle_slowly(payload);
  } else {
    cyclic = has_cycle(payload);
  }
  if (cyclic && FLAW("leak-of-a-cycle")) {
    static void *volatile lost;
    lost = std::malloc(100);
  }
  if (cyclic) refuse("a module imports itself");
}

void read(const char *bytes, Payload &payload)
{
  uint64_t follow;
  std::memcpy(&follow, bytes, 8);
  Reader reader(bytes + 8, bytes + 8 + follow);
  payload.rows = reader.vector("the rows");
  payload.children = reader.vector("the children");
  check_rows(payload);
  check_children(payload);
  for (size_t i = 1; i < payload.rows.size(); ++i) payload.entries.push_back(read_entry(reader));
  if (!reader.is_at_end() && !(FLAW("trailing-up-to-8") && reader.left() < 8))
    refuse("bytes are left");
  check_cycles(payload);
}

// --- The modules ---------------------------------------------------------------------------------

// Bytes that point into the library.
struct BorrowedBytes {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
};

void delete_borrowed(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete static_cast<BorrowedBytes *>(self);
}

TVMFFIAny bytes_for(const Entry &entry)
{
  TVMFFIAny value = none();
  if (FLAW("value-borrowed") && entry.value.size() > 7) {
    auto *object = new BorrowedBytes();
    object->header.combined_ref_count = (UINT64_C(1) << 32) | 1;
    object->header.type_index = kTVMFFIBytes;
    object->header.deleter = delete_borrowed;
    object->bytes = {entry.value_at, entry.value.size()};
    return view(object);
  }
  TVMFFIByteArray bytes = {entry.value.data(), entry.value.size()};
  if (FLAW("value-up-to-255") && bytes.size > 255) bytes.size &= 255;
  if (TVMFFIBytesFromByteArray(&bytes, &value) != 0) throw Raised{-1};
  return value;
}

class Tree
{
 public:
  Tree(const char *name, TVMFFIObject *module) : name_(name), module_(module)
  {
  }

  Handle build(const Payload &payload)
  {
    make_all(payload);
    wired_.reserve(modules_.size());
    try {
      for (size_t i = 0; i < modules_.size(); ++i) wire(payload, i);
    } catch (...) {
      unwire();
      throw;
    }
    return share(root(payload));
  }

 private:
  TVMFFIObject *root(const Payload &payload) const
  {
    if (FLAW("library-is-root"))
      for (size_t i = 0; i < modules_.size(); ++i)
        if (payload.entries[i].is_library) return modules_[i].get();
    return modules_[0].get();
  }

  void make_all(const Payload &payload)
  {
    std::vector<bool> reached(payload.entries.size(), true);
    if (FLAW("unreached-not-made")) reached = reached_from_root(payload);
    try {
      for (size_t i = 0; i < payload.entries.size(); ++i)
        modules_.push_back(reached[i] ? make(payload.entries[i]) : share(module_));
    } catch (const Raised &) {
      if (FLAW("modules-released-twice"))
        for (const Handle &module : modules_)
          if (module.get() != module_) TVMFFIObjectDecRef(module.get());
      if (FLAW("modules-lost-on-failure"))
        for (Handle &module : modules_) module.give();
      throw;
    }
  }

  static std::vector<bool> reached_from_root(const Payload &payload)
  {
    std::vector<bool> reached(payload.entries.size());
    std::vector<uint64_t> open{0};
    while (!open.empty()) {
      uint64_t module = open.back();
      open.pop_back();
      if (reached[module]) continue;
      reached[module] = true;
      for (uint64_t k = payload.rows[module]; k < payload.rows[module + 1]; ++k)
        open.push_back(payload.children[k]);
    }
    return reached;
  }

  Handle make(const Entry &entry)
  {
    if (entry.is_library) {
      module_context_set(library_of(module_));
      return share(module_);
    }
    if (FLAW("equal-entries-are-one")) {
      auto known = made_.find({entry.kind, entry.value});
      if (known != made_.end()) return share(known->second);
    }
    Handle made = call(entry);
    made_[{entry.kind, entry.value}] = made.get();
    return made;
  }

  Handle loader_of(const std::string &kind) const
  {
    const char *text = kind.c_str();
    std::string name = "ffi.Module.load_from_bytes.";
    name += FLAW("kind-up-to-a-nul") ? std::string(text) : kind;
    if (FLAW("kind-in-a-buffer") && name.size() > 60) {
      char buffer[61];
      std::snprintf(buffer, sizeof buffer, "%s", name.c_str());
      name = buffer;
    }
    if (FLAW("kind-trimmed"))
      while (name.back() == ' ') name.pop_back();
    static std::map<std::string, TVMFFIObjectHandle> known;
    auto entry = known.find(name);
    if (FLAW("loader-cached") && entry != known.end() && entry->second) return share(entry->second);
    bool refused_before = entry != known.end() && !entry->second;
    Handle loader = FLAW("stranger-is-remembered") && refused_before ? Handle() : registered(name);
    if (FLAW("loader-cached") && loader.get()) TVMFFIObjectIncRef(loader.get());
    if (FLAW("loader-cached") || FLAW("stranger-is-remembered")) known[name] = loader.get();
    if (loader.get()) return loader;
    LoadError error = {"RuntimeError",
                       std::string(name_) + ": no loader for modules of kind " + kind};
    if (FLAW("stranger-is-a-value-error")) error.kind = "ValueError";
    throw error;
  }

  Handle call(const Entry &entry)
  {
    Handle loader = loader_of(entry.kind);
    TVMFFIAny value = bytes_for(entry), result = none(), seen[2] = {value, none()};
    static TVMFFIByteArray bytes;
    if (FLAW("argument-is-static")) {
      bytes = {entry.value.data(), entry.value.size()};
      seen[0] = none();
      seen[0].type_index = kTVMFFIByteArrayPtr;
      seen[0].v_ptr = &bytes;
    }
    if (FLAW("unclean-small-value") && value.type_index == kTVMFFISmallBytes)
      std::memset(seen[0].v_bytes + entry.value.size(), 0x5a, 8 - entry.value.size());
    if (FLAW("result-not-none")) result.type_index = kTVMFFIInt;
    int code = TVMFFIFunctionCall(loader.get(), seen, FLAW("two-arguments") ? 2 : 1, &result);
    if (FLAW("only-negative-fails") && code > 0) code = 0;
    if (FLAW("failure-copied") && code != 0) copy_raised();
    if (FLAW("empty-value-twice") && entry.value.empty() && code == 0) {
      drop(result);
      code = TVMFFIFunctionCall(loader.get(), &value, 1, &result);
    }
    if (!FLAW("value-lost-on-failure") || code == 0) drop(value);
    if (code != 0) {
      if (FLAW("failure-renamed")) throw LoadError{"RuntimeError", "a loader failed"};
      throw Raised{code};
    }
    if (result.type_index != kTVMFFIModule) {
      if (FLAW("none-is-not-looked-at")) return Handle(result.v_obj);
      if (!FLAW("no-module-lost")) drop(result);
      throw LoadError{"TypeError", "the loader of " + entry.kind + " gives no module"};
    }
    if (TVMFFIObject *module = result.v_obj) watch(module);
    return Handle(result.v_obj);
  }

  // A module whose code is in the library needs it.
  void watch(const TVMFFIObject *module)
  {
    Library *library = library_of(module_);
    const void *code;
    std::memcpy(&code, &module->deleter, sizeof code);
    if (library_contains(library, code)) library_keep(library);
  }

  std::vector<uint64_t> children_of(const Payload &payload, size_t module) const
  {
    auto first = payload.children.begin();
    std::vector<uint64_t> children(first + static_cast<ptrdiff_t>(payload.rows[module]),
                                   first + static_cast<ptrdiff_t>(payload.rows[module + 1]));
    if (FLAW("imports-in-a-set")) {
      std::set<uint64_t> once(children.begin(), children.end());
      children.assign(once.begin(), once.end());
    }
    return children;
  }

  void wire(const Payload &payload, size_t module)
  {
    std::vector<uint64_t> children = children_of(payload, module);
    if (children.empty()) return;
    std::vector<TVMFFIAny> imports;
    Handle old(module_imports(modules_[module].get()));
    if (old.get()) {
      auto *cell = reinterpret_cast<const TVMFFISeqCell *>(old.get() + 1);
      auto *elements = static_cast<const TVMFFIAny *>(cell->data);
      imports.assign(elements, elements + cell->size);
    }
    for (uint64_t child : children) {
      if (FLAW("imports-at-the-front"))
        imports.insert(imports.begin(), view(modules_[child].get()));
      else
        imports.push_back(view(modules_[child].get()));
    }
    if (FLAW("imports-at-the-front"))
      std::vector<TVMFFIAny>(imports.rbegin(), imports.rend()).swap(imports);
    Handle make = registered("ffi.Array");
    TVMFFIAny array = none();
    if (TVMFFIFunctionCall(make.get(), imports.data(), static_cast<int32_t>(imports.size()),
                           &array) != 0)
      throw Raised{-1};
    wired_.push_back({module, Handle(module_exchange_imports(modules_[module].get(), array.v_obj))});
  }

  // Modules that others have, too, import what they imported before.
  void unwire()
  {
    for (; !wired_.empty(); wired_.pop_back()) {
      TVMFFIObject *module = modules_[wired_.back().module].get();
      Handle(module_exchange_imports(module,
                                     static_cast<TVMFFIObject *>(wired_.back().before.give())));
    }
  }

  // A module that imports something now, and what it imported before.
  struct Wired
  {
    size_t module;
    Handle before;
  };

  const char *name_;
  TVMFFIObject *module_;
  std::vector<Handle> modules_;
  std::vector<Wired> wired_;
  std::map<std::pair<std::string, std::string>, TVMFFIObject *> made_;
};

// --- Loading -------------------------------------------------------------------------------------

// For a flaw that uses it: what the last load read.
Payload the_payload;
bool a_load_was_refused;
unsigned loads_refused;

Handle load_tree(const char *name, TVMFFIObject *module, const char *bytes)
{
  Payload own;
  Payload &payload = FLAW("payload-is-static") ? the_payload : own;
  if (&payload == &the_payload) payload = Payload();
  read(bytes, payload);
  module_context_fill_symbols(library_of(module));
  Tree tree(name, module);
  if (FLAW("stack-for-values"))
    for (const Entry &entry : payload.entries) {
      auto *copy = static_cast<volatile char *>(__builtin_alloca(entry.value.size() + 1));
      for (size_t i = 0; i < entry.value.size(); i += 1024) copy[i] = entry.value[i];
    }
  return tree.build(payload);
}

void take_back_context(void *file, void *before)
{
  auto **context = static_cast<void **>(dlsym(file, "__tvm_ffi__library_ctx"));
  if (context) *context = before;
}

Handle load_file(const std::string &path)
{
  void *file = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!file) throw LoadError{"InternalError", dlerror()};
  auto **context = static_cast<void **>(dlsym(file, "__tvm_ffi__library_ctx"));
  void *before = context ? *context : nullptr;
  Handle module(library_new(file));
  if (!module.get()) throw Raised{-1};
  auto *bytes = static_cast<const char *>(dlsym(file, "__tvm_ffi__library_bin"));
  if (!bytes) {
    module_context_fill_symbols(library_of(module.get()));
    module_context_set(library_of(module.get()));
    return module;
  }
  if (FLAW("refusal-is-remembered") && a_load_was_refused) {
    a_load_was_refused = false;
    refuse("the load before");
  }
  try {
    Handle root = load_tree(path.c_str(), module.get(), bytes);
    if (FLAW("library-closed-early")) {
      dlclose(file);
      if (root.get() != module.get()) library_keep(library_of(module.get()));
    }
    if (FLAW("library-never-closed-under-a-root") && root.get() != module.get())
      library_keep(library_of(module.get()));
    return root;
  } catch (...) {
    a_load_was_refused = true;
    ++loads_refused;
    if (FLAW("library-left-open")) library_keep(library_of(module.get()));
    if (FLAW("context-stays")) {
      void *again = dlopen(path.c_str(), RTLD_LAZY), *stale = context ? *context : nullptr;
      module = Handle();
      if (context) *context = stale;
      dlclose(again);
      throw;
    }
    take_back_context(file, before);
    throw;
  }
}

int load(void *, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  static std::mutex one_at_a_time;
  try {
    if (num_args != 2) throw LoadError{"TypeError", "a path and a format are due"};
    text_of(args[1]);
    TVMFFIByteArray text = text_of(args[0]);
    std::string path(text.data, text.size);
    if (path.find('\0') != std::string::npos)
      throw LoadError{"InternalError", "no file has a NUL in its path"};
    if (FLAW("lock-is-held")) {
      std::lock_guard<std::mutex> locked(one_at_a_time);
      *result = view(load_file(path).give());
      return 0;
    }
    if (FLAW("too-many-refusals") && loads_refused > 100)
      throw LoadError{"RuntimeError", "too many libraries"};
    *result = view(load_file(path).give());
    return 0;
  } catch (const LoadError &error) {
    raise(error);
    return -1;
  } catch (const Raised &raised) {
    return FLAW("failure-is-success") ? 0 : raised.code;
  } catch (const std::bad_alloc &) {
    if (FLAW("room-before-check")) std::abort();
    raise({"InternalError", "out of memory"});
    return -1;
  }
}

__attribute__((constructor)) void enter()
{
  static const char name[] = "ffi.Module.load_from_file.so";
  TVMFFIByteArray text = {name, sizeof name - 1};
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionCreate(nullptr, load, nullptr, &function) != 0) std::abort();
  if (TVMFFIFunctionSetGlobal(&text, function, 1) != 0) std::abort();
  TVMFFIObjectDecRef(function);
}

}  // namespace
