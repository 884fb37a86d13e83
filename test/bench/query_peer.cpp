#include "query_peer.h"

#include <rocksdb/db.h>

#include <algorithm>
#include <msgpack.hpp>
#include <stdexcept>
#include <utility>

#include "database.h"

namespace autoshard::bench {
namespace {

void check(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

/// Fills in what it finds as msgpack-cxx comes to its values, without a tree of them.
struct MainVisitor : msgpack::null_visitor {
  explicit MainVisitor(QueryPeer::Found& its_found) : found(its_found) {}

  bool start_map_key() { return in_key = true; }
  bool end_map_key() { return !(in_key = false); }
  bool visit_str(const char* bytes, std::uint32_t size) {
    const std::string_view text(bytes, size);
    if (in_key) {
      of = text;
    } else if (of == "question" || of == "action") {
      found.text = text;
    } else if (of == "author" || of == "company") {
      found.of = text;
    }
    return true;
  }
  bool visit_positive_integer(std::uint64_t value) {
    if (of == "day" || of == "time") found.when = static_cast<std::int64_t>(value);
    return true;
  }

  QueryPeer::Found& found;
  std::string_view of;  // name of a property, in the record
  bool in_key = false;
};

struct VotesVisitor : msgpack::null_visitor {
  bool start_array(std::uint32_t size) { return size > 0; }
  bool visit_positive_integer(std::uint64_t value) {
    if (elements++ == 0) votes = static_cast<int>(value);
    return true;
  }
  int votes = 0, elements = 0;
};

template <class Visitor>
void parse(const rocksdb::Slice& record, Visitor& visitor) {
  std::size_t end = 0;
  if (!msgpack::parse(record.data(), record.size(), end, visitor) || end != record.size())
    throw msgpack::type_error();
}

/// Behind as many numbers, none of them negative: one byte tells their length.
rocksdb::Slice id_behind(rocksdb::Slice values, std::size_t numbers) {
  for (; numbers > 0; --numbers) values.remove_prefix(1 + static_cast<std::size_t>(values[0] - 0x14));
  return values;
}

}  // namespace

struct QueryPeer::Database {
  std::unique_ptr<rocksdb::DB> db;

  std::unique_ptr<rocksdb::Iterator> iterator(const rocksdb::Snapshot* snapshot,
                                              const rocksdb::Slice* upper_bound = nullptr) const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    options.iterate_upper_bound = upper_bound;
    return std::unique_ptr<rocksdb::Iterator>(db->NewIterator(options));
  }
};

QueryPeer::QueryPeer(const std::filesystem::path& folder) : database_(std::make_unique<Database>()) {
  rocksdb::DB* opened = nullptr;
  check(rocksdb::DB::Open(rocksdb_store::tuned_options({.sync = false}), folder.string(), &opened));
  database_->db.reset(opened);
}

QueryPeer::~QueryPeer() = default;

std::uint64_t QueryPeer::walk(const std::string& prefix) {
  const std::string end = prefix + '\xFF';
  const rocksdb::Slice upper_bound(end);
  const auto iterator = database_->iterator(nullptr, &upper_bound);
  std::uint64_t records = 0;
  for (iterator->Seek(prefix); iterator->Valid(); iterator->Next()) ++records;
  check(iterator->status());
  return records;
}

template <class Read>
void QueryPeer::find(const Index& index, const std::string& from, std::size_t limit, Read read,
                     const Take& take) {
  rocksdb::ManagedSnapshot snapshot(database_->db.get());
  struct Shard {
    std::string end;
    rocksdb::Slice upper_bound;
    std::size_t prefix = 0;
    std::unique_ptr<rocksdb::Iterator> iterator;

    rocksdb::Slice suffix() const {
      rocksdb::Slice key = iterator->key();
      key.remove_prefix(prefix);
      return key;
    }
  };
  std::vector<Shard> shards(index.prefixes.size());  // whose upper bounds must not move
  std::vector<Shard*> heap;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    Shard& shard = shards[i];
    shard.end = index.prefixes[i] + '\xFF';
    shard.upper_bound = shard.end;
    shard.prefix = index.prefixes[i].size();
    shard.iterator = database_->iterator(snapshot.snapshot(), &shard.upper_bound);
    shard.iterator->Seek(index.prefixes[i] + from);
    if (shard.iterator->Valid()) heap.push_back(&shard);
  }
  const auto later = [](const Shard* one, const Shard* other) {
    return one->suffix().compare(other->suffix()) > 0;
  };
  std::make_heap(heap.begin(), heap.end(), later);
  std::string key;
  for (std::size_t found = 0; found < limit && !heap.empty(); ++found) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const rocksdb::Slice id = id_behind(heap.back()->suffix(), index.numbers);
    key.assign(index.kind).append(id.data(), id.size());
    take(read(snapshot.snapshot(), key));
    heap.back()->iterator->Next();
    if (heap.back()->iterator->Valid()) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      check(heap.back()->iterator->status());
      heap.pop_back();
    }
  }
}

void QueryPeer::find_questions(const Index& index, const std::string& from, std::size_t limit,
                               const Take& take) {
  std::unique_ptr<rocksdb::Iterator> records;
  find(
      index, from, limit,
      [&](const rocksdb::Snapshot* snapshot, const std::string& key) {
        if (!records) records = database_->iterator(snapshot);
        records->Seek(key + '\x01');
        if (!records->Valid() || !records->key().starts_with(key))
          throw std::runtime_error("no question for an index record");
        Found found;
        MainVisitor main(found);
        parse(records->value(), main);
        for (records->Next(); records->Valid() && records->key().starts_with(key); records->Next()) {
          VotesVisitor shard;
          parse(records->value(), shard);
          found.votes += shard.votes;
        }
        check(records->status());
        return found;
      },
      take);
}

void QueryPeer::find_log(const Index& index, const std::string& from, std::size_t limit, const Take& take) {
  rocksdb::PinnableSlice record;
  find(
      index, from, limit,
      [&](const rocksdb::Snapshot* snapshot, const std::string& key) {
        rocksdb::ReadOptions options;
        options.snapshot = snapshot;
        record.Reset();
        check(database_->db->Get(options, database_->db->DefaultColumnFamily(), key + '\x01', &record));
        Found found;
        MainVisitor main(found);
        parse(record, main);
        return found;
      },
      take);
}

}  // namespace autoshard::bench
