/// Tests the browser of the tests, on a small page of their own.

#include "support/browser.h"

#include <gmock/gmock.h>
#include <httplib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kPage = R"(<!doctype html><meta charset="utf-8"><title>Doors</title>
<link rel="icon" href="data:,">
<p id="state">closed</p>
<button id="open" onclick="state.textContent = 'open'">Open</button>
<input id="name">
<script>document.addEventListener('keydown', event => document.title = event.key)</script>)";

/// Serves the page on a free port.
class SmallSite {
 public:
  SmallSite() {
    server_.Get("/", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(kPage, "text/html");
    });
    server_.Get("/broken", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("<link rel=icon href='data:,'><script>missing()</script>", "text/html");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~SmallSite() {
    server_.stop();
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

class BrowserTest : public ::testing::Test {
 protected:
  SmallSite site_;
  Browser browser_;
};

TEST_F(BrowserTest, ReadsClicksAndTypes) {
  browser_.go(site_.url());
  EXPECT_EQ(browser_.text("#state"), "closed");
  browser_.click("#open");
  EXPECT_EQ(browser_.text("#state"), "open");
  browser_.type("#name", "Ann");
  EXPECT_EQ(browser_.run("return document.getElementById('name').value"), "Ann");
  browser_.press(Browser::kDown);
  EXPECT_EQ(browser_.run("return document.title"), "ArrowDown");
  EXPECT_EQ(browser_.console_errors(), "");
}

TEST_F(BrowserTest, RunsScriptsWithArgumentsAndWaitsForThem) {
  browser_.go(site_.url());
  EXPECT_EQ(browser_.run("return 2 * arguments[0]", {21}), 42);
  EXPECT_EQ(browser_.run("return Promise.resolve('late')"), "late");
  browser_.run("setTimeout(() => { window.isThere = 'there' }, 50)");
  EXPECT_EQ(browser_.wait_for("return window.isThere"), "there");
}

TEST_F(BrowserTest, ReportsErrors) {
  browser_.go(site_.url() + "/broken");
  EXPECT_THAT(browser_.console_errors(), HasSubstr("missing is not defined"));
  EXPECT_EQ(browser_.console_errors(), "") << "an error is reported once";
  EXPECT_THROW(browser_.click("#nothing"), std::runtime_error);
  EXPECT_THROW(browser_.run("throw new Error('no')"), std::runtime_error);
}

TEST_F(BrowserTest, HasTheSizeAndTheColoursOfADevice) {
  browser_.go(site_.url());
  const char* const kIsDark = "return matchMedia('(prefers-color-scheme: dark)').matches";
  browser_.set_dark(true);
  EXPECT_EQ(browser_.run(kIsDark), true);
  browser_.set_dark(false);
  EXPECT_EQ(browser_.run(kIsDark), false);
  browser_.resize(390, 844, true);
  browser_.go(site_.url());
  EXPECT_EQ(browser_.run("return screen.width"), 390);
  EXPECT_EQ(browser_.run("return window.devicePixelRatio"), 2);
}

TEST_F(BrowserTest, TakesPictures) {
  browser_.go(site_.url());
  const TemporaryFolder folder;
  browser_.save_screenshot(folder.path() / "page.png");
  std::ifstream in(folder.path() / "page.png", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(bytes, StartsWith("\x89PNG"));
  EXPECT_THAT(bytes, ::testing::EndsWith(std::string("IEND\xAE\x42\x60\x82", 8)));
}

TEST_F(BrowserTest, SharesNothingWithAnotherBrowser) {
  Browser other;
  browser_.go(site_.url());
  other.go(site_.url());
  browser_.run("localStorage.setItem('visitor', 'Ann')");
  EXPECT_EQ(other.run("return localStorage.getItem('visitor')"), nullptr);
  EXPECT_EQ(browser_.run("return localStorage.getItem('visitor')"), "Ann");
}

}  // namespace
}  // namespace autoshard::test
