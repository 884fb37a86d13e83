#include "peer.h"

#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>

#include <msgpack.hpp>
#include <stdexcept>
#include <string_view>

#include "database.h"

namespace autoshard::bench {
namespace {

constexpr std::uint64_t kFirstVersion = std::uint64_t{1} << 32;
constexpr unsigned kShard = 3;

std::string main_key(std::string entity) { return std::move(entity) + '\x01'; }

std::string shard_key(std::string key, unsigned shard) {
  key.append("\x02votes\0\1", 8);
  key.push_back(static_cast<char>(shard >> 8));
  key.push_back(static_cast<char>(shard));
  return key;
}

void check(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

struct Buffer {
  std::string bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

std::string pack(const PeerStore::Question& question, std::uint64_t version) {
  Buffer buffer;
  msgpack::packer<Buffer> packer(buffer);
  packer.pack_map(4);
  packer.pack(std::string_view("@version")).pack(version);
  packer.pack(std::string_view("question")).pack(question.question);
  packer.pack(std::string_view("author")).pack(question.author);
  packer.pack(std::string_view("responses"))
      .pack_array(static_cast<std::uint32_t>(question.responses.size()));
  for (const auto& [text, author] : question.responses) {
    packer.pack_map(2);
    packer.pack(std::string_view("text")).pack(text);
    packer.pack(std::string_view("author")).pack(author);
  }
  return std::move(buffer.bytes);
}

/// Fills in a question as msgpack-cxx comes to its values, without a tree of them.
struct QuestionVisitor : msgpack::null_visitor {
  explicit QuestionVisitor(PeerStore::Question& its_question) : question(its_question) {}

  bool start_map_key() { return in_key = true; }
  bool end_map_key() { return !(in_key = false); }
  bool start_map(std::uint32_t) {
    if (++depth == kResponse && of == "responses") question.responses.emplace_back();
    return true;
  }
  bool end_map() { return --depth, true; }
  bool start_array(std::uint32_t size) {
    if (++depth == kResponse - 1 && of == "responses") question.responses.reserve(size);
    return true;
  }
  bool end_array() { return --depth, true; }
  bool visit_positive_integer(std::uint64_t value) {
    if (depth == kQuestion && of == "@version") question.version = value;
    return true;
  }
  bool visit_str(const char* bytes, std::uint32_t size) {
    const std::string_view text(bytes, size);
    if (depth == kQuestion) {
      if (in_key) {
        of = text;
      } else if (of == "question") {
        question.question = text;
      } else if (of == "author") {
        question.author = text;
      }
    } else if (depth == kResponse && of == "responses") {
      if (in_key) {
        of_response = text;
      } else if (of_response == "text") {
        question.responses.back().first = text;
      } else if (of_response == "author") {
        question.responses.back().second = text;
      }
    }
    return true;
  }

  static constexpr int kQuestion = 1, kResponse = 3;  // how deep their values lie
  PeerStore::Question& question;
  std::string_view of, of_response;  // names of properties, in the record
  int depth = 0;
  bool in_key = false;
};

struct VotesVisitor : msgpack::null_visitor {
  bool start_array(std::uint32_t size) { return size > 0; }
  bool visit_positive_integer(std::uint64_t value) { return found(static_cast<int>(value)); }
  bool visit_negative_integer(std::int64_t value) { return found(static_cast<int>(value)); }
  bool found(int value) {
    if (elements++ == 0) votes = value;
    return true;
  }
  int votes = 0, elements = 0;
};

template <class Visitor>
void parse_all(const char* data, std::size_t size, Visitor& visitor) {
  std::size_t end = 0;
  if (!msgpack::parse(data, size, end, visitor) || end != size) throw msgpack::type_error();
}

void unpack(const char* data, std::size_t size, PeerStore::Question& question) {
  QuestionVisitor visitor(question);
  parse_all(data, size, visitor);
}

std::string pack_votes(int votes) {
  Buffer buffer;
  msgpack::packer<Buffer>(buffer).pack_array(1).pack(votes);
  return std::move(buffer.bytes);
}

int unpack_votes(const char* data, std::size_t size) {
  VotesVisitor visitor;
  parse_all(data, size, visitor);
  return visitor.votes;
}

}  // namespace

struct PeerStore::Database {
  std::unique_ptr<rocksdb::OptimisticTransactionDB> db;
  rocksdb::WriteOptions write_options;

  std::unique_ptr<rocksdb::Transaction> begin() {
    return std::unique_ptr<rocksdb::Transaction>(db->BeginTransaction(write_options));
  }

  static void add_votes(rocksdb::Transaction& transaction, const std::string& key, int votes) {
    std::string stored;
    const rocksdb::Status status = transaction.GetForUpdate(rocksdb::ReadOptions(), key, &stored);
    if (status.ok()) {
      votes += unpack_votes(stored.data(), stored.size());
    } else if (!status.IsNotFound()) {
      check(status);
    }
    check(transaction.Put(key, pack_votes(votes)));
  }
};

PeerStore::PeerStore(const std::filesystem::path& folder, bool sync, const std::string& kind)
    : prefix_('\x02' + kind + std::string("\0\1", 2)), database_(std::make_unique<Database>()) {
  rocksdb::Options options = rocksdb_store::tuned_options({.sync = sync});  // as AutoShard does
  options.create_if_missing = true;
  rocksdb::OptimisticTransactionDB* opened = nullptr;
  check(rocksdb::OptimisticTransactionDB::Open(options, folder.string(), &opened));
  database_->db.reset(opened);
  database_->write_options.sync = sync;
}

PeerStore::~PeerStore() = default;

std::string PeerStore::entity_key(int id) const {
  std::string key(prefix_);
  const auto magnitude = static_cast<std::uint32_t>(id);
  int length = 0;
  while (length < 4 && magnitude >> (8 * length) != 0) ++length;
  key.push_back(static_cast<char>(0x14 + length));
  while (length-- > 0) key.push_back(static_cast<char>(magnitude >> (8 * length)));
  return key;
}

void PeerStore::create(Question& question) {
  const auto transaction = database_->begin();
  const std::string key = main_key(entity_key(question.id));
  std::string stored;
  const rocksdb::Status status = transaction->GetForUpdate(rocksdb::ReadOptions(), key, &stored);
  if (status.ok()) throw std::runtime_error("taken");
  if (!status.IsNotFound()) check(status);
  check(transaction->Put(key, pack(question, kFirstVersion)));
  if (question.votes != 0)
    check(transaction->Put(shard_key(entity_key(question.id), 0), pack_votes(question.votes)));
  check(transaction->Commit());
  question.version = kFirstVersion;
  question.pending = 0;
}

void PeerStore::save(Question& question) {
  const auto transaction = database_->begin();
  const std::string key = main_key(entity_key(question.id));
  std::string stored;
  check(transaction->GetForUpdate(rocksdb::ReadOptions(), key, &stored));
  Question old;
  unpack(stored.data(), stored.size(), old);
  if (old.version != question.version) throw std::runtime_error("stale");
  if (pack(question, question.version) != stored) {
    ++question.version;
    check(transaction->Put(key, pack(question, question.version)));
  }
  if (question.pending != 0)
    Database::add_votes(*transaction, shard_key(entity_key(question.id), kShard), question.pending);
  check(transaction->Commit());
  question.pending = 0;
}

void PeerStore::vote(int id) {
  const auto transaction = database_->begin();
  std::string stored;
  check(transaction->GetForUpdate(rocksdb::ReadOptions(), main_key(entity_key(id)), &stored));
  Database::add_votes(*transaction, shard_key(entity_key(id), kShard), 1);
  check(transaction->Commit());
}

std::optional<PeerStore::Question> PeerStore::load(int id) {
  const std::string prefix = entity_key(id), end = prefix + '\xFF', main = main_key(prefix);
  const rocksdb::Slice upper_bound(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper_bound;
  const std::unique_ptr<rocksdb::Iterator> iterator(database_->db->NewIterator(options));
  iterator->Seek(main);
  if (!iterator->Valid() || iterator->key() != main) {
    check(iterator->status());
    return std::nullopt;
  }
  Question question;
  question.id = id;
  unpack(iterator->value().data(), iterator->value().size(), question);
  for (iterator->Next(); iterator->Valid(); iterator->Next()) {
    question.votes += unpack_votes(iterator->value().data(), iterator->value().size());
  }
  check(iterator->status());
  return question;
}

}  // namespace autoshard::bench
