// What somebody lends to readers that he does not know: values found by their types.
#pragma once
#include <map>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <utility>

namespace cellscope {

class Lent {
 public:
  template <class T>
  void lend(T what) {
    lent_[typeid(T)] = std::make_shared<T>(std::move(what));
  }
  template <class T>
  const T* find() const {  // null where no such thing is lent
    const auto found = lent_.find(typeid(T));
    return found == lent_.end() ? nullptr : static_cast<const T*>(found->second.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<const void>> lent_;
};

}  // namespace cellscope
