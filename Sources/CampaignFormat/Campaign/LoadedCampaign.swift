package import CampaignCore
import YAMLSyntax

/// A campaign file after reading: the campaign where it is good, and what there is to say about it.
package struct LoadedCampaign: Sendable {
    /// As the caller named it; `-` for standard input.
    package let path: String
    /// What the file is; ``FileKind/campaign`` for whatever was read as one.
    package let kind: FileKind
    /// nil when anything is wrong.
    package let campaign: Campaign?
    /// Its people; nil when ``campaign`` is.
    package let audience: (any AudienceSource)?
    /// All that was found in the campaign file and at the beginnings of its audience files, in order.
    package let diagnostics: [Diagnostic]
    /// Keys of the contract that nothing acts on yet, each of which also has a warning.
    package let unsupportedKeys: [UnsupportedKey]

    let people: AudienceFiles?
    /// The audience files that could be opened.
    let readable: [AudienceFile]
    let source: SourceText
    /// Where keys and texts stand that faults found later are about.
    let places: [String: SourceRange]

    init(
        path: String, kind: FileKind = .campaign, source: SourceText, diagnostics: [Diagnostic],
        campaign: Campaign? = nil,
        people: AudienceFiles? = nil, readable: [AudienceFile] = [],
        unsupportedKeys: [UnsupportedKey] = [], places: [String: SourceRange] = [:]
    ) {
        self.path = path
        self.kind = kind
        self.source = source
        self.diagnostics = diagnostics
        self.campaign = campaign
        self.people = people
        self.audience = campaign == nil ? nil : people
        self.readable = readable
        self.unsupportedKeys = unsupportedKeys
        self.places = places
    }

    /// Reads all audience files through.
    ///
    /// - Returns: what is wrong in them beyond ``diagnostics``, in order; at most 100 a file and how many more there are.
    package func checkAudienceFiles() -> [Diagnostic] {
        guard let people else { return [] }
        let known = Set(diagnostics)
        let checks = readable.map { AudienceFileCheck($0, in: people.folder).diagnostics }
        return checks.flatMap(\.self).filter { !known.contains($0) }.sorted()
    }
}
