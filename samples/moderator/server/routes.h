#pragma once

#include <cstdint>

namespace httplib {
class Server;
}

namespace moderator {

class Feed;
class Forum;

/// Adds the routes of the application to the server: the page at `/`, and the JSON below `/api`. Every error
/// is JSON: `{"error": "what to do"}`. The forum and the feed must outlive the server. The page links to the
/// live map of hot spots at `map_port` of the same machine; 0: there is none.
void add_routes(httplib::Server& server, Forum& forum, Feed& feed, std::uint16_t map_port);

}  // namespace moderator
