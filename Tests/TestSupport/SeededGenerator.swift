import Synchronization

/// Random numbers from a seed, so that a failure can be repeated; copies share one sequence.
///
/// SplitMix64, from Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private final class Sequence: Sendable {
        let state: Mutex<UInt64>

        init(seed: UInt64) {
            state = Mutex(seed)
        }
    }

    private let sequence: Sequence

    package init(seed: UInt64) {
        sequence = Sequence(seed: seed)
    }

    package func next() -> UInt64 {
        sequence.state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
