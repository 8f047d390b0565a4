import CampaignCore
import Files
import YAMLSyntax

/// The key `audience`, with what the beginnings of its files showed.
struct AudienceSection {
    struct Origin {
        let name: String
        /// Empty for people who are only named.
        let columns: [String]
    }

    let place: SourceRange
    fileprivate(set) var named = AudienceFiles.Part()
    fileprivate(set) var excluded = AudienceFiles.Part()
    fileprivate(set) var minimum: Located<Int>?
    fileprivate(set) var maximum: Located<Int>?
    fileprivate(set) var languageColumn: Located<String>?
    fileprivate(set) var runs: [Located<RunSelection>] = []
    fileprivate(set) var excludedRuns: [Located<RunSelection>] = []
    fileprivate(set) var exclusions: [AudienceFiles.ExcludedPart] = []
    fileprivate(set) var folders: AudienceFolders
    /// Set while nothing says where exports are.
    fileprivate var missingExports: [Located<String>] = []
    /// Files with a maximum age.
    fileprivate var datedFiles: [AudienceConditions.DatedFile] = []
    fileprivate(set) var readable: [AudienceFile] = []
    fileprivate(set) var origins: [Origin] = []
    /// A file could not be read, so nothing can be said about columns.
    fileprivate(set) var isIncomplete = false
    fileprivate(set) var hasPeople = false

    fileprivate init(place: SourceRange, folders: AudienceFolders) {
        self.place = place
        self.folders = folders
    }

    var rule: AudienceRule {
        AudienceRule(
            minimum: minimum?.value ?? 1, maximum: maximum?.value, runs: runs.map(\.value),
            excludedRuns: excludedRuns.map(\.value))
    }

    func conditions(in files: SourceFiles) -> AudienceConditions {
        AudienceConditions(
            in: files, exports: missingExports, runs: runs + excludedRuns, dated: datedFiles)
    }

    /// The last one given in ``AudienceOrigin``, to a file or an exclusion.
    fileprivate var lastNumber = 0

    /// Gives the exclusion a number.
    fileprivate mutating func exclude(_ exclusion: Exclusion, at place: SourceRange) -> Int {
        lastNumber += 1
        exclusions.append(
            AudienceFiles.ExcludedPart(exclusion: exclusion, number: lastNumber, place: place))
        return lastNumber
    }
}

struct AudienceDecoder {
    /// The highest number of a file in ``AudienceOrigin``.
    private static let mostFiles = 4_095
    /// Repeated names that are reported one by one.
    private static let mostRepetitions = 20

    private let audience: MappingReader
    private let files: SafeFolder
    private let scope: FileScope
    /// As a person would name it from the current folder.
    private let folder: String
    private let zones: any TimeZoneDatabase
    /// nil if time zones do not matter.
    private let zoneColumn: Located<String>?
    private var section: AudienceSection
    private var findings: Findings { audience.findings }

    /// nil if the campaign has no audience.
    init?(
        _ campaign: MappingReader, files: SafeFolder, scope: FileScope, folder: String,
        zones: any TimeZoneDatabase, zoneColumn: Located<String>?
    ) {
        guard let audience = campaign.mapping("audience", form: RightForm.audience) else {
            return nil
        }
        self.audience = audience
        self.files = files
        self.scope = scope
        self.folder = folder
        self.zones = zones
        self.zoneColumn = zoneColumn
        section = AudienceSection(
            place: audience.keyRange, folders: AudienceFolders(files: files))
    }

    mutating func decode() -> AudienceSection {
        let errorsBefore = findings.errors
        let names = usernames(of: audience)
        section.named.lists = [(number: 0, names: names)]
        section.hasPeople = !names.isEmpty
        if section.hasPeople {
            section.origins.append(AudienceSection.Origin(name: "audience.usernames", columns: []))
        }
        section.languageColumn = audience.column("language_column")
        for entry in entries(of: audience, isExclusion: false) { addNamed(entry) }
        readRuns()
        exclude()
        readBounds()
        checkColumn(section.languageColumn, with: "tags such as de or pt-BR")
        checkColumn(zoneColumn, with: "time zones such as Europe/Berlin")
        let isUnread = ["usernames", "files", "runs"].contains {
            audience[$0]?.isUnread == true || audience.isMeant($0)
        }
        if !section.hasPeople, !isUnread, findings.errors == errorsBefore {
            findings.error(
                .emptyAudience, at: audience.keyRange, "The audience names nobody.",
                help:
                    "Name people under \"usernames\" or in \"files\"; an empty audience is never a broadcast."
            )
        }
        return section
    }

    private mutating func exclude() {
        let errors = findings.errors
        // The config's `defaults` may add a second one, with its own `allow_empty`.
        for exclude in audience.mappings("exclude", form: RightForm.audience) {
            let allowsEmpty = exclude.boolean("allow_empty")?.value ?? false
            let exports = section.missingExports.count
            let names = usernames(of: exclude)
            let runs = AudienceRunsDecoder(exclude, isExclusion: true).decode()
            let files = entries(of: exclude, isExclusion: true)
            if names.isEmpty, runs.isEmpty, files.isEmpty, !allowsEmpty,
                findings.errors == errors, section.missingExports.count == exports
            {
                findings.error(
                    .emptyExclusion, at: exclude.keyRange, "\"exclude\" names nobody.",
                    help:
                        "Name people under \"usernames\", \"files\" or \"runs\", or delete \"exclude\"."
                )
            }
            let number = section.exclude(.usernames, at: exclude.range(ofKey: "usernames"))
            section.excluded.lists.append((number, names))
            for run in runs {
                var selection = run.value
                selection.origin.file = section.exclude(
                    .run(of: selection.campaign), at: run.range)
                section.excludedRuns.append(Located(selection, at: run.range))
            }
            for entry in files { addExcluded(entry, allowsEmpty: allowsEmpty) }
        }
    }

    private mutating func readRuns() {
        section.runs = AudienceRunsDecoder(audience).decode()
        guard !section.runs.isEmpty else { return }
        section.hasPeople = true
        section.origins.append(AudienceSection.Origin(name: "audience.runs", columns: []))
    }

    /// Reports a column that no table has; people in tables without it may all have one value.
    private func checkColumn(_ column: Located<String>?, with content: String) {
        guard let column, !section.isIncomplete else { return }
        let columns = section.origins.flatMap(\.columns)
        guard !columns.contains(column.value) else { return }
        let nearest = NearestName.nearest(to: column.value, among: columns.filter { !$0.isEmpty })
        findings.error(
            .unknownColumn, at: column.range,
            "No audience file has a column \"\(column.value.shortened)\".",
            help: nearest.map { "Did you mean \"\($0.shortened)\"?" }
                ?? "Add the column, with \(content), or delete the key.")
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
            related: ("The minimum is here.", minimum.range))
    }

    // MARK: People

    private func usernames(of reader: MappingReader) -> [Located<Username>] {
        let names = reader.items("usernames", form: RightForm.people) { item in
            warnOfAnotherThing(item)
            return findings.username(item).map { Located($0, at: item.range) }
        }
        warnOfRepetitions(in: names)
        return names
    }

    /// Warns of repeated names: nobody is sent to twice, so one may be a typo.
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
                help: "Delete one of the two, or write whom it was meant to be.",
                related: ("It is first here.", first))
        }
        guard let next = repeated.dropFirst(Self.mostRepetitions).first else { return }
        let others = repeated.count - Self.mostRepetitions
        findings.warning(
            .duplicateValue, at: next.name.range,
            others == 1
                ? "One more username appears twice."
                : "\(Figures.count(others)) more usernames appear twice.",
            help: "Delete them.", related: ("The first is here.", next.first))
    }

    /// Warns of a username that was probably meant as something else.
    private func warnOfAnotherThing(_ item: Located<YAMLScalar>) {
        let text = item.value.text
        let tag = "username:"
        if text.hasPrefix(tag) {
            findings.warning(
                .invalidUsername, at: item.range,
                "\"\(audience: text.shortened)\" begins with \"\(tag)\", which hubsend puts in front of every name.",
                help: "Leave \"\(tag)\" out.")
        } else if [".csv", ".txt", ".xlsx"].contains(where: text.lowercased().hasSuffix) {
            findings.warning(
                .invalidUsername, at: item.range,
                "\"\(audience: text.shortened)\" looks like a file, and is taken for a username here.",
                help: "Name files under \"files\".")
        }
    }

    // MARK: Files

    /// Those that can be looked for; the others are recorded.
    private mutating func entries(of reader: MappingReader, isExclusion: Bool) -> [AudienceEntry] {
        let entries = AudienceEntriesDecoder(reader, isExclusion: isExclusion).decode()
        let exports = entries.filter { $0.path.value.hasPrefix(ExportFolder.prefix) }
        guard !exports.isEmpty else { return entries }
        if let folder = scope.exports {
            section.folders = AudienceFolders(
                files: files, exports: ExportFiles(folder, refused: scope.refused))
            return entries
        }
        section.missingExports += exports.map(\.path)
        if !isExclusion {
            section.isIncomplete = true
            section.hasPeople = true
        }
        return entries.filter { !$0.path.value.hasPrefix(ExportFolder.prefix) }
    }

    private mutating func addNamed(_ entry: AudienceEntry) {
        guard var file = file(entry, allowsEmpty: false) else { return }
        file.zoneColumn = zoneColumn?.value
        section.named.files.append(file)
        switch open(file, of: entry) {
        case .failed, .missing: section.isIncomplete = true
        case .open(let columns, let isEmpty):
            section.readable.append(file)
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
            case .csv: "there is no row below its header"
            case .text: "there is no line in it"
            }
        findings.warning(
            .emptyAudience, at: range,
            "The file \"\(path: file.path)\" names nobody: \(reason).",
            help: "Check whether it was exported whole.")
    }

    private mutating func addExcluded(_ entry: AudienceEntry, allowsEmpty: Bool) {
        guard let file = file(entry, allowsEmpty: allowsEmpty) else { return }
        let path = entry.path
        section.excluded.files.append(file)
        section.exclusions.append(
            AudienceFiles.ExcludedPart(
                exclusion: .file(file.path.shortened), number: file.number, place: path.range))
        switch open(file, of: entry) {
        case .failed: break
        case .missing(let near):
            findings.warning(
                .missingFile, at: path.range,
                "There is no file \"\(path: path.value)\"; nobody is excluded by it.",
                help: near.map { "Did you mean \"\(path: $0)\"?" })
        case .open(_, let isEmpty):
            section.readable.append(file)
            if isEmpty, !allowsEmpty {
                findings.error(
                    .emptyExclusion, at: path.range,
                    "The exclusion file \"\(path: path.value)\" names nobody.",
                    help: AudienceFile.helpForNobody)
            }
        }
    }

    /// nil after reporting that there are too many.
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
        /// Only an exclusion may be missing.
        case missing(near: String?)
        case open(columns: [String], isEmpty: Bool)
    }

    private mutating func open(_ file: AudienceFile, of entry: AudienceEntry) -> Opening {
        let opened: OpenFile
        do throws(FileReferenceFault) {
            opened = try section.folders.open(file)
            try noteAge(of: opened, entry)
        } catch {
            if case .missing(let near) = error, file.allowsEmpty { return .missing(near: near) }
            findings.error(
                error, at: entry.path.range, error.message(forAudience: file.path),
                help: error.help(for: file.path))
            return .failed
        }
        do throws(AudienceFileFault) {
            var reader = try AudienceFileReader(
                file, opened: opened, variables: [], zones: zones)
            let isEmpty = reader.isEmpty()
            return .open(columns: reader.header?.columns ?? [], isEmpty: isEmpty)
        } catch {
            if file.forgives(error) { return .open(columns: [], isEmpty: true) }
            findings.add(error.diagnostic)
            return .failed
        }
    }
}

extension AudienceDecoder {
    /// Records when the file last changed; its age is checked once people are wanted.
    private mutating func noteAge(
        of file: OpenFile, _ entry: AudienceEntry
    ) throws(FileReferenceFault) {
        guard let maximum = entry.options.maximumAge else { return }
        do throws(SystemFault) {
            section.datedFiles.append(
                AudienceConditions.DatedFile(
                    path: entry.path, maximumAge: maximum, written: entry.maximumAge,
                    modified: try file.status().modified))
        } catch {
            throw .unreadable(error)
        }
    }
}

extension YAMLNode {
    /// True also if an item could not be read.
    fileprivate var isUnread: Bool {
        if case .sequence(let items) = content {
            return isPlaceholder || items.contains(where: \.isPlaceholder)
        }
        return isPlaceholder
    }
}

extension AudienceFileReader {
    /// A person whose line is faulty counts, since that is reported elsewhere.
    fileprivate mutating func isEmpty() -> Bool {
        while true {
            do throws(AudienceFileFault) {
                return try next() == nil
            } catch {
                if !error.isHeading { return false }
            }
        }
    }
}
