/// The people of a campaign, in file order, including duplicates.
package protocol AudienceSource: Sendable {
    func reader(of part: AudiencePart) throws -> any AudienceReader
    /// Possible mistakes in the files. Call after all parts are read.
    var unusualRows: [UnusualRows] { get }
    /// How many rows with errors were skipped. Call after all parts are read.
    var skippedRowCount: Int { get }
}

extension AudienceSource {
    package var unusualRows: [UnusualRows] { [] }
    package var skippedRowCount: Int { 0 }
}

/// Rows of an audience file that are probably mistakes.
package struct UnusualRows: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Cells of a column that contain only a word such as `NULL`; `words` contains a few of
        /// these words.
        case missingValues(column: String, words: [String])
        /// Further rows that repeat the header, which are skipped.
        case header
        /// Headings of a list, which are skipped.
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
    /// Names of people to exclude, without values.
    case excluded
}

/// Reads a part of an audience once, with one buffer for any number of people.
package protocol AudienceReader {
    /// The next people, at most `limit` (at least 1); empty at the end.
    mutating func next(_ limit: Int) throws -> [AudienceMember]
}

package struct AudienceMember: Hashable, Sendable {
    package let username: Username
    /// The values of ``Campaign/variables``, in the same order; a missing value is nil or empty.
    package let values: [String?]
    /// The language as written in the file.
    package let language: LanguageTag?
    /// A time zone such as `Europe/Berlin`.
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
    /// The number of the file or exclusion, 0 to 4,095; 0 is the campaign file itself.
    package var file: Int
    /// 1-based.
    package let line: Int

    package init(file: Int, line: Int) {
        self.file = file
        self.line = line
    }
}
