/// The page in a real browser.

#include <gmock/gmock.h>

#include "support/browser.h"
#include "vote_server.h"

namespace autoshard::test {
namespace {

/// The number of votes that a page shows for question 1.
const std::string kVotes = "document.querySelector('[data-id=\"1\"] .number')?.textContent";
const std::string kIsLive = "return document.querySelector('#connection').textContent === 'Live'";

class PageTest : public testing::Test {
 protected:
  void open(Browser& browser) {
    browser.go(server_.url() + "/");
    browser.wait_for(kIsLive);
  }
  static void wait_for_votes(Browser& browser, const std::string& votes) {
    browser.wait_for("return " + kVotes + " === arguments[0]", {votes});
  }
  static bool is_pressed(const Browser& browser, const std::string& button) {
    return browser.run("return document.querySelector(arguments[0]).getAttribute('aria-pressed')",
                       {button}) == "true";
  }

  TemporaryFolder folder_;
  VoteServer server_{folder_.path()};
};

TEST_F(PageTest, TwoBrowsersSeeEachOthersVotes) {
  Visitor(server_.url()).ask("Is it true?");
  Browser ann, bob;
  open(ann);
  open(bob);
  ann.click("[data-id='1'] .up");
  wait_for_votes(ann, "1");
  wait_for_votes(bob, "1");
  bob.click("[data-id='1'] .up");
  wait_for_votes(bob, "2");
  wait_for_votes(ann, "2");
  EXPECT_TRUE(is_pressed(ann, "[data-id='1'] .up"));

  ann.click("[data-id='1'] .down");  // Ann changes her mind
  wait_for_votes(ann, "0");
  wait_for_votes(bob, "0");
  EXPECT_TRUE(is_pressed(ann, "[data-id='1'] .down"));
  EXPECT_FALSE(is_pressed(ann, "[data-id='1'] .up"));
  EXPECT_TRUE(is_pressed(bob, "[data-id='1'] .up"));

  open(ann);  // the page knows her vote after a reload
  ann.wait_for(
      "return document.querySelector('[data-id=\"1\"] .down')?.getAttribute('aria-pressed') === 'true'");
  ann.click("[data-id='1'] .down");
  wait_for_votes(bob, "1");
  EXPECT_EQ(ann.console_errors(), "");
  EXPECT_EQ(bob.console_errors(), "");
}

TEST_F(PageTest, ServesThoseWhoUseTheKeyboardAlone) {
  Visitor visitor(server_.url());
  visitor.vote(visitor.ask("One?"), "up");
  visitor.ask("Two?");
  Browser browser;
  open(browser);
  browser.wait_for("return document.querySelectorAll('#list > li').length === 2");

  // The question, the name, Ask, the two orders, and then the first question's button.
  for (int tab = 0; tab < 6; ++tab) browser.press(Browser::kTab);
  EXPECT_EQ(browser.run("return document.activeElement.getAttribute('aria-label')"), "Vote up: One?");
  browser.press(Browser::kEnter);
  wait_for_votes(browser, "2");
  browser.press(Browser::kDown);
  EXPECT_EQ(browser.run("return document.activeElement.getAttribute('aria-label')"), "Vote up: Two?");
  EXPECT_EQ(browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "solid");

  // The focus stays on the button when its question moves.
  for (const int voter : {1, 2, 3}) EXPECT_EQ(Visitor(server_.url()).vote(2, "up").json.at("votes"), voter);
  browser.wait_for("return document.querySelector('#list > li').dataset.id === '2'");
  EXPECT_EQ(browser.run("return document.activeElement.getAttribute('aria-label')"), "Vote up: Two?");
  browser.wait_for(
      "return document.querySelector('#announcer').textContent.startsWith('Now first, with 3 votes')");
  EXPECT_EQ(browser.console_errors(), "");
}

TEST_F(PageTest, AsksAndResponds) {
  Browser ann, bob;
  open(ann);
  open(bob);
  EXPECT_EQ(ann.text("#empty"), "No question yet. Ask the first one.");
  ann.type("#ask textarea", "Is it true?");
  ann.press(Browser::kEnter);
  bob.wait_for(
      "return document.querySelector('[data-id=\"1\"] .question .text')?.textContent === 'Is it true?'");
  bob.click("[data-id='1'] .open");
  bob.type("[data-id='1'] textarea", "It is.");
  bob.type("[data-id='1'] input", "Bob");
  bob.click("[data-id='1'] .primary");
  ann.wait_for("return document.querySelector('[data-id=\"1\"] .open')?.textContent === '1 response'");
  ann.click("[data-id='1'] .open");
  ann.wait_for("return document.querySelector('[data-id=\"1\"] .thread li')?.textContent === 'It is.Bob'");

  // An open list of responses grows while others respond.
  bob.type("[data-id='1'] textarea", "Indeed.");
  bob.click("[data-id='1'] .primary");
  ann.wait_for("return document.querySelector('[data-id=\"1\"] .thread li')?.textContent === 'Indeed.Bob'");
  EXPECT_EQ(ann.console_errors(), "");
  EXPECT_EQ(bob.console_errors(), "");
}

TEST_F(PageTest, ShowsTextsAsTexts) {
  const std::string text =
      "<script>document.title = 'hit'</script><img src=x onerror=\"document.title='hit'\">";
  Visitor visitor(server_.url());
  visitor.post("/api/questions", {{"question", text}, {"author", "<b>Bob</b>"}});
  visitor.post("/api/questions/1/responses", {{"text", text}, {"author", "<i>"}});
  Browser browser;
  open(browser);
  browser.wait_for("return document.querySelector('[data-id=\"1\"]')");
  browser.click("[data-id='1'] .open");
  browser.wait_for("return document.querySelector('[data-id=\"1\"] .thread li')");
  EXPECT_EQ(browser.text("[data-id='1'] .question .text"), text);
  EXPECT_EQ(browser.text("[data-id='1'] .thread li p"), text);
  EXPECT_EQ(browser.text("[data-id='1'] .author"), "by <b>Bob</b>");
  EXPECT_EQ(
      browser.run("return document.querySelectorAll('#list script, #list img, #list b, #list i').length"), 0);
  EXPECT_EQ(browser.run("return document.title"), "Questions to the moderator");
  EXPECT_EQ(browser.console_errors(), "");
}

TEST_F(PageTest, FitsAPhone) {
  Visitor visitor(server_.url());
  visitor.ask(std::string(300, 'x'));  // a word that is longer than a line
  visitor.post("/api/questions", {{"question", "Why?"}, {"author", std::string(40, 'M')}});
  Browser browser;
  browser.resize(390, 844, /*is_phone=*/true);
  open(browser);
  browser.wait_for("return document.querySelectorAll('#list > li').length === 2");
  EXPECT_EQ(browser.run("return document.documentElement.scrollWidth"), 390);
  EXPECT_EQ(browser.run("return Math.min(...[...document.querySelectorAll('.ballot button')].map(button => "
                        "Math.min(button.offsetWidth, button.offsetHeight))) >= 40"),
            true);
}

TEST_F(PageTest, LetsNoMoreBeTypedThanTheServerTakes) {
  Visitor(server_.url()).ask("Is it true?");
  Browser browser;
  open(browser);
  browser.wait_for("return document.querySelector('[data-id=\"1\"]')");
  const auto limit = [&](const std::string& selector) {
    return browser.run("return document.querySelector(arguments[0]).maxLength", {selector}).get<int>();
  };
  EXPECT_EQ(limit("#ask textarea"), 300);
  EXPECT_EQ(limit("#ask input"), 40);
  EXPECT_EQ(limit("[data-id='1'] textarea"), 2'000);
  EXPECT_EQ(limit("[data-id='1'] input"), 40);
}

TEST_F(PageTest, LooksNowAndThenIfTooManyWatch) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path(), {"--max-viewers", "1"});
  Visitor visitor(server.url());
  visitor.ask("Is it true?");
  Browser first, second;
  first.go(server.url() + "/");
  first.wait_for(kIsLive);
  second.go(server.url() + "/");
  second.wait_for("return document.querySelector('#connection').textContent === 'Every 3 seconds'");
  visitor.vote(1, "up");
  wait_for_votes(second, "1");
}

}  // namespace
}  // namespace autoshard::test
