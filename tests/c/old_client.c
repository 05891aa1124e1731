/* Built against the present library: it must go on with later ones (future.c). */
#include <lockstep.h>
#include <stdio.h>

int main(void) {
    printf("%s %s\n", lockstep_version(), lockstep_last_error());
    return 0;
}
