// Tests of Exclusive, Pipe and Iterate on a CPU.
#include "catch.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "lockstep/executor/worklist/pipe.hpp"

namespace lockstep::worklist {

namespace {

/// An item that needs three neighbouring locks of a ring. It owns the middle one, or all of them.
struct Ring {
    std::vector<Mark>* marks;
    std::vector<std::uint32_t>* when;  ///< the round in which an item held its locks
    bool owns_all;

    template <class LockVisitor>
    bool locks(Item item, LockVisitor visitor) const {
        const auto size = marks->size();
        const auto at = [&](std::size_t i) { return marks->data() + i % size; };
        const auto side = [&](Mark* lock) {
            return owns_all ? visitor.visit_exclusive(lock) : visitor.visit_shared(lock);
        };
        return side(at(item + size - 1)) && visitor.visit_exclusive(at(item)) && side(at(item + 1));
    }
    template <class Push>
    void operator()(Item item, std::uint32_t round, Push) const {
        (*when)[item] = round;
    }
};

std::vector<Item> first(std::size_t size) {
    std::vector<Item> all(size);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

std::vector<std::uint32_t> rounds_of(bool owns_all, std::vector<Item> order, int threads) {
    std::vector<Mark> marks(order.size());
    std::vector<std::uint32_t> when(order.size());
    iterate_on_cpu(order, threads, Ring{&marks, &when, owns_all});
    return when;
}

}  // namespace

TEST_CASE("items that want one lock never hold it in one round, and each holds in the end") {
    const std::size_t size = 2000;
    for (const bool owns_all : {false, true}) {
        const auto when = rounds_of(owns_all, first(size), 4);
        for (std::size_t i = 0; i < size; ++i) {
            CHECK(when[i] > 0);
            CHECK(when[i] != when[(i + 1) % size]);  // each of both needs the lock that the other owns
            if (owns_all) CHECK(when[i] != when[(i + 2) % size]);
        }
        // Items that share a lock do not exclude each other: some two items at distance two hold together.
        if (!owns_all) {
            bool together = false;
            for (std::size_t i = 0; i < size; ++i) together = together || when[i] == when[(i + 2) % size];
            CHECK(together);
        }
    }
}

TEST_CASE("who holds depends on the keys, not on the order of a worklist or on threads") {
    auto backwards = first(3000);
    std::reverse(backwards.begin(), backwards.end());
    for (const bool owns_all : {false, true}) {
        const auto when = rounds_of(owns_all, first(3000), 1);
        CHECK(rounds_of(owns_all, backwards, 4) == when);
        // The item with the highest key of the first round holds its locks in this round.
        Item highest = 0;
        for (Item i = 0; i < 3000; ++i) highest = key_of(i, 1) > key_of(highest, 1) ? i : highest;
        CHECK(when[highest] == 1);
    }
}

TEST_CASE("keys of a round are odd, all different, and higher than those of earlier rounds") {
    std::set<Mark> keys;
    Mark before = 0;
    for (std::uint32_t round = 1; round < 4; ++round) {
        Mark most = 0;
        for (Item i = 0; i < 1000; ++i) {
            const Mark key = key_of(i, round);
            CHECK((key & 1) == 1);
            CHECK(key - 1 > before);
            CHECK(keys.insert(key).second);
            most = std::max(most, key);
        }
        before = most;
    }
}

TEST_CASE("a pipe hands items from kernel to kernel until a worklist is empty") {
    std::vector<std::uint32_t> halved, counted;
    const auto halve = [&](Item item, std::uint32_t round, auto push) {
        halved.push_back(round);
        if (item > 1) push(item / 2);
    };
    const auto count = [&](Item item, std::uint32_t round, auto push) {
        counted.push_back(round);
        push(item);
    };
    // The items 16, 8, 4, 2 and 1 are halved in rounds 1, 3, … 9, and the last one pushes nothing.
    CHECK(pipe_on_cpu({16}, 1, halve, count) == 9);
    CHECK(halved == std::vector<std::uint32_t>{1, 3, 5, 7, 9});
    CHECK(counted == std::vector<std::uint32_t>{2, 4, 6, 8});
    CHECK(pipe_on_cpu({}, 1, halve) == 0);
}

}  // namespace lockstep::worklist
