#include "lockstep/executor/structure/exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

namespace lockstep::structure {

double exact_sum(std::span<const float> terms) {
    // A float is an integer below 2^24 times a power of two. The integers with the same power are added up
    // without rounding.
    constexpr int lowest = -149;
    std::vector<std::int64_t> sums(300, 0);
    for (const float term : terms) {
        int power = 0;
        std::frexp(term, &power);
        power = std::max(power - 24, lowest);
        sums[static_cast<std::size_t>(power - lowest)] += static_cast<std::int64_t>(std::ldexp(term, -power));
    }
    boost::multiprecision::cpp_int total = 0;
    for (std::size_t i = sums.size(); i-- > 0;) total = total * 2 + sums[i];
    if (total == 0) return 0;
    const bool negative = total < 0;
    if (negative) total = -total;
    // Keep the highest 64 bits of the sum. The lowest of them is set if any omitted bit is set, which
    // suffices for correct rounding.
    const int more = std::max(0, static_cast<int>(boost::multiprecision::msb(total)) - 63);
    boost::multiprecision::cpp_int high = total >> more;
    if ((high << more) != total) high |= 1;
    const double value = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(high)), more + lowest);
    return negative ? -value : value;
}

}  // namespace lockstep::structure
