/// Makes a GUID for each request without asking the system for randomness each time.
///
/// Both halves walk through all 64-bit numbers from a random start (SplitMix64): none comes twice
/// in a process. They identify; they keep nothing secret.
struct TrackingIDGenerator: Sendable {
    private var first: UInt64
    private var second: UInt64

    /// Starts at random.
    ///
    /// - Parameter random: where the starts come from.
    init(startingFrom random: inout some RandomNumberGenerator) {
        first = random.next()
        second = random.next()
    }

    /// The next id.
    mutating func next() -> TrackingID {
        TrackingID(Self.step(&first), Self.step(&second))
    }

    private static func step(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
