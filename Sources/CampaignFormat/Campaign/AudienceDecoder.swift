import CampaignCore
import Files
import YAMLSyntax

/// The key `audience`, read, with what was seen at the beginnings of its files.
struct AudienceSection {
    /// Somewhere that people come from, and the columns it has values in.
    struct Origin {
        /// As a message names it.
        let name: String
        /// Empty for people who are only named.
        let columns: [String]
    }

    /// Where its key stands.
    let place: SourceRange
    fileprivate(set) var named = AudienceFiles.Part()
    fileprivate(set) var excluded = AudienceFiles.Part()
    fileprivate(set) var minimum: Located<Int>?
    fileprivate(set) var maximum: Located<Int>?
    /// The files that could be opened.
    fileprivate(set) var readable: [AudienceFile] = []
    /// Where the people of the campaign come from.
    fileprivate(set) var origins: [Origin] = []
    /// Whether a file could not be read, so that nothing can be said about columns.
    fileprivate(set) var isIncomplete = false
    /// Whether anybody is named.
    fileprivate(set) var hasPeople = false

    fileprivate init(place: SourceRange) {
        self.place = place
    }

    var rule: AudienceRule {
        AudienceRule(minimum: minimum?.value ?? 1, maximum: maximum?.value)
    }

    /// The number of the next file.
    fileprivate var nextNumber: Int { named.files.count + excluded.files.count + 1 }
}

/// Reads the key `audience` of a campaign, and the beginnings of its files.
struct AudienceDecoder {
    /// ``AudienceOrigin`` numbers files up to here.
    private static let mostFiles = 4_095

    private let audience: MappingReader
    private let files: SafeFolder
    /// The campaign file's folder, as a person would name it from the current one.
    private let folder: String
    private var section: AudienceSection
    private var findings: Findings { audience.findings }

    /// Begins with a campaign; nil where it has no audience.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's keys.
    ///   - files: where its files lie.
    ///   - folder: the campaign file's folder, as a person would name it from the current one.
    init?(_ campaign: MappingReader, files: SafeFolder, folder: String) {
        Self.notePeople("audience", of: campaign)
        guard let audience = campaign.mapping("audience", form: RightForm.audience) else {
            return nil
        }
        self.audience = audience
        self.files = files
        self.folder = folder
        section = AudienceSection(place: audience.keyRange)
    }

    mutating func decode() -> AudienceSection {
        let errorsBefore = findings.errors
        section.named.usernames = usernames(of: audience)
        section.hasPeople = !section.named.usernames.isEmpty
        if section.hasPeople {
            section.origins.append(AudienceSection.Origin(name: "audience.usernames", columns: []))
        }
        for path in paths(of: audience) { addNamed(path) }
        exclude()
        readBounds()
        if !section.hasPeople, findings.errors == errorsBefore {
            findings.error(
                .emptyAudience, at: audience.keyRange, "The audience names nobody.",
                help:
                    "Name people under \"usernames\" or in \"files\"; an empty audience is never a broadcast."
            )
        }
        return section
    }

    private mutating func exclude() {
        Self.notePeople("exclude", of: audience)
        // The config's `defaults` add theirs, and say for themselves whether their files may be empty.
        for exclude in audience.mappings("exclude", form: RightForm.audience) {
            let allowsEmpty = exclude.boolean("allow_empty")?.value ?? false
            section.excluded.usernames += usernames(of: exclude)
            for path in paths(of: exclude) { addExcluded(path, allowsEmpty: allowsEmpty) }
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
            related: ("The minimum is here.", minimum.range))
    }

    // MARK: People

    private func usernames(of reader: MappingReader) -> [Located<Username>] {
        Self.notePeople("usernames", of: reader)
        return reader.items("usernames", form: RightForm.people) { item in
            findings.username(item).map { Located($0, at: item.range) }
        }
    }

    /// Notes where people are named: in a key's value, or in the keys beneath it that do so themselves.
    private static func notePeople(_ key: String, of reader: MappingReader) {
        guard let node = reader[key] else { return }
        let known = MappingShape.audience.names + MappingShape.exclusion.names
        if key != "usernames", case .mapping(let entries) = node.content,
            entries.allSatisfy({ entry in
                if case .scalar(let key) = entry.key.content {
                    known.contains(key.text)
                } else {
                    false
                }
            })
        {
            return
        }
        reader.findings.notePersonal(node.range)
    }

    // MARK: Files

    private func paths(of reader: MappingReader) -> [Located<String>] {
        var seen: [String: SourceRange] = [:]
        return reader.items("files", form: RightForm.list) { item in
            let path = item.map(\.text)
            if let first = seen.updateValue(path.range, forKey: path.value) {
                findings.error(
                    .duplicateValue, at: path.range,
                    "The file \"\(path: path.value.shortened)\" appears twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return path
        }
    }

    private mutating func addNamed(_ path: Located<String>) {
        guard let file = file(path, allowsEmpty: false) else { return }
        section.named.files.append(file)
        switch open(file, at: path.range) {
        case .failed, .missing: section.isIncomplete = true
        case .open(let columns, let isEmpty):
            section.readable.append(file)
            section.origins.append(AudienceSection.Origin(name: file.path, columns: columns))
            if isEmpty { warnOfNobody(in: file, at: path.range) } else { section.hasPeople = true }
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

    private mutating func addExcluded(_ path: Located<String>, allowsEmpty: Bool) {
        guard let file = file(path, allowsEmpty: allowsEmpty) else { return }
        section.excluded.files.append(file)
        switch open(file, at: path.range) {
        case .failed: break
        case .missing:
            findings.warning(
                .missingFile, at: path.range,
                "There is no file \"\(path: path.value)\"; nobody is excluded by it.")
        case .open(_, let isEmpty):
            section.readable.append(file)
            if isEmpty, !allowsEmpty {
                findings.error(
                    .emptyExclusion, at: path.range,
                    "The exclusion file \"\(path: path.value)\" names nobody.",
                    help: "If it may be empty, write \"allow_empty: true\" beside \"files\".")
            }
        }
    }

    /// The next file; nil after reporting that there are too many.
    private func file(_ path: Located<String>, allowsEmpty: Bool) -> AudienceFile? {
        let number = section.nextNumber
        guard number <= Self.mostFiles else {
            findings.error(
                .outOfRange, at: path.range, "The audience has more than \(Self.mostFiles) files.")
            return nil
        }
        return AudienceFile(
            path: path.value, shownPath: Path.file(path.value, in: folder),
            number: number, allowsEmpty: allowsEmpty)
    }

    private enum Opening {
        case failed
        /// An exclusion that may be missing.
        case missing
        case open(columns: [String], isEmpty: Bool)
    }

    /// Looks at the beginning of an audience file.
    private func open(_ file: AudienceFile, at range: SourceRange) -> Opening {
        let opened: OpenFile
        do throws(FileReferenceFault) {
            opened = try files.open(file.path)
        } catch {
            if case .missing = error, file.allowsEmpty { return .missing }
            findings.error(
                error.rule, at: range, error.message(for: file.path), help: error.help)
            return .failed
        }
        do throws(AudienceFileFault) {
            var reader = try AudienceFileReader(file, opened: opened, variables: [])
            let isEmpty = reader.isEmpty()
            return .open(columns: reader.header?.columns ?? [], isEmpty: isEmpty)
        } catch {
            if file.forgives(error) { return .open(columns: [], isEmpty: true) }
            findings.add(error.diagnostic)
            return .failed
        }
    }
}

extension AudienceFileReader {
    /// Whether nobody is named; a person whose line is faulty counts, since the fault is reported elsewhere.
    fileprivate mutating func isEmpty() -> Bool {
        do throws(AudienceFileFault) {
            return try next() == nil
        } catch {
            return false
        }
    }
}
