/// A random sample of numbers; the same seed always gives the same sample.
struct SampleChoice {
    /// The SplitMix64 generator, which is uniform enough for a sample and gives the same numbers on
    /// every machine.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// The chosen numbers, which are at least 1, ascending and distinct.
    let numbers: [Int]

    /// Chooses by Floyd's algorithm (Bentley, Programming Pearls, 1987).
    init(_ count: Int, of all: Int, seed: UInt64) {
        var generator = Generator(state: seed)
        var chosen: Set<Int> = []
        for number in max(1, all - count + 1)...max(1, all) where all > 0 {
            let drawn = Int(UInt64.random(in: 1...UInt64(number), using: &generator))
            chosen.insert(chosen.contains(drawn) ? number : drawn)
        }
        numbers = chosen.sorted()
    }
}
