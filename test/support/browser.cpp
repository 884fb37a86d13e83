#include "support/browser.h"

#include <httplib.h>
#include <signal.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace autoshard::test {
namespace {

using nlohmann::json;

/// The name of a reference to an element, as the WebDriver protocol defines it.
constexpr const char* kElement = "element-6066-11e4-a52e-4f735466cecf";

constexpr std::chrono::seconds kPatience{30};

/// Returns the port that chromedriver has written to its log; 0: none yet.
int port_in(const std::filesystem::path& log) {
  constexpr std::string_view kBefore = "started successfully on port ";
  std::ifstream in(log);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t found = text.find(kBefore);
  if (found == std::string::npos || text.find('.', found) == std::string::npos) return 0;
  return std::stoi(text.substr(found + kBefore.size()));
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int length = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // the padding
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((length += 6) < 8) continue;
    length -= 8;
    bytes.push_back(static_cast<char>(bits >> length & 0xFF));
  }
  return bytes;
}

bool is_true(const json& value) {
  return !(value.is_null() || value == json(false) || value == json(0) || value == json(""));
}

}  // namespace

std::vector<std::string> Browser::command(const std::filesystem::path& folder) {
  return {find_program("chromedriver").value().string(), "--port=0",
          "--log-path=" + (folder / "chromedriver.log").string()};
}

Browser::Browser() : driver_(command(folder_.path()), folder_.path(), SIGTERM) {
  int port = 0;
  driver_.wait_until([&] { return (port = port_in(folder_.path() / "log")) != 0; });
  client_ = std::make_unique<httplib::Client>("127.0.0.1", port);
  client_->set_read_timeout(2 * kPatience);
  client_->set_keep_alive(true);
  const json arguments = {"--headless=new",
                          "--no-sandbox",  // refused to root otherwise
                          "--disable-gpu",
                          "--disable-dev-shm-usage",
                          "--hide-scrollbars",
                          "--no-first-run",
                          "--disable-background-networking",
                          "--window-size=1280,900",
                          "--user-data-dir=" + (folder_.path() / "profile").string()};
  const json chromium = {{"binary", find_program("chromium").value().string()}, {"args", arguments}};
  const json capabilities = {{"browserName", "chrome"},
                             {"goog:chromeOptions", chromium},
                             {"goog:loggingPrefs", {{"browser", "ALL"}}}};
  session_ = ask("POST", "/session", {{"capabilities", {{"alwaysMatch", capabilities}}}})
                 .at("sessionId")
                 .get<std::string>();
}

Browser::~Browser() try { in_session("DELETE", ""); } catch (const std::exception&) {
  // chromedriver ends Chromium when it is stopped itself.
}

json Browser::ask(const std::string& method, const std::string& path, const json& body) const {
  const httplib::Result answer = method == "GET"      ? client_->Get(path)
                                 : method == "DELETE" ? client_->Delete(path)
                                                      : client_->Post(path, body.dump(), "application/json");
  if (!answer)
    throw std::runtime_error("chromedriver does not answer: " + httplib::to_string(answer.error()));
  const json value = json::parse(answer->body).at("value");
  if (answer->status == 200) return value;
  throw std::runtime_error(value.value("error", "") + ": " + value.value("message", ""));
}

json Browser::in_session(const std::string& method, const std::string& path, const json& body) const {
  return ask(method, "/session/" + session_ + path, body);
}

void Browser::go(const std::string& url) { in_session("POST", "/url", {{"url", url}}); }

json Browser::run(const std::string& script, const json& arguments) const {
  return in_session("POST", "/execute/sync", {{"script", script}, {"args", arguments}});
}

json Browser::wait_for(const std::string& script, const json& arguments) const {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    if (json value = run(script, arguments); is_true(value)) return value;
    if (std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error("the page never reaches the state: " + script);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::string Browser::find(const std::string& selector) const {
  return in_session("POST", "/element", {{"using", "css selector"}, {"value", selector}})
      .at(kElement)
      .get<std::string>();
}

std::string Browser::text(const std::string& selector) const {
  return in_session("GET", "/element/" + find(selector) + "/text").get<std::string>();
}

void Browser::click(const std::string& selector) {
  in_session("POST", "/element/" + find(selector) + "/click");
}

void Browser::type(const std::string& selector, const std::string& text) {
  in_session("POST", "/element/" + find(selector) + "/value", {{"text", text}});
}

void Browser::press(const std::string& keys) {
  const json active = in_session("GET", "/element/active");
  in_session("POST", "/element/" + active.at(kElement).get<std::string>() + "/value", {{"text", keys}});
}

void Browser::run_in_devtools(const std::string& command, const json& parameters) {
  in_session("POST", "/goog/cdp/execute", {{"cmd", command}, {"params", parameters}});
}

void Browser::resize(int width, int height, bool is_phone) {
  run_in_devtools(
      "Emulation.setDeviceMetricsOverride",
      {{"width", width}, {"height", height}, {"deviceScaleFactor", is_phone ? 2 : 1}, {"mobile", is_phone}});
  run_in_devtools("Emulation.setTouchEmulationEnabled", {{"enabled", is_phone}});
}

void Browser::set_dark(bool is_dark) {
  const json scheme = {{"name", "prefers-color-scheme"}, {"value", is_dark ? "dark" : "light"}};
  run_in_devtools("Emulation.setEmulatedMedia", {{"features", json::array({scheme})}});
}

void Browser::save_screenshot(const std::filesystem::path& file) const {
  std::ofstream out(file, std::ios::binary);
  out << decode_base64(in_session("GET", "/screenshot").get<std::string>());
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

std::vector<Browser::ConsoleEntry> Browser::console() {
  std::vector<ConsoleEntry> entries;
  for (const json& entry : in_session("POST", "/se/log", {{"type", "browser"}}))
    entries.push_back({entry.at("level").get<std::string>(), entry.at("message").get<std::string>()});
  return entries;
}

std::string Browser::console_errors() {
  std::string lines;
  for (const ConsoleEntry& entry : console()) {
    if (entry.level == "SEVERE") lines += entry.text + '\n';
  }
  return lines;
}

}  // namespace autoshard::test
