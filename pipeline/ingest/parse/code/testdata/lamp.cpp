#include "lamp.hpp"

namespace lantern {
namespace {
int hidden() { return 1'000; }
}

/// A lamp.
/// \tparam T of oil
template <typename T, int N = 3>
class EXPORT_API Lamp final : public Base<T> {
 public:
  Lamp() : a_{1}, b_(2) { start(); }
  virtual ~Lamp() = default;

  //! Lights it.
  void light() const noexcept override;
  bool operator==(const Lamp& o) const { return true; }

 private:
  int a_{0}, b_;
  struct Part { int x; };
};

template <typename T, int N>
void Lamp<T, N>::light() const noexcept {
  auto f = [this](int x) { return x; };
  const char* s = R"x(" } )x";
}

Lantern::Lantern(int a) : a_(a) {}

enum class Kind : int { Oil, Gas };

struct lamp* find(int id) { return nullptr; }
}  // namespace lantern
