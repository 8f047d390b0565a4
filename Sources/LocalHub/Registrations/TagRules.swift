/// The rules for the tags of a registration or installation (reference, section 4).
enum TagRules {
    /// The most tags.
    static let mostTags = 60

    /// Checks tags, and takes repeats out.
    ///
    /// - Parameters:
    ///   - tags: the tags as a client sent them.
    ///   - allowsSpecial: whether `$UserId:{…}` and `$InstallationId:{…}` may be among them, one of each.
    /// - Returns: the tags, each once.
    /// - Throws: a 400 for the first rule that is broken.
    static func checked(
        _ tags: [String], allowsSpecial: Bool
    ) throws(HubFailure) -> [String] {
        var seen: Set<String> = []
        let unique = tags.filter { seen.insert($0).inserted }
        guard unique.count <= mostTags else {
            throw .badRequest("There are more than \(mostTags) tags.")
        }
        for tag in unique where !TagGrammar.isTag(tag) {
            guard allowsSpecial, TagGrammar.isSpecialTag(tag) else {
                throw .badRequest(
                    "The tag \(ClientText.quoted(tag)) is not 1 to 120 letters, digits and "
                        + "_ @ # . : -")
            }
        }
        for special in ["$UserId:{", "$InstallationId:{"]
        where unique.count(where: { $0.hasPrefix(special) }) > 1 {
            throw .badRequest("There is more than one tag of the kind \(special)…}.")
        }
        return unique
    }
}
