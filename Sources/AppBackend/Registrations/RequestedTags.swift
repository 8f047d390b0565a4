import CampaignCore

/// The tags that a device gets: its user's, and of those that it asks for the allowed ones.
struct RequestedTags: Equatable {
    /// Without repeats, the user's first.
    let tags: [String]

    /// Checks what a device asks for.
    ///
    /// Old apps ask for their own `username:` tag too; they have it anyway.
    ///
    /// - Parameters:
    ///   - wanted: what the device asks for.
    ///   - user: whose it is.
    ///   - allowed: what anybody may ask for.
    /// - Throws: ``BackendFailure/tagNotAllowed(_:)``; ``BackendFailure/malformed(reason:)`` when
    ///   there are too many.
    init(
        _ wanted: [String], of user: Username, allowed: [TagPattern]
    ) throws(BackendFailure) {
        var tags = [user.tag]
        var known: Set<String> = [user.tag]
        for tag in wanted where !known.contains(tag) {
            guard allowed.contains(where: { $0.matches(tag) }) else { throw .tagNotAllowed(tag) }
            known.insert(tag)
            tags.append(tag)
        }
        guard tags.count <= RegistrationDocument.mostTags else {
            let most = RegistrationDocument.mostTags
            throw .malformed(
                reason: "A device may have \(most) tags at most, its user's among them.")
        }
        self.tags = tags
    }
}
