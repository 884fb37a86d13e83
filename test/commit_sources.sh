# Sourced in the root of the repository by scripts that measure the tests. It sets `files` to the sources that a commit
# depends on: the calls that save, erase and transact, combining, commits of entities, shard writing, marks, escrow,
# expiry, elements, indexes, keys, codec, records, and the paths of the stores that a commit takes. It leaves out a
# source that only builds with checks call.
shopt -s extglob
files=(
  runtime/include/autoshard/{codec,elements}.h runtime/include/autoshard/detail/{elements_run,expiry,index_type}.h
  runtime/src/{commit,coordination,entity,format,index_states,indexes,reading,records}/!(record_checks).{cpp,h}
  runtime/src/{sharding,strategies,updates,upkeep}/*.{cpp,h}
  runtime/src/state/{context,recent_records}.* runtime/src/query/{elements_run.cpp,index_walk.*}
  runtime/stores/memory/memory_store.cpp
  runtime/stores/rocksdb/{database,insert_hints,key_locks,removals,rocksdb_store,transaction}.cpp
  runtime/stores/rocksdb/{accesses,database,key_locks,removals}.h
  runtime/stores/rocksdb/disk/{free_space.cpp,log_failure.h,logs.cpp,open.cpp,wal_tail.cpp}
  runtime/stores/mysql/{commit,connection,database,pool,session,snapshot,steps,transaction}.cpp
  runtime/stores/mysql/{statement_limits,turns}.h runtime/src/mapper/{entity_transaction,erase,save}.cpp)
