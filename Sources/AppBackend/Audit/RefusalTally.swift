import FoundationEssentials

/// Counts refusals of clients that did not sign in, so that the audit cannot fill the disk.
///
/// The first refusals of an address get lines, up to a limit for all addresses together. The others
/// are counted, and the counts are written as lines when the owner ends the minute. Memory use is
/// bounded: addresses beyond the limit share one count.
struct RefusalTally: Sendable {
    /// The maximum number of lines per minute.
    static let linesOfAnAddress = 10

    /// The number of refusals by outcome.
    private typealias Outcomes = [String: Int]

    private struct Count {
        var lines = 0
        var outcomes: Outcomes = [:]
    }

    private let mostLines: Int
    private let mostAddresses: Int
    private var lines = 0
    private var counts: [LimitedAddress: Count] = [:]
    /// The counts for addresses beyond the limit.
    private var others: Outcomes = [:]

    /// `mostLines` limits the lines per minute for all addresses together.
    init(mostLines: Int = 1_000, mostAddresses: Int = 1_024) {
        self.mostLines = mostLines
        self.mostAddresses = mostAddresses
    }

    var isEmpty: Bool { counts.isEmpty && others.isEmpty }

    /// Adds a refusal; returns whether to write a line for it instead of counting it.
    mutating func add(_ outcome: String, of address: LimitedAddress) -> Bool {
        guard counts[address] != nil || counts.count < mostAddresses else {
            others[outcome, default: 0] += 1
            return false
        }
        guard counts[address, default: Count()].lines < Self.linesOfAnAddress, lines < mostLines
        else {
            counts[address, default: Count()].outcomes[outcome, default: 0] += 1
            return false
        }
        counts[address, default: Count()].lines += 1
        lines += 1
        return true
    }

    /// Ends the minute; returns one entry per counted address, and one entry for all addresses
    /// beyond the limit.
    mutating func end(at time: Date) -> [AuditEntry] {
        var entries = counts.filter { !$0.value.outcomes.isEmpty }
            .map { Self.entry($0.value.outcomes, from: $0.key.text, at: time) }
            .sorted { ($0.address ?? "") < ($1.address ?? "") }
        if !others.isEmpty {
            entries.append(Self.entry(others, from: nil, at: time, "further addresses: "))
        }
        (lines, counts, others) = (0, [:], [:])
        return entries
    }

    private static func entry(
        _ outcomes: Outcomes, from address: String?, at time: Date, _ words: String = ""
    ) -> AuditEntry {
        let parts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return AuditEntry(
            time: time, user: nil, action: .refusals, what: nil, address: address,
            outcome: "counted", count: outcomes.values.reduce(0, +),
            reason: words + parts.joined(separator: ", "))
    }
}
