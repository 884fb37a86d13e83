#include "latencies.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace autoshard::bench {

// Up to 2^(p+1) every number has a bucket of its own; beyond, each power of two is cut into 2^p buckets.
void Latencies::add(std::chrono::nanoseconds duration) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
  const unsigned width = static_cast<unsigned>(std::bit_width(value));
  const unsigned shift = width > kPrecision + 1 ? width - kPrecision - 1 : 0;
  ++buckets_[(std::size_t{shift} << kPrecision) + (value >> shift)];
  ++count_;
}

void Latencies::add(const Latencies& others) {
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) buckets_[bucket] += others.buckets_[bucket];
  count_ += others.count_;
}

double Latencies::quantile(double share) const {
  if (count_ == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  while ((seen += buckets_[bucket]) < std::max<std::uint64_t>(rank, 1)) ++bucket;
  const std::size_t shift = bucket >> (kPrecision + 1) == 0 ? 0 : (bucket >> kPrecision) - 1;
  const double lowest =
      std::ldexp(static_cast<double>(bucket - (shift << kPrecision)), static_cast<int>(shift));
  const double width = std::ldexp(1.0, static_cast<int>(shift));
  return (lowest + (width - 1) / 2) / 1000;
}

}  // namespace autoshard::bench
