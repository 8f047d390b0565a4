/// The condition of an `If-Match` header: any version, or one (reference, section 6.2).
enum EntityTag: Equatable {
    /// `*`: whatever the version, as long as there is one.
    case any
    /// A version, given as `"3"`, `W/"3"` or `3`.
    case version(String)

    /// Reads a header.
    ///
    /// - Parameter header: the value.
    init(_ header: String) {
        var text = header[...].drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        if text == "*" {
            self = .any
            return
        }
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        self = .version(text.filter { $0 != "\"" })
    }

    /// Whether a version meets the condition.
    func matches(_ version: Int) -> Bool {
        switch self {
        case .any: true
        case .version(let text): text == String(version)
        }
    }
}
