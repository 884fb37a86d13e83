#include "heatmap.h"

#include <httplib.h>

#include <chrono>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace autoshard::ctl {
namespace {

constexpr std::string_view kPage = "<title>AutoShard monitor</title>";
constexpr std::chrono::seconds kPatience{30};

std::string page_at(const std::string& url) {
  static const std::regex form("(http://[^/]+)/?");
  std::smatch parts;
  if (!std::regex_match(url, parts, form))
    throw std::runtime_error(url + " is no address of a monitor: write http://HOST:PORT");
  httplib::Client client(parts.str(1));
  client.set_connection_timeout(kPatience);
  client.set_read_timeout(kPatience);
  const httplib::Result answer = client.Get("/snapshot.html");
  if (!answer) throw std::runtime_error(url + " does not answer: " + httplib::to_string(answer.error()));
  if (answer->status != 200 || answer->body.find(kPage) == std::string::npos)
    throw std::runtime_error(url + " is no monitor of AutoShard: it answers with status " +
                             std::to_string(answer->status));
  return answer->body;
}

}  // namespace

void save_heatmap(const std::string& url, const std::filesystem::path& file) {
  const std::string page = page_at(url);
  std::ofstream out(file, std::ios::binary);
  out << page;
  if (out.flush()) return;
  out.close();
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  throw std::runtime_error("the file " + file.string() + " could not be written");
}

}  // namespace autoshard::ctl
