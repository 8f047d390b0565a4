/// Identifiers in the form that the service uses for tracking ids and installations.
enum GUID {
    /// A random GUID, version 4 (RFC 9562), in lower case.
    ///
    /// - Parameter random: a source of 64 random bits.
    /// - Returns: the GUID.
    static func make(_ random: () -> UInt64) -> String {
        let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let first = Hexadecimal.text(high, digits: 16)
        let second = Hexadecimal.text(low, digits: 16)
        return [
            first.prefix(8), first.dropFirst(8).prefix(4), first.dropFirst(12),
            second.prefix(4), second.dropFirst(4),
        ].joined(separator: "-")
    }
}
