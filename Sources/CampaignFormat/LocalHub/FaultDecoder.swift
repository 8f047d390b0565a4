import CampaignCore

struct FaultDecoder {
    private enum Moment: String {
        case before, after
    }

    let reader: MappingReader
    private var findings: Findings { reader.findings }

    func decode() -> Fault? {
        let tokens = share("wrong_tokens")
        let effect = effect ?? tokens.map { _ in .wrongTokens }
        let share = share("share")
        guard var fault = effect.map(Fault.init) else { return nil }
        fault.share = tokens ?? share ?? 1
        readConditions(of: &fault)
        return fault
    }

    private var effect: Fault.Effect? {
        let after = reader.integer("retry_after")?.value
        let jitter = latency("jitter")
        return reader.integer("status").map { .status($0.value, retryAfter: after) }
            ?? takesEffect("drop").map { .drop(takesEffect: $0) }
            ?? takesEffect("hang").map { .hang(takesEffect: $0) }
            ?? latency("latency").map { .latency($0, jitter: jitter ?? .zero) }
            ?? reader.integer("slow").map { .slow($0.value) }
    }

    private func readConditions(of fault: inout Fault) {
        fault.operations = reader.choice("on")?.value ?? .sends
        fault.platform = reader.choice("platform")?.value
        if fault.platform != nil, ![.sends, .all].contains(fault.operations) {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "platform"),
                "Only sends have a platform: with \"on: \(fault.operations.rawValue)\", the fault never applies."
            )
        }
        fault.every = reader.integer("every")?.value ?? 1
        fault.first = reader.integer("first")?.value ?? fault.every
        let last = reader.integer("last")
        fault.last = last?.value
        if let last, last.value < fault.first {
            findings.error(
                .outOfRange, at: last.range,
                "\"last\" is before \"first\": the fault never applies.")
        }
        fault.after = reader.duration("after")?.value ?? .zero
        let until = reader.duration("until")
        fault.until = until?.value
        if let until, until.value <= fault.after {
            findings.error(
                .outOfRange, at: until.range,
                "\"until\" is not after \"after\": the fault never applies.")
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
        reader.value(key, DurationText.latency.parse)?.value
    }
}

enum ShareText {
    /// Reads a percentage above 0% and up to 100%, with at most three decimals.
    static func parse(_ text: String) -> Double? {
        TextForm.share.takes(text) ? Double(text.dropLast()).map { $0 / 100 } : nil
    }
}
