/// What hubs take in registrations and installations (reference: section 4).
enum RegistrationRules {
    private static let longest = 4_096

    /// Checks tags.
    ///
    /// - Parameter tags: plain and special tags.
    /// - Throws: ``RegistrationError``.
    static func check(tags: [String]) throws(RegistrationError) {
        guard tags.count <= Registration.tagLimit else { throw .tooManyTags }
        for tag in tags where !isTag(tag) { throw .invalidTag }
    }

    /// Whether a text can be a handle.
    static func isHandle(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
    }

    /// Whether a text can be one segment of a path.
    static func isID(_ text: String) -> Bool {
        isHandle(text) && !text.contains("/") && text != "." && text != ".."
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isTag(_ text: String) -> Bool {
        do throws(TagError) {
            for kind in SpecialTag.allCases
            where text.hasPrefix(kind.opening) && text.hasSuffix("}") {
                let inner = text.dropFirst(kind.opening.count).dropLast()
                _ = try Tag.special(kind, String(inner))
                return true
            }
            _ = try Tag(text)
            return true
        } catch {
            return false
        }
    }
}
