/* A client that is linked with the present library. It must also run with later versions (future.c). */
#include <lockstep.h>
#include <stdio.h>

int main(void) {
    printf("%s %s\n", lockstep_version(), lockstep_last_error());
    return 0;
}
