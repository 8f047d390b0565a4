import CampaignCore

/// The key `audience`, with the columns read from the beginnings of its files.
struct AudienceSection {
    struct Origin {
        let name: String
        /// The columns; empty for people who are not in a table.
        let columns: [String]
    }

    var named = AudienceFiles.Part()
    var excluded = AudienceFiles.Part()
    var minimum: Located<Int>?
    var maximum: Located<Int>?
    var languageColumn: Located<String>?
    /// Whether `language_column` is present, even if the column is invalid.
    var namesLanguages = false
    var runs: [Located<RunSelection>] = []
    var excludedRuns: [Located<RunSelection>] = []
    private(set) var exclusions: [AudienceFiles.ExcludedPart] = []
    var folders: AudienceFolders
    /// Exports that cannot be opened because their folder is not set.
    var missingExports: [Located<String>] = []
    /// Files with a maximum age.
    var datedFiles: [AudienceConditions.DatedFile] = []
    /// The numbers of files that could be opened.
    var openable: Set<Int> = []
    var origins: [Origin] = []
    /// Whether a file could not be read, so that columns cannot be checked.
    var isIncomplete = false
    var hasPeople = false
    /// The last number that was given to a file or an exclusion, as used in ``AudienceOrigin``.
    var lastNumber = 0

    init(files: SafeFolder) {
        folders = AudienceFolders(files: files)
    }

    var rule: AudienceRule {
        AudienceRule(
            minimum: minimum?.value ?? 1, maximum: maximum?.value, runs: runs.map(\.value),
            excludedRuns: excludedRuns.map(\.value))
    }

    var readable: [AudienceFile] {
        (named.files + excluded.files).filter { openable.contains($0.number) }
    }

    func conditions(in files: SourceFiles) -> AudienceConditions {
        AudienceConditions(
            in: files, exports: missingExports, runs: runs + excludedRuns, dated: datedFiles)
    }

    /// Records that people are listed without a table.
    mutating func addPeople(of key: String) {
        hasPeople = true
        origins.append(Origin(name: key, columns: []))
    }

    /// Gives the exclusion a number.
    mutating func exclude(_ exclusion: Exclusion, at place: SourceRange) -> Int {
        lastNumber += 1
        exclude(exclusion, number: lastNumber, at: place)
        return lastNumber
    }

    mutating func exclude(_ exclusion: Exclusion, number: Int, at place: SourceRange) {
        exclusions.append(
            AudienceFiles.ExcludedPart(exclusion: exclusion, number: number, place: place))
    }

    /// Reports a column that no table has.
    mutating func readZones(in column: Located<String>?, findings: Findings) {
        checkColumn(column, with: "time zones such as Europe/Berlin", findings: findings)
        for index in named.files.indices { named.files[index].zoneColumn = column?.value }
    }

    /// Reports a column that no table has; a column that only some tables lack is accepted.
    func checkColumn(
        _ column: Located<String>?, with content: String, findings: Findings
    ) {
        let columns = origins.flatMap(\.columns)
        guard let column, !isIncomplete, !columns.contains(column.value) else { return }
        let nearest = NearestName.nearest(to: column.value, among: columns.filter { !$0.isEmpty })
        findings.error(
            .unknownColumn, at: column.range,
            "No audience file has a column \"\(column.value.shortened)\".",
            help: nearest.map { "Did you mean \"\($0.shortened)\"?" }
                ?? "Add the column, with \(content), or delete the key.")
    }
}
