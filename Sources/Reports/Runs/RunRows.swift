package import CampaignCore
package import FoundationEssentials

/// Writes runs, a row a run, in the order in which they are given.
package protocol RunRowRenderer: Sendable {
    /// What stands before the first row; may be empty.
    func header() -> [UInt8]
    /// Writes a run.
    ///
    /// - Parameters:
    ///   - overview: the run, with its outcomes and its reach.
    ///   - bytes: UTF-8 is appended here; what is there already stays.
    /// - Throws: nothing that is expected.
    mutating func append(_ overview: RunOverview, to bytes: inout [UInt8]) throws
    /// What follows the last row; may be empty.
    func footer() -> [UInt8]
}

extension ReportFormat {
    /// What writes runs, a row a run.
    ///
    /// - Parameters:
    ///   - period: when the runs began.
    ///   - campaign: the only campaign whose runs are written; nil: all are.
    ///   - made: the current time.
    ///   - digest: SHA-256 of a text in base64, by which a page's policy names its style.
    /// - Returns: nil for ``text``, whose table is ``RunListText``.
    package func runRenderer(
        began period: RunPeriod, campaign: String?, made: Date, digest: (String) -> String
    ) -> (any RunRowRenderer)? {
        switch self {
        case .csv: RunRowCSV()
        case .jsonl: RunRowLines()
        case .html: RunListPage(began: period, campaign: campaign, made: made, digest: digest)
        case .text: nil
        }
    }
}

/// Runs as JSON Lines: the objects of ``RunListJSON``, each with its people.
struct RunRowLines: RunRowRenderer {
    /// Keys that every version writes.
    static let keys: Set = [
        "run", "campaign", "occurrence", "rehearsal", "state", "deliveries", "outcomes", "people",
        "hub",
    ]

    private struct Line: JSONLine {
        let overview: RunOverview

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: RunJSONKey.self)
            try overview.encodeListed(into: &object)
            try object.encode(overview.reach.map(RunSummaryJSON.people), forKey: .people)
        }
    }

    func header() -> [UInt8] { [] }

    func append(_ overview: RunOverview, to bytes: inout [UInt8]) throws {
        bytes += try Line(overview: overview).line()
    }

    func footer() -> [UInt8] { [] }
}

/// Runs as CSV, for spreadsheets.
struct RunRowCSV: RunRowRenderer {
    /// Scripts rely on the names; columns are only ever added, at the end.
    static let columns =
        [
            "run", "campaign", "occurrence", "rehearsal", "state", "started", "finished",
            "revoked", "hub", "plan", "named", "recipients", "deliveries", "requests",
        ] + Outcome.allCases.map(\.rawValue) + ["people_accepted", "fetched", "read", "reason"]

    func header() -> [UInt8] { Array((Self.columns.joined(separator: ",") + "\n").utf8) }

    func append(_ overview: RunOverview, to bytes: inout [UInt8]) {
        let run = overview.run
        let reach = overview.reach
        var cells = [
            run.id.text, run.campaign, run.occurrence.text, run.isRehearsal ? "true" : "false",
            run.state.rawValue, UTCTime.text(run.started), run.finished.map(UTCTime.text) ?? "",
            run.revoked.map(UTCTime.text) ?? "", run.hub.description, run.plan?.text ?? "",
        ]
        cells += [run.counts.named, run.recipients, run.deliveries, run.requests].map { "\($0)" }
        cells += Outcome.allCases.map { "\(overview.outcomes[$0])" }
        cells += [reach?.accepted, reach?.fetched, reach?.read].map { $0.map { "\($0)" } ?? "" }
        cells.append(run.reason.map { HubText.cleaned($0) } ?? "")
        for (place, cell) in cells.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            CSVCell.append(cell, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    func footer() -> [UInt8] { [] }
}
