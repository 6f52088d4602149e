// Arrays of particles as layers read them, whatever an engine keeps: vectors or separate
// coordinates, single or double precision, small or large integers. No copy is made.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope::layers {

// A number per slot, `stride` bytes apart.
class SlotNumbers {
 public:
  SlotNumbers() = default;
  template <class T>
  SlotNumbers(const T* first, std::size_t stride = sizeof(T))  // NOLINT: stands for the array
      : first_(reinterpret_cast<const std::byte*>(first)),
        stride_(static_cast<std::uint32_t>(stride)),
        kind_(kindOf<T>()) {}

  HOST_DEVICE explicit operator bool() const { return first_ != nullptr; }
  HOST_DEVICE double operator[](std::size_t slot) const {
    const std::byte* at = first_ + slot * stride_;
    switch (kind_) {
      case Kind::f32:
        return static_cast<double>(*reinterpret_cast<const float*>(at));
      case Kind::f64:
        return *reinterpret_cast<const double*>(at);
      case Kind::u8:
        return *reinterpret_cast<const std::uint8_t*>(at);
      case Kind::u16:
        return *reinterpret_cast<const std::uint16_t*>(at);
      case Kind::i16:
        return *reinterpret_cast<const std::int16_t*>(at);
      case Kind::u32:
        return *reinterpret_cast<const std::uint32_t*>(at);
      default:
        return *reinterpret_cast<const std::int32_t*>(at);
    }
  }

 private:
  enum class Kind : std::uint32_t { f32, f64, u8, u16, i16, u32, i32 };
  template <class T>
  static constexpr Kind kindOf() {
    if constexpr (std::is_same_v<T, float>) return Kind::f32;
    if constexpr (std::is_same_v<T, double>) return Kind::f64;
    if constexpr (std::is_same_v<T, std::uint8_t>) return Kind::u8;
    if constexpr (std::is_same_v<T, std::uint16_t>) return Kind::u16;
    if constexpr (std::is_same_v<T, std::int16_t>) return Kind::i16;
    if constexpr (std::is_same_v<T, std::uint32_t>) return Kind::u32;
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                  (std::is_integral_v<T> && sizeof(T) <= 4 && !std::is_same_v<T, std::int8_t>));
    return Kind::i32;
  }

  const std::byte* first_ = nullptr;
  std::uint32_t stride_ = 0;
  Kind kind_ = Kind::f32;
};

// Three numbers per slot. Without z, or with one that is 0, in the plane.
class SlotVectors {
 public:
  SlotVectors() = default;
  SlotVectors(const Vec4* v) : SlotVectors(&v->x, &v->y, &v->z, sizeof *v) {}   // NOLINT
  SlotVectors(const Vec3* v) : SlotVectors(&v->x, &v->y, &v->z, sizeof *v) {}   // NOLINT
  SlotVectors(const Vec3d* v) : SlotVectors(&v->x, &v->y, &v->z, sizeof *v) {}  // NOLINT
  SlotVectors(const Vec2* v)                                                    // NOLINT
      : SlotVectors(&v->x, &v->y, static_cast<const float*>(nullptr), sizeof *v) {}
  template <class T>
  SlotVectors(const T* x, const T* y, const T* z, std::size_t stride = sizeof(T))
      : axis_{{x, stride}, {y, stride}, {z, stride}} {}

  HOST_DEVICE explicit operator bool() const { return static_cast<bool>(axis_[0]); }
  HOST_DEVICE Vec3d operator[](std::size_t slot) const {
    return {axis_[0][slot], axis_[1][slot], axis_[2] ? axis_[2][slot] : 0.0};
  }

 private:
  SlotNumbers axis_[3];
};

}  // namespace cellscope::layers
