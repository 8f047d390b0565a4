import CampaignCore
import Files

struct AudienceDecoder {
    /// The highest number of a file in ``AudienceOrigin``.
    private static let mostFiles = 4_095
    /// How many repeated names are reported one by one.
    private static let mostRepetitions = 20

    private let audience: MappingReader
    private let files: SafeFolder
    private let scope: FileScope
    /// The path as a person would write it from the current folder.
    private let folder: String
    private var section: AudienceSection
    private var findings: Findings { audience.findings }

    init(_ audience: MappingReader, files: SafeFolder, scope: FileScope, folder: String) {
        self.audience = audience
        self.files = files
        self.scope = scope
        self.folder = folder
        section = AudienceSection(files: files)
    }

    mutating func decode() -> AudienceSection {
        let names = usernames(of: audience)
        let entries = audience.audienceFiles()
        let runs = audience.runSelections()
        section.named.lists = [(number: 0, names: names.elements)]
        section.runs = runs.elements
        section.namesLanguages = audience.has("language_column")
        section.languageColumn = audience.column("language_column")
        if !names.elements.isEmpty { section.addPeople(of: "audience.usernames") }
        for entry in entries.elements { addNamed(entry) }
        if !runs.elements.isEmpty { section.addPeople(of: "audience.runs") }
        exclude()
        readBounds()
        section.checkColumn(
            section.languageColumn, with: "tags such as de or pt-BR", findings: findings)
        let isComplete = names.isComplete && entries.isComplete && runs.isComplete
        if !section.hasPeople, isComplete, !section.isIncomplete {
            findings.error(
                .emptyAudience, at: audience.keyRange, "The audience is empty.",
                help:
                    "List people under \"usernames\" or in \"files\"; an empty audience never means everybody."
            )
        }
        return section
    }

    private mutating func exclude() {
        // The config's `defaults` may add a second `exclude` with its own `allow_empty`.
        for exclude in audience.mappings("exclude") {
            let allowsEmpty = exclude.boolean("allow_empty")?.value ?? false
            let names = usernames(of: exclude)
            let runs = exclude.runSelections()
            let files = exclude.audienceFiles()
            if names.isEmpty, runs.isEmpty, files.isEmpty, !allowsEmpty, !exclude.hasUnknownKeys {
                findings.error(
                    .emptyExclusion, at: exclude.keyRange, "\"exclude\" is empty.",
                    help:
                        "List people under \"usernames\", \"files\" or \"runs\", or delete \"exclude\"."
                )
            }
            let number = section.exclude(.usernames, at: exclude.range(ofKey: "usernames"))
            section.excluded.lists.append((number, names.elements))
            for run in runs.elements {
                var selection = run.value
                selection.origin.file = section.exclude(
                    .run(of: selection.campaign), at: run.range)
                section.excludedRuns.append(Located(selection, at: run.range))
            }
            for entry in files.elements { addExcluded(entry, allowsEmpty: allowsEmpty) }
        }
    }

    private mutating func readBounds() {
        section.minimum = audience.integer("min_recipients")
        section.maximum = audience.integer("max_recipients")
        guard let minimum = section.minimum, let maximum = section.maximum,
            minimum.value > maximum.value
        else { return }
        findings.error(
            .conflictingKeys, at: maximum.range,
            "\"max_recipients\" is smaller than \"min_recipients\".",
            related: ("The minimum is set here.", minimum.range))
    }

    // MARK: People

    private func usernames(of reader: MappingReader) -> Items<Located<Username>> {
        let names: Items<Located<Username>> = reader.items("usernames") { item in
            warnOfAnotherThing(item)
            return findings.username(item)
        }
        warnOfRepetitions(in: names.elements)
        return names
    }

    /// Warns about repeated names: each person gets only one push, so a repeated name may be a
    /// typo.
    private func warnOfRepetitions(in names: [Located<Username>]) {
        var seen: [Username: SourceRange] = [:]
        var repeated: [(name: Located<Username>, first: SourceRange)] = []
        for name in names {
            if let first = seen[name.value] {
                repeated.append((name, first))
            } else {
                seen[name.value] = name.range
            }
        }
        for (name, first) in repeated.prefix(Self.mostRepetitions) {
            findings.warning(
                .duplicateValue, at: name.range,
                "The username \"\(audience: name.value.text)\" appears twice.",
                help: "Delete one of them, or correct it if it should be a different name.",
                related: ("It first appears here.", first))
        }
        guard let next = repeated.dropFirst(Self.mostRepetitions).first else { return }
        let others = repeated.count - Self.mostRepetitions
        findings.warning(
            .duplicateValue, at: next.name.range,
            others == 1
                ? "One more username appears twice."
                : "\(Figures.count(others)) more usernames appear twice.",
            help: "Delete the repeated names.",
            related: ("The first repeated name also appears here.", next.first))
    }

    /// Warns about a username that is probably not a username, such as a file's name.
    private func warnOfAnotherThing(_ item: Located<YAMLScalar>) {
        let text = item.value.text
        let tag = "username:"
        if text.hasPrefix(tag) {
            findings.warning(
                .invalidUsername, at: item.range,
                "\"\(audience: text.shortened)\" begins with \"\(tag)\", which hubsend adds to every name automatically.",
                help: "Remove \"\(tag)\".")
        } else if [".csv", ".txt", ".xlsx"].contains(where: text.lowercased().hasSuffix) {
            findings.warning(
                .invalidUsername, at: item.range,
                "\"\(audience: text.shortened)\" looks like a file, but is read as a username here.",
                help: "List files under \"files\".")
        }
    }

    // MARK: Files

    /// Whether the file can be opened; an export is recorded as missing if its folder is not set.
    private mutating func canFind(_ entry: AudienceEntry) -> Bool {
        guard entry.path.value.hasPrefix(ExportFolder.prefix) else { return true }
        guard let folder = scope.exports else {
            section.missingExports.append(entry.path)
            return false
        }
        section.folders = AudienceFolders(
            files: files, exports: ExportFiles(folder, refused: scope.refused))
        return true
    }

    private mutating func addNamed(_ entry: AudienceEntry) {
        guard canFind(entry) else {
            section.isIncomplete = true
            section.hasPeople = true
            return
        }
        guard let file = file(entry, allowsEmpty: false) else {
            section.isIncomplete = true
            return
        }
        section.named.files.append(file)
        switch open(file, of: entry) {
        case .failed, .missing: section.isIncomplete = true
        case .open(let columns, let isEmpty):
            section.openable.insert(file.number)
            section.origins.append(AudienceSection.Origin(name: file.path, columns: columns))
            if isEmpty {
                warnOfNobody(in: file, at: entry.path.range)
            } else {
                section.hasPeople = true
            }
        }
    }

    private func warnOfNobody(in file: AudienceFile, at range: SourceRange) {
        let reason =
            switch file.format {
            case .csv: "it has no rows below the header"
            case .text: "it has no lines"
            }
        findings.warning(
            .emptyAudience, at: range,
            "The file \"\(path: file.path)\" contains no names: \(reason).",
            help: "Check whether the export is complete.")
    }

    private mutating func addExcluded(_ entry: AudienceEntry, allowsEmpty: Bool) {
        guard canFind(entry), let file = file(entry, allowsEmpty: allowsEmpty) else { return }
        let path = entry.path
        section.excluded.files.append(file)
        section.exclude(.file(file.path.shortened), number: file.number, at: path.range)
        switch open(file, of: entry) {
        case .failed: break
        case .missing(let near):
            findings.warning(
                .missingFile, at: path.range,
                "The file \"\(path: path.value)\" does not exist, so it excludes nobody.",
                help: near.map { "Did you mean \"\(path: $0)\"?" })
        case .open(_, let isEmpty):
            section.openable.insert(file.number)
            if isEmpty, !allowsEmpty {
                findings.error(
                    .emptyExclusion, at: path.range,
                    "The exclusion file \"\(path: path.value)\" contains no names.",
                    help: AudienceFile.helpForNobody)
            }
        }
    }

    /// Returns nil after reporting that there are too many files.
    private mutating func file(_ entry: AudienceEntry, allowsEmpty: Bool) -> AudienceFile? {
        section.lastNumber += 1
        guard section.lastNumber <= Self.mostFiles else {
            findings.error(
                .outOfRange, at: entry.path.range,
                "The audience has more than \(Self.mostFiles) files.")
            return nil
        }
        return AudienceFile(
            path: entry.path.value, shownPath: shownPath(of: entry.path.value),
            number: section.lastNumber,
            allowsEmpty: allowsEmpty, options: entry.options,
            languageColumn: section.languageColumn?.value, entry: entry.path.range)
    }

    private func shownPath(of path: String) -> String {
        guard let exports = scope.exports, path.hasPrefix(ExportFolder.prefix) else {
            return Path.file(path, in: folder)
        }
        return Path.file(String(path.dropFirst(ExportFolder.prefix.count)), in: exports.path)
    }

    private enum Opening {
        case failed
        /// Only exclusion files may be missing.
        case missing(near: String?)
        case open(columns: [String], isEmpty: Bool)
    }

    private mutating func open(_ file: AudienceFile, of entry: AudienceEntry) -> Opening {
        let opened: OpenFile
        do throws(FileReferenceError) {
            opened = try section.folders.open(file)
            try noteAge(of: opened, entry)
        } catch {
            if case .missing(let near) = error, file.allowsEmpty { return .missing(near: near) }
            findings.error(
                error, at: entry.path.range, error.message(forAudience: file.path),
                help: error.help(for: file.path))
            return .failed
        }
        do throws(AudienceFileError) {
            var reader = try AudienceFileReader(file, opened: opened, variables: [])
            let isEmpty = reader.isEmpty()
            return .open(columns: reader.header?.columns ?? [], isEmpty: isEmpty)
        } catch {
            if file.forgives(error) { return .open(columns: [], isEmpty: true) }
            findings.add(error.diagnostic)
            return .failed
        }
    }

    /// Records when the file last changed; its age is checked when the people are read.
    private mutating func noteAge(
        of file: OpenFile, _ entry: AudienceEntry
    ) throws(FileReferenceError) {
        guard let maximum = entry.options.maximumAge else { return }
        do throws(SystemError) {
            section.datedFiles.append(
                AudienceConditions.DatedFile(
                    path: entry.path, maximumAge: maximum,
                    modified: try file.status().modified))
        } catch {
            throw .unreadable(error)
        }
    }
}

extension AudienceFileReader {
    /// A line with an error counts as a person here; its error is reported elsewhere.
    fileprivate mutating func isEmpty() -> Bool {
        while true {
            do throws(AudienceFileError) {
                return try next() == nil
            } catch {
                if !error.isHeading { return false }
            }
        }
    }
}
