// lockstep-report on synthetic run records, compared with numbers computed by hand.
#include <cmath>

#include "report_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("report: two data sets, ten strategies") {
    Records records;
    const json all = report({records.first, records.second});
    CHECK(all.at("runs") == 20);
    REQUIRE(all.at("groups").size() == 2);
    const json& group = all["groups"][0];
    CHECK(group.at("data") == "ratings");
    CHECK(group.at("input_class") == "scale-free");
    CHECK(all["groups"][1].at("input_class") == "road");
    CHECK(group.at("baseline") == "el");
    CHECK(group.at("device").at("name") == "Test <CPU> & co");
    REQUIRE(group.at("rows").size() == 10);
    // Offline rows come first, then online, then racing rows, whatever the order of the records.
    CHECK(group["rows"][0].at("strategy") == "agm-e");
    CHECK(group["rows"][5].at("strategy") == "el");
    CHECK(group["rows"][9].at("strategy") == "hogwild");

    const json agm = row(group, "agm-e");
    check_holds(agm,
                R"({"kind": "offline", "normalised": 0.5, "deterministic": true, "seconds": {"read": 0.5,
            "schedule": 10, "write": 2, "load": 0.25, "transfer": 0.125, "execute": 10,
            "execute_per_sweep": 2, "evaluate": 0.0625}, "updates_per_second": 9000, "sweeps": 5,
            "passes": 3, "rmse_train": 0.2, "rmse_test": 0.7})"_json);
    for (const char* key : {"variant", "runs", "status", "parameters", "program", "command", "schedule_hash",
                            "result_hashes", "seed"}) {
        CHECK(agm.contains(key));
    }
    for (const char* key : {"program", "command", "geomeans", "schedules_without_run"})
        CHECK(all.contains(key));
}

TEST_CASE("report: break-even") {
    Records records;
    const json group = report({records.first})["groups"][0];
    const auto pays = [&](const char* strategy, const char* against) {
        const json all = row(group, strategy).at("break_even");
        for (const json& one : all) {
            if (one.at("against") == against)
                return one.at("pays") == true ? one.at("sweeps").get<double>() : -1;
        }
        return -2.0;
    };
    // agm-e: 12 s of preprocessing, 2 s per sweep; all rows have the same loading time.
    CHECK(pays("agm-e", "el") == 6);             // 12 / (4 - 2)
    CHECK(pays("agm-e", "el-shuffled") == 4);    // (12 - 1) / (5 - 2) = 3.67
    CHECK(pays("agm-e", "nl") == 3);             // 12 / (6 - 2)
    CHECK(pays("agm-e", "nl-el") == 2);          // 12 / (8 - 2)
    CHECK(pays("agm-e", "hogwild") == -1);       // 1 s per sweep: never
    CHECK(pays("sgm", "el") == 10);              // 10 / (4 - 3)
    CHECK(pays("blkdiag", "el") == -1);          // a tie never pays
    CHECK(pays("blkdiag", "el-shuffled") == 6);  // (7 - 1) / (5 - 4)
    CHECK(pays("diag", "nl-el") == -1);
    // The headline compares with the fastest online strategy, and also with the fastest racing strategy.
    CHECK(row(group, "agm-e").at("pays_online") ==
          json{{"against", "el"}, {"pays", true}, {"sweeps", 6.0}, {"kept_sweeps", 0.0}});
    CHECK(row(group, "agm-e").at("pays_racing") ==
          json{{"against", "hogwild"}, {"pays", false}, {"sweeps", nullptr}, {"kept_sweeps", nullptr}});
    CHECK(row(group, "el").at("pays_online").is_null());

    // A schedule that costs no more than the other row's preprocessing is ahead from the start.
    const json cheap = report_on({{"agm-e", 1, 0, {1}}, {"el-shuffled", 2, 0, {2}}});
    CHECK(row(cheap["groups"][0], "agm-e").at("pays_online").at("sweeps") == 0);

    // End-to-end time counts: 3 + 1 + 2 + (4.25 - 0.25) s before the sweeps; 4 s of them remain if the file
    // exists.
    Run slow{"agm-e", 3, 1, {1, 1}};
    slow.load = 4.25, slow.verify = 2;
    const json whole = row(report_on({slow, {"el", 0, 0, {2, 2}}})["groups"][0], "agm-e");
    CHECK(whole.at("pays_online").at("sweeps") == 10);
    CHECK(whole.at("pays_online").at("kept_sweeps") == 4);
    CHECK(whole.at("seconds").at("prove") == 2);
    CHECK(whole.at("seconds").at("fit") == 0.03125);
    CHECK(whole.at("seconds").at("result") == 0.25);
    CHECK(whole.at("seconds").at("other") == 0.5);
}

TEST_CASE("report: repeated runs become medians") {
    const json all = report_on({{"el", 0, 0, {1, 2, 9}},
                                {"el", 0, 0, {4, 4, 4}},
                                {"el", 0, 0, {30, 3, 3}},
                                {"agm-e", 1, 1, {1, 1}},
                                {"agm-e", 3, 1, {2, 2}}});
    const json el = row(all["groups"][0], "el"), agm = row(all["groups"][0], "agm-e");
    CHECK(el.at("runs") == 3);
    CHECK(el.at("seconds").at("execute_per_sweep") == 3);  // median of 2, 4, 3
    CHECK(el.at("seconds").at("execute") == 12);           // median of 12, 12, 36
    check_holds(
        agm, R"({"runs": 2, "seconds": {"schedule": 2, "execute_per_sweep": 1.5}, "normalised": 0.5})"_json);
}

TEST_CASE("report: sweeps whose sum the median does not tell are called uneven") {
    const auto notes_of = [](const std::vector<double>& sweeps) {
        return report_on({{"el", 0, 0, sweeps}})["groups"][0]["notes"].dump();
    };
    CHECK(notes_of({0.2, 0.2, 6, 0.2, 0.2}).find("el: its 5 sweeps took 6.80 s, 6.8 times as long") !=
          std::string::npos);
    CHECK(notes_of({0.2, 0.2, 0.3, 0.2, 0.2}).find("as long") == std::string::npos);
}

TEST_CASE("report: geomeans over data sets") {
    Records records;
    DataSet third = rating_data;
    third.name = "third";
    for (const Run& run : {Run{"el", 0, 0, {1}}, Run{"agm-e", 1, 0, {2}}})
        write_run(records.folder / "third.jsonl", third, run);
    const json all = report({records.first, records.second, (records.folder / "third.jsonl").string()});
    bool found = false;
    for (const json& mean : all.at("geomeans")) {
        if (mean.at("strategy") != "agm-e" || mean.at("input_class") != "scale-free") continue;
        found = true;
        CHECK(std::abs(mean.at("geomean").get<double>() - 1) < 1e-12);  // sqrt(0.5 * 2)
        CHECK(mean.at("data_sets") == 2);
    }
    CHECK(found);
    CHECK(report({records.first}).at("geomeans").empty());
    CHECK(report({records.first, records.first}).at("runs") == 10);  // a file that is named twice counts once
}

TEST_CASE("report: without el the baseline is el-shuffled, and without that there is none") {
    const json shuffled = report_on({{"agm-e", 1, 0, {1}}, {"el-shuffled", 1, 0, {4}}})["groups"][0];
    CHECK(shuffled.at("baseline") == "el-shuffled");
    CHECK(row(shuffled, "agm-e").at("normalised") == 0.25);
    const json none = report_on({{"agm-e", 1, 0, {1}}, {"nl", 0, 0, {4}}})["groups"][0];
    CHECK(none.at("baseline").is_null());
    CHECK(row(none, "agm-e").at("normalised").is_null());
    CHECK(none.at("notes")[0].get<std::string>().find("No baseline") == 0);
    const json chosen = report_on({{"agm-e", 1, 0, {1}}, {"el", 0, 0, {2}}, {"nl", 0, 0, {4}}},
                                  {"--baseline", "nl"})["groups"][0];
    CHECK(row(chosen, "el").at("normalised") == 0.5);
}

TEST_CASE("report: PageRank is normalised to the slowest variant of each graph, given order against sorted") {
    const auto run = [](const char* strategy, double seconds, const char* order = "given") {
        return Run{strategy, 0, 0, {seconds, seconds, seconds}, "ok", "r", "pagerank", order};
    };
    const json group =
        report_on({run("push", 8), run("pull", 2), run("pull", 4, "degree"), run("pull-nodiv", 1)})
            .at("groups")
            .at(0);
    CHECK(group.at("app") == "pagerank");
    CHECK(group.at("baseline") == "slowest");
    CHECK(group.at("notes").dump().find("the slowest strategy of this group, push") != std::string::npos);
    CHECK(row(group, "push").at("normalised") == 1);
    CHECK(row(group, "pull-nodiv").at("normalised") == 0.125);
    std::map<std::string, double> pull;
    for (const json& one : group.at("rows")) {
        if (one.at("strategy") == "pull") pull[one.at("variant")] = one.at("normalised");
    }
    CHECK(pull == std::map<std::string, double>{{"order given", 0.25}, {"order degree", 0.5}});
    CHECK(report_on({run("push", 8), run("pull", 2)}, {"--baseline", "pull"})
              .at("groups")
              .at(0)
              .at("baseline") == "pull");
}

TEST_CASE("report: a run that died or diverged is shown, and is no yardstick") {
    const json group = report_on(
        {{"agm-e", 1, 0, {1}}, {"el", 0, 0, {2, 2}, "died"}, {"nl", 0, 0, {3}, "diverged"}})["groups"][0];
    CHECK(group.at("baseline").is_null());
    const json died = row(group, "el"), diverged = row(group, "nl");
    CHECK(died.at("status") == "died");
    CHECK(died.at("seconds").at("load").is_null());
    CHECK(died.at("seconds").at("execute") == 4);
    CHECK(diverged.at("status") == "diverged");
    CHECK(diverged.at("rmse_train").is_null());
    CHECK(row(group, "agm-e").at("pays_online").is_null());
    // A run that died before its first sweep, alone in the file.
    const json alone = report_on({{"agm-e", 1, 0, {}, "died"}})["groups"][0];
    CHECK(row(alone, "agm-e").at("seconds").at("execute_per_sweep").is_null());
}

TEST_CASE("report: one sentence where all strategies diverged, one a status where some did") {
    const json none =
        report_on({{"agm-e", 1, 0, {1}, "diverged"}, {"el", 0, 0, {1}, "diverged"}})["groups"][0];
    REQUIRE(none.at("notes").size() == 1);
    CHECK(none.at("notes")[0].get<std::string>().starts_with("All strategies diverged"));
    const json some = report_on({{"agm-e", 1, 0, {1}, "diverged"},
                                 {"sgm", 1, 0, {1}, "diverged"},
                                 {"nl", 0, 0, {1}, "died"},
                                 {"el", 0, 0, {1}}})["groups"][0];
    REQUIRE(some.at("notes").size() == 2);
    CHECK(some.at("notes")[1].get<std::string>().ends_with("agm-e, sgm."));
}

TEST_CASE("report: a deterministic row with two results is called out") {
    const json group =
        report_on({{"agm-e", 1, 0, {1}, "ok", "x"}, {"agm-e", 1, 0, {1}, "ok", "y"}})["groups"][0];
    CHECK(row(group, "agm-e").at("result_hashes") == json{"x", "y"});
    CHECK(group.at("notes").dump().find("2 different results") != std::string::npos);
}
