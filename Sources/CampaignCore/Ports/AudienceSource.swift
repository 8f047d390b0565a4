/// The people of one campaign, in file order, including repeats.
package protocol AudienceSource: Sendable {
    func reader(of part: AudiencePart) throws -> any AudienceReader
    /// Possible mistakes in the files; call after all parts are read.
    var unusualRows: [UnusualRows] { get }
    /// How many faulty rows were left out; call after all parts are read.
    var skippedRowCount: Int { get }
}

extension AudienceSource {
    package var unusualRows: [UnusualRows] { [] }
    package var skippedRowCount: Int { 0 }
}

/// Rows of an audience file that their author probably did not mean.
package struct UnusualRows: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Cells of a column with only a word such as `NULL`; `words` holds a few of them.
        case missingValues(column: String, words: [String])
        /// Repeats of the table's header; skipped.
        case header
        /// Headings of a list; skipped.
        case heading
    }

    package var kind: Kind
    package let first: AudienceOrigin
    package var count = 1

    package init(_ kind: Kind, first: AudienceOrigin) {
        self.kind = kind
        self.first = first
    }
}

package enum AudiencePart: Hashable, Sendable {
    case named
    /// Without values.
    case excluded
}

/// One pass over a part of an audience; holds one buffer, however many people there are.
package protocol AudienceReader {
    /// At most `limit` people (at least 1); empty from the end on.
    mutating func next(_ limit: Int) throws -> [AudienceMember]
}

package struct AudienceMember: Hashable, Sendable {
    package let username: Username
    /// The values of ``Campaign/variables``, in that order; nil or empty if missing.
    package let values: [String?]
    /// As the files have it.
    package let language: LanguageTag?
    /// Such as `Europe/Berlin`.
    package let zone: String?
    package let origin: AudienceOrigin

    package init(
        username: Username, values: [String?] = [], language: LanguageTag? = nil,
        zone: String? = nil, origin: AudienceOrigin
    ) {
        self.username = username
        self.values = values
        self.language = language
        self.zone = zone
        self.origin = origin
    }
}

package struct AudienceOrigin: Hashable, Sendable {
    /// The number of the file or of another exclusion, 0 to 4,095; 0 is the campaign file itself.
    package var file: Int
    /// 1-based.
    package let line: Int

    package init(file: Int, line: Int) {
        self.file = file
        self.line = line
    }
}
