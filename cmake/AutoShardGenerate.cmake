# autoshard_generate(TARGET <target> HEADERS <header>... [ROOT <folder>])
#
# Generates the companion classes of the annotated <header>s for <target>: `question.h` becomes
# `question.autoshard.h`, below the build folder, in an include folder that <target> searches.
# A header below ROOT (by default the current source folder) keeps its subfolder, so that
# `#include "model/question.h"` becomes `#include "model/question.autoshard.h"`.
#
# <target> is linked to AutoShard::runtime, and its compiler is told to be quiet about the attributes.
# The generator runs again when a header, anything that it includes, or the generator itself changes; the target
# is compiled again only where the generated text changed.
function(autoshard_generate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;ROOT" "HEADERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "autoshard_generate: unknown argument '${arg_UNPARSED_ARGUMENTS}'; "
                        "use autoshard_generate(TARGET <target> HEADERS <header>... [ROOT <folder>])")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "autoshard_generate: TARGET '${arg_TARGET}' does not exist; call add_executable or "
                        "add_library before")
  endif()
  if(NOT arg_HEADERS)
    message(FATAL_ERROR "autoshard_generate: no HEADERS given for ${arg_TARGET}")
  endif()
  if(NOT TARGET AutoShard::autoshard)
    message(FATAL_ERROR "autoshard_generate: there is no generator; build AutoShard with AUTOSHARD_BUILD_TOOL=ON "
                        "or set AUTOSHARD_EXECUTABLE to one")
  endif()
  get_target_property(already ${arg_TARGET} AUTOSHARD_HEADERS)
  if(already)
    message(FATAL_ERROR "autoshard_generate: ${arg_TARGET} has been set up before; name all its headers in one call")
  endif()
  if(NOT arg_ROOT)
    set(arg_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH arg_ROOT BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/autoshard/${arg_TARGET})
  set(stamp ${folder}/generated.stamp)

  set(headers)
  set(source_folders)
  set(generated)
  foreach(header IN LISTS arg_HEADERS)
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT EXISTS ${header})
      message(FATAL_ERROR "autoshard_generate: ${header} does not exist")
    endif()
    list(APPEND headers ${header})
    cmake_path(GET header PARENT_PATH source_folder)
    list(APPEND source_folders ${source_folder})
    cmake_path(IS_PREFIX arg_ROOT ${header} NORMALIZE below_root)
    if(below_root)
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${arg_ROOT} OUTPUT_VARIABLE output)
    else()
      cmake_path(GET header FILENAME output)
    endif()
    cmake_path(GET output EXTENSION LAST_ONLY extension)
    cmake_path(REPLACE_EXTENSION output LAST_ONLY .autoshard${extension})
    list(APPEND generated ${folder}/include/${output})
  endforeach()
  list(REMOVE_DUPLICATES source_folders)

  _autoshard_compiler_flags(flags ${arg_TARGET})
  set_target_properties(${arg_TARGET} PROPERTIES
    AUTOSHARD_HEADERS "${headers}" AUTOSHARD_ROOT "${arg_ROOT}" AUTOSHARD_FLAGS "${flags}")
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${generated}
    COMMAND AutoShard::autoshard -o ${folder}/include --root=${arg_ROOT}
            --depfile=${stamp}.d --depfile-target=${stamp} ${headers} -- ${flags}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS AutoShard::autoshard ${headers}
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
  target_sources(${arg_TARGET} PRIVATE ${stamp})
  target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${folder}/include>")
  # A header's own `#include "…"` of its neighbours is found from the generated form, too.
  foreach(source_folder IN LISTS source_folders)
    target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${source_folder}>")
  endforeach()
  target_compile_options(${arg_TARGET} ${scope}
    $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-attributes=autoshard::>>
    $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-unknown-attributes>>)
  target_link_libraries(${arg_TARGET} ${scope} AutoShard::runtime)
endfunction()

# autoshard_add_law_tests(TARGET <target>)
#
# After autoshard_generate of the same <target>: adds a test program <target>_law_tests, which tries everything that the
# annotations promise on random values, and registers its tests with CTest. AUTOSHARD_TEST_SEED repeats a run.
# It sees what <target> sees. A library is linked to it; of an executable it gets what that links.
function(autoshard_add_law_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGET)
    message(FATAL_ERROR "autoshard_add_law_tests: use autoshard_add_law_tests(TARGET <target>)")
  endif()
  get_target_property(headers ${arg_TARGET} AUTOSHARD_HEADERS)
  if(NOT headers)
    message(FATAL_ERROR "autoshard_add_law_tests: call autoshard_generate(TARGET ${arg_TARGET} …) before")
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)

  get_target_property(root ${arg_TARGET} AUTOSHARD_ROOT)
  get_target_property(flags ${arg_TARGET} AUTOSHARD_FLAGS)
  get_target_property(type ${arg_TARGET} TYPE)
  set(tests ${arg_TARGET}_law_tests)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/autoshard/${arg_TARGET}/${tests}.cpp)
  add_custom_command(
    OUTPUT ${source}.stamp
    BYPRODUCTS ${source}
    COMMAND AutoShard::autoshard --law-tests=${source} --root=${root}
            --depfile=${source}.d --depfile-target=${source}.stamp ${headers} -- ${flags}
    COMMAND ${CMAKE_COMMAND} -E touch ${source}.stamp
    DEPENDS AutoShard::autoshard ${headers}
    DEPFILE ${source}.d
    COMMENT "Generating law tests for ${arg_TARGET}"
    COMMAND_EXPAND_LISTS VERBATIM)

  add_executable(${tests} ${source} ${source}.stamp)
  add_dependencies(${tests} ${arg_TARGET})
  if(type STREQUAL "EXECUTABLE")
    target_include_directories(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>)
    target_link_libraries(${tests} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},LINK_LIBRARIES>)
  else()
    target_link_libraries(${tests} PRIVATE ${arg_TARGET})
  endif()
  target_compile_options(${tests} PRIVATE "$<FILTER:$<TARGET_PROPERTY:${arg_TARGET},COMPILE_OPTIONS>,INCLUDE,^-(D|U|I)>")
  target_compile_features(${tests} PRIVATE cxx_std_20)
  target_link_libraries(${tests} PRIVATE AutoShard::runtime GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${tests} TEST_PREFIX ${tests}. DISCOVERY_MODE PRE_TEST)
endfunction()

# What of <target>'s compiler flags decides how its headers are read: standard, include folders, macros.
function(_autoshard_compiler_flags result target)
  # The runtime asks for C++20 at least, whatever else the target says.
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  set(features $<TARGET_PROPERTY:${target},COMPILE_FEATURES>)
  set(flags "-std=c++20")
  foreach(newer IN ITEMS 23 26)
    set(asked "$<OR:$<STREQUAL:${standard},${newer}>,$<IN_LIST:cxx_std_${newer},${features}>>")
    list(APPEND flags "$<${asked}:-std=c++${newer}>")
  endforeach()

  foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    set(values "$<REMOVE_DUPLICATES:$<FILTER:$<TARGET_PROPERTY:${target},${property}>,EXCLUDE,^$>>")
    set(option $<IF:$<STREQUAL:${property},COMPILE_DEFINITIONS>,-D,-I>)
    list(APPEND flags "$<$<BOOL:${values}>:${option}$<JOIN:${values},$<SEMICOLON>${option}>>")
  endforeach()
  list(APPEND flags "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-(D|U|I|std=)>")

  # Flags of the whole build, such as -DNDEBUG, which `#if` in a header may ask for.
  set(configurations ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(REMOVE_DUPLICATES configurations)
  separate_arguments(common NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  list(FILTER common INCLUDE REGEX "^-[DUI]")
  list(APPEND flags ${common})
  foreach(configuration IN LISTS configurations)
    string(TOUPPER ${configuration} upper)
    separate_arguments(own NATIVE_COMMAND "${CMAKE_CXX_FLAGS_${upper}}")
    list(FILTER own INCLUDE REGEX "^-[DUI]")
    foreach(flag IN LISTS own)
      list(APPEND flags "$<$<CONFIG:${configuration}>:${flag}>")
    endforeach()
  endforeach()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()
