// Compilation of user-defined updates: what C++ allows, the cache, signals and errors.
#include "update_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("update: a changed header is seen, and an unchanged update is compiled once") {
    const Path path;
    const std::string text =
        "#include \"step.hpp\"\nstruct S { struct Vertex { float x; }; static void update(Vertex& a, Vertex& "
        "b) "
        "{ a.x += step; b.x += step; } };\n";
    const auto compiles = [&](const char* step) {
        write_file(path.folder / "step.hpp", std::string("constexpr float step = ") + step + ";\n");
        const ProgramResult result = path.run(text);
        INFO(result.err);
        REQUIRE(result.code == 0);
        CHECK(values_of<float>(path.out)[0] == std::stof(step));
        return result.err.find("compiling") != std::string::npos;
    };
    CHECK(compiles("1"));
    CHECK(compiles("10"));
    CHECK(!compiles("10"));
    CHECK(!compiles("1"));  // both are kept
    const ProgramResult set = path.run(text + "// the same with a word more\n");
    CHECK_THAT(set.err, Catch::Contains("compiling"));
}

TEST_CASE("update: a damaged library of the cache is compiled again") {
    const Path path;
    const std::vector<float> expected = path.states<float>(plus_one);
    std::filesystem::path library;
    for (const auto& entry : std::filesystem::directory_iterator(path.folder / "cache" / "updates"))
        if (entry.path().extension() == ".so") library = entry.path();
    const std::string whole = read_file(library);
    std::string turned = whole;
    turned[whole.size() / 2] = static_cast<char>(turned[whole.size() / 2] ^ 1);
    for (const std::string& damaged :
         {std::string(), whole.substr(0, 15), whole.substr(0, whole.size() / 2),
          whole.substr(0, whole.size() - 1), turned, std::string(whole.size(), '\0')}) {
        write_file(library, damaged);
        const ProgramResult result = path.run(plus_one);
        INFO(result.err);
        CHECK(result.code == 0);
        CHECK_THAT(result.err, Catch::Contains("compiling"));
        CHECK(values_of<float>(path.out) == expected);
        CHECK(read_file(library).size() == whole.size());
    }
    for (const auto& entry : std::filesystem::directory_iterator(path.folder / "cache" / "updates"))
        if (entry.path().extension() == ".files") write_file(entry.path(), "/nowhere\n");
    CHECK(path.states<float>(plus_one) == expected);
}

TEST_CASE("update: a signal ends the compiler, and the program with the signal's code") {
    const Path path;
    write_file(path.update, plus_one);
    write_file(path.folder / "slow", "#!/bin/sh\necho $$ > compiler\nexec sleep 1000\n");
    for (const auto& [signal, code] : {std::pair{"INT", 130}, {"TERM", 143}, {"HUP", 129}}) {
        INFO(signal);
        const ProgramResult result = path.shell(
            std::string(
                "set -m; chmod +x slow; rm -f compiler; CXX=$PWD/slow lockstep-execute g.h5 --update "
                "update.hpp --device cpu & p=$!\nuntil [ -s compiler ]; do sleep 0.05; done\nkill -") +
            signal + " -$p; wait $p; echo $?; kill -0 $(cat compiler) 2>/dev/null && echo runs still");
        CHECK(result.out == std::to_string(code) + "\n");
        CHECK_THAT(result.err, Catch::Contains("interrupted") && !Catch::Contains("does not compile"));
    }
}

TEST_CASE("update: one that throws has no result, and its words are said") {
    const Path path;
    const std::string text =
        "#include <stdexcept>\nstruct S { struct Vertex { float x; };\n    static void update(Vertex& a, "
        "Vertex& b) "
        "{ if (a.x > 1) throw std::runtime_error(\"too far: 7\"); a.x += 1, b.x += 1; } };\n";
    for (const char* strategy : {"agm-e", "nl", "el"}) {
        INFO(strategy);
        const ProgramResult result =
            run_program("lockstep-execute", (write_file(path.update, text), path.file), "--update",
                        path.update, "--sweeps 9 --device cpu --output", path.out, "--strategy", strategy);
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Catch::Contains("threw an exception") && Catch::Contains("too far: 7"));
        CHECK(!std::filesystem::exists(path.out));
    }
}

TEST_CASE("update: the struct is found in what C++ allows") {
    const Path path;
    const std::string body =
        "{ struct Vertex final { float x, y; };\n    static void update(Vertex& a, Vertex& b) { ++a.x, "
        "++b.x; } };\n";
    const std::vector<float> expected{1, 0, 2, 0, 1, 0};
    for (const std::string& text :
         {"struct S final " + body, "constexpr int many = 1'000, more = 0x1'0;\nstruct S " + body,
          "constexpr const char* raw = R\"(struct T { } update \" ' {)\";\nstruct S " + body,
          "constexpr char quote = '\"', other = u8'{';\nstruct S " + body,
          "#define OPEN {\nstruct [[maybe_unused]] alignas(8) S " + body,
          "namespace cloth { namespace inner {\nstruct S " + body + "} }\n",
          "namespace cloth::inner {\nstruct S " + body + "}\n", "namespace {\nstruct S " + body + "}\n",
          "struct Outer { struct S " + body + "};\n"}) {
        INFO(text);
        CHECK(path.states<float>(text) == expected);
    }
    const std::string two = "namespace a { struct S " + body + "}\nnamespace b { struct T " + body + "}\n";
    path.refuses(2, "several updates (a::S, b::T)", two);
    for (const char* name : {":b::T", ":T"}) {
        const ProgramResult result = run_program("lockstep-execute -q --force", path.file, "--update",
                                                 path.update.string() + name, "--device cpu");
        INFO(result.err);
        CHECK(result.code == 0);
    }
}

TEST_CASE("update: CXX may have options, and a cache that cannot be written costs a compilation alone") {
    const Path path;
    setenv("CXX", "g++ -O1", 1);
    const std::vector<float> expected = path.states<float>(plus_one);
    setenv("CXX", "no-such-compiler", 1);
    path.refuses(1, "there is no compiler no-such-compiler", plus_one);
    unsetenv("CXX");
    const auto used = path.folder / "used";
    write_file(used, "a file");
    setenv("LOCKSTEP_CACHE", used.c_str(), 1);
    const ProgramResult result = path.run(plus_one);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Catch::Contains("cannot be stored") && Catch::Contains("LOCKSTEP_CACHE"));
    CHECK(values_of<float>(path.out) == expected);
}
