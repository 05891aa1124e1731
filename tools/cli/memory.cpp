// The allocator of the programs: jemalloc if it is available. Arrays of gigabytes are touched once or
// scattered into. With 4 kB pages both are bound by page faults and TLB misses instead of memory bandwidth,
// so huge pages are used. Freed arrays are kept for later ones, since the kernel would have to clear their
// pages again.
#include "memory.hpp"

#ifdef LOCKSTEP_JEMALLOC
#include <jemalloc/jemalloc.h>

extern "C" const char* malloc_conf;
const char* malloc_conf = "thp:always,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0";

void lockstep::cli::release_free_memory() {
    mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // 4096: all arenas
}
#else
void lockstep::cli::release_free_memory() {}
#endif
