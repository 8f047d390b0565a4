/// Lots that are drawn by number instead of in turn, so that the same request gets the same lot whatever
/// else happens at the same time.
struct FaultLot: Sendable {
    /// What makes one series of lots differ from another.
    let seed: UInt64

    /// The lot of a number within a series, 0 to 1, 1 excluded.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - series: the series, such as a rule's place.
    /// - Returns: the lot.
    func draw(_ number: UInt64, series: Int) -> Double {
        let mixed = Self.mixed(Self.mixed(seed &+ UInt64(series) &* 0x9E37_79B9_7F4A_7C15) ^ number)
        return Double(mixed >> 11) / Double(1 << 53)
    }

    /// A number for a text, the same on every run and machine (FNV-1a).
    static func number(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// SplitMix64's finaliser.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
