import CampaignCore
import FoundationEssentials

/// Writes one row per run, in the given order.
protocol RunRowRenderer: Sendable {
    func header() -> [UInt8]
    /// Appends a run in UTF-8.
    mutating func append(_ overview: RunOverview, to bytes: inout [UInt8]) throws
    func footer() -> [UInt8]
}

/// Writes the objects of ``RunJSON/row(_:)`` as JSON Lines.
struct RunRowLines: RunRowRenderer {
    /// The keys that every version writes.
    static let keys: Set = [
        "run", "campaign", "occurrence", "rehearsal", "state", "deliveries", "outcomes", "people",
        "hub",
    ]
    /// Additional keys, which only newer versions write.
    static let laterKeys: Set = [
        "resumes", "recipients", "requests", "started", "finished", "plan", "started_by", "reason",
        "revoked", "fallback_of", "deliveries_deleted", "workers",
    ]

    func header() -> [UInt8] { [] }

    func append(_ overview: RunOverview, to bytes: inout [UInt8]) throws {
        bytes += try RunJSON.row(overview).line()
    }

    func footer() -> [UInt8] { [] }
}

struct RunRowCSV: RunRowRenderer {
    typealias Column = (name: String, value: @Sendable (RunOverview) -> String)

    /// Scripts rely on the names; new columns are added at the end.
    static let columns = facts + outcomes + people

    private static let facts: [Column] = [
        ("run", { $0.run.id.text }), ("campaign", { $0.run.campaign }),
        ("occurrence", { $0.run.occurrence.text }),
        ("rehearsal", { "\($0.run.isRehearsal)" }), ("state", { $0.run.state.rawValue }),
        ("started", { UTCTime.text($0.run.started) }),
        ("finished", { $0.run.finished.map(UTCTime.text) ?? "" }),
        ("revoked", { $0.run.revoked.map(UTCTime.text) ?? "" }),
        ("hub", { $0.run.hub.description }), ("plan", { $0.run.plan?.text ?? "" }),
        ("named", { "\($0.run.counts.named)" }), ("recipients", { "\($0.run.recipients)" }),
        ("deliveries", { "\($0.run.deliveries)" }), ("requests", { "\($0.run.requests)" }),
    ]

    private static let outcomes: [Column] = Outcome.allCases.map { outcome in
        (outcome.rawValue, { "\($0.outcomes[outcome])" })
    }

    private static let people: [Column] = [
        ("people_accepted", { $0.reach.map { "\($0.accepted)" } ?? "" }),
        ("fetched", { $0.reach.map { "\($0.fetched)" } ?? "" }),
        ("read", { $0.reach.map { "\($0.read)" } ?? "" }),
        ("reason", { $0.run.reason.map { HubText.cleaned($0) } ?? "" }),
    ]

    func header() -> [UInt8] {
        Array((Self.columns.map(\.name).joined(separator: ",") + "\n").utf8)
    }

    func append(_ overview: RunOverview, to bytes: inout [UInt8]) {
        for (place, column) in Self.columns.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            CSVCell.append(column.value(overview), to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    func footer() -> [UInt8] { [] }
}
