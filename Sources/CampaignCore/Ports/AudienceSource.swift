/// Gives the people of one campaign, in file order and repeats included.
///
/// CampaignFormat implements it; Delivery reads from it.
package protocol AudienceSource: Sendable {
    /// Begins to read.
    ///
    /// - Parameter part: who is wanted.
    /// - Returns: a reader at its beginning.
    /// - Throws: a sentence when a file cannot be opened any more.
    func reader(of part: AudiencePart) throws -> any AudienceReader
    /// What looked like a mistake in the people's files; known once all parts are read.
    var unusualRows: [UnusualRows] { get }
}

extension AudienceSource {
    package var unusualRows: [UnusualRows] { [] }
}

/// Rows of one audience file that are probably not what their author meant.
package struct UnusualRows: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Cells of a column hold nothing but a word such as `NULL`; the words, a few of them.
        case missingValues(column: String, words: [String])
        /// They repeat the header of their table, and are skipped.
        case header
        /// They are headings of a list, and are skipped.
        case heading
    }

    package var kind: Kind
    /// The first of them in the file.
    package let first: AudienceOrigin
    package var count = 1

    package init(_ kind: Kind, first: AudienceOrigin) {
        self.kind = kind
        self.first = first
    }
}

/// Which people of a campaign.
package enum AudiencePart: Hashable, Sendable {
    /// Those that the campaign names, with the values of its variables.
    case named
    /// The people whom it leaves out; without values.
    case excluded
}

/// One reading through a part of an audience; holds one buffer, however many people there are.
package protocol AudienceReader {
    /// The next people.
    ///
    /// - Parameter limit: how many at most, at least 1.
    /// - Returns: empty at the end, and from then on.
    /// - Throws: a sentence when a file cannot be read or has changed and is no longer good.
    mutating func next(_ limit: Int) throws -> [AudienceMember]
}

/// One person as a campaign file or an audience file names them.
package struct AudienceMember: Hashable, Sendable {
    package let username: Username
    /// The values of ``Campaign/variables``, in that order; nil or empty where the person has none.
    package let values: [String?]
    /// Their language as the audience's files have it; nil where it is not known.
    package let language: LanguageTag?
    /// Their time zone as the audience's files have it, such as `Europe/Berlin`; nil where it is not known.
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

/// Where a person was named.
package struct AudienceOrigin: Hashable, Sendable {
    /// The file by the ``AudienceSource``'s number, 0 to 4,095; 0 is the campaign file itself.
    package let file: Int
    /// 1-based.
    package let line: Int

    package init(file: Int, line: Int) {
        self.file = file
        self.line = line
    }
}
