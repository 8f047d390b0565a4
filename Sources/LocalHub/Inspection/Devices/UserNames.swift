/// The users who own registrations, from the tags `username:<name>` and `$UserId:{<name>}`.
enum UserNames {
    /// The maximum number of names shown for a device; most devices have one or two.
    private static let most = 100
    private static let named = "username:"
    private static let identified = "$UserId:{"

    static func names(of registrations: [Registration]) -> [String] {
        var names: [String] = []
        for tag in registrations.lazy.flatMap(\.tags) {
            guard let name = name(inTag: tag).map(String.init), !names.contains(name) else {
                continue
            }
            names.append(name)
            guard names.count < most else { break }
        }
        return names
    }

    static func name(inTag tag: String) -> Substring? {
        var name = tag[...]
        if tag.hasPrefix(named) {
            name = tag.dropFirst(named.count)
        } else if tag.hasPrefix(identified), tag.hasSuffix("}") {
            name = tag.dropFirst(identified.count).dropLast()
        } else {
            return nil
        }
        return name.isEmpty ? nil : name
    }
}
