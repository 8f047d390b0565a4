import FoundationEssentials

/// Counts how often clients that did not sign in are refused within a minute, so that they do not
/// fill the disk through the audit.
///
/// The first refusals of an address have a line each, as long as all addresses together have not had
/// too many; the others are counted, and the counts become lines when the minute is over. Memory is
/// bounded: addresses that there is no room for are counted together. The tally knows no time; its
/// owner says when a minute is over.
struct RefusalTally: Sendable {
    /// The most lines of an address in a minute, before the others are counted.
    static let linesOfAnAddress = 10

    /// How many refusals had which outcome.
    private typealias Outcomes = [String: Int]

    private struct Count {
        var lines = 0
        var outcomes: Outcomes = [:]
    }

    private let mostLines: Int
    private let mostAddresses: Int
    private var lines = 0
    private var counts: [LimitedAddress: Count] = [:]
    /// Of addresses that there was no room for.
    private var rest: Outcomes = [:]

    /// Makes a tally of a minute in which nobody was refused yet.
    ///
    /// - Parameters:
    ///   - mostLines: the most lines in a minute, before the refusals of all are counted only.
    ///   - mostAddresses: the most addresses that are counted each.
    init(mostLines: Int = 1_000, mostAddresses: Int = 1_024) {
        self.mostLines = mostLines
        self.mostAddresses = mostAddresses
    }

    /// Whether nobody was refused in this minute yet.
    var isEmpty: Bool { counts.isEmpty && rest.isEmpty }

    /// Takes a refusal.
    ///
    /// - Parameters:
    ///   - outcome: its word in the audit.
    ///   - address: whom it was for.
    /// - Returns: whether it is to have a line of its own; else it was counted.
    mutating func add(_ outcome: String, of address: LimitedAddress) -> Bool {
        guard counts[address] != nil || counts.count < mostAddresses else {
            rest[outcome, default: 0] += 1
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

    /// Ends the minute.
    ///
    /// - Parameter time: when it is over.
    /// - Returns: an entry for each address of which some were counted, and one for the addresses
    ///   that there was no room for.
    mutating func end(at time: Date) -> [AuditEntry] {
        var entries = counts.filter { !$0.value.outcomes.isEmpty }
            .map { Self.entry($0.value.outcomes, from: $0.key.text, at: time) }
            .sorted { ($0.address ?? "") < ($1.address ?? "") }
        if !rest.isEmpty {
            entries.append(Self.entry(rest, from: nil, at: time, "further addresses: "))
        }
        (lines, counts, rest) = (0, [:], [:])
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
