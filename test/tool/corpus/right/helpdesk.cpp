#include "helpdesk.h"

#include <utility>

namespace helpdesk {

Ticket::Ticket(std::uint64_t number, std::string customer, std::string subject)
    : number_(number), customer_(std::move(customer)), subject_(std::move(subject)) {
  files_.push_back("customer.txt");
}

void Ticket::answer(Answer answer) {
  if (answer.text.empty()) return;
  answers_.push_back(std::move(answer));
  ++heat_;
}

void Ticket::attach(const std::vector<std::string>& files) {
  for (const std::string& file : files) files_.push_back(file);
  files_.insert(files_.end(), {"index of them"});
}

void Ticket::watch(std::string who) { watchers_.insert(std::move(who)); }

Ticket& Ticket::set(const std::string& field, std::string value) {
  fields_.insert_or_assign(field, std::move(value));
  return *this;
}

void Ticket::close() { state_ = State::kClosed; }

void Ticket::touch() { changed_ = Clock::now(); }

}  // namespace helpdesk
