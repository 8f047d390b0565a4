extension FaultRule {
    /// The rule as written on the command line, such as `status: 500, share: 5%`, without defaults.
    ///
    /// Latencies are rounded to milliseconds, and other times to seconds.
    package var text: String {
        ([effectText] + requestTexts + [platformText] + countTexts + timeTexts)
            .compactMap(\.self).joined(separator: ", ")
    }

    private var effectText: String {
        switch effect {
        case .answer(let status, let retryAfter):
            "status: \(status)" + (retryAfter.map { ", retry_after: \($0)" } ?? "")
        case .drop(let takesEffect): "drop: \(Self.moment(takesEffect))"
        case .hang(let takesEffect): "hang: \(Self.moment(takesEffect))"
        case .latency(let time, let jitter):
            "latency: \(Self.latency(time))"
                + (jitter > .zero ? ", jitter: \(Self.latency(jitter))" : "")
        case .slow(let rate): "slow: \(rate)"
        case .wrongTokens: "wrong_tokens: \(Self.percentage(share))"
        }
    }

    private var requestTexts: [String?] {
        guard effect != .wrongTokens else { return [] }
        return [
            share < 1 ? "share: \(Self.percentage(share))" : nil,
            scope != .sends ? "on: \(scope.rawValue)" : nil,
        ]
    }

    private var platformText: String? {
        guard let names = platforms?.map(\.rawValue).sorted() else { return nil }
        return "platform: " + (names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]")
    }

    private var countTexts: [String?] {
        guard effect != .wrongTokens else { return [] }
        return [
            // The default of `first` is `every`.
            first != every ? "first: \(first)" : nil,
            last.map { "last: \($0)" }, every != 1 ? "every: \(every)" : nil,
        ]
    }

    private var timeTexts: [String?] {
        [
            after > .zero ? "after: \(Self.duration(after))" : nil,
            until.map { "until: \(Self.duration($0))" },
        ]
    }

    private static func moment(_ takesEffect: Bool) -> String {
        takesEffect ? "after" : "before"
    }

    /// A percentage with up to three decimal places, which is what faults files accept.
    private static func percentage(_ share: Double) -> String {
        let thousandths = max(Int(exactly: (share * 100_000).rounded()) ?? 1, 1)
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard fraction > 0 else { return "\(whole)%" }
        var digits = String(1_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)%"
    }

    private static func latency(_ time: Duration) -> String {
        let milliseconds = max(Int((time / .milliseconds(1)).rounded()), 1)
        return milliseconds.isMultiple(of: 1_000)
            ? duration(.milliseconds(milliseconds)) : "\(milliseconds)ms"
    }

    private static func duration(_ time: Duration) -> String {
        let seconds = max(Int((time / .seconds(1)).rounded()), 1)
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)]
        where seconds.isMultiple(of: length) {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
