/// The condition of an `If-Match` header: any version, or one (reference, section 6.2).
enum EntityTag: Equatable {
    /// `*` or `"*"`: whatever the version, as long as there is one.
    case any
    /// A version, given as `"3"`, `W/"3"` or `3`.
    case version(String)

    /// Reads a header.
    ///
    /// - Parameter header: the value.
    init(_ header: String) {
        var text = header[...].drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        // .NET puts whatever its caller gives into quotes, the star too.
        let bare = text.filter { $0 != "\"" }
        self = bare == "*" ? .any : .version(bare)
    }

    /// Whether a version meets the condition.
    func matches(_ version: Int) -> Bool {
        switch self {
        case .any: true
        case .version(let text): text == String(version)
        }
    }
}
