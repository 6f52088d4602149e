// Reading of HDF5 files that anybody may have written. Every read goes through this: what lies
// under a name, its type and its extent are checked, and no memory is taken for more than the file
// holds. For h5md_*.cpp alone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/h5md_handles.h"

namespace cellscope::io::h5 {

enum class Content { numbers, wholeNumbers, texts };  // texts: all of one length

struct Dataset {
  std::string name;  // in the file
  Handle handle;
  std::vector<hsize_t> extent;
  bool byFrame = false;     // the first dimension counts frames
  std::uint64_t entry = 0;  // bytes of one in the file
  std::uint64_t room = 0;   // bytes that the file can hold of it
  std::uint64_t chunk = 0;  // bytes of a part that is unpacked as a whole; 0: none is
};

// What a read takes: from where on, and how much in each dimension.
struct Part {
  std::vector<hsize_t> from, size;
};
Part wholeOf(const Dataset& d);
Part frameOf(const Dataset& d, hsize_t frame);  // of a dataset that has it

std::string textOf(const std::vector<hsize_t>& extent);  // "2 x 100 x 3"

// All members throw InputError naming the file and, where there is one, the dataset.
class Input {
 public:
  // kind: what the file should be, for messages.
  explicit Input(const std::string& path,
                 const std::string& kind = "H5MD file of periodic particles");

  bool has(const std::string& name) const { return at(name) != H5I_BADID; }
  bool isGroup(const std::string& name) const { return at(name) == H5I_GROUP; }
  std::vector<std::string> members(const std::string& group, std::size_t most = 2) const;
  Dataset open(const std::string& name, Content content) const;

  template <class T>
  std::vector<T> read(const Dataset& d, hid_t type, const Part& part) const {
    std::vector<T> values(requireRoom(d, part));
    if (!values.empty()) read(d, type, part, values.data());
    return values;
  }
  std::vector<double> numbers(const Dataset& d, const Part& part) const {
    return read<double>(d, H5T_NATIVE_DOUBLE, part);
  }
  std::vector<std::string> texts(const Dataset& d) const;  // of a list
  // Of the attribute of an object: texts, or one whole number; nothing where there is none.
  std::vector<std::string> attributeTexts(const std::string& name, const char* attribute) const;
  std::optional<std::int64_t> attributeNumber(const std::string& name, const char* attribute) const;

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  struct Attribute {
    Handle handle, type, space;
    std::size_t count = 0;
  };

  Handle sure(hid_t id, herr_t (*closing)(hid_t), const std::string& name) const;
  H5I_type_t at(const std::string& name) const;
  Handle object(const std::string& name) const;
  std::optional<Attribute> attributeOf(const std::string& name, const char* attribute) const;
  void requireContent(Dataset& d, Content content) const;
  void measure(Dataset& d) const;
  std::size_t requireRoom(const Dataset& d, const Part& part) const;
  void read(const Dataset& d, hid_t type, const Part& part, void* values) const;

  std::string path_, kind_;
  std::uint64_t fileBytes_ = 0;
  Handle within_;  // links are followed in this file only
  Handle file_;
};

}  // namespace cellscope::io::h5
