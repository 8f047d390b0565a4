import FoundationEssentials

/// The body of an error: `<Error><Code>404</Code><Detail>…</Detail></Error>` (reference: section
/// 8).
struct ErrorBody: Sendable, Hashable {
    /// The cleaned text of `Code`, where there is one.
    let code: String?

    /// The cleaned text of `Detail`, where there is one.
    let detail: String?

    /// Reads an error body, leniently: what cannot be read is nil, since the status already says
    /// enough.
    ///
    /// - Parameter bytes: the body, possibly empty, cut short or no XML at all. One with a document
    ///   type is not looked into.
    init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !Self.hasDocumentType(bytes) else {
            code = nil
            detail = nil
            return
        }
        let reader = ErrorBodyReader()
        reader.read(Data(bytes))
        code = reader.code.flatMap(ForeignText.cleaned)
        detail = reader.detail.flatMap(ForeignText.cleaned)
    }

    /// Whether a body declares a document type, which is where entities and their explosions come
    /// from.
    ///
    /// A NUL byte stands for UTF-16 and UTF-32, in which the declaration would be spelled
    /// differently; no hub sends those.
    private static func hasDocumentType(_ bytes: [UInt8]) -> Bool {
        bytes.contains(0)
            || String(decoding: bytes, as: UTF8.self).contains(/(?i)<!(DOCTYPE|ENTITY)/)
    }
}
