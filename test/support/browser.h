#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/server.h"
#include "support/temporary_folder.h"

namespace httplib {
class Client;
}

namespace autoshard::test {

/// A headless Chromium of the test's own, driven through the WebDriver protocol. It ends with the object. Its
/// profile is empty, so two browsers share neither cookies nor storage. Elements are named by CSS selectors.
/// Every member throws `std::runtime_error` with the browser's own message if the browser refuses a command.
/// Used by one thread at a time.
class Browser {
 public:
  /// Needs the programs chromium and chromedriver. Without them, CMake makes no test with a browser.
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Opens a page, and waits until it is loaded.
  void go(const std::string& url);

  /// Runs the body of a function in the page, and returns its result: `run("return 2 * arguments[0]", {21})`.
  /// Waits for a promise.
  nlohmann::json run(const std::string& script,
                     const nlohmann::json& arguments = nlohmann::json::array()) const;

  /// Waits until the script returns something that JavaScript takes for true, and returns it. Throws after 30
  /// seconds.
  nlohmann::json wait_for(const std::string& script,
                          const nlohmann::json& arguments = nlohmann::json::array()) const;

  /// Returns the visible text of an element.
  std::string text(const std::string& selector) const;
  /// Scrolls the element into view and clicks on its middle. Throws if another element covers it.
  void click(const std::string& selector);
  /// Gives the element the focus, and types the text. The constants below are keys without a character.
  void type(const std::string& selector, const std::string& text);
  /// Presses keys one after the other, wherever the focus is.
  void press(const std::string& keys);
  /// The selector of the element with the focus is `:focus`.
  static constexpr const char *kTab = "\uE004", *kEnter = "\uE007", *kEscape = "\uE00C", *kLeft = "\uE012",
                              *kUp = "\uE013", *kRight = "\uE014", *kDown = "\uE015";

  /// Sets the size of the viewport, in CSS pixels. A phone has touch events and a denser screen.
  void resize(int width, int height, bool is_phone = false);
  /// Sets the colour scheme that the page's media queries see.
  void set_dark(bool is_dark);

  /// Writes a picture of the viewport in PNG format.
  void save_screenshot(const std::filesystem::path& file) const;

  struct ConsoleEntry {
    std::string level;  ///< `SEVERE`, `WARNING`, `INFO` or `DEBUG`
    std::string text;
  };
  /// Returns the messages of the console, with failed requests, since the last call.
  std::vector<ConsoleEntry> console();
  /// Returns the errors among them, as lines; empty if there are none.
  std::string console_errors();

 private:
  static std::vector<std::string> command(const std::filesystem::path& folder);
  nlohmann::json ask(const std::string& method, const std::string& path,
                     const nlohmann::json& body = nlohmann::json::object()) const;
  nlohmann::json in_session(const std::string& method, const std::string& path,
                            const nlohmann::json& body = nlohmann::json::object()) const;
  void run_in_devtools(const std::string& command, const nlohmann::json& parameters);
  std::string find(const std::string& selector) const;

  TemporaryFolder folder_;
  Server driver_;
  std::unique_ptr<httplib::Client> client_;
  std::string session_;
};

}  // namespace autoshard::test
