# Warnings, sanitizers and reproducible floating point for every target of the project:
#   lockstep_target(<target>)

function(lockstep_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Contraction would let the compiler fuse multiplications and additions that the operators keep
  # apart: CPU and GPU agree bit for bit only when every fma is written out.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-restrict -ffp-contract=off>)
  if(LOCKSTEP_UNITY)  # g++ takes the files that such a unit includes for headers
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
  if(LOCKSTEP_SANITIZE)
    target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
