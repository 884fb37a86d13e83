#!/usr/bin/env bash
# exit_time_destructors.sh NM SOURCES ARCHIVE...: fails if the runtime has an object of static storage with a
# destructor. Such an object is destroyed at exit, perhaps before a mapper of static storage that still uses it. Objects
# of a thread are destroyed then, too; OfThread says so to those who come later. SOURCES is the folder of the sources of
# the archives. Any other thread_local in them must be a number or a pointer, which has no destructor: the archives do
# not tell the two objects of one file apart.
set -euo pipefail
nm=$1
sources=$2
shift 2
status=0
number='(const )?(std::u?int[0-9]+_t|bool|AffinityNumber) '
pointer='(const )?[A-Za-z0-9_:]+\* '
if grep -rnw thread_local --include='*.cpp' --include='*.h' "$sources" | grep -v '/of_thread\.h:' |
  grep -Ev "thread_local ($number|$pointer)"; then
  echo "these thread_local objects may have a destructor: make each an OfThread"
  status=1
fi
"$nm" --demangle "$@" 2> /dev/null | awk '
  function judge() {
    if (at_exit) { print member " has a static object that is destroyed at exit: make it a reference to one that is never destroyed"; bad = 1 }
    if (of_thread && !through_of_thread) { print member " has a thread_local object with a destructor: make it an OfThread"; bad = 1 }
    at_exit = of_thread = through_of_thread = 0
  }
  /\.o:$/ { judge(); member = substr($0, 1, length($0) - 1); members++ }
  / U (__cxa_atexit|atexit)$/ { at_exit = 1 }
  / U __cxa_thread_atexit$/ { of_thread = 1 }
  / guard variable for autoshard::detail::OfThread</ { through_of_thread = 1 }
  END { judge(); if (members < 50) { print "no archive of the runtime: " members " members"; bad = 1 } exit bad }' || status=1
exit $status
