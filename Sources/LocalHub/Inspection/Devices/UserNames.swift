/// The names of the users that registrations belong to: those of the tags `username:<name>` and `$UserId:{<name>}`.
enum UserNames {
    /// The most names shown of a device; a device has one or two.
    static let most = 100

    private static let prefixes = ["username:", "$UserId:{"]

    /// The names, each once, in the order of their registrations and tags.
    static func names(of registrations: [Registration]) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for registration in registrations {
            for tag in registration.tags {
                guard let name = name(inTag: tag), seen.insert(name).inserted else { continue }
                names.append(name)
                guard names.count < most else { return names }
            }
        }
        return names
    }

    /// The name in a tag; nil when it is no user's.
    static func name(inTag tag: String) -> String? {
        if tag.hasPrefix(prefixes[0]) { return String(tag.dropFirst(prefixes[0].count)) }
        guard tag.hasPrefix(prefixes[1]), tag.hasSuffix("}") else { return nil }
        return String(tag.dropFirst(prefixes[1].count).dropLast())
    }
}
