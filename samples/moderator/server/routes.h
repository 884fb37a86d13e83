#pragma once

namespace httplib {
class Server;
}

namespace moderator {

class Feed;
class Forum;

/// Adds the routes of the application to the server: the page at `/`, and the JSON below `/api`. Every error
/// is JSON: `{"error": "what to do"}`. The forum and the feed must outlive the server.
void add_routes(httplib::Server& server, Forum& forum, Feed& feed);

}  // namespace moderator
