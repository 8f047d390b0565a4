/// The body of an error: `<Error><Code>404</Code><Detail>…</Detail></Error>` (reference: section
/// 8).
struct ErrorBody: Sendable, Hashable {
    /// The cleaned text of `Code`, where there is one.
    let code: String?

    /// The cleaned text of `Detail`, where there is one.
    let detail: String?

    /// The most bytes that are looked at.
    static let limit = 16 * 1_024

    /// Reads an error body, leniently: what cannot be read is nil, since the status already says
    /// enough.
    ///
    /// - Parameters:
    ///   - bytes: the body, possibly empty, cut short or no XML at all. One with a document type is
    ///     not looked into.
    ///   - secrets: what is hidden in its texts.
    init(_ bytes: [UInt8], hiding secrets: KnownSecrets) {
        let root = XMLElementReader.readBeginning(of: Array(bytes.prefix(Self.limit)))
        let error = root?.name == "Error" ? root : nil
        code = error?.text(of: "Code").flatMap { ForeignText.cleaned($0, hiding: secrets) }
        detail = error?.text(of: "Detail").flatMap { ForeignText.cleaned($0, hiding: secrets) }
    }
}
