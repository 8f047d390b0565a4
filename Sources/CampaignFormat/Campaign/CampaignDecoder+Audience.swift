import CampaignCore
import Files
import YAMLSyntax

/// The key `audience`.
extension CampaignDecoder {
    /// ``AudienceOrigin`` numbers files up to here.
    private static let mostFiles = 4_095
    /// More people than this in one campaign are a mistake of units.
    private static let mostRecipients = 1_000_000_000

    mutating func audience(_ reader: MappingReader) -> AudienceSection? {
        notePeople("audience", of: reader)
        guard
            let audience = reader.mapping(
                "audience", known: CampaignKeys.audience, form: RightForm.audience,
                findings: &findings)
        else { return nil }
        places["audience"] = audience.keyRange
        let errorsBefore = findings.errors
        var section = AudienceSection()
        section.named.usernames = usernames(audience)
        section.hasPeople = !section.named.usernames.isEmpty
        if section.hasPeople {
            section.origins.append(AudienceSection.Origin(name: "audience.usernames", columns: []))
        }
        for path in paths(audience) { addNamed(path, to: &section) }
        exclude(audience, from: &section)
        section.rule = rule(audience)
        if !section.hasPeople, findings.errors == errorsBefore {
            findings.error(
                .emptyAudience, at: audience.keyRange, "The audience names nobody.",
                help:
                    "Name people under \"usernames\" or in \"files\"; an empty audience is never a broadcast."
            )
        }
        return section
    }

    private mutating func exclude(_ audience: MappingReader, from section: inout AudienceSection) {
        notePeople("exclude", of: audience)
        guard
            let exclude = audience.mapping(
                "exclude", known: CampaignKeys.exclude, form: RightForm.audience,
                findings: &findings)
        else { return }
        let allowsEmpty = findings.boolean("allow_empty", of: exclude)?.value ?? false
        section.excluded.usernames = usernames(exclude)
        for path in paths(exclude) {
            addExcluded(path, allowsEmpty: allowsEmpty, to: &section)
        }
    }

    private mutating func rule(_ audience: MappingReader) -> AudienceRule {
        let bounds = 1...Self.mostRecipients
        let minimum = findings.integer("min_recipients", of: audience, in: bounds)
        let maximum = findings.integer("max_recipients", of: audience, in: bounds)
        places["audience.min_recipients"] = minimum?.range
        places["audience.max_recipients"] = maximum?.range
        if let minimum, let maximum, minimum.value > maximum.value {
            findings.error(
                .conflictingKeys, at: maximum.range,
                "\"max_recipients\" is smaller than \"min_recipients\".",
                related: ("The minimum is here.", minimum.range))
        }
        return AudienceRule(minimum: minimum?.value ?? 1, maximum: maximum?.value)
    }

    private mutating func usernames(_ reader: MappingReader) -> [Located<Username>] {
        notePeople("usernames", of: reader)
        guard let list = findings.list("usernames", of: reader, form: RightForm.people) else {
            return []
        }
        let name = reader.name(of: "usernames")
        return list.value.compactMap { node in
            guard let item = findings.item(node, of: name) else { return nil }
            do throws(UsernameFault) {
                return Located(try Username(item.value.text), at: item.range)
            } catch {
                findings.error(
                    .invalidUsername, at: item.range,
                    UsernameText.message(for: item.value.text, fault: error))
                return nil
            }
        }
    }

    /// Notes where people are named; of keys with values, those among them do, unless there is one that nobody knows.
    private mutating func notePeople(_ key: String, of reader: MappingReader) {
        guard let node = reader[key] else { return }
        let known = CampaignKeys.audience + CampaignKeys.exclude
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
        personal.append(node.range)
    }

    private mutating func paths(_ reader: MappingReader) -> [Located<String>] {
        guard let list = findings.list("files", of: reader, form: RightForm.list) else {
            return []
        }
        let name = reader.name(of: "files")
        var seen: [String: SourceRange] = [:]
        return list.value.compactMap { node in
            guard let path = findings.item(node, of: name)?.map(\.text) else { return nil }
            if let first = seen.updateValue(path.range, forKey: path.value) {
                findings.error(
                    .duplicateValue, at: path.range,
                    "The file \"\(path: path.value.shortened)\" is there twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return path
        }
    }

    private mutating func addNamed(_ path: Located<String>, to section: inout AudienceSection) {
        guard let file = file(path, number: section.nextNumber, allowsEmpty: false) else { return }
        section.named.files.append(file)
        switch open(file, at: path.range) {
        case .failed, .missing: section.isIncomplete = true
        case .open(let columns, let isEmpty):
            section.readable.append(file)
            section.origins.append(AudienceSection.Origin(name: file.path, columns: columns))
            if isEmpty { warnOfNobody(in: file, at: path.range) } else { section.hasPeople = true }
        }
    }

    private mutating func warnOfNobody(in file: AudienceFile, at range: SourceRange) {
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

    private mutating func addExcluded(
        _ path: Located<String>, allowsEmpty: Bool, to section: inout AudienceSection
    ) {
        guard let file = file(path, number: section.nextNumber, allowsEmpty: allowsEmpty) else {
            return
        }
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

    private mutating func file(_ path: Located<String>, number: Int, allowsEmpty: Bool)
        -> AudienceFile?
    {
        guard number <= Self.mostFiles else {
            if number == Self.mostFiles + 1 {
                findings.error(
                    .outOfRange, at: path.range,
                    "The audience has more than \(Self.mostFiles) files.")
            }
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
    private mutating func open(_ file: AudienceFile, at range: SourceRange) -> Opening {
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

extension AudienceSection {
    /// The number of the next file.
    fileprivate var nextNumber: Int { named.files.count + excluded.files.count + 1 }
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

/// The key `audience`, read, with what was seen at the beginnings of its files.
struct AudienceSection {
    /// Somewhere that people come from, and the columns it has values in.
    struct Origin {
        /// As a message names it.
        let name: String
        /// Empty for people who are only named.
        let columns: [String]
    }

    var named = AudienceFiles.Part()
    var excluded = AudienceFiles.Part()
    var rule = AudienceRule()
    /// The files that could be opened.
    var readable: [AudienceFile] = []
    /// Where the people of the campaign come from.
    var origins: [Origin] = []
    /// Whether a file could not be read, so that nothing can be said about columns.
    var isIncomplete = false
    /// Whether anybody is named.
    var hasPeople = false
}
