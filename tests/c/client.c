/* A client in plain C. It calls every function with valid arguments and with arguments that it must refuse.
   Prints only failures. */
#include <lockstep.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

static void expect(int good, const char* what, int line) {
    ++checks;
    if (good) return;
    ++failures;
    fprintf(stderr, "line %d: %s (last error: %s)\n", line, what, lockstep_last_error());
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
/* Expects that the call returns this code, and that the error text contains these words. */
#define REFUSED(call, code, words) \
    expect((call) == (code) && strstr(lockstep_last_error(), words) != NULL, #call " is refused as " #code ": " words, __LINE__)

enum { edges = 300, users = 40, items = 20 };
static int64_t rows[edges], cols[edges];
static float weights[edges];

static lockstep_array of(void* data, uint64_t size, int type) {
    const lockstep_array array = {data, size, 1, type, 0};
    return array;
}

static int stop_at_two(void* heard, const char* note, uint64_t done, uint64_t total) {
    (void)total;
    ++*(int*)heard;
    return note == NULL && done == 2;
}

static lockstep_graph* made(const char* const* options) {
    const lockstep_array r = of(rows, edges, LOCKSTEP_INT64), c = of(cols, edges, LOCKSTEP_INT64),
                         w = of(weights, edges, LOCKSTEP_FLOAT32);
    lockstep_graph* graph = NULL;
    EXPECT(lockstep_graph_new(&r, &c, &w, options, &graph) == LOCKSTEP_OK && graph);
    return graph;
}

static void graphs(const char* folder) {
    const lockstep_array r = of(rows, edges, LOCKSTEP_INT64), c = of(cols, edges, LOCKSTEP_INT64);
    lockstep_array wrong = r;
    lockstep_graph* graph = (lockstep_graph*)1;
    const char* const none[] = {"nothing=1", NULL};
    const char* const dash[] = {"--ends", NULL};
    REFUSED(lockstep_graph_new(NULL, &c, NULL, NULL, &graph), LOCKSTEP_USAGE, "rows is NULL");
    EXPECT(graph == NULL);
    REFUSED(lockstep_graph_new(&r, &c, NULL, NULL, NULL), LOCKSTEP_USAGE, "graph is NULL");
    REFUSED(lockstep_graph_new(&r, &c, NULL, none, &graph), LOCKSTEP_USAGE, "nothing");
    REFUSED(lockstep_graph_new(&r, &c, NULL, dash, &graph), LOCKSTEP_USAGE, "NAME=VALUE");
    wrong.rows = edges - 1;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "expected arrays of equal length");
    wrong = r, wrong.type = LOCKSTEP_FLOAT64;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "whole numbers");
    wrong = r, wrong.type = 77;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "type 77");
    wrong = r, wrong.columns = 2;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "2 columns");
    wrong = r, wrong.data = NULL;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "no data");
    wrong = r, wrong.device = 1;
    REFUSED(lockstep_graph_new(&wrong, &c, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "GPU");
    int64_t negative = -5;
    wrong = of(&negative, 1, LOCKSTEP_INT64);
    REFUSED(lockstep_graph_new(&wrong, &wrong, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "-5");
    float infinite = INFINITY;
    const lockstep_array w = of(&infinite, 1, LOCKSTEP_FLOAT32), one = of(rows, 1, LOCKSTEP_INT64);
    REFUSED(lockstep_graph_new(&one, &one, &w, NULL, &graph), LOCKSTEP_BAD_INPUT, "entry 0");
    int64_t far = 2147483647;
    wrong = of(&far, 1, LOCKSTEP_INT64);
    REFUSED(lockstep_graph_new(&wrong, &one, NULL, NULL, &graph), LOCKSTEP_BAD_INPUT, "2147483648 vertices for 1 edges");
    REFUSED(lockstep_graph_new_timed(&r, &c, NULL, &one, NULL, &graph), LOCKSTEP_BAD_INPUT, "1 times for 300 edges");
    EXPECT(graph == NULL);
    REFUSED(lockstep_graph_read("/nowhere", NULL, &graph), LOCKSTEP_BAD_INPUT, "/nowhere");

    graph = made(NULL);
    lockstep_result* about = NULL;
    EXPECT(lockstep_graph_info(graph, &about) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(about), "\"edges\":300") != NULL);
    lockstep_array ids;
    EXPECT(lockstep_result_array(about, "row_ids", &ids) == LOCKSTEP_OK && ids.rows == users && ((int64_t*)ids.data)[3] == 3);
    REFUSED(lockstep_result_array(about, "x", &ids), LOCKSTEP_BAD_INPUT, "row_ids");
    lockstep_result_free(about);

    char path[4096], again[4096];
    snprintf(path, sizeof path, "%s/g.h5", folder), snprintf(again, sizeof again, "%s/no/g.h5", folder);
    EXPECT(lockstep_schedule(graph, "agm-e", NULL, NULL, NULL) == LOCKSTEP_OK);
    EXPECT(lockstep_graph_write(graph, path, NULL) == LOCKSTEP_OK);
    REFUSED(lockstep_graph_write(graph, path, NULL), LOCKSTEP_OUTPUT, "force");
    REFUSED(lockstep_graph_write(graph, again, NULL), LOCKSTEP_OUTPUT, "g.h5");
    lockstep_graph* read = NULL;
    EXPECT(lockstep_graph_read(path, NULL, &read) == LOCKSTEP_OK && lockstep_verify(read, "agm-e") == LOCKSTEP_OK);
    lockstep_graph_free(read);
    char texts[] = "abc";
    uint64_t offsets[users + 1] = {0, 1};
    const lockstep_array ends = of(offsets, users + 1, LOCKSTEP_UINT64);
    REFUSED(lockstep_graph_name(graph, 0, texts, &ends), LOCKSTEP_BAD_INPUT, "smaller than the offset before");
    REFUSED(lockstep_graph_name(graph, 2, texts, &ends), LOCKSTEP_USAGE, "side");
    lockstep_graph_free(graph);
    lockstep_graph_free(NULL);
}

static void schedules(void) {
    const char* const one_set[] = {"ends=vertices", NULL};
    const char* const bad[] = {"matching=perfect", NULL};
    lockstep_graph* graph = made(one_set);
    lockstep_result* batches = NULL;
    REFUSED(lockstep_schedule(graph, "nothing", NULL, NULL, NULL), LOCKSTEP_USAGE, "nothing");
    REFUSED(lockstep_schedule(graph, NULL, NULL, NULL, NULL), LOCKSTEP_USAGE, "name is NULL");
    REFUSED(lockstep_schedule(graph, "agm-e", bad, NULL, NULL), LOCKSTEP_USAGE, "perfect");
    REFUSED(lockstep_schedule(graph, "sgm", NULL, NULL, NULL), LOCKSTEP_BAD_INPUT, "sgm");
    REFUSED(lockstep_batches(graph, "agm-e", &batches), LOCKSTEP_USAGE, "no schedule agm-e");
    const char* const names[] = {"agm-e", "stars", "blkdiag", "tiled", "diag"};
    for (int s = 0; s < 5; ++s) {
        EXPECT(lockstep_schedule(graph, names[s], NULL, NULL, NULL) == LOCKSTEP_OK);
        EXPECT(lockstep_verify(graph, names[s]) == LOCKSTEP_OK);
        EXPECT(lockstep_batches(graph, names[s], &batches) == LOCKSTEP_OK);
        lockstep_array order, offsets;
        EXPECT(lockstep_result_array(batches, "order", &order) == LOCKSTEP_OK && order.rows == edges);
        EXPECT(lockstep_result_array(batches, "offsets", &offsets) == LOCKSTEP_OK);
        const uint64_t *edge = order.data, *begin = offsets.data;
        int conflicts = 0, seen[edges] = {0};
        for (uint64_t set = 0; set + 1 < offsets.rows; ++set) {
            int taken[users] = {0};
            for (uint64_t i = begin[set]; i < begin[set + 1]; ++i) {
                const int64_t a = rows[edge[i]], b = cols[edge[i]];
                conflicts += taken[a]++ > 0;
                if (a != b) conflicts += taken[b]++ > 0;
                ++seen[edge[i]];
            }
        }
        for (int i = 0; i < edges; ++i) conflicts += seen[i] != 1;
        EXPECT(conflicts == 0);
        lockstep_result_free(batches);
    }
    lockstep_graph_free(graph);
}

static void phases_of_rows(void) {
    int32_t column[] = {0, 1, 2, 3, 1, 2, 0, 4};
    int64_t offset[] = {0, 2, 4, 6, 8}, pinned[] = {0};
    const lockstep_array columns = of(column, 8, LOCKSTEP_INT32), offsets = of(offset, 5, LOCKSTEP_INT64),
                         fixed = of(pinned, 1, LOCKSTEP_INT64);
    lockstep_array pairs = of(column, 4, LOCKSTEP_INT32), order, begins;
    pairs.columns = 2;
    const char* const even[] = {"even", "order=smallest", "columns=5", NULL};
    const char* const bad[] = {"order=best", NULL};
    lockstep_result* result = NULL;
    for (int form = 0; form < 2; ++form) {
        EXPECT(lockstep_row_batches(form ? &offsets : NULL, form ? &columns : &pairs, NULL, NULL, &result) == LOCKSTEP_OK);
        EXPECT(lockstep_result_array(result, "order", &order) == LOCKSTEP_OK && order.rows == 4);
        EXPECT(lockstep_result_array(result, "offsets", &begins) == LOCKSTEP_OK && begins.rows == 3);
        const uint64_t* row = order.data;
        EXPECT(row[0] == 0 && row[1] == 1 && row[2] == 2 && row[3] == 3);
        EXPECT(strstr(lockstep_result_json(result), "\"bound\":2") != NULL);
        lockstep_result_free(result);
    }
    EXPECT(lockstep_row_batches(&offsets, &columns, &fixed, even, &result) == LOCKSTEP_OK);
    lockstep_result_free(result);
    EXPECT(lockstep_color(NULL, &pairs, NULL, &result) == LOCKSTEP_OK);
    lockstep_result_free(result);
    REFUSED(lockstep_row_batches(NULL, NULL, NULL, NULL, &result), LOCKSTEP_USAGE, "columns is NULL");
    REFUSED(lockstep_row_batches(NULL, &pairs, NULL, bad, &result), LOCKSTEP_USAGE, "best");
    REFUSED(lockstep_color(&offsets, &columns, NULL, &result), LOCKSTEP_BAD_INPUT, "entry 7 has column 4");
    column[3] = -3;
    REFUSED(lockstep_row_batches(&offsets, &columns, NULL, NULL, &result), LOCKSTEP_BAD_INPUT, "entry 3 is -3");
}

static void applications(void) {
    const char* const square[] = {"shape=square", NULL};
    const char* const from[] = {"source=0", "device=cpu", "verify", "parents", NULL};
    const char* const cpu[] = {"device=cpu", NULL};
    lockstep_graph *graph = made(square), *sides = made(NULL);
    lockstep_result* result = NULL;
    lockstep_array levels;
    EXPECT(lockstep_run(graph, "bfs", from, NULL, NULL, &result) == LOCKSTEP_OK);
    EXPECT(lockstep_result_array(result, "levels", &levels) == LOCKSTEP_OK && levels.type == LOCKSTEP_UINT32);
    EXPECT(levels.rows == users && ((uint32_t*)levels.data)[0] == 0);
    EXPECT(strstr(lockstep_result_names(result), "parents") != NULL);
    lockstep_result_free(result);
    REFUSED(lockstep_run(sides, "bfs", from, NULL, NULL, &result), LOCKSTEP_USAGE, "square");
    EXPECT(result == NULL);
    REFUSED(lockstep_run(graph, "sgd", cpu, NULL, NULL, &result), LOCKSTEP_USAGE, "lockstep_fit");
    REFUSED(lockstep_run(graph, "dfs", cpu, NULL, NULL, &result), LOCKSTEP_USAGE, "dfs");
    lockstep_array states = of(weights, users, LOCKSTEP_FLOAT32);
    REFUSED(lockstep_update(graph, "/nowhere.hpp", &states, NULL, NULL, cpu, NULL, NULL, &result), LOCKSTEP_BAD_INPUT, "/nowhere.hpp");
    lockstep_graph_free(graph), lockstep_graph_free(sides);
}

/* Fits implicit feedback: an edge means that a user has taken an item. */
static void clicks(void) {
    const char* const taken[] = {"feedback=implicit", "negatives=0", NULL};
    const char* const als[] = {"solver=als", "rank=4", "sweeps=3", "device=cpu", NULL};
    const char* const scheduled[] = {"solver=als", "strategy=tiled", NULL};
    const char* const unknown[] = {"solver=svd", NULL};
    lockstep_graph* graph = made(taken);
    lockstep_model* model = NULL;
    lockstep_result* result = NULL;
    EXPECT(lockstep_fit(graph, als, NULL, NULL, &model, &result) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(result), "cholesky") != NULL);
    lockstep_model_free(model), lockstep_result_free(result);
    REFUSED(lockstep_fit(graph, scheduled, NULL, NULL, &model, NULL), LOCKSTEP_USAGE, "strategy");
    REFUSED(lockstep_fit(graph, unknown, NULL, NULL, &model, NULL), LOCKSTEP_USAGE, "svd");
    EXPECT(model == NULL);
    lockstep_graph_free(graph);
}

/* Holds out the latest half of the edges, by their times; a graph without times is refused. Also
   checks options without a run. */
static void times(void) {
    const char* const latest[] = {"rank=4", "device=cpu", "sweeps=2", "test-latest=0.5", NULL};
    const char* const wrong_name[] = {"test-latst=0.5", NULL};
    const char* const wrong_strategy[] = {"strategy=agm", NULL};
    const char* const clicks[] = {"feedback=clicks", NULL};
    int64_t when[edges];
    for (int i = 0; i < edges; ++i) when[i] = edges - i;
    const lockstep_array r = of(rows, edges, LOCKSTEP_INT64), c = of(cols, edges, LOCKSTEP_INT64),
                         w = of(weights, edges, LOCKSTEP_FLOAT32), t = of(when, edges, LOCKSTEP_INT64);
    lockstep_graph *timed = NULL, *plain = made(NULL);
    lockstep_model* model = NULL;
    lockstep_result* result = NULL;
    EXPECT(lockstep_graph_new_timed(&r, &c, &w, &t, NULL, &timed) == LOCKSTEP_OK);
    EXPECT(lockstep_fit(timed, latest, NULL, NULL, &model, &result) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(result), "\"test_edges\":150") != NULL);
    lockstep_model_free(model), lockstep_result_free(result);
    REFUSED(lockstep_fit(plain, latest, NULL, NULL, &model, &result), LOCKSTEP_BAD_INPUT, "needs times");
    EXPECT(lockstep_fit_check(NULL, latest) == LOCKSTEP_OK && lockstep_fit_check(NULL, NULL) == LOCKSTEP_OK);
    REFUSED(lockstep_fit_check(NULL, wrong_name), LOCKSTEP_USAGE, "test-latest");
    REFUSED(lockstep_fit_check(NULL, wrong_strategy), LOCKSTEP_USAGE, "agm");
    REFUSED(lockstep_fit_check(clicks, NULL), LOCKSTEP_USAGE, "clicks");
    lockstep_graph_free(timed), lockstep_graph_free(plain);
}

static void models(const char* folder) {
    const char* const options[] = {"rank=4", "device=cpu", "sweeps=6", NULL};
    lockstep_graph* ratings = made(NULL);
    lockstep_model* model = NULL;
    lockstep_result* result = NULL;
    int heard = 0;
    EXPECT(lockstep_fit(ratings, options, stop_at_two, &heard, &model, &result) == LOCKSTEP_INTERRUPTED && heard > 2);
    EXPECT(model == NULL && result == NULL);
    EXPECT(lockstep_fit(ratings, options, NULL, NULL, &model, &result) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(result), "result_hash") != NULL);
    lockstep_result_free(result);
    int64_t u[] = {0, 3, -1}, v[] = {1, 2, 0};
    float found[3];
    lockstep_array us = of(u, 3, LOCKSTEP_INT64), vs = of(v, 3, LOCKSTEP_INT64), out = of(found, 3, LOCKSTEP_FLOAT32);
    EXPECT(lockstep_model_predict(model, &us, &vs, &out) == LOCKSTEP_OK && isfinite(found[0]) && isnan(found[2]));
    v[1] = items;
    REFUSED(lockstep_model_predict(model, &us, &vs, &out), LOCKSTEP_BAD_INPUT, "entry 1");
    out.rows = 2, v[1] = 0;
    REFUSED(lockstep_model_predict(model, &us, &vs, &out), LOCKSTEP_BAD_INPUT, "expected equal lengths");
    us.rows = 2;
    EXPECT(lockstep_model_top(model, &us, 5, ratings, NULL, NULL, &result) == LOCKSTEP_OK);
    lockstep_array list;
    EXPECT(lockstep_result_array(result, "items", &list) == LOCKSTEP_OK && list.rows == 2 && list.columns == 5);
    lockstep_result_free(result);
    const char* const all[] = {"include-taken", NULL};
    EXPECT(lockstep_model_recommend(model, &us, items, NULL, all, NULL, NULL, &result) == LOCKSTEP_OK);
    EXPECT(lockstep_result_array(result, "items", &list) == LOCKSTEP_OK && ((int64_t*)list.data)[items - 1] >= 0);
    lockstep_result_free(result);
    EXPECT(lockstep_model_recommend(model, &us, items, NULL, NULL, NULL, NULL, &result) == LOCKSTEP_OK);
    EXPECT(lockstep_result_array(result, "items", &list) == LOCKSTEP_OK && ((int64_t*)list.data)[items - 1] == -1);
    for (int i = 0; i < edges; ++i)
        for (int place = 0; place < items; ++place)
            EXPECT(rows[i] != 0 || ((int64_t*)list.data)[place] != cols[i]);
    lockstep_result_free(result);
    us.rows = 3;
    REFUSED(lockstep_model_top(model, &us, 5, NULL, NULL, NULL, &result), LOCKSTEP_BAD_INPUT, "entry 2");
    REFUSED(lockstep_model_similar(model, items, 3, &result), LOCKSTEP_BAD_INPUT, "no item");
    EXPECT(lockstep_model_similar(model, 0, 3, &result) == LOCKSTEP_OK);
    lockstep_result_free(result);
    EXPECT(lockstep_model_evaluate(model, ratings, NULL, NULL, &result) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(result), "rmse") != NULL);
    lockstep_result_free(result);
    char path[4096];
    snprintf(path, sizeof path, "%s/m.h5", folder);
    EXPECT(lockstep_model_write(model, path, NULL) == LOCKSTEP_OK);
    lockstep_model* read = NULL;
    EXPECT(lockstep_model_read(path, &read) == LOCKSTEP_OK && lockstep_model_info(read, &result) == LOCKSTEP_OK);
    EXPECT(strstr(lockstep_result_json(result), "\"rank\":4") != NULL);
    lockstep_result_free(result), lockstep_model_free(read);
    snprintf(path, sizeof path, "%s/g.h5", folder);
    REFUSED(lockstep_model_read(path, &read), LOCKSTEP_BAD_INPUT, "g.h5");
    EXPECT(read == NULL);
    lockstep_model_free(model), lockstep_graph_free(ratings);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    for (int i = 0; i < edges; ++i) rows[i] = (int64_t)i * 7 % users, cols[i] = (int64_t)i * i % items, weights[i] = (float)(1 + i % 5);
    rows[0] = users - 1;
    for (int i = 0; i < items; ++i) cols[i] = i;
    EXPECT(strlen(lockstep_version()) > 4 && lockstep_last_error()[0] == '\0');
    graphs(argv[1]), schedules(), phases_of_rows(), applications(), models(argv[1]), times();
    clicks();
    return failures ? 1 : checks > 60 ? 0 : 1;
}
