/// The tags that a hub gives itself (reference: section 4).
enum SpecialTag: String, CaseIterable {
    /// All installations of a user.
    case userID = "$UserId"
    /// One installation.
    case installationID = "$InstallationId"

    /// What stands before the id; a closing brace stands behind it.
    var opening: String { "\(rawValue):{" }
}
