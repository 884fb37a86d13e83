#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace moderator {

struct ServeOptions {
  std::string store = "moderator.db";  ///< see `open_store`
  std::string address = "127.0.0.1";
  int port = 8080;           ///< 0: a free port
  int max_viewers = 200;     ///< browsers that watch the ranking at the same time; each takes a thread
  int max_questions = 1000;  ///< questions that can be asked
  /// The port of the live map of hot spots; 0: a free one; nothing: there is no map.
  std::optional<std::uint16_t> monitor_port{};
};

/// Serves the voting application until SIGINT or SIGTERM. Prints its address once it can be used. Returns
/// whether the server could start. Call it before the program starts other threads.
bool serve(const ServeOptions& options);

}  // namespace moderator
