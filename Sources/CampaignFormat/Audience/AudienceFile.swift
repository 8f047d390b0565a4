/// An audience file as a campaign names it.
struct AudienceFile: Hashable, Sendable {
    enum Format: Hashable, Sendable {
        /// A name a line.
        case text
        /// A table with a `username` column.
        case csv
    }

    /// As the campaign names it.
    let path: String
    /// As a person would name it from the current folder.
    let shownPath: String
    /// Its number in ``AudienceOrigin``, from 1.
    let number: Int
    /// Whether it may be missing or name nobody.
    let allowsEmpty: Bool

    /// Decided by the extension, in any case.
    var format: Format { path.lowercased().hasSuffix(".csv") ? .csv : .text }
}
