// Classes out of a grammar. AUTOSHARD_FUZZ_CASES says how many, or AUTOSHARD_FUZZ_SECONDS for how long.
// AUTOSHARD_TEST_SEED chooses others than the usual ones: a change of the generator is not to fail for what
// it did not break.

#include "generator_fuzz.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>

namespace autoshard::test {
namespace {

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::stoull(text) : otherwise;
}

std::string random_bytes(std::mt19937_64& generator) {
  std::string bytes(generator() % 600, ' ');
  for (char& byte : bytes) byte = static_cast<char>(generator());
  return bytes;
}

Case case_of(const std::string& bytes, std::size_t number, Mistakes mistakes) {
  Choices choices(bytes);
  return make_case(choices, number, mistakes);
}

/// The fault that the choices lead to, by itself.
std::optional<Finding> fault_of(GeneratorFuzz& fuzz, const std::string& bytes, Mistakes mistakes) {
  static std::size_t number = 1'000'000;
  if (auto finding = fuzz.try_cases({case_of(bytes, ++number, mistakes)})) return finding;
  return fuzz.try_gcc();
}

/// Fewer and plainer choices that lead to the same fault.
Finding shrunk(GeneratorFuzz& fuzz, std::string bytes, Mistakes mistakes, Finding finding) {
  const auto attempt = [&](const std::string& fewer) {
    auto found = fault_of(fuzz, fewer, mistakes);
    if (!found || found->fault != finding.fault) return false;
    bytes = fewer;
    finding = *found;
    return true;
  };
  Choices choices(bytes);
  make_case(choices, 0, mistakes);
  bytes.resize(std::min(bytes.size(), choices.used()));
  for (std::size_t size = bytes.size() / 2; size > 0; size /= 2) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t count = std::min(size, bytes.size() - at);
      const std::string zeros = std::string(bytes).replace(at, count, count, '\0');
      if (attempt(std::string(bytes).erase(at, count))) continue;
      if (zeros != bytes) attempt(zeros);
      at += size;
    }
  }
  return finding;
}

TEST(GeneratorFuzz, WhatIsAcceptedCompilesAndWhatIsNotIsExplained) {
  const std::uint64_t seed = number_of("AUTOSHARD_TEST_SEED", 1);
  const std::uint64_t count = number_of("AUTOSHARD_FUZZ_CASES", 60);
  const std::chrono::seconds seconds(number_of("AUTOSHARD_FUZZ_SECONDS", 0));
  std::cout << "AUTOSHARD_TEST_SEED=" << seed << " AUTOSHARD_FUZZ_CASES=" << count << std::endl;
  std::mt19937_64 generator(seed);
  GeneratorFuzz fuzz(Process::kChild);

  constexpr std::size_t kTogether = 20;
  std::size_t number = 0;
  const auto end = std::chrono::steady_clock::now() + seconds;
  const bool is_timed = seconds.count() > 0;
  const auto is_enough = [&] { return is_timed ? std::chrono::steady_clock::now() >= end : number >= count; };
  for (std::size_t batch = 0; !is_enough(); ++batch) {
    const Mistakes mistakes = batch % 5 == 4   ? Mistakes::kOfTokens
                              : batch % 5 == 3 ? Mistakes::kOfAnnotations
                                               : Mistakes::kNone;
    std::vector<std::string> bytes;
    std::vector<Case> cases;
    for (std::size_t i = 0; i < kTogether && (is_timed || number < count); ++i) {
      bytes.push_back(random_bytes(generator));
      cases.push_back(case_of(bytes.back(), number++, mistakes));
    }
    std::optional<Finding> finding = fuzz.try_cases(cases);
    if (!finding && (batch % 5 == 4 || is_enough())) finding = fuzz.try_gcc();
    if (!finding) continue;
    std::cout << "Before it is made smaller: " << describe(*finding) << std::endl;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (text_of(cases[i]) == finding->header) finding = shrunk(fuzz, bytes[i], mistakes, *finding);
    }
    FAIL() << "case " << number << ": " << describe(*finding);
  }
  std::cout << fuzz.accepted() << " of " << number << " cases were accepted" << std::endl;
  EXPECT_GE(fuzz.accepted(), number / 4)
      << "too little of what the grammar makes is accepted to tell anything";
}

}  // namespace
}  // namespace autoshard::test
