# autoshard_generate(TARGET <target> HEADERS <header>... [SOURCES <source>...] [ROOT <folder>] [DROP_IN]
#                    [DISABLE <tag>...])
# autoshard_generate(TARGET <target> PLUGIN [DISABLE <tag>...])
#
# HEADERS: the build step, for every compiler.
#
# Generates the companion classes of the annotated <header>s for <target>: `question.h` becomes
# `question.autoshard.h`, below the build folder, in an include folder that <target> searches.
# A header below ROOT (by default the current source folder) keeps its subfolder, so that
# `#include "model/question.h"` becomes `#include "model/question.autoshard.h"`.
#
# Of a header without annotations, the generated form includes the original. The headers of an interface library are
# read with what <target> gives to its users.
#
# SOURCES are those that define methods of the annotated classes. The generated form of each, which includes the
# generated headers, takes its place among the sources of <target>.
#
# With DROP_IN, generated headers keep their names, and their folder is searched before all others: sources that find
# the headers in an include folder need no change. (One that stands beside a header, and includes it in quotes, finds
# the original first.)
#
# A build fails where <target> and the targets that it links have two classes of one kind in generated headers: it is
# looked for before <target> is linked, if that was added in the same folder.
#
# <target> is linked to AutoShard::runtime, and its compiler is told to be quiet about the attributes. Link
# AutoShard::rocksdb and other components yourself.
# The generator runs again when a header, anything that it includes, or the generator itself changes; the target
# is compiled again only where the generated text changed.
#
# DISABLE names the rules that are not reported, as `--disable=<tag>` does.
#
# PLUGIN: annotated classes in any file of <target> are rewritten in memory while Clang compiles it, which must be of
# the major version that AutoShard was built with. Whatever links to <target> is compiled so as well.
function(autoshard_generate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "DROP_IN;PLUGIN" "TARGET;ROOT" "HEADERS;SOURCES;DISABLE")
  if(arg_UNPARSED_ARGUMENTS OR (arg_PLUGIN AND (arg_HEADERS OR arg_SOURCES OR arg_ROOT OR arg_DROP_IN)))
    message(FATAL_ERROR "autoshard_generate: cannot make sense of '${ARGN}'; use autoshard_generate("
                        "TARGET <target> HEADERS <header>... [SOURCES <source>...] [ROOT <folder>] [DROP_IN] "
                        "[DISABLE <tag>...]) or autoshard_generate(TARGET <target> PLUGIN [DISABLE <tag>...])")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "autoshard_generate: TARGET '${arg_TARGET}' does not exist; call add_executable or "
                        "add_library before")
  endif()
  if(arg_PLUGIN)
    set_target_properties(${arg_TARGET} PROPERTIES AUTOSHARD_DISABLED "${arg_DISABLE}")
    _autoshard_use_plugin(${arg_TARGET} ${arg_DISABLE})
    return()
  endif()
  if(NOT arg_HEADERS)
    message(FATAL_ERROR "autoshard_generate: no HEADERS given for ${arg_TARGET}, nor PLUGIN")
  endif()
  if(NOT TARGET AutoShard::autoshard)
    message(FATAL_ERROR "autoshard_generate: there is no generator; build AutoShard with AUTOSHARD_BUILD_TOOL=ON "
                        "or set AUTOSHARD_EXECUTABLE to one")
  endif()
  get_target_property(already ${arg_TARGET} AUTOSHARD_HEADERS)
  get_target_property(has_plugin ${arg_TARGET} AUTOSHARD_PLUGIN)
  if(already OR has_plugin)
    message(FATAL_ERROR "autoshard_generate: ${arg_TARGET} has been set up before; name all its headers in one call")
  endif()
  if(NOT arg_ROOT)
    set(arg_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH arg_ROOT BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/autoshard/${arg_TARGET})
  set(stamp ${folder}/generated.stamp)

  list(TRANSFORM arg_DISABLE PREPEND --disable= OUTPUT_VARIABLE options)
  if(arg_DROP_IN)
    list(APPEND options --drop-in)
  endif()
  set(headers)
  set(sources)
  set(source_folders)
  set(generated)
  set(generated_sources)
  foreach(file IN LISTS arg_HEADERS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "autoshard_generate: ${path} does not exist")
    endif()
    cmake_path(GET path PARENT_PATH source_folder)
    list(APPEND source_folders ${source_folder})
    cmake_path(IS_PREFIX arg_ROOT ${path} NORMALIZE below_root)
    if(below_root)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${arg_ROOT} OUTPUT_VARIABLE output)
    else()
      cmake_path(GET path FILENAME output)
    endif()
    cmake_path(GET output EXTENSION LAST_ONLY extension)
    if(file IN_LIST arg_SOURCES)
      cmake_path(REPLACE_EXTENSION output LAST_ONLY .autoshard${extension})
      list(APPEND sources ${path})
      list(APPEND options --source=${path})
      list(APPEND generated_sources ${folder}/include/${output})
    else()
      if(NOT arg_DROP_IN)
        cmake_path(REPLACE_EXTENSION output LAST_ONLY .autoshard${extension})
      endif()
      list(APPEND headers ${path})
      list(APPEND generated ${folder}/include/${output})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES source_folders)

  _autoshard_compiler_flags(flags ${arg_TARGET} ${folder}/include)
  string(SUBSTRING ${flags} 1 -1 flags_file)
  set_target_properties(${arg_TARGET} PROPERTIES
    AUTOSHARD_HEADERS "${headers}" AUTOSHARD_SOURCES "${sources}" AUTOSHARD_GENERATED_SOURCES "${generated_sources}"
    AUTOSHARD_ROOT "${arg_ROOT}" AUTOSHARD_OPTIONS "${options}" AUTOSHARD_FLAGS "${flags}")
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${generated} ${generated_sources} ${folder}/kinds.json
    COMMAND AutoShard::autoshard -o ${folder}/include --root=${arg_ROOT} ${options}
            $<$<BOOL:$<TARGET_PROPERTY:${arg_TARGET},AUTOSHARD_LAW_TESTS>>:--laws-are-tested> --kinds=${folder}/kinds.json
            --depfile=${stamp}.d --depfile-target=${stamp} ${headers} -- ${flags}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS AutoShard::autoshard ${headers} ${sources} ${flags_file}
    DEPFILE ${stamp}.d
    COMMENT "Generating companion classes for ${arg_TARGET}"
    COMMAND_EXPAND_LISTS VERBATIM)
  # The folder must be there before the first build: the target names it.
  file(MAKE_DIRECTORY ${folder}/include)

  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  else()
    set(scope PUBLIC)
  endif()
  _autoshard_replace_sources(${arg_TARGET} "${sources}" "${generated_sources}")
  target_sources(${arg_TARGET} PRIVATE ${stamp})
  target_include_directories(${arg_TARGET} BEFORE ${scope} "$<BUILD_INTERFACE:${folder}/include>")
  # A header's own `#include "…"` of its neighbours is found from the generated form, too.
  foreach(source_folder IN LISTS source_folders)
    target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${source_folder}>")
  endforeach()
  target_compile_options(${arg_TARGET} ${scope}
    $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-attributes=autoshard::>>
    $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-unknown-attributes>>)
  target_link_libraries(${arg_TARGET} ${scope} AutoShard::runtime)
  _autoshard_check_kinds(${arg_TARGET})
endfunction()

set(_autoshard_check_kinds_script ${CMAKE_CURRENT_LIST_DIR}/AutoShardCheckKinds.cmake CACHE INTERNAL "")

# A target that links others has the include folders of their generated headers. Their kinds stand beside these.
function(_autoshard_check_kinds target)
  get_target_property(type ${target} TYPE)
  get_target_property(folder ${target} SOURCE_DIR)
  if(type MATCHES "^(INTERFACE|OBJECT)_LIBRARY$" OR NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    return()
  endif()
  add_custom_command(
    TARGET ${target} PRE_LINK
    COMMAND ${CMAKE_COMMAND} -DTARGET=${target} "-DFOLDERS=$<JOIN:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,|>"
            -P ${_autoshard_check_kinds_script}
    VERBATIM)
endfunction()

# autoshard_generate(TARGET <target> PLUGIN [DISABLE <tag>...]): arguments behind the target are the tags.
function(_autoshard_use_plugin target)
  if(NOT TARGET AutoShard::plugin)
    message(FATAL_ERROR "autoshard_generate: there is no plugin; build AutoShard with AUTOSHARD_BUILD_TOOL=ON")
  endif()
  get_target_property(version AutoShard::plugin AUTOSHARD_CLANG_VERSION)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^${version}\\.")
    message(FATAL_ERROR "autoshard_generate: the plugin is for Clang ${version}, and ${target} is compiled with "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; configure with "
                        "-DCMAKE_CXX_COMPILER=clang++-${version}, or use the build step, which suits every compiler: "
                        "autoshard_generate(TARGET ${target} HEADERS <header>...)")
  endif()
  get_target_property(headers ${target} AUTOSHARD_HEADERS)
  if(headers)
    message(FATAL_ERROR "autoshard_generate: ${target} has HEADERS already; use the build step or the PLUGIN")
  endif()
  set_target_properties(${target} PROPERTIES AUTOSHARD_PLUGIN TRUE)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  else()
    set(scope PUBLIC)
    add_dependencies(${target} AutoShard::plugin)
  endif()
  # Another plugin is a reason to compile again. Tools that follow the compiler's flags without its plugins, such as
  # clangd, do not know the attributes.
  set(plugin $<TARGET_FILE:AutoShard::plugin>)
  list(TRANSFORM ARGN PREPEND -fplugin-arg-autoshard-disable= OUTPUT_VARIABLE disabled)
  foreach(option IN ITEMS -fplugin=${plugin} "SHELL:-Xclang -fdepfile-entry=${plugin}" -Wno-unknown-attributes
                       "$<$<BOOL:$<TARGET_PROPERTY:${target},AUTOSHARD_LAW_TESTS>>:-fplugin-arg-autoshard-laws-are-tested>"
                 LISTS disabled)
    target_compile_options(${target} ${scope} "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${option}>>")
  endforeach()
  target_link_libraries(${target} ${scope} AutoShard::runtime)
endfunction()

# autoshard_add_law_tests(TARGET <target> [HEADERS <header>... [SOURCES <source>...]])
#
# After autoshard_generate of the same <target>: adds a test program <target>_law_tests, which tries everything that the
# annotations promise on random values, and registers its tests with CTest. AUTOSHARD_TEST_SEED repeats a run.
# HEADERS are the annotated ones, and SOURCES those that define methods of their classes, where <target> is compiled with
# the plugin and has not been told.
# It sees what <target> sees. A library is linked to it; of an executable it gets what that links, and its SOURCES.
function(autoshard_add_law_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "HEADERS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGET)
    message(FATAL_ERROR "autoshard_add_law_tests: use autoshard_add_law_tests("
                        "TARGET <target> [HEADERS <header>... [SOURCES <source>...]])")
  endif()
  get_target_property(headers ${arg_TARGET} AUTOSHARD_HEADERS)
  get_target_property(has_plugin ${arg_TARGET} AUTOSHARD_PLUGIN)
  if(NOT headers AND NOT has_plugin)
    message(FATAL_ERROR "autoshard_add_law_tests: call autoshard_generate(TARGET ${arg_TARGET} …) before")
  elseif(has_plugin AND NOT arg_HEADERS)
    message(FATAL_ERROR "autoshard_add_law_tests: name the annotated HEADERS, which the plugin finds only while it compiles")
  elseif(NOT has_plugin AND (arg_HEADERS OR arg_SOURCES))
    message(FATAL_ERROR "autoshard_add_law_tests: HEADERS and SOURCES are those of autoshard_generate(TARGET ${arg_TARGET} …)")
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # The generator need not warn of laws that it cannot prove.
  set_target_properties(${arg_TARGET} PROPERTIES AUTOSHARD_LAW_TESTS TRUE)

  get_target_property(sources ${arg_TARGET} AUTOSHARD_SOURCES)
  get_target_property(definitions ${arg_TARGET} AUTOSHARD_GENERATED_SOURCES)
  get_target_property(options ${arg_TARGET} AUTOSHARD_OPTIONS)
  get_target_property(root ${arg_TARGET} AUTOSHARD_ROOT)
  get_target_property(flags ${arg_TARGET} AUTOSHARD_FLAGS)
  get_target_property(type ${arg_TARGET} TYPE)
  if(has_plugin)
    set(root ${CMAKE_CURRENT_SOURCE_DIR})
    list(TRANSFORM arg_HEADERS PREPEND ${root}/ REGEX "^[^/]" OUTPUT_VARIABLE headers)
    list(TRANSFORM arg_SOURCES PREPEND ${root}/ REGEX "^[^/]" OUTPUT_VARIABLE sources)
    set(definitions ${sources})
    list(TRANSFORM sources PREPEND --source= OUTPUT_VARIABLE options)
    get_target_property(disabled ${arg_TARGET} AUTOSHARD_DISABLED)
    list(TRANSFORM disabled PREPEND --disable= OUTPUT_VARIABLE disable_options)
    list(APPEND options ${disable_options})
    _autoshard_compiler_flags(flags ${arg_TARGET} "")
  endif()
  string(SUBSTRING ${flags} 1 -1 flags_file)
  set(tests ${arg_TARGET}_law_tests)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/autoshard/${arg_TARGET}/${tests}.cpp)
  add_custom_command(
    OUTPUT ${source}.stamp
    BYPRODUCTS ${source}
    COMMAND AutoShard::autoshard --law-tests=${source} --root=${root} ${options}
            --depfile=${source}.d --depfile-target=${source}.stamp ${headers} -- ${flags}
    COMMAND ${CMAKE_COMMAND} -E touch ${source}.stamp
    DEPENDS AutoShard::autoshard ${headers} ${sources} ${flags_file}
    DEPFILE ${source}.d
    COMMENT "Generating law tests for ${arg_TARGET}"
    COMMAND_EXPAND_LISTS VERBATIM)

  add_executable(${tests} ${source} ${source}.stamp)
  add_dependencies(${tests} ${arg_TARGET})
  if(type STREQUAL "EXECUTABLE")
    if(definitions)
      target_sources(${tests} PRIVATE ${definitions})
    endif()
    target_include_directories(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>)
    target_link_libraries(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},LINK_LIBRARIES>)
  else()
    target_link_libraries(${tests} PRIVATE ${arg_TARGET})
  endif()
  target_compile_options(${tests} PRIVATE "$<FILTER:$<TARGET_PROPERTY:${arg_TARGET},COMPILE_OPTIONS>,INCLUDE,${_autoshard_reading_options}>")
  target_compile_features(${tests} PRIVATE cxx_std_20)
  target_link_libraries(${tests} PRIVATE AutoShard::runtime GTest::gtest GTest::gtest_main)
  if(has_plugin)
    target_include_directories(${tests} PRIVATE ${root})
    if(type STREQUAL "EXECUTABLE")
      _autoshard_use_plugin(${tests} ${disabled})
    endif()
  endif()
  gtest_discover_tests(${tests} TEST_PREFIX ${tests}. DISCOVERY_MODE PRE_TEST)
endfunction()

# Puts the generated sources into <target> in place of the original ones.
function(_autoshard_replace_sources target originals generated)
  get_target_property(base ${target} SOURCE_DIR)
  get_target_property(listed ${target} SOURCES)
  set(kept)
  foreach(entry IN LISTS listed)
    cmake_path(ABSOLUTE_PATH entry BASE_DIRECTORY ${base} NORMALIZE OUTPUT_VARIABLE path)
    if(entry AND NOT path IN_LIST originals)
      list(APPEND kept ${entry})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${kept}")
  target_sources(${target} PRIVATE ${generated})
endfunction()

# The compiler's options that decide how a header is read. One that takes an argument stands in one item with it, as in
# `SHELL:-include first.h`. (A function sees this only where it is a property of the build, not of a folder.)
set(_autoshard_reading_options "^(SHELL:)?-(D|U|I|(include|isystem|iquote|idirafter)[ /=.A-Za-z0-9_])" CACHE INTERNAL "")

# What of <target>'s compiler flags decides how its headers are read: standard, include folders, macros. The headers
# themselves must be found, not what is generated from them into the folder <generated>. They go into a file, because
# a command has no language that `$<COMPILE_LANGUAGE:…>` could ask for; <result> is the argument that names it.
function(_autoshard_compiler_flags result target generated)
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" own "${generated}")
  # An interface library compiles nothing itself: its headers are read as by those that link it.
  get_target_property(type ${target} TYPE)
  set(interface)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(interface INTERFACE_)
  endif()
  # The runtime asks for C++20 at least, whatever else the target says.
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  set(features $<TARGET_PROPERTY:${target},${interface}COMPILE_FEATURES>)
  set(flags "-std=c++20")
  foreach(newer IN ITEMS 23 26)
    set(asked "$<OR:$<STREQUAL:${standard},${newer}>,$<IN_LIST:cxx_std_${newer},${features}>>")
    list(APPEND flags "$<${asked}:-std=c++${newer}>")
  endforeach()

  foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    set(values "$<FILTER:$<TARGET_PROPERTY:${target},${interface}${property}>,EXCLUDE,^(${own})?$>")
    set(values "$<REMOVE_DUPLICATES:${values}>")
    set(option $<IF:$<STREQUAL:${property},COMPILE_DEFINITIONS>,-D,-I>)
    list(APPEND flags "$<$<BOOL:${values}>:${option}$<JOIN:${values},$<SEMICOLON>${option}>>")
  endforeach()
  list(APPEND flags "$<FILTER:$<TARGET_PROPERTY:${target},${interface}COMPILE_OPTIONS>,INCLUDE,^-std=|${_autoshard_reading_options}>")

  # Flags of the whole build, such as -DNDEBUG, which `#if` in a header may ask for.
  set(configurations ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(REMOVE_DUPLICATES configurations)
  _autoshard_reading_flags(common "${CMAKE_CXX_FLAGS}")
  list(APPEND flags ${common})
  foreach(configuration IN LISTS configurations)
    string(TOUPPER ${configuration} upper)
    _autoshard_reading_flags(own "${CMAKE_CXX_FLAGS_${upper}}")
    foreach(flag IN LISTS own)
      list(APPEND flags "$<$<CONFIG:${configuration}>:${flag}>")
    endforeach()
  endforeach()

  set(file ${CMAKE_CURRENT_BINARY_DIR}/autoshard/${target}/flags-$<CONFIG>)
  file(GENERATE OUTPUT ${file}-$<COMPILE_LANGUAGE> CONTENT "$<JOIN:${flags},\n>\n" TARGET ${target})
  set(${result} @${file}-CXX PARENT_SCOPE)
endfunction()

# Those of <flags>, a command line, that decide how a header is read.
function(_autoshard_reading_flags result flags)
  separate_arguments(all NATIVE_COMMAND "${flags}")
  set(kept)
  set(takes_next FALSE)
  foreach(flag IN LISTS all)
    if(takes_next)
      list(APPEND kept ${flag})
      set(takes_next FALSE)
    elseif(flag MATCHES "^-(D|U|I|include|isystem|iquote|idirafter)$")
      list(APPEND kept ${flag})
      set(takes_next TRUE)
    elseif(flag MATCHES "^-(D|U|I|include|isystem|iquote|idirafter)")
      list(APPEND kept ${flag})
    endif()
  endforeach()
  # They become part of generator expressions.
  string(REPLACE ">" "$<ANGLE-R>" kept "${kept}")
  string(REPLACE "," "$<COMMA>" kept "${kept}")
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()
