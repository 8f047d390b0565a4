package import CampaignCore

package struct LoadedCampaign: Sendable {
    /// `-` for standard input.
    package var path: String { files.file }
    let files: SourceFiles
    package internal(set) var kind = FileKind.campaign
    /// nil if the file has errors.
    package internal(set) var campaign: Campaign?
    /// The campaign if its only errors are missing files; this is enough to continue a staged run.
    package internal(set) var withoutFiles: Campaign?
    /// The findings in the campaign file and the beginnings of its audience files, in order.
    package internal(set) var diagnostics: [Diagnostic] = []
    package internal(set) var conditions: AudienceConditions?
    package internal(set) var lint = CampaignLint()
    /// The keys in the file and in the config's `defaults`, as a plan records them: without names.
    package internal(set) var outline: [KeyText] = []

    var people: AudienceFiles?
    /// The audience files that could be opened.
    var readable: [AudienceFile] = []
    /// The places of keys, for findings that are made later.
    var places = KeyPlaces()
    /// Where the config sets the maximum number of recipients, if the campaign does not set one.
    var limit: Diagnostic.Related?
    /// nil unless the campaign starts exactly once.
    var start: ScheduledStart?

    /// The warnings that are not switched off by a comment.
    package var warnings: [Diagnostic] {
        lint.ignores.kept(of: diagnostics.filter { $0.severity != .error })
    }

    package var audience: (any AudienceSource)? { campaign == nil ? nil : people }

    /// Checks the files while a plan reads them, in one pass; nil if ``campaign`` is nil.
    package func checkedAudience(isLinting: Bool = false) -> CheckedAudience? {
        campaign == nil ? nil : people.map { CheckedAudience($0, isLinting: isLinting) }
    }

    /// Findings beyond ``diagnostics``: at most 20 per file, and a count of the others.
    package func checkAudienceFiles() -> [Diagnostic] {
        guard let people else { return [] }
        let known = Set(diagnostics)
        let checks = readable.map {
            AudienceFileCheck($0, in: people.folders, zones: people.zones).diagnostics
        }
        return checks.flatMap(\.self).filter { !known.contains($0) }.sorted()
    }
}

extension LoadedCampaign {
    /// Adds to each finding the places where the campaign or its config names the audience file.
    package func naming(_ findings: [Diagnostic]) -> [Diagnostic] {
        let named = ((people?.named.files ?? []) + (people?.excluded.files ?? []))
        let entries = Dictionary(
            named.map { ($0.shownPath, $0) }, uniquingKeysWith: { first, _ in first })
        return findings.map { finding in
            guard let file = entries[finding.file], let entry = file.entry else { return finding }
            let place = files.place(of: entry)
            var naming = finding
            naming.namings = [Diagnostic.Naming(file.path, in: place.file, at: place.range)]
            return naming
        }
    }
}
