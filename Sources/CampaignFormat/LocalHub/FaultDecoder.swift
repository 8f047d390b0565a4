import CampaignCore
import YAMLSyntax

struct FaultDecoder {
    private static let effects = MappingShape.faultEffects

    private enum Moment: String, CaseIterable {
        case before, after
    }

    private let reader: MappingReader
    private var findings: Findings { reader.findings }
    /// Findings of the file before this fault.
    private let errorsBefore: Int

    init(_ reader: MappingReader, errorsBefore: Int) {
        self.reader = reader
        self.errorsBefore = errorsBefore
    }

    func decode() -> Fault? {
        let named = Self.effects.filter(reader.has)
        guard let name = named.first else {
            // An unknown key is already reported, and is probably the missing one.
            guard findings.errors == errorsBefore else { return nil }
            findings.error(
                .missingKey, at: reader.keyRange, "The fault does not say what goes wrong.",
                help:
                    "Give it one of \(Self.effects.joined(separator: ", ")), such as status: 500."
            )
            return nil
        }
        if named.count > 1 {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: named[1]),
                "A fault is one thing; \"\(name)\" and \"\(named[1])\" are two.",
                help: "Write two faults.")
        }
        checkCompanion("retry_after", of: "status")
        checkCompanion("jitter", of: "latency")
        let tokens = name == "wrong_tokens" ? wrongTokens() : nil
        guard var fault = effect(name, tokens: tokens).map(Fault.init) else { return nil }
        fault.share = tokens ?? share("share") ?? 1
        readConditions(of: &fault)
        return fault
    }

    private func checkCompanion(_ key: String, of effect: String) {
        guard reader.has(key), !reader.has(effect) else { return }
        findings.error(
            .conflictingKeys, at: reader.range(ofKey: key),
            "\"\(key)\" means nothing without \"\(effect)\".")
    }

    private func effect(_ name: String, tokens: Double?) -> Fault.Effect? {
        switch name {
        case "status":
            let status = reader.integer("status")
            let after = reader.integer("retry_after")
            return status.map { .status($0.value, retryAfter: after?.value) }
        case "drop": return takesEffect("drop").map { .drop(takesEffect: $0) }
        case "hang": return takesEffect("hang").map { .hang(takesEffect: $0) }
        case "latency":
            let time = latency("latency")
            let jitter = latency("jitter")
            return time.map { .latency($0, jitter: jitter ?? .zero) }
        case "slow":
            return reader.integer("slow").map { .slow($0.value) }
        default: return tokens.map { _ in .wrongTokens }
        }
    }

    private func wrongTokens() -> Double? {
        let share = share("wrong_tokens")
        for key in ["share", "on", "first", "last", "every"] where reader.has(key) {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: key),
                "\"wrong_tokens\" is a share of devices; \"\(key)\" chooses requests.")
        }
        return share
    }

    private func readConditions(of fault: inout Fault) {
        fault.operations = reader.choice("on")?.value ?? .sends
        fault.platform = reader.choice("platform")?.value
        if fault.platform != nil, ![.sends, .all].contains(fault.operations) {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "platform"),
                "Only sends have a platform: with \"on: \(fault.operations.rawValue)\" the fault never applies."
            )
        }
        fault.every = reader.integer("every")?.value ?? 1
        fault.first = reader.integer("first")?.value ?? fault.every
        if let last = reader.integer("last") {
            fault.last = last.value
            if last.value < fault.first {
                findings.error(
                    .outOfRange, at: last.range,
                    "\"last\" is before \"first\": the fault never applies.")
            }
        }
        fault.after = reader.duration("after")?.value ?? .zero
        if let until = reader.duration("until") {
            fault.until = until.value
            if until.value <= fault.after {
                findings.error(
                    .outOfRange, at: until.range,
                    "\"until\" is not after \"after\": the fault never applies.")
            }
        }
    }

    // MARK: Values

    private func takesEffect(_ key: String) -> Bool? {
        reader.choice(key, as: Moment.self).map { $0.value == .after }
    }

    private func share(_ key: String) -> Double? {
        reader.value(key, ShareText.parse)?.value
    }

    private func latency(_ key: String) -> Duration? {
        reader.value(key, LatencyText.parse)?.value
    }
}

enum LatencyText {
    static let longestSeconds = 600

    /// Reads a time from 1 ms to 10 minutes; nil for anything else.
    static func parse(_ text: String) -> Duration? {
        let time: Duration?
        if text.hasSuffix("ms") {
            time = DecimalDigits.parse(text.dropLast(2)).flatMap {
                $0 > 0 ? .milliseconds($0) : nil
            }
        } else {
            time = DurationText.parse(text)
        }
        return time.flatMap { $0 <= .seconds(longestSeconds) ? $0 : nil }
    }
}

enum ShareText {
    /// Over 0 % and up to 100 %, with at most three decimals; nil for anything else.
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
