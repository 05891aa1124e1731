# Warnings, sanitizers and reproducible floating point for every target of the project:
#   lockstep_target(<target>)

if(LOCKSTEP_FUZZ)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }" LOCKSTEP_HAS_LIBFUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT LOCKSTEP_HAS_LIBFUZZER)
    message(FATAL_ERROR "LOCKSTEP_FUZZ=ON, but ${CMAKE_CXX_COMPILER} has no libFuzzer: tools/install-packages.sh --fuzz installs "
                        "clang's, cmake --preset fuzz chooses it")
  endif()
  set(LOCKSTEP_SANITIZE ON)
endif()

if(LOCKSTEP_TSAN AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "LOCKSTEP_TSAN=ON needs clang: ThreadSanitizer takes the barriers of GCC's OpenMP for none "
                      "(tools/install-packages.sh --fuzz installs clang, cmake --preset tsan chooses it)")
endif()

function(lockstep_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Contraction would let the compiler fuse multiplications and additions that the operators separate. CPU and
  # GPU give bitwise identical results only if every fma is explicit in the source.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  # GCC treats the files that a unity source includes as headers. Its garbage collection takes 6 % of the
  # time.
  if(LOCKSTEP_UNITY)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=400 --param ggc-min-heapsize=524288>")
  endif()
  if(LOCKSTEP_SANITIZE)
    target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(LOCKSTEP_TSAN)
    target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=thread -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  endif()
  if(LOCKSTEP_FUZZ)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endfunction()
