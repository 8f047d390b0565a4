/// Ids of registrations in the recorded form: two long numbers and a digit (reference, section 6.1).
enum RegistrationID {
    /// A new id, such as `7260336227650468927-4200236381151834034-1`.
    ///
    /// - Parameter random: a source of 64 random bits.
    /// - Returns: the id.
    static func make(_ random: () -> UInt64) -> String {
        // Like the recorded ones, both numbers have 19 digits.
        let span: UInt64 = 8_000_000_000_000_000_000
        let least: UInt64 = 1_000_000_000_000_000_000
        return "\(least + random() % span)-\(least + random() % span)-1"
    }
}
