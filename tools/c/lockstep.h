/* Lockstep's C interface: graphs, schedules, applications and models in memory.
 *
 *     lockstep_graph* graph;
 *     if (lockstep_graph_new(&first, &second, NULL, options, &graph) ||
 *         lockstep_schedule(graph, "agm-e", NULL, NULL, NULL) || …)
 *         fprintf(stderr, "%s\n", lockstep_last_error());
 *
 * Every function that can fail returns LOCKSTEP_OK or another code. After an error, lockstep_last_error()
 * returns its text in the calling thread, and the object that the function would have created is NULL. No
 * function prints or ends the process. Options are texts "name=value", terminated by NULL (options NULL:
 * none), with the names that the programs use (--help-all); "name" alone is an option without a value. Input
 * arrays are copied. Output arrays belong to the handle and live as long as the handle. Several threads may
 * call functions concurrently: calls that use the same handle run one after another, other calls run in
 * parallel. After a fork, the child process may continue to use the library, on the CPU.
 *
 * Threads are OpenMP threads. Graphs with few edges are built, scheduled and verified by one thread; the
 * other functions have the option `threads`. On a machine that other programs use, start your program with
 * GOMP_SPINCOUNT=1000 or OMP_WAIT_POLICY=passive in its environment. libgomp reads these variables when it is
 * loaded; without them, waiting threads spin for milliseconds and occupy the processors that the other
 * programs need. */
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
    LOCKSTEP_USAGE = 2,        /* an unknown name or an impossible value */
    LOCKSTEP_DIVERGED = 3,     /* a value became NaN or infinite */
    LOCKSTEP_BAD_INPUT = 4,    /* invalid data; the text names the entry */
    LOCKSTEP_NO_DEVICE = 5,    /* no usable GPU, or too little GPU memory */
    LOCKSTEP_OUTPUT = 6,       /* a file could not be written */
    LOCKSTEP_VERIFICATION = 7, /* a schedule or a result is wrong */
    LOCKSTEP_INTERRUPTED = 130 /* the callback stopped the call */
};

enum {
    LOCKSTEP_BYTES = 0, /* structs, one after another */
    LOCKSTEP_INT32 = 1,
    LOCKSTEP_INT64 = 2,
    LOCKSTEP_UINT32 = 3,
    LOCKSTEP_UINT64 = 4,
    LOCKSTEP_FLOAT32 = 5,
    LOCKSTEP_FLOAT64 = 6
};

/* An array, row-major and contiguous. For one-dimensional arrays `columns` is 1; for LOCKSTEP_BYTES it is the
 * size of a row in bytes. */
typedef struct lockstep_array {
    void* data;
    uint64_t rows, columns;
    int32_t type;
    int32_t device; /* 0: host memory; 1: memory of the current CUDA device, if the CUDA library is present */
} lockstep_array;

/* a graph and its schedules: the contents of a schedule file */
typedef struct lockstep_graph lockstep_graph;
typedef struct lockstep_result lockstep_result; /* named arrays, and a JSON text */
typedef struct lockstep_model lockstep_model;   /* a matrix factorization: the contents of a model file */

/* A progress callback. It runs in the calling thread, either with a note, or with the number of completed
 * rounds and their total (note NULL). A nonzero return value stops the call at the next safe point, with
 * LOCKSTEP_INTERRUPTED. */
typedef int (*lockstep_progress)(void* data, const char* note, uint64_t done, uint64_t total);

/* Returns a text such as "0.1.0 (revision …)". */
const char* lockstep_version(void);
/* Returns the message of the last failed call in this thread; "" before any failure. Valid until the next
 * failed call. */
const char* lockstep_last_error(void);
/* Returns 1 if the CUDA library is found and there is a GPU; otherwise returns 0 and sets the last error to
 * the reason. The library is liblockstep_cuda.so in the directory of this library, or the file that
 * LOCKSTEP_CUDA_LIBRARY names. */
int lockstep_has_cuda(void);

/* Builds a graph from arrays with the endpoints of its edges, whole numbers of any type, and weights
 * (NULL: each weight is 1). Options: ends=sides (rows and columns have separate states, default) or
 * vertices (one set of vertices, one state per vertex); shape=bipartite or square; rows=N, cols=N vertices
 * (default: the largest number plus 1; the call is refused if this gives more than 2^24 vertices and more
 * than 64 vertices per edge); undirected; repeats=…; ids=numbers (number I is vertex I, default) or
 * ids=given (the vertices are the distinct numbers in ascending order; all 64-bit numbers are allowed);
 * feedback=implicit, for edges that record which items were taken, and negatives=N pairs drawn at random
 * for each edge (0: none, for als). */
int lockstep_graph_new(const lockstep_array* rows, const lockstep_array* cols, const lockstep_array* weights,
                       const char* const* options, lockstep_graph** graph);
/* Like lockstep_graph_new, with the times of the edges as whole numbers (NULL: none), by which the option
 * test-latest of lockstep_fit splits the edges. */
int lockstep_graph_new_timed(const lockstep_array* rows, const lockstep_array* cols,
                             const lockstep_array* weights, const lockstep_array* times,
                             const char* const* options, lockstep_graph** graph);
/* Gives the vertices names instead of numbers, for files and models. `texts` is the concatenation of the
 * names; vertex i's name extends from offsets[i] to offsets[i + 1] (vertices + 1 offsets). Names are distinct
 * and in bytewise order. If `texts` is NULL, `offsets` contains new numbers instead (one per vertex,
 * ascending). side: 0 rows, 1 columns, 2 both sides of a square graph. */
int lockstep_graph_name(lockstep_graph* graph, int side, const char* texts, const lockstep_array* offsets);
/* Reads a graph file of any known format, or a schedule file with its schedules. Options: the input options
 * of the programs. */
int lockstep_graph_read(const char* path, const char* const* options, lockstep_graph** graph);
/* Writes a schedule file. Options: force (replace an existing file). */
int lockstep_graph_write(const lockstep_graph* graph, const char* path, const char* const* options);
/* Returns JSON: rows, cols, edges, ends, shape, hash, schedules. Arrays: row_ids and col_ids, as numbers, or
 * as concatenated texts with the arrays row_ids_offsets and col_ids_offsets. */
int lockstep_graph_info(const lockstep_graph* graph, lockstep_result** result);
void lockstep_graph_free(lockstep_graph* graph);

/* Builds a schedule by the name of its builder, verifies it, and stores it with the graph; replaces a
 * schedule of the same name. Options: those of the builders, seed, threads. */
int lockstep_schedule(lockstep_graph* graph, const char* name, const char* const* options,
                      lockstep_progress progress, void* data);
/* Verifies a schedule of the graph: each edge occurs once, no two concurrent edges conflict, and the schedule
 * is maximal if it claims to be. */
int lockstep_verify(const lockstep_graph* graph, const char* name);
/* Returns arrays "order" {edges}, the indices of the edges in input order, and "offsets" {sets + 1}, both
 * UINT64. The edges of one set may be updated concurrently; the sets run one after another. */
int lockstep_batches(const lockstep_graph* graph, const char* name, lockstep_result** result);

/* Runs an application by name (bfs, sssp, pagerank, bp, cc, kcore, mis, mst, triangles). The result has one
 * array per column ("levels", "parents", …) with one value per vertex, and the JSON of lockstep-execute.
 * Options: those of the application, strategy, device, threads, verify. If the graph lacks the schedule that
 * the strategy needs, the schedule is built. */
int lockstep_run(lockstep_graph* graph, const char* application, const char* const* options,
                 lockstep_progress progress, void* data, lockstep_result** result);

/* Runs sweeps of an update (docs/guides/updates.md): a C++ file with two structs and a function, which is
 * compiled. An update changes the states of one set of vertices (`rows`) or of two sides (`rows` and `cols`),
 * and payloads of edges. If `edges` is NULL, the payloads are the weights if Edge is one number of four
 * bytes, and zeros otherwise; they are then not returned. All arrays are changed in place when all sweeps are
 * done. Each row of an array has the numbers of the struct, or the array is of type BYTES: each row has the
 * bytes of the struct, or entries of the type that rows-type, cols-type or edges-type specifies in NumPy's
 * notation ("<f4", "[('x', '<f4'), ('n', '<i8')]" with the fields of the struct). Any other type is
 * BAD_INPUT. Options: strategy (default auto: the first of local, agm-e, tiled, stars, blkdiag, sgm, agm-n
 * and diag whose schedule the graph has, else agm-e), sweeps, device, threads, set=NAME=NUMBER, verify, … */
int lockstep_update(lockstep_graph* graph, const char* source, lockstep_array* rows, lockstep_array* cols,
                    lockstep_array* edges, const char* const* options, lockstep_progress progress, void* data,
                    lockstep_result** result);

/* Factorizes ratings like lockstep-train: chooses the strategy, schedules, sweeps, and stops. Options: those
 * of lockstep-train; solver=sgd (default), or als for edges that record which items were taken. `result` (may
 * be NULL) gets the JSON of the run. */
int lockstep_fit(lockstep_graph* ratings, const char* const* options, lockstep_progress progress, void* data,
                 lockstep_model** model, lockstep_result** result);
/* Checks the names and values of options without a run: `reading` has options of lockstep_graph_new, and
 * `options` those of lockstep_fit. */
int lockstep_fit_check(const char* const* reading, const char* const* options);
int lockstep_model_read(const char* path, lockstep_model** model);
/* Writes a model file. Options: force. */
int lockstep_model_write(const lockstep_model* model, const char* path, const char* const* options);
/* Returns arrays row_factors {rows, rank}, col_factors, row_biases, col_biases, row_ids, col_ids, and JSON:
 * rows, cols, rank, mean, parameters, graph_hash. */
int lockstep_model_info(const lockstep_model* model, lockstep_result** result);
/* Computes predictions[i] (FLOAT32) for the pair of rows[i] and cols[i], which are indices of vertices
 * (INT64). The predictions are bitwise identical to those of lockstep-predict; NaN if an index is
 * negative. */
int lockstep_model_predict(const lockstep_model* model, const lockstep_array* rows,
                           const lockstep_array* cols, lockstep_array* predictions);
/* Ranks the items for each of `rows` (indices, INT64; NULL: all rows) and returns the n best items, best
 * first. The items that the row has in the ratings to which the model was fitted are left out, and so are
 * those in `rated` (NULL: none), whose IDs are matched to the model's. Arrays: "items" {rows, n} INT64,
 * indices, -1 if there are fewer than n, and "scores" {rows, n} FLOAT32. Options: include-taken (leave out
 * only the items in `rated`). */
int lockstep_model_recommend(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                             const lockstep_graph* rated, const char* const* options,
                             lockstep_progress progress, void* data, lockstep_result** result);
/* Calls lockstep_model_recommend with the option include-taken. */
int lockstep_model_top(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                       const lockstep_graph* rated, lockstep_progress progress, void* data,
                       lockstep_result** result);
/* Returns the n items most similar to item `col`, by the cosine of their vectors, in arrays "items" and
 * "scores" of one row. */
int lockstep_model_similar(const lockstep_model* model, uint64_t col, uint64_t n, lockstep_result** result);
/* Evaluates the model on the edges of `truth`: returns the JSON of lockstep-predict --evaluate, with the
 * number of pairs with "unknown" IDs. Ranked lists leave out the items in `rated` (NULL: none). Options: at,
 * relevant, unknown (nan, bias, error). */
int lockstep_model_evaluate(const lockstep_model* model, const lockstep_graph* truth,
                            const lockstep_graph* rated, const char* const* options,
                            lockstep_result** result);
void lockstep_model_free(lockstep_model* model);

/* Returns an array by its name; fails with BAD_INPUT if there is none. */
int lockstep_result_array(const lockstep_result* result, const char* name, lockstep_array* array);
/* Returns the names of the arrays, separated by commas. */
const char* lockstep_result_names(const lockstep_result* result);
const char* lockstep_result_json(const lockstep_result* result);
void lockstep_result_free(lockstep_result* result);

#ifdef __cplusplus
}
#endif
#endif
