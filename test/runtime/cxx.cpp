// SPDX-License-Identifier: MIT
// A C++17 program uses the runtime as it is: typed tasks, plain tasks from lambdas, loops.
#include <heist/heist.h>
#include <heist/loops.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace
{

int failures = 0;

void expect(const char *what, long long got, long long wanted)
{
    if (got != wanted) {
        std::printf("%s: %lld, not %lld\n", what, got, wanted);
        failures++;
    }
}

HEIST_TASK_1(long, fib, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib, n - 1);
    long b = HEIST_CALL(fib, n - 2);
    return b + HEIST_JOIN(fib);
}

// Four arguments of different types, a struct as result.
struct extremes {
    std::int64_t least, most;
};

HEIST_TASK_4(extremes, find_extremes, const std::vector<std::int64_t> *, numbers, std::size_t, from,
             std::size_t, to, short, sign)
{
    if (to - from == 1)
        return extremes{sign * (*numbers)[from], sign * (*numbers)[from]};
    const std::size_t middle = from + (to - from) / 2;
    HEIST_FORK(find_extremes, numbers, from, middle, sign);
    const extremes b = HEIST_CALL(find_extremes, numbers, middle, to, sign);
    const extremes a = HEIST_JOIN(find_extremes);
    return extremes{std::min(a.least, b.least), std::max(a.most, b.most)};
}

// No result, or no arguments.
HEIST_VOID_TASK_2(set_flag, bool *, flag, bool, value) { *flag = value; }
HEIST_VOID_TASK_0(throws) { std::vector<int>().at(1); }

HEIST_TASK_0(bool, set_two)
{
    bool first = false, second = false;
    HEIST_FORK(set_flag, &first, true);
    HEIST_CALL(set_flag, &second, true);
    HEIST_JOIN_ONLY(set_flag);
    return first && second;
}

void typed_tasks(heist_pool *pool)
{
    long result = 0;
    expect("run fib", heist_run_fib(pool, &result, 25), 0);
    expect("fib(25)", result, 75025);

    std::vector<std::int64_t> numbers(10000);
    std::iota(numbers.begin(), numbers.end(), -5000);
    extremes e{};
    expect("run find_extremes", heist_run_find_extremes(pool, &e, &numbers, 0, 10000, -1), 0);
    expect("least", e.least, -4999);
    expect("most", e.most, 5000);

    bool both = false;
    expect("run set_two", heist_run_set_two(pool, &both), 0);
    expect("both set", both, true);
}

#ifdef NOT_TRIVIAL
HEIST_TASK_1(int, size_of, std::vector<int>, v) { return static_cast<int>(v.size()); }
#endif

// A task that throws ends the program, as any noexcept function does.
void throwing()
{
    const pid_t child = fork();
    if (child == 0) {
        std::set_terminate([] { _exit(7); });
        try {
            heist_run_throws(nullptr);
        } catch (...) {
            _exit(8);
        }
        _exit(9);
    }
    int status = 0;
    expect("child", waitpid(child, &status, 0), child);
    expect("ended by terminate", WIFEXITED(status) ? WEXITSTATUS(status) : -1, 7);
}

struct tree_sum {
    int depth;
    long sum;
};

void plain_tasks(heist_pool *pool)
{
    static heist_fn *const add_up = [](heist_worker *w, void *arg) {
        auto *t = static_cast<tree_sum *>(arg);
        if (t->depth == 0) {
            t->sum = 1;
            return;
        }
        tree_sum left{t->depth - 1, 0}, right = left;
        heist_task task;
        heist_fork(w, &task, add_up, &left);
        add_up(w, &right);
        heist_join(w, &task);
        t->sum = left.sum + right.sum;
    };
    tree_sum t{16, 0};
    expect("run add_up", heist_run(pool, add_up, &t), 0);
    expect("leaves", t.sum, 1L << 16);
}

// What a user writes once to have lambdas with captures.
template <typename Body>
int parallel_for(heist_pool *pool, std::size_t begin, std::size_t end, const Body &body)
{
    return heist_run_for(
        pool, begin, end, 0,
        [](heist_worker *, std::size_t from, std::size_t to, void *context) {
            for (std::size_t i = from; i < to; i++)
                (*static_cast<const Body *>(context))(i);
        },
        const_cast<Body *>(&body));
}

void loops(heist_pool *pool)
{
    std::vector<std::int64_t> numbers(100000), sums(numbers.size());
    expect("run for",
           parallel_for(
               pool, 0, numbers.size(),
               [&](std::size_t i) { numbers[i] = static_cast<std::int64_t>(i * 7919 % 100003); }),
           0);
    for (std::size_t i = 0; i < numbers.size(); i++)
        if (numbers[i] != static_cast<std::int64_t>(i * 7919 % 100003))
            expect("for", static_cast<long long>(i), -1);

    heist_reduction sum{};
    sum.size = sizeof(std::int64_t);
    sum.context = &numbers;
    sum.body = [](heist_worker *, std::size_t from, std::size_t to, void *partial, void *context) {
        const auto &n = *static_cast<std::vector<std::int64_t> *>(context);
        auto *p = static_cast<std::int64_t *>(partial);
        *p = std::accumulate(n.begin() + static_cast<std::ptrdiff_t>(from),
                             n.begin() + static_cast<std::ptrdiff_t>(to), *p);
    };
    sum.combine = [](heist_worker *, void *left, void *right, void *) {
        *static_cast<std::int64_t *>(left) += *static_cast<std::int64_t *>(right);
    };
    std::int64_t total = 0;
    expect("run reduce", heist_run_reduce(pool, 0, numbers.size(), 0, &sum, &total), 0);
    expect("reduce", total, std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}));

    expect("run scan",
           heist_run_scan(
               pool, sums.data(), numbers.data(), numbers.size(), sizeof(std::int64_t),
               [](void *out, const void *left, const void *right, void *) {
                   *static_cast<std::int64_t *>(out) = *static_cast<const std::int64_t *>(left) +
                                                       *static_cast<const std::int64_t *>(right);
               },
               nullptr),
           0);
    expect("scan", sums.back(), total);

    expect("run sort",
           heist_run_sort(
               pool, numbers.data(), numbers.size(), sizeof(std::int64_t),
               [](const void *a, const void *b, void *) {
                   const auto x = *static_cast<const std::int64_t *>(a);
                   const auto y = *static_cast<const std::int64_t *>(b);
                   return x < y ? -1 : x > y;
               },
               nullptr),
           0);
    expect("sort", std::is_sorted(numbers.begin(), numbers.end()), true);

    expect("run each",
           heist_run_each(
               pool, numbers.data(), numbers.size(), sizeof(std::int64_t),
               [](heist_worker *, void *element, void *) {
                   *static_cast<std::int64_t *>(element) = -1;
               },
               nullptr),
           0);
    expect("each", std::count(numbers.begin(), numbers.end(), -1), 100000);

    bool first = false, second = false;
    heist_fn *const set = [](heist_worker *, void *arg) { *static_cast<bool *>(arg) = true; };
    const heist_call calls[] = {{set, &first}, {set, &second}};
    expect("run invoke", heist_run_invoke(pool, calls, 2), 0);
    expect("invoke", first && second, true);
}

} // namespace

int main()
{
    heist_pool *pool = nullptr;
    heist_pool_opts opts{};
    opts.size = sizeof opts;
    opts.workers = 2;
    expect("pool", heist_pool_new(&pool, &opts), 0);
    if (!pool)
        return 1;
    expect("workers", heist_pool_workers(pool), 2);
    for (heist_pool *p : {pool, static_cast<heist_pool *>(nullptr)}) {
        typed_tasks(p);
        plain_tasks(p);
        loops(p);
    }
    expect("free", heist_pool_free(pool), 0);
    throwing();
    return failures != 0;
}
