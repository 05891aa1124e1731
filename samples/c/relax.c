/* Relaxes springs between neighbours of a ring. The edges are divided into sets in which no two edges
 * share a vertex; one set is processed after another.
 *
 *     cc -fopenmp relax.c -llockstep -o relax */
#include <lockstep.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
    if (code != LOCKSTEP_OK) fprintf(stderr, "%s\n", lockstep_last_error()), exit(code);
}

int main(void) {
    enum { vertices = 1000 };
    static int32_t first[vertices], second[vertices];
    static double x[vertices];
    for (int i = 0; i < vertices; ++i) first[i] = i, second[i] = (i + 1) % vertices, x[i] = i * i % 17;

    const lockstep_array ends[2] = {{first, vertices, 1, LOCKSTEP_INT32, 0}, {second, vertices, 1, LOCKSTEP_INT32, 0}};
    const char* const one_set[] = {"ends=vertices", NULL};
    lockstep_graph* graph;
    lockstep_result* batches;
    lockstep_array order, offsets;
    check(lockstep_graph_new(&ends[0], &ends[1], NULL, one_set, &graph));
    check(lockstep_schedule(graph, "agm-e", NULL, NULL, NULL));
    check(lockstep_batches(graph, "agm-e", &batches));
    check(lockstep_result_array(batches, "order", &order));
    check(lockstep_result_array(batches, "offsets", &offsets));

    const uint64_t *edge = order.data, *begin = offsets.data;
    for (int sweep = 0; sweep < 100; ++sweep)
        for (uint64_t set = 0; set + 1 < offsets.rows; ++set) {
#pragma omp parallel for
            for (uint64_t i = begin[set]; i < begin[set + 1]; ++i) {
                double *a = &x[first[edge[i]]], *b = &x[second[edge[i]]], middle = (*a + *b) / 2;
                *a = *b = middle;
            }
        }
    printf("%d springs in %d sets; x[0] is %.15g\n", vertices, (int)offsets.rows - 1, x[0]);
    lockstep_result_free(batches);
    lockstep_graph_free(graph);
    return 0;
}
