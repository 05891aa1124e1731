/* Lockstep's C interface: graphs, schedules, applications and models in memory.
 *
 *     lockstep_graph* graph;
 *     if (lockstep_graph_new(&first, &second, NULL, options, &graph) ||
 *         lockstep_schedule(graph, "agm-e", NULL, NULL, NULL) || …)
 *         fprintf(stderr, "%s\n", lockstep_last_error());
 *
 * Every function that can fail returns LOCKSTEP_OK or another code, with a text of lockstep_last_error() in the
 * calling thread; what it was to make is then NULL. Nothing prints, nothing ends the process. Options are texts
 * "name=value", ended by NULL (options NULL: none), with the names of the programs' (--help-all); "name" alone is
 * one without a value. Arrays that go in are copied, those that come out belong to the handle and live as long.
 * Several threads may call at once. Calls that use the same handle run one after another; others run side by side.
 * After a fork the child may go on, on the CPU.
 *
 * Threads are those of OpenMP: graphs of few edges are built, scheduled and verified by one, which the option threads
 * of the other functions asks for, too. On a machine that other programs use, start yours with GOMP_SPINCOUNT=1000 in
 * its environment, or OMP_WAIT_POLICY=passive: libgomp, which reads them when it is loaded, otherwise lets waiting
 * threads spin for milliseconds, on the processors that the others need. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LOCKSTEP_OK = 0,
    LOCKSTEP_FAILED = 1,
    LOCKSTEP_USAGE = 2,          /* an unknown name, an impossible value */
    LOCKSTEP_DIVERGED = 3,       /* NaN or infinity */
    LOCKSTEP_BAD_INPUT = 4,      /* the text says which entry */
    LOCKSTEP_NO_DEVICE = 5,      /* no usable GPU, or too little of its memory */
    LOCKSTEP_OUTPUT = 6,         /* a file could not be written */
    LOCKSTEP_VERIFICATION = 7,   /* a proof failed */
    LOCKSTEP_INTERRUPTED = 130   /* the callback said so */
};

enum {
    LOCKSTEP_BYTES = 0, /* structs, row after row */
    LOCKSTEP_INT32 = 1,
    LOCKSTEP_INT64 = 2,
    LOCKSTEP_UINT32 = 3,
    LOCKSTEP_UINT64 = 4,
    LOCKSTEP_FLOAT32 = 5,
    LOCKSTEP_FLOAT64 = 6
};

/* Row-major and contiguous. `columns` is 1 of one dimension; of BYTES the bytes of a row. */
typedef struct lockstep_array {
    void* data;
    uint64_t rows, columns;
    int32_t type;
    int32_t device; /* 0: memory of the host; 1: of the present CUDA device, where the CUDA library is there */
} lockstep_array;

typedef struct lockstep_graph lockstep_graph;   /* and its schedules: what a schedule file holds */
typedef struct lockstep_result lockstep_result; /* arrays by name, and a text in JSON */
typedef struct lockstep_model lockstep_model;   /* of a matrix factorization: what a model file holds */

/* Called by the calling thread: with a note, or with rounds that are done of how many (note NULL). Other than 0
 * stops the call at the next safe place, with LOCKSTEP_INTERRUPTED. */
typedef int (*lockstep_progress)(void* data, const char* note, uint64_t done, uint64_t total);

/* "0.1.0 (revision …)" */
const char* lockstep_version(void);
/* Of the last call in this thread that failed; "" before. Valid until the next one. */
const char* lockstep_last_error(void);
/* 1 where the CUDA library is found and there is a GPU, else 0 with the reason as the last error. The library is
 * liblockstep_cuda.so beside this one, or the file that LOCKSTEP_CUDA_LIBRARY names. */
int lockstep_has_cuda(void);

/* Edges from arrays of their ends, whole numbers of any type, and weights (NULL: 1 each). Options: ends=sides
 * (rows and columns have states of their own, default) or vertices (one set, one state a vertex); shape=bipartite
 * or square; rows=N, cols=N vertices (default: one more than the largest number; where that leaves more than 2^24
 * vertices, and 64 per edge, the call is refused); undirected; repeats=…;
 * ids=numbers (vertex I is I, default) or ids=given (vertices are the distinct numbers, in their order; any of 64
 * bits); feedback=implicit, of edges that say what was taken, and negatives=N pairs drawn for each (0: none, for als). */
int lockstep_graph_new(const lockstep_array* rows, const lockstep_array* cols, const lockstep_array* weights,
                       const char* const* options, lockstep_graph** graph);
/* The same with times of the edges, whole numbers (NULL: none), by which test-latest of lockstep_fit splits. */
int lockstep_graph_new_timed(const lockstep_array* rows, const lockstep_array* cols, const lockstep_array* weights,
                             const lockstep_array* times, const char* const* options, lockstep_graph** graph);
/* Names the vertices, in place of their numbers, for files and models: texts end to end, that of vertex i from
 * offsets[i] to offsets[i + 1] (vertices + 1), distinct and in bytewise order; texts NULL: other numbers, in place of
 * the offsets (vertices), ascending. side: 0 rows, 1 columns, 2 both of a square graph. */
int lockstep_graph_name(lockstep_graph* graph, int side, const char* texts, const lockstep_array* offsets);
/* A graph file of any known format, or a schedule file with its schedules. Options: those of reading. */
int lockstep_graph_read(const char* path, const char* const* options, lockstep_graph** graph);
/* Writes a schedule file. Options: force (over a file that is there). */
int lockstep_graph_write(const lockstep_graph* graph, const char* path, const char* const* options);
/* JSON: rows, cols, edges, ends, shape, hash, schedules. Arrays: row_ids, col_ids where they are numbers. */
int lockstep_graph_info(const lockstep_graph* graph, lockstep_result** result);
void lockstep_graph_free(lockstep_graph* graph);

/* Makes a schedule by the name of its builder, proves it, and keeps it with the graph, in place of one of that
 * name. Options: those of the builders, seed, threads. */
int lockstep_schedule(lockstep_graph* graph, const char* name, const char* const* options,
                      lockstep_progress progress, void* data);
/* Proves a schedule of the graph: each edge once, no conflict at once, maximal where it says so. */
int lockstep_verify(const lockstep_graph* graph, const char* name);
/* Arrays "order" {edges}, numbers of edges as they came, and "offsets" {sets + 1}, UINT64: the edges of a set may
 * be updated at once, one set after another. */
int lockstep_batches(const lockstep_graph* graph, const char* name, lockstep_result** result);

/* An application by name (bfs, sssp, pagerank, bp, cc, kcore, mis, mst, triangles): a value a vertex by column
 * ("levels", "parents", …), and the JSON of lockstep-execute. Options: those of the application, strategy, device,
 * threads, verify. A schedule that the strategy needs is made where the graph does not have it. */
int lockstep_run(lockstep_graph* graph, const char* application, const char* const* options,
                 lockstep_progress progress, void* data, lockstep_result** result);

/* Sweeps of an update (docs/guides/updates.md), a C++ file of two structs and a function, which a compiler makes code of:
 * on states of one set of vertices (`rows`), or of two sides (`rows` and `cols`), and payloads of edges (NULL:
 * weights if Edge is one number of four bytes, else zeros; they are not kept), all changed in place when all sweeps
 * are done. An array has the numbers of the struct in each row, or is of BYTES: the bytes of the struct, or entries of
 * the type that rows-type, cols-type or edges-type names as NumPy does ("<f4", "[('x', '<f4'), ('n', '<i8')]" with the
 * fields of the struct). Another type is BAD_INPUT. Options: strategy (default auto: the first of local, agm-e, tiled,
 * stars, blkdiag, sgm, agm-n and diag that has its schedule, else agm-e), sweeps, device, threads, set=NAME=NUMBER,
 * verify, … */
int lockstep_update(lockstep_graph* graph, const char* source, lockstep_array* rows, lockstep_array* cols,
                    lockstep_array* edges, const char* const* options, lockstep_progress progress, void* data,
                    lockstep_result** result);

/* Factorizes ratings as lockstep-train does: chooses the strategy, schedules, sweeps, stops. Options: those of
 * lockstep-train; solver=sgd (default) or als, of edges that say what was taken. `result` (may be NULL) has its JSON. */
int lockstep_fit(lockstep_graph* ratings, const char* const* options, lockstep_progress progress, void* data,
                 lockstep_model** model, lockstep_result** result);
/* Checks the names and values of options without a run: `reading`, those of lockstep_graph_new, and `options`, those of
 * lockstep_fit. */
int lockstep_fit_check(const char* const* reading, const char* const* options);
int lockstep_model_read(const char* path, lockstep_model** model);
/* Options: force. */
int lockstep_model_write(const lockstep_model* model, const char* path, const char* const* options);
/* Arrays row_factors {rows, rank}, col_factors, row_biases, col_biases, row_ids, col_ids; JSON: rows, cols, rank,
 * mean, parameters, graph_hash. */
int lockstep_model_info(const lockstep_model* model, lockstep_result** result);
/* predictions[i] (FLOAT32) of rows[i] and cols[i], positions of vertices (INT64), bit for bit those of
 * lockstep-predict; NaN where one is negative. */
int lockstep_model_predict(const lockstep_model* model, const lockstep_array* rows, const lockstep_array* cols,
                           lockstep_array* predictions);
/* Ranks the items for each of `rows` (positions, INT64; NULL: all) and returns the n best ones, best first, without
 * those that the row has in the ratings the model was fitted to, or in `rated` (NULL: nothing), whose ids are matched
 * to the model's. Arrays "items" {rows, n} INT64, positions, -1 where there are fewer, and "scores" {rows, n} FLOAT32.
 * Options: include-taken (leave out those of `rated` alone). */
int lockstep_model_recommend(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                             const lockstep_graph* rated, const char* const* options, lockstep_progress progress,
                             void* data, lockstep_result** result);
/* The same with the option include-taken. */
int lockstep_model_top(const lockstep_model* model, const lockstep_array* rows, uint64_t n, const lockstep_graph* rated,
                       lockstep_progress progress, void* data, lockstep_result** result);
/* Returns the n items most similar to item `col`, by cosine of their vectors, in the same arrays of one row. */
int lockstep_model_similar(const lockstep_model* model, uint64_t col, uint64_t n, lockstep_result** result);
/* How well the model says what is in `truth`: JSON as of lockstep-predict --evaluate, with "unknown" pairs. Lists are
 * made without what is in `rated` (NULL: nothing). Options: at, relevant, unknown (nan, bias, error). */
int lockstep_model_evaluate(const lockstep_model* model, const lockstep_graph* truth, const lockstep_graph* rated,
                            const char* const* options, lockstep_result** result);
void lockstep_model_free(lockstep_model* model);

/* An array by name; BAD_INPUT where there is none. */
int lockstep_result_array(const lockstep_result* result, const char* name, lockstep_array* array);
/* The names of the arrays, with commas between. */
const char* lockstep_result_names(const lockstep_result* result);
const char* lockstep_result_json(const lockstep_result* result);
void lockstep_result_free(lockstep_result* result);

#ifdef __cplusplus
}
#endif
#endif
