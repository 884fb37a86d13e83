#include "routes.h"

#include <autoshard/errors.h>
#include <fmt/format.h>
#include <httplib.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <regex>
#include <span>
#include <string>
#include <utility>

#include "feed.h"
#include "forum.h"
#include "json.h"
#include "visitor.h"

namespace moderator {

/// The names and texts of the files that are embedded in the program: the page alone.
std::span<const std::pair<std::string_view, std::string_view>> embedded_files();

namespace {

using httplib::Request, httplib::Response;
using namespace std::chrono_literals;

constexpr const char* kJson = "application/json";
constexpr std::size_t kKeySize = 64;

void answer(Response& response, int status, const nlohmann::json& json) {
  response.status = status;
  response.set_content(json.dump(), kJson);
}

void answer_error(Response& response, int status, const std::string& message) {
  if (status == 503) response.set_header("Retry-After", "1");
  answer(response, status, {{"error", message}});
}

/// Returns the visitor. A new visitor gets a cookie.
std::string visitor_or_new(const Request& request, Response& response) {
  if (auto visitor = visitor_in(request.get_header_value("Cookie"))) return *std::move(visitor);
  std::string visitor = random_id();
  response.set_header("Set-Cookie", cookie_for(visitor));
  return visitor;
}

/// Returns the visitor of a request that changes something. A form of another site can send neither JSON nor
/// the cookie.
std::string checked_visitor(const Request& request) {
  const std::string type = request.get_header_value("Content-Type");
  if (type != kJson && !type.starts_with(std::string(kJson) + ';'))
    throw WrongInput(415, "the request is no JSON: send Content-Type: application/json");
  auto visitor = visitor_in(request.get_header_value("Cookie"));
  if (!visitor) throw WrongInput(403, "the request has no visitor's cookie: open the page first");
  return *std::move(visitor);
}

int id_in(const Request& request) { return std::stoi(request.matches[1]); }

/// Returns the token of a request, which a browser may repeat after a lost answer. A request without an
/// `Idempotency-Key` is never a repetition.
autoshard::token token_of(const Request& request, const std::string& visitor) {
  const std::string key = request.get_header_value("Idempotency-Key");
  if (key.size() > kKeySize) {
    throw WrongInput(400,
                     fmt::format("Idempotency-Key has {} bytes: shorten it to {}", key.size(), kKeySize));
  }
  return autoshard::token{visitor + '/' + (key.empty() ? random_id() : key)};
}

/// Refuses bodies of unknown length: the limit on requests could not be checked before they are read.
httplib::Server::HandlerResponse refuse_unknown_length(const Request& request, Response& response) {
  if (request.method != "POST" ||
      (request.has_header("Content-Length") && !request.has_header("Transfer-Encoding")))
    return httplib::Server::HandlerResponse::Unhandled;
  answer_error(response, 411, "the length of the request is unknown: send Content-Length");
  return httplib::Server::HandlerResponse::Handled;
}

/// Errors that the library itself found have no text yet.
void describe_error(const Request& request, Response& response) {
  if (!response.body.empty()) return;
  const int status = response.status;
  answer_error(response, status,
               status == 413   ? fmt::format("the request is too large: send {} bytes at most", kRequestBytes)
               : status == 404 ? fmt::format("there is no {} {}: see the routes in samples/README.md",
                                             request.method, request.path)
                               : "the request is no valid HTTP: correct it");
}

void answer_exception(const Request& request, Response& response, std::exception_ptr exception) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const WrongInput& error) {
    answer_error(response, error.status(), error.what());
  } catch (const autoshard::NotFound&) {
    answer_error(response, 404, "there is no such question: load the list again");
  } catch (const autoshard::InvalidCursor&) {
    answer_error(response, 400, "the cursor in \"after\" is of no use here: begin without one");
  } catch (const std::exception& error) {
    fmt::print(stderr, "moderator: {} {} failed: {}\n", request.method, request.path, error.what());
    answer_error(response, 503, "the server cannot do that now: try again");
  }
}

/// Replaces each `place` of the page.
void fill_in(std::string& page, std::string_view place, const std::string& text) {
  for (std::size_t at = page.find(place); at != std::string::npos; at = page.find(place, at + text.size()))
    page.replace(at, place.size(), text);
}

/// The name by which the browser reaches this machine; empty if the request has no usable one.
std::string host_of(const Request& request) {
  static const std::regex kHost(R"(([\w.-]+|\[[\da-fA-F:.]+\])(:\d+)?)");
  const std::string header = request.get_header_value("Host");
  std::smatch host;
  return std::regex_match(header, host, kHost) ? host.str(1) : std::string();
}

std::string link_to_map(const Request& request, std::uint16_t port) {
  const std::string host = host_of(request);
  if (port == 0 || host.empty()) return {};
  return fmt::format(R"(<a id="map" href="http://{}:{}/">Live map</a>)", host, port);
}

void answer_page(const Request& request, Response& response, std::uint16_t map_port) {
  visitor_or_new(request, response);
  const std::string nonce = random_id();  // the one script and the one style that the browser may run
  std::string page(embedded_files().front().second);
  fill_in(page, "{{nonce}}", nonce);
  fill_in(page, "{{map}}", link_to_map(request, map_port));
  response.set_header(
      "Content-Security-Policy",
      fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src "
                  "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                  "frame-ancestors 'none'",
                  nonce));
  response.set_content(page, "text/html; charset=utf-8");
}

/// Sends the newest ranking as long as the viewer listens. A viewer who reads too slowly for the write
/// time-out is disconnected.
void stream(Feed& feed, Response& response) {
  const auto place = feed.enter();
  if (!place) return answer_error(response, 503, "too many browsers watch: load the ranking now and then");
  response.set_chunked_content_provider(
      "text/event-stream", [&feed, place = *place, seen = std::uint64_t{0}, quiet = 0](
                               std::size_t, httplib::DataSink& sink) mutable {
        const Feed::Text newest = feed.wait_for(seen, 1s);
        if (feed.is_closed()) {
          sink.done();
          return true;
        }
        if (newest.number == seen) {
          constexpr int kHeartbeat = 15;  // seconds; proxies close a silent connection
          const bool is_late = ++quiet % kHeartbeat == 0;
          return is_late ? sink.write(": \n\n", 4) : sink.is_writable();
        }
        seen = newest.number;
        const std::string event = "event: ranking\ndata: " + *newest.text + "\n\n";
        return sink.write(event.data(), event.size());
      });
}

}  // namespace

void add_routes(httplib::Server& server, Forum& forum, Feed& feed, std::uint16_t map_port) {
  server.set_payload_max_length(kRequestBytes);
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"}});
  server.set_pre_routing_handler(refuse_unknown_length);
  server.set_exception_handler(answer_exception);
  server.set_error_handler(httplib::Server::Handler(describe_error));

  server.Get("/",
             [=](const Request& request, Response& response) { answer_page(request, response, map_port); });
  server.Get("/api/ranking",
             [&](const Request&, Response& response) { answer(response, 200, to_json(forum.ranking())); });
  server.Get("/api/events", [&](const Request&, Response& response) { stream(feed, response); });
  server.Get("/api/votes", [&](const Request& request, Response& response) {
    answer(response, 200, to_json(forum.votes_of(visitor_or_new(request, response))));
  });
  server.Get("/api/questions", [&](const Request& request, Response& response) {
    const Forum::Entries page = forum.more(request.get_param_value("after"));
    answer(response, 200, {{"questions", to_json(page.entries)}, {"next", page.next}});
  });
  server.Get(R"(/api/questions/(\d{1,9})/responses)", [&](const Request& request, Response& response) {
    answer(response, 200, to_json(forum.responses(id_in(request), request.get_param_value("after"))));
  });

  server.Post("/api/questions", [&](const Request& request, Response& response) {
    checked_visitor(request);
    const nlohmann::json json = parse_request(request.body);
    const int id = forum.ask(needed_text(json, kQuestionRule), author_in(json));
    feed.notify();
    answer(response, 201, {{"id", id}});
  });
  server.Post(R"(/api/questions/(\d{1,9})/vote)", [&](const Request& request, Response& response) {
    const std::string visitor = checked_visitor(request);
    const int choice = choice_in(parse_request(request.body));
    const int votes = forum.vote(id_in(request), visitor, choice);
    feed.notify();
    answer(response, 200, {{"choice", choice_name(choice)}, {"votes", votes}});
  });
  server.Post(R"(/api/questions/(\d{1,9})/responses)", [&](const Request& request, Response& response) {
    const std::string visitor = checked_visitor(request);
    const nlohmann::json json = parse_request(request.body);
    const std::string text = needed_text(json, kResponseRule);
    forum.respond(id_in(request), token_of(request, visitor), text, author_in(json));
    feed.notify();
    answer(response, 201, nlohmann::json::object());
  });
}

}  // namespace moderator
