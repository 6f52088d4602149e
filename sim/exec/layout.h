// What a structure stores, listed once: the same list gives the number of bytes, before
// anything is made, and makes its arrays. The arrays stand in a plain struct of their own:
//
//   struct CellLists {
//     exec::Array<std::uint32_t> first, slot;
//     static exec::Layout<CellLists> layout(std::size_t cells, std::size_t n) {
//       return {{"first slots", &CellLists::first, cells + 1}, {"slots", &CellLists::slot, n}};
//     }
//   };
//
//   CellLists::layout(cells, n).bytes();                     // predicts
//   lists_ = CellLists::layout(cells, n).make(where);        // allocates; throws OutOfMemory
//
// Where memory is out, nothing is changed: the struct that there was is replaced only when the new
// one is complete. Assign {} first where the two do not fit side by side.
#pragma once
#include <functional>
#include <initializer_list>

#include "sim/exec/memory.h"

namespace cellscope::exec {

template <class Owner>
class Layout;

// One array of Owner, or a structure in it that has a layout of its own.
template <class Owner>
class LayoutPart {
 public:
  template <class Member>  // an Array or a DoubleBuffer
  LayoutPart(const char* called, Member Owner::*member, std::size_t n)
      : name(called),
        count(n),
        itemBytes(Member::kBytesOfItem),
        make([member, n](Owner& o, Backend where) { o.*member = Member(where, n); }),
        held([member](const Owner& o) { return (o.*member).bytes(); }) {}
  template <class Inner>
  LayoutPart(const char* called, Inner Owner::*member, const Layout<Inner>& layout)
      : name(called),
        count(1),
        itemBytes(layout.bytes()),
        make([member, layout](Owner& o, Backend where) { o.*member = layout.make(where); }),
        held([member, layout](const Owner& o) { return layout.held(o.*member); }) {}

  const char* name;
  std::size_t count, itemBytes;
  std::function<void(Owner&, Backend)> make;
  std::function<std::size_t(const Owner&)> held;
  std::size_t bytes() const { return count * itemBytes; }
};

template <class Owner>
class Layout {
 public:
  Layout(std::initializer_list<LayoutPart<Owner>> parts) : parts_(parts) {}

  const std::vector<LayoutPart<Owner>>& parts() const { return parts_; }
  // What make() allocates.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const LayoutPart<Owner>& part : parts_) sum += part.bytes();
    return sum;
  }
  // What the arrays of `owner` take, whatever their size.
  std::size_t held(const Owner& owner) const {
    std::size_t sum = 0;
    for (const LayoutPart<Owner>& part : parts_) sum += part.held(owner);
    return sum;
  }
  // Contents are not initialised. Throws OutOfMemory.
  Owner make(Backend where) const {
    Owner owner;
    for (const LayoutPart<Owner>& part : parts_) part.make(owner, where);
    return owner;
  }

 private:
  std::vector<LayoutPart<Owner>> parts_;
};

}  // namespace cellscope::exec
