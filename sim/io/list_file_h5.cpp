#include "sim/io/h5md_input.h"
#include "sim/io/list_file.h"

namespace cellscope::io {
namespace {

class Hdf5Arrays final : public Arrays {
 public:
  explicit Hdf5Arrays(const std::string& path) : in_(path, "HDF5 file of a list") {}
  bool has(const std::string& name) const override { return in_.has(name); }
  Array real(const std::string& name) override {
    const h5::Dataset d = in_.open(name, h5::Content::numbers);
    Array a = shaped(d);
    a.real = in_.numbers(d, h5::wholeOf(d));
    return a;
  }
  Array whole(const std::string& name) override {
    const h5::Dataset d = in_.open(name, h5::Content::wholeNumbers);
    Array a = shaped(d);
    a.whole = in_.read<std::int64_t>(d, H5T_NATIVE_INT64, h5::wholeOf(d));
    return a;
  }

 private:
  static Array shaped(const h5::Dataset& d) {
    Array a;
    a.shape.assign(d.extent.begin(), d.extent.end());
    a.single = d.entry == sizeof(float);
    return a;
  }
  h5::Input in_;
};

}  // namespace

std::unique_ptr<Arrays> hdf5Arrays(const std::string& path) {
  return std::make_unique<Hdf5Arrays>(path);
}

}  // namespace cellscope::io
