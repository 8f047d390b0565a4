/// A strong entity tag, made of the digest of the bytes (RFC 9110, section 8.8.3).
struct EntityTag: Equatable {
    /// As `ETag` has it, in quotes.
    let text: String

    /// - Parameter digest: hexadecimal.
    init(digest: String) {
        text = "\"\(digest)\""
    }

    /// Whether `If-None-Match` names it (RFC 9110, section 13.1.2).
    ///
    /// - Parameter field: the field's value: `*`, or tags with commas between them.
    /// - Returns: whether it does.
    func isAmong(_ field: String) -> Bool {
        field.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == text || tag == "*"
        }
    }
}
