/// A table that all stores have, with the columns that are copied.
///
/// Keys of runs and contents are each store's own, and are not copied.
package struct TransferTable: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case number
        /// A number of few values.
        case small
        case flag
        case text
        /// A text with any characters.
        case anyText
        case bytes
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    package let name: String
    package let columns: [Column]
    /// The unique key, within a run if it is a run's table; empty: there is at most one row.
    package let order: [String]

    private init(
        _ name: String, order: [String], numbers: [String] = [], small: [String] = [],
        flags: [String] = [], texts: [String] = [], anyTexts: [String] = [], bytes: [String] = []
    ) {
        self.name = name
        self.order = order
        let kinds: [(Kind, [String])] = [
            (.number, numbers), (.small, small), (.flag, flags), (.text, texts),
            (.anyText, anyTexts), (.bytes, bytes),
        ]
        columns = kinds.flatMap { kind, names in names.map { Column($0, kind) } }
    }

    package func place(of column: String) -> Int? {
        columns.firstIndex { $0.name == column }
    }
}

extension TransferTable {
    /// One row for each run.
    package static let runs = TransferTable(
        "runs", order: [],
        numbers: [
            "resumes", "named", "duplicate", "excluded", "final", "requests", "fallback_requests",
            "stop_request", "started", "finished", "expires", "revoked", "purged",
            "deliveries_deleted",
        ],
        flags: ["is_rehearsal", "is_message_private", "has_waves"],
        texts: [
            "id", "campaign", "hub", "occurrence", "state", "pause", "kind", "campaign_path",
            "delivery", "fingerprints", "push_options", "plan",
            "started_by",
        ],
        anyTexts: ["reason"])

    package static let recipients = TransferTable(
        "recipients", order: ["number"], numbers: ["number", "notification"], texts: ["name"])

    /// `content` is the source's key of a content (``StoreSource/content(_:)``).
    package static let notifications = TransferTable(
        "notifications", order: ["number"],
        numbers: ["number", "content", "revoked", "byte_count"],
        texts: ["id", "media_type", "language"], anyTexts: ["type", "message"],
        bytes: ["sealed", "texts"])

    /// A run's tables, each after those that it refers to.
    package static let ofRuns = [
        TransferTable(
            "run_platforms", order: ["position"], numbers: ["position", "claimed", "claimed_at"],
            texts: ["platform"]),
        TransferTable(
            "run_waves", order: ["number"], numbers: ["number", "first", "last"],
            texts: ["turn", "zones"]),
        TransferTable(
            "wave_claims", order: ["platform", "wave"], numbers: ["platform", "wave", "claimed"]),
        recipients,
        notifications,
        TransferTable(
            "deliveries", order: ["platform", "number"],
            numbers: ["platform", "number", "attempts", "recorded"], small: ["state"],
            flags: ["is_uncertain"], anyTexts: ["detail", "hub_message"]),
        TransferTable(
            "receipts", order: ["number"], numbers: ["number", "fetched", "read"]),
        TransferTable(
            "telemetry", order: ["platform", "number"], numbers: ["platform", "number", "told"],
            anyTexts: ["fate"]),
        TransferTable("run_sums", order: [], flags: ["is_begun"], anyTexts: ["sums"]),
    ]

    /// The tables that belong to no run.
    package static let others = [
        TransferTable(
            "registrations", order: ["id"], numbers: ["updated"],
            texts: ["id", "username", "platform"], bytes: ["handle"]),
        TransferTable(
            "schedules", order: ["hub", "campaign"], numbers: ["seen"],
            texts: ["hub", "campaign", "schedule"]),
        TransferTable(
            "forgotten", order: ["hash"], numbers: ["forgotten"], bytes: ["hash"]),
        TransferTable(
            "troubles", order: ["key"], numbers: ["told"], texts: ["key", "digest"]),
    ]

    package static let all = [runs] + ofRuns + others
}

package enum TransferValue: Hashable, Sendable {
    case null
    case number(Int64)
    case text(String)
    case bytes([UInt8])
}
