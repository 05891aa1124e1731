/* Stands for a library of a later version. Its lockstep_version has another meaning; clients that were
   linked with an earlier version still get the old function. */
const char* lockstep_version_old(void) { return "as before"; }
const char* lockstep_version_new(void) { return "another meaning"; }
const char* lockstep_last_error(void) { return "the same"; }
__asm__(".symver lockstep_version_old, lockstep_version@LOCKSTEP_0.1");
__asm__(".symver lockstep_version_new, lockstep_version@@LOCKSTEP_0.2");
