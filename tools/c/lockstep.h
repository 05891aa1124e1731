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
    LOCKSTEP_USAGE = 2,        /* an unknown name, or a value that is out of range */
    LOCKSTEP_DIVERGED = 3,     /* a computed value became NaN or infinite */
    LOCKSTEP_BAD_INPUT = 4,    /* invalid data; the message names the entry */
    LOCKSTEP_NO_DEVICE = 5,    /* no usable GPU, or too little GPU memory */
    LOCKSTEP_OUTPUT = 6,       /* a file could not be written */
    LOCKSTEP_VERIFICATION = 7, /* a schedule or a result is wrong */
    LOCKSTEP_INTERRUPTED = 130 /* the callback stopped the call */
};

enum {
    LOCKSTEP_BYTES = 0, /* structs as bytes */
    LOCKSTEP_INT32 = 1,
    LOCKSTEP_INT64 = 2,
    LOCKSTEP_UINT32 = 3,
    LOCKSTEP_UINT64 = 4,
    LOCKSTEP_FLOAT32 = 5,
    LOCKSTEP_FLOAT64 = 6
};

/* An array of numbers or structs, row-major and contiguous. `columns` is 1 for a one-dimensional array.
 * For LOCKSTEP_BYTES, it is the size of a row in bytes. */
typedef struct lockstep_array {
    void* data;
    uint64_t rows, columns;
    int32_t type;
    int32_t device; /* 0: host memory; 1: memory of the current CUDA device, if the CUDA library is present */
} lockstep_array;

/* A graph and its schedules, as in a schedule file. */
typedef struct lockstep_graph lockstep_graph;
typedef struct lockstep_result lockstep_result; /* arrays with names, and a JSON text */
typedef struct lockstep_model lockstep_model;   /* a matrix factorization, as in a model file */

/* A progress callback, which is called in the thread of the call. The call has either a message in `note`,
 * or the number of completed rounds and their total (`note` is NULL). If the callback returns a nonzero
 * value, the call stops as soon as possible, and returns LOCKSTEP_INTERRUPTED. */
typedef int (*lockstep_progress)(void* data, const char* note, uint64_t done, uint64_t total);

/* Returns the version of the library, such as "0.1.0 (revision …)". */
const char* lockstep_version(void);
/* Returns the message of the last failed call in this thread, or "" if no call has failed. The text is
 * valid until the next failed call. */
const char* lockstep_last_error(void);
/* Returns 1 if a GPU can be used. Otherwise returns 0, and lockstep_last_error() returns the reason. The
 * required CUDA library is liblockstep_cuda.so in the folder of this library, or the file in the
 * environment variable LOCKSTEP_CUDA_LIBRARY. */
int lockstep_has_cuda(void);

/* Makes a graph from the endpoints of its edges, which are integers of any type, and the weights (NULL:
 * all are 1). Options: ends=sides (default: rows and columns have separate states) or ends=vertices (one
 * set of vertices, with one state per vertex); shape=bipartite or shape=square; rows=N and cols=N for the
 * numbers of vertices (default: the largest number plus 1; an error if this gives more than 2^24 vertices
 * and more than 64 vertices per edge); undirected; repeats=…; ids=numbers (default: number I is vertex I)
 * or ids=given (the vertices are the distinct numbers in ascending order; any 64-bit number is allowed);
 * feedback=implicit if an edge only records that a user took an item, and negatives=N for N random pairs
 * per edge (0: none, for als). */
int lockstep_graph_new(const lockstep_array* rows, const lockstep_array* cols, const lockstep_array* weights,
                       const char* const* options, lockstep_graph** graph);
/* Makes a graph like lockstep_graph_new, with the times of the edges as integers (NULL: none). The option
 * test-latest of lockstep_fit holds out the latest edges. */
int lockstep_graph_new_timed(const lockstep_array* rows, const lockstep_array* cols,
                             const lockstep_array* weights, const lockstep_array* times,
                             const char* const* options, lockstep_graph** graph);
/* Sets the IDs of the vertices, which files and models contain. `texts` is the concatenation of all names,
 * and the name of vertex i extends from offsets[i] to offsets[i + 1] (vertices + 1 offsets). The names
 * must be distinct and in bytewise order. If `texts` is NULL, `offsets` contains numbers as IDs instead:
 * one per vertex, ascending. `side` is 0 for rows, 1 for columns, and 2 for both sides of a square graph. */
int lockstep_graph_name(lockstep_graph* graph, int side, const char* texts, const lockstep_array* offsets);
/* Reads a graph file of any supported format, or a schedule file with its schedules. Options: the input
 * options of the programs. */
int lockstep_graph_read(const char* path, const char* const* options, lockstep_graph** graph);
/* Writes the graph and its schedules to a schedule file. Options: force (replace an existing file). */
int lockstep_graph_write(const lockstep_graph* graph, const char* path, const char* const* options);
/* Returns a description of the graph. The JSON has rows, cols, edges, ends, shape, hash and schedules. The
 * arrays row_ids and col_ids contain the IDs as numbers, or as concatenated texts with the arrays
 * row_ids_offsets and col_ids_offsets. */
int lockstep_graph_info(const lockstep_graph* graph, lockstep_result** result);
void lockstep_graph_free(lockstep_graph* graph);

/* Builds and verifies a schedule, and stores it with the graph. `name` is the name of its builder, such as
 * "agm-e". A schedule with the same name is replaced. Options: those of the builders, seed, threads. */
int lockstep_schedule(lockstep_graph* graph, const char* name, const char* const* options,
                      lockstep_progress progress, void* data);
/* Verifies a schedule of the graph: each edge occurs once, concurrent edges do not conflict, and the
 * schedule is maximal if it is marked as maximal. */
int lockstep_verify(const lockstep_graph* graph, const char* name);
/* Returns the sets of edges of a schedule that may be updated concurrently, one set after another. The
 * array "order" {edges} contains the indices of the edges in input order, and "offsets" {sets + 1} the
 * offsets of the sets in "order"; both are UINT64. */
int lockstep_batches(const lockstep_graph* graph, const char* name, lockstep_result** result);
/* Divides the rows of a sparse pattern into phases such that no two rows of a phase share a column. Row r
 * contains the columns columns[offsets[r]] to columns[offsets[r + 1] - 1]. If `offsets` is NULL, each row of
 * the array `columns` is a row of the pattern. `fixed` contains columns that no row writes (NULL: none); they
 * cause no conflict. All are integers of 32 or 64 bits; they are not copied if offsets have 64 bits and
 * columns 32. The arrays "order" {rows} and "offsets" {phases + 1} are as in lockstep_batches. The JSON has
 * rows, columns, entries, phases, verified and bound: no pattern with a column in `bound` rows has fewer
 * phases. Options: order=given (default: first fit by row index), order=largest (rows with the most conflicts
 * first) or order=smallest (usually the fewest phases); even (phases of about equal size); columns=N (number
 * of columns; default: the largest plus 1); trust (omit the verification); threads=N. */
int lockstep_row_batches(const lockstep_array* offsets, const lockstep_array* columns,
                         const lockstep_array* fixed, const char* const* options, lockstep_result** result);
/* Colours the vertices of a graph: the vertices of a phase share no edge, with distance=2 also no neighbour.
 * Vertex v has the neighbors[offsets[v]] to neighbors[offsets[v + 1] - 1]; an edge may be given in one
 * direction or in both. If `offsets` is NULL, `neighbors` has 2 columns, the endpoints of the edges. The
 * result and the options are those of lockstep_row_batches (vertices=N instead of columns=N), and
 * distance=1 (default) or distance=2. */
int lockstep_color(const lockstep_array* offsets, const lockstep_array* neighbors, const char* const* options,
                   lockstep_result** result);

/* Runs an application by its name (bfs, sssp, pagerank, bp, cc, kcore, mis, mst, triangles). The result
 * has one array per column ("levels", "parents", …) with one value per vertex, and the JSON of
 * lockstep-execute. Options: those of the application, strategy, device, threads, verify. If the strategy
 * requires a schedule that the graph does not have, the schedule is built. */
int lockstep_run(lockstep_graph* graph, const char* application, const char* const* options,
                 lockstep_progress progress, void* data, lockstep_result** result);

/* Runs sweeps of a user's update (docs/guides/updates.md): a C++ file with two structs and a function,
 * which is compiled. The update changes the states of one set of vertices (`rows`) or of two sides (`rows`
 * and `cols`), and possibly the data of edges (`edges`). If `edges` is NULL, the data of an edge is its
 * weight if the struct Edge is one number of four bytes, otherwise zeros, and the data are not returned.
 * All arrays are changed in place after the last sweep.
 *
 * Each row of an array is one struct, in one of three forms: the numbers of the struct; with the type
 * BYTES, the bytes of the struct; or, with the type BYTES and an option rows-type, cols-type or
 * edges-type, entries of this type in NumPy's notation ("<f4", or "[('x', '<f4'), ('n', '<i8')]" with the
 * fields of the struct). Any other type is an error (BAD_INPUT).
 *
 * Options: strategy, sweeps, device, threads, set=NAME=NUMBER, verify, …. The default strategy, auto, is
 * the first of local, agm-e, tiled, stars, blkdiag, sgm, agm-n and diag whose schedule the graph has,
 * otherwise agm-e. */
int lockstep_update(lockstep_graph* graph, const char* source, lockstep_array* rows, lockstep_array* cols,
                    lockstep_array* edges, const char* const* options, lockstep_progress progress, void* data,
                    lockstep_result** result);

/* Fits a matrix factorization to ratings, like lockstep-train: chooses a strategy, builds its schedule,
 * runs sweeps, and stops. Options: those of lockstep-train; solver=sgd (default) or solver=als, for edges
 * that only record which items were taken. `result` receives the JSON of the run; it may be NULL. */
int lockstep_fit(lockstep_graph* ratings, const char* const* options, lockstep_progress progress, void* data,
                 lockstep_model** model, lockstep_result** result);
/* Checks the names and values of options without a run. `reading` contains options of lockstep_graph_new,
 * and `options` contains options of lockstep_fit. */
int lockstep_fit_check(const char* const* reading, const char* const* options);
int lockstep_model_read(const char* path, lockstep_model** model);
/* Writes a model to a file. Options: force (replace an existing file). */
int lockstep_model_write(const lockstep_model* model, const char* path, const char* const* options);
/* Returns the contents of a model as the arrays row_factors {rows, rank}, col_factors {cols, rank},
 * row_biases, col_biases, row_ids and col_ids. The JSON has rows, cols, rank, mean, parameters and
 * graph_hash. */
int lockstep_model_info(const lockstep_model* model, lockstep_result** result);
/* Predicts the weights of pairs: predictions[i] (FLOAT32) is for rows[i] and cols[i], which are indices of
 * vertices (INT64). It is NaN if an index is negative. The predictions are bitwise identical to those of
 * lockstep-predict. */
int lockstep_model_predict(const lockstep_model* model, const lockstep_array* rows,
                           const lockstep_array* cols, lockstep_array* predictions);
/* Recommends items: for each row in `rows` (indices, INT64; NULL: all rows), returns the n items with the
 * highest predictions, best first. Items are excluded if the row has a rating of them in the ratings to
 * which the model was fitted, or in `rated` (NULL: none), whose vertices are matched to the model's by
 * their IDs. The array "items" {rows, n} (INT64) contains indices of items, or -1 if there are fewer than
 * n, and "scores" {rows, n} (FLOAT32) contains their predictions. Options: include-taken (exclude only
 * items in `rated`). */
int lockstep_model_recommend(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                             const lockstep_graph* rated, const char* const* options,
                             lockstep_progress progress, void* data, lockstep_result** result);
/* Same as lockstep_model_recommend with the option include-taken. */
int lockstep_model_top(const lockstep_model* model, const lockstep_array* rows, uint64_t n,
                       const lockstep_graph* rated, lockstep_progress progress, void* data,
                       lockstep_result** result);
/* Returns the n items that are most similar to the item `col`, by the cosine of their vectors, in the
 * arrays "items" and "scores" with one row. */
int lockstep_model_similar(const lockstep_model* model, uint64_t col, uint64_t n, lockstep_result** result);
/* Evaluates the predictions of a model for the edges of `truth`. Returns the JSON of lockstep-predict
 * --evaluate; "unknown" is the number of pairs with an ID that the model does not contain. Ranked lists
 * exclude items in `rated` (NULL: none). Options: at, relevant, unknown (nan, bias, error). */
int lockstep_model_evaluate(const lockstep_model* model, const lockstep_graph* truth,
                            const lockstep_graph* rated, const char* const* options,
                            lockstep_result** result);
void lockstep_model_free(lockstep_model* model);

/* Returns the array `name` of a result in `array`; the error is BAD_INPUT if there is no such array. */
int lockstep_result_array(const lockstep_result* result, const char* name, lockstep_array* array);
/* Returns the names of all arrays in a result, separated by commas. */
const char* lockstep_result_names(const lockstep_result* result);
const char* lockstep_result_json(const lockstep_result* result);
void lockstep_result_free(lockstep_result* result);

#ifdef __cplusplus
}
#endif
#endif
