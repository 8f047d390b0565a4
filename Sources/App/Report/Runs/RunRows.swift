import CampaignCore
import FoundationEssentials

/// Writes one row a run, in the order given.
protocol RunRowRenderer: Sendable {
    func header() -> [UInt8]
    /// Appends a run in UTF-8.
    mutating func append(_ overview: RunOverview, to bytes: inout [UInt8]) throws
    func footer() -> [UInt8]
}

extension ReportFormat {
    /// Writes one row a run; nil for ``text``, whose table is ``RunListText``.
    ///
    /// - Parameter digest: base64 SHA-256, by which a page's policy names its style.
    func runRenderer(
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

/// JSON Lines: the objects of ``RunListJSON``, with people.
struct RunRowLines: RunRowRenderer {
    /// Keys of every version.
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

struct RunRowCSV: RunRowRenderer {
    /// Scripts rely on the names; new columns are added at the end.
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
