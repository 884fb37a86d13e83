// Internet der Dinge: Messwerte, Geräte, Gruppen. Stil: deutsch, mit Umlauten. Die Datei beginnt mit einer Byte-Order-Mark.
#pragma once

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace haus::geräte {

enum class Größe { Temperatur, Feuchte, Helligkeit, Lautstärke };

/// Ein Messwert, so wie ihn das Gerät schickt („roh“).
struct Messwert {
  Größe größe = Größe::Temperatur;
  double wert = 0;
};

/// Zählt und mittelt, was ein Fühler misst. — Das Mittel entsteht erst beim Lesen: Summe und Anzahl lassen sich falten, das
/// Mittel nicht.
class [[autoshard::entity("Fühler")]] Fühler {
 public:
  explicit Fühler(std::string schlüssel) : schlüssel_(std::move(schlüssel)) {}

  [[autoshard::shard_method(trusted = "Summe, Anzahl, Maximum und Folge")]] void übernimm(const Messwert& m) {
    summe_ += m.wert;
    ++anzahl_;
    höchster_ = höchster_ < m.wert ? m.wert : höchster_;
    letzte_.push_back(m.wert);  // €: kostet Platz
  }

  std::optional<double> mittel() const { return anzahl_ ? std::optional(summe_ / anzahl_) : std::nullopt; }
  double höchster() const { return höchster_; }

 private:
  [[autoshard::shard_fold(summe_)]] static double addiere(double a, double b) { return a + b; }
  [[autoshard::shard_fold(höchster_)]] static double größerer(double a, double b) { return std::max(a, b); }
  [[autoshard::shard_fold]] static int zähle(int a, int b) { return a + b; }
  [[autoshard::shard_fold]] static std::list<double> hänge_an(std::list<double> a, std::list<double> b) {
    a.splice(a.end(), b);
    return a;
  }

  [[autoshard::id]] std::string schlüssel_;
  std::vector<Größe> misst_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] double summe_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int anzahl_ = 0;
  [[autoshard::shardable(neutral = -std::numeric_limits<double>::infinity(), shards = 4)]] double höchster_ =
      -std::numeric_limits<double>::infinity();
  [[autoshard::shardable(neutral = {}, shards = 4, order = any)]] std::list<double> letzte_;
};

/// Verbrauch nach Stunden. Wer 日本語 schreibt, darf das auch.
class [[autoshard::entity]] Zähler {
 public:
  using Stunde = std::chrono::time_point<std::chrono::system_clock, std::chrono::hours>;

  explicit Zähler(std::uint64_t nummer) : nummer_{nummer} {}

  [[autoshard::shard_method]] auto verbrauche(Stunde wann, std::int64_t watt) -> std::int64_t {
    wattstunden_[wann] += watt;
    return watt;
  }
  [[nodiscard]] std::int64_t gesamt() const {
    std::int64_t 合計 = 0;
    for (const auto& [stunde, watt] : wattstunden_) 合計 += watt;
    return 合計;
  }

 private:
  using Tabelle = std::map<Stunde, std::int64_t>;
  [[autoshard::shard_fold]] static Tabelle vereinige(const Tabelle& a, const Tabelle& b) {
    Tabelle ergebnis{a};
    for (const auto& [stunde, watt] : b) ergebnis[stunde] += watt;
    return ergebnis;
  }

  [[autoshard::id]] std::uint64_t nummer_;
  std::string straße_{"Schloßallee"};
  [[autoshard::shardable(neutral = {}, shards = 3)]] Tabelle wattstunden_{};
};

}  // namespace haus::geräte
