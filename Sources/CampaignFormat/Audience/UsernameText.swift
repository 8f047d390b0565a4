import CampaignCore

/// Sentences about usernames.
enum UsernameText {
    /// What is wrong with a name; a very long one is not repeated.
    static func message(for text: String, fault: UsernameFault) -> DiagnosticMessage {
        if case .empty = fault { return "The username is empty." }
        guard text.unicodeScalars.count <= 2 * Username.maximumLength else {
            return "The username \(fault)."
        }
        return "The username \"\(audience: text)\" \(fault)."
    }
}
