/// A secondary tile of a Windows app, with a channel of its own (reference, section 7).
struct SecondaryTile: Sendable, Hashable, Codable {
    /// The channel URI.
    var pushChannel: String
    /// The plain tags, in the order given, without repeats.
    var tags: [String] = []
    /// The templates by name.
    var templates: [String: InstallationTemplate] = [:]
}
