import Synchronization

/// Random numbers that are the same in every test run (SplitMix64); copies share one sequence, so that ids never repeat.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private final class Sequence: Sendable {
        let state: Mutex<UInt64>

        init(seed: UInt64) {
            self.state = Mutex(seed)
        }
    }

    private let sequence: Sequence

    init(seed: UInt64) {
        self.sequence = Sequence(seed: seed)
    }

    func next() -> UInt64 {
        sequence.state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
