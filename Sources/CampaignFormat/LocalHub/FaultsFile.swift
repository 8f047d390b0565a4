import CampaignCore
import YAMLSyntax

/// Reads what goes wrong with the local hub: `faults: [{ status: 500, share: 5% }]`.
package enum FaultsFile {
    private static let effects = ["status", "drop", "hang", "latency", "slow", "wrong_tokens"]
    private static let conditions = [
        "share", "on", "platform", "first", "last", "every", "after", "until",
    ]
    private static let mostFaults = 100

    /// Reads a faults file.
    ///
    /// - Parameter path: the file; at most 16 MiB.
    /// - Returns: the faults, or what is wrong with them.
    /// - Throws: ``InputFileError`` when there is no text to read.
    package static func read(_ path: String) throws(InputFileError) -> LoadedFaults {
        load(try InputFile.read(path), knownBy: .faults) { decode($0, findings: &$1) }
    }

    /// Reads one fault as a command line gives it: `status: 500, share: 5%`, with or without braces around it, or each
    /// key on a line of its own.
    ///
    /// - Parameters:
    ///   - text: the keys and values of the fault.
    ///   - flag: the flag that it came from, for messages.
    /// - Returns: the fault, or what is wrong with it.
    package static func read(text: String, from flag: String) -> LoadedFaults {
        let text = FaultText(text)
        let loaded = load(
            InputFile(path: flag, bytes: Array(text.yaml.utf8)), knownBy: .argument
        ) { node, findings in
            [fault(node, path: "", findings: &findings)].compactMap(\.self)
        }
        return LoadedFaults(
            path: flag, faults: loaded.faults,
            diagnostics: loaded.diagnostics.map(text.written))
    }

    /// Reads what somebody gives while the hub runs: a faults file, or one fault as a command line gives it.
    ///
    /// - Parameters:
    ///   - text: YAML or JSON whose first key is `faults`, or the keys and values of one fault.
    ///   - name: where it came from, for messages.
    /// - Returns: the faults, or what is wrong with them.
    package static func read(fileOrFault text: String, from name: String) -> LoadedFaults {
        guard beginsWithFaults(text) else { return read(text: text, from: name) }
        return load(InputFile(path: name, bytes: Array(text.utf8)), knownBy: .argument) {
            decode($0, findings: &$1)
        }
    }

    /// Whether the first key of a text is `faults`, which no fault has.
    private static func beginsWithFaults(_ text: String) -> Bool {
        let first = text.split(whereSeparator: \.isNewline)
            .map { $0.drop { " \t{\u{FEFF}".contains($0) } }
            .first { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("---") }
        return first?.drop { "\"'".contains($0) }.hasPrefix("faults") ?? false
    }

    private static func load(
        _ input: InputFile, knownBy telling: TellingKeys,
        _ decode: (YAMLNode, inout Findings) -> [Fault]
    ) -> LoadedFaults {
        var findings = Findings(input)
        let faults = findings.root(of: input, knownBy: telling).map { decode($0, &findings) }
        let diagnostics = findings.finished { _ in false }
        return LoadedFaults(
            path: input.path, faults: diagnostics.hasErrors ? nil : faults,
            diagnostics: diagnostics)
    }

    private static func decode(_ root: YAMLNode, findings: inout Findings) -> [Fault] {
        let start = SourceRange(start: root.range.start, end: root.range.start)
        guard
            let reader = MappingReader(
                root, path: "", keyRange: start, known: ["faults"], findings: &findings)
        else { return [] }
        findings.require(["faults"], of: reader, root: start)
        guard let list = findings.list("faults", of: reader) else { return [] }
        guard list.value.count <= mostFaults else {
            findings.error(
                .outOfRange, at: reader.range(ofKey: "faults"),
                "There are more than \(mostFaults) faults.")
            return []
        }
        return list.value.compactMap { fault($0, path: "faults", findings: &findings) }
    }

    private static func fault(
        _ node: YAMLNode, path: String, findings: inout Findings
    ) -> Fault? {
        let errors = findings.errors
        let start = SourceRange(start: node.range.start, end: node.range.start)
        guard
            let reader = MappingReader(
                node, path: path, keyRange: start,
                known: effects + ["retry_after", "jitter"] + conditions, findings: &findings)
        else { return nil }
        let named = effects.filter(reader.has)
        guard let name = named.first else {
            // A key that nobody knows is reported already, and is most likely the one that is missing.
            guard findings.errors == errors else { return nil }
            findings.error(
                .missingKey, at: start, "The fault does not say what goes wrong.",
                help: "Give it one of \(effects.joined(separator: ", ")), such as status: 500.")
            return nil
        }
        if named.count > 1 {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: named[1]),
                "A fault is one thing; \"\(name)\" and \"\(named[1])\" are two.",
                help: "Write two faults.")
        }
        belongs("retry_after", to: "status", in: reader, findings: &findings)
        belongs("jitter", to: "latency", in: reader, findings: &findings)
        var share: Double?
        let effect = effect(name, of: reader, share: &share, findings: &findings)
        guard var fault = effect.map(Fault.init) else { return nil }
        readCondition(of: &fault, from: reader, share: share, findings: &findings)
        return fault
    }

    private static func belongs(
        _ key: String, to effect: String, in reader: MappingReader, findings: inout Findings
    ) {
        guard reader.has(key), !reader.has(effect) else { return }
        findings.error(
            .conflictingKeys, at: reader.range(ofKey: key),
            "\"\(key)\" means nothing without \"\(effect)\".")
    }

    private static func effect(
        _ name: String, of reader: MappingReader, share: inout Double?,
        findings: inout Findings
    ) -> Fault.Effect? {
        switch name {
        case "status":
            let status = findings.integer("status", of: reader, in: 400...599)
            let after = findings.integer("retry_after", of: reader, in: 0...3_600)
            return status.map { .status($0.value, retryAfter: after?.value) }
        case "drop":
            return moment("drop", of: reader, findings: &findings).map { .drop(takesEffect: $0) }
        case "hang":
            return moment("hang", of: reader, findings: &findings).map { .hang(takesEffect: $0) }
        case "latency":
            let time = latency("latency", of: reader, findings: &findings)
            let jitter = latency("jitter", of: reader, findings: &findings)
            return time.map { .latency($0, jitter: jitter ?? .zero) }
        case "slow":
            return findings.integer("slow", of: reader, in: 1...1_000_000).map { .slow($0.value) }
        default:
            share = Self.share("wrong_tokens", of: reader, findings: &findings)
            for key in ["share", "on", "first", "last", "every"] where reader.has(key) {
                findings.error(
                    .conflictingKeys, at: reader.range(ofKey: key),
                    "\"wrong_tokens\" is a share of devices; \"\(key)\" chooses requests.")
            }
            return share.map { _ in .wrongTokens }
        }
    }

    private static func readCondition(
        of fault: inout Fault, from reader: MappingReader, share: Double?,
        findings: inout Findings
    ) {
        let most = 1_000_000_000
        fault.share =
            share ?? Self.share("share", of: reader, findings: &findings) ?? 1
        let operations = Fault.Operations.allCases.map(\.rawValue)
        fault.operations =
            findings.choice("on", of: reader, among: operations)
            .flatMap { Fault.Operations(rawValue: $0.value) } ?? .sends
        fault.platform = findings.choice(
            "platform", of: reader, among: Platform.allCases.map(\.rawValue)
        ).flatMap { Platform(rawValue: $0.value) }
        if fault.platform != nil, ![.sends, .all].contains(fault.operations) {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "platform"),
                "Only sends have a platform: with \"on: \(fault.operations.rawValue)\" it never holds."
            )
        }
        fault.every = findings.integer("every", of: reader, in: 1...most)?.value ?? 1
        fault.first = findings.integer("first", of: reader, in: 1...most)?.value ?? fault.every
        if let last = findings.integer("last", of: reader, in: 1...most) {
            fault.last = last.value
            if last.value < fault.first {
                findings.error(
                    .outOfRange, at: last.range, "\"last\" is before \"first\": it never holds.")
            }
        }
        fault.after = findings.duration("after", of: reader)?.value ?? .zero
        if let until = findings.duration("until", of: reader) {
            fault.until = until.value
            if until.value <= fault.after {
                findings.error(
                    .outOfRange, at: until.range,
                    "\"until\" is not after \"after\": it never holds."
                )
            }
        }
    }

    /// `before` or `after` the request took effect.
    private static func moment(
        _ key: String, of reader: MappingReader, findings: inout Findings
    ) -> Bool? {
        findings.choice(key, of: reader, among: ["before", "after"]).map { $0.value == "after" }
    }

    private static func share(
        _ key: String, of reader: MappingReader, findings: inout Findings
    ) -> Double? {
        guard let text = findings.text(key, of: reader) else { return nil }
        guard let share = ShareText.parse(text.value.text) else {
            findings.error(
                .outOfRange, at: text.range,
                "\"\(text.value.text.shortened)\" is no share for \"\(reader.name(of: key))\".",
                help: "Write a percentage over 0% and up to 100%, such as 5% or 0.5%.")
            return nil
        }
        return share
    }

    private static func latency(
        _ key: String, of reader: MappingReader, findings: inout Findings
    ) -> Duration? {
        guard let text = findings.text(key, of: reader) else { return nil }
        guard let latency = LatencyText.parse(text.value.text) else {
            findings.error(
                .invalidDuration, at: text.range,
                "\"\(text.value.text.shortened)\" is no time for \"\(reader.name(of: key))\".",
                help: "Write 1ms to 10m, such as 50ms or 2s.")
            return nil
        }
        return latency
    }
}

/// A faults file after reading.
package struct LoadedFaults: Sendable {
    /// The file, or what else the text came from.
    package let path: String
    /// The faults in order; nil when anything is wrong.
    package let faults: [Fault]?
    /// What is wrong.
    package let diagnostics: [Diagnostic]
}

/// Latencies as files write them: `50ms`, `2s`.
private enum LatencyText {
    private static let longest = Duration.seconds(600)

    /// Reads a time from 1 ms to 10 minutes; nil for anything else.
    static func parse(_ text: String) -> Duration? {
        let time: Duration?
        if text.hasSuffix("ms") {
            time = DecimalDigits.parse(text.dropLast(2)).flatMap {
                (1...600_000).contains($0) ? .milliseconds($0) : nil
            }
        } else {
            time = DurationText.parse(text)
        }
        return time.flatMap { $0 <= longest ? $0 : nil }
    }
}

/// Shares as files write them: `5%`, `0.5%`.
enum ShareText {
    /// Reads a share over 0 % and up to 100 %, with at most three digits behind the point; nil for anything
    /// else.
    static func parse(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = DecimalDigits.parse(parts[0]) else {
            return nil
        }
        var share = Double(whole)
        if parts.count == 2 {
            guard parts[1].count <= 3, let fraction = DecimalDigits.parse(parts[1]) else {
                return nil
            }
            share += (0..<parts[1].count).reduce(Double(fraction)) { value, _ in value / 10 }
        }
        return share > 0 && share <= 100 ? share / 100 : nil
    }
}
