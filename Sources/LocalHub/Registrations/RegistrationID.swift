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

    /// Whether a text has the form of an id: two numbers and a digit; clients may make their own.
    static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].utf8.count == 1
            && parts.allSatisfy { part in
                (1...20).contains(part.utf8.count)
                    && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}

extension HubFailure {
    /// What should be the id of a registration is none.
    static let invalidRegistrationID = badRequest(
        "The registration id is not of the form 123-456-1.")
}
