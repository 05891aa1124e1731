/* Tests that threads that train, draw and search concurrently have the same results as when they run
   one after another. Prints only failures. */
#include <lockstep.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { edges = 600, vertices = 50, works = 8, turns = 5, name_bytes = 33 };

/* The run of a thread, and its results. */
typedef struct {
    const char* application; /* NULL: lockstep_fit */
    const char* options[8];
    lockstep_graph* graph;
    char alone[name_bytes], together[turns][name_bytes]; /* result hashes: serial, concurrent */
    int code; /* code of the last call that failed, or LOCKSTEP_OK */
    char error[256];
} Work;

static Work all[works] = {
    {.application = NULL, .options = {"rank=4", "seed=1", "device=cpu", "threads=2", NULL}},
    {.application = NULL, .options = {"rank=7", "seed=2", "device=cpu", "threads=2", "strategy=diag", NULL}},
    {.application = NULL, .options = {"rank=5", "solver=als", "device=cpu", "threads=2", NULL}},
    {.application = "layout", .options = {"sweeps=3", "device=cpu", "threads=2", NULL}},
    {.application = "layout", .options = {"sweeps=5", "dimensions=3", "device=cpu", "threads=2", NULL}},
    {.application = "sssp", .options = {"sources=3", "verify", "device=cpu", "threads=2", NULL}},
    {.application = "bfs", .options = {"source=7", "direction=pull", "strategy=best", "device=cpu", "threads=2", NULL}},
    {.application = "pagerank", .options = {"damping=0.5", "iterations=9", "device=cpu", "threads=2", NULL}},
};

static lockstep_graph* new_graph(const char* const* options) {
    static int64_t rows[edges], cols[edges];
    static float weights[edges];
    for (int i = 0; i < edges; ++i)
        rows[i] = i % vertices, cols[i] = (i * 7 + i / vertices) % vertices, weights[i] = (float)(1 + i % 5);
    const lockstep_array r = {rows, edges, 1, LOCKSTEP_INT64, 0}, c = {cols, edges, 1, LOCKSTEP_INT64, 0},
                         w = {weights, edges, 1, LOCKSTEP_FLOAT32, 0};
    lockstep_graph* graph = NULL;
    return lockstep_graph_new(&r, &c, &w, options, &graph) == LOCKSTEP_OK ? graph : NULL;
}

/* Copies the result_hash of a run to `hash`; keeps the code and the text of a failure. */
static void run(Work* work, char* hash) {
    lockstep_result* result = NULL;
    lockstep_model* model = NULL;
    const int code = work->application
                         ? lockstep_run(work->graph, work->application, work->options, NULL, NULL, &result)
                         : lockstep_fit(work->graph, work->options, NULL, NULL, &model, &result);
    const char* const key = "\"result_hash\":\"";
    const char* const found = code == LOCKSTEP_OK ? strstr(lockstep_result_json(result), key) : NULL;
    if (found)
        memcpy(hash, found + strlen(key), name_bytes - 1);
    else
        work->code = code ? code : LOCKSTEP_FAILED, snprintf(work->error, sizeof work->error, "%s", lockstep_last_error());
    lockstep_result_free(result);
    lockstep_model_free(model);
}

static void* run_turns(void* of) {
    Work* const work = of;
    for (int turn = 0; turn < turns; ++turn) run(work, work->together[turn]);
    return NULL;
}

int main(void) {
    const char* const square[] = {"shape=square", NULL};
    const char* const ratings[] = {NULL};
    lockstep_graph* const shared = new_graph(square); /* graph of all threads that run an application */
    for (int i = 0; i < works; ++i) {
        all[i].graph = all[i].application ? shared : new_graph(ratings);
        if (!all[i].graph) return 2;
        run(&all[i], all[i].alone);
    }
    pthread_t threads[works];
    for (int i = 0; i < works; ++i)
        if (pthread_create(&threads[i], NULL, run_turns, &all[i])) return 3;
    for (int i = 0; i < works; ++i) pthread_join(threads[i], NULL);

    int failures = 0;
    for (int i = 0; i < works; ++i) {
        const Work* const work = &all[i];
        if (work->code != LOCKSTEP_OK) ++failures, fprintf(stderr, "thread %d: code %d: %s\n", i, work->code, work->error);
        for (int turn = 0; turn < turns; ++turn)
            if (strcmp(work->alone, work->together[turn]))
                ++failures, fprintf(stderr, "thread %d, turn %d: %s, alone %s\n", i, turn, work->together[turn], work->alone);
        for (int other = 0; other < i; ++other) /* different runs must differ */
            if (!strcmp(work->alone, all[other].alone)) ++failures, fprintf(stderr, "%d and %d: %s\n", i, other, work->alone);
        if (!work->application) lockstep_graph_free(work->graph);
    }
    lockstep_graph_free(shared);
    return failures ? 1 : 0;
}
