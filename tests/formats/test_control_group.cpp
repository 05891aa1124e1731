// Tests of the limits of control groups, in the formats of versions 1 and 2.
#include <catch2/catch.hpp>

#include "lockstep/formats/control_group.hpp"
#include "support.hpp"

using namespace lockstep::test;
using lockstep::ControlGroups;
namespace fs = std::filesystem;

namespace {

/// A tree of control groups as the system would show it.
struct Tree {
    TemporaryFolder folder;
    ControlGroups groups{folder / "membership", folder / "root"};
    explicit Tree(const std::string& membership) { write_file(groups.membership, membership); }
    void put(const std::string& file, const std::string& text) const {
        fs::create_directories((groups.root / file).parent_path());
        write_file(groups.root / file, text);
    }
};

}  // namespace

TEST_CASE("control groups of version 2: the least limit on the way to the root") {
    const Tree tree("0::/pods/mine\n");
    CHECK_FALSE(tree.groups.memory());
    CHECK_FALSE(tree.groups.processors());
    tree.put("pods/mine/cpu.max", "max 100000\n");
    tree.put("pods/mine/memory.max", "max\n");
    CHECK_FALSE(tree.groups.memory());
    CHECK_FALSE(tree.groups.processors());
    tree.put("pods/cpu.max", "150000 100000\n");
    tree.put("pods/memory.max", "8000000000\n");
    CHECK(tree.groups.memory() == 8'000'000'000);
    CHECK(tree.groups.processors() == 1.5);
    tree.put("pods/mine/cpu.max", "25000 50000\n");
    tree.put("pods/mine/memory.max", "4000000\n");
    CHECK(tree.groups.memory() == 4'000'000);
    CHECK(tree.groups.processors() == 0.5);
}

TEST_CASE("control groups of version 1: quota and period, -1 and 2^63 for none") {
    const Tree tree("5:memory:/a\n2:cpu,cpuacct:/a\n0::/\n");
    tree.put("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    tree.put("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    tree.put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK_FALSE(tree.groups.memory());
    CHECK_FALSE(tree.groups.processors());
    tree.put("cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n");
    tree.put("cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    tree.put("memory/a/memory.limit_in_bytes", "1000000\n");
    CHECK(tree.groups.memory() == 1'000'000);
    CHECK(tree.groups.processors() == 3);
}

TEST_CASE("a container that sees another tree than its own has the limits of the root") {
    const Tree tree("0::/docker/0123\n");
    tree.put("cpu.max", "200000 100000\n");
    tree.put("memory.max", "1000000000\n");
    CHECK(tree.groups.memory() == 1'000'000'000);
    CHECK(tree.groups.processors() == 2);
    CHECK_FALSE(ControlGroups{"/nowhere", tree.groups.root}.processors());
}
