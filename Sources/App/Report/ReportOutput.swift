import CampaignCore
import CampaignFormat
import Crypto
import Files
import FoundationEssentials
import Storage

/// A report for a file, a pipe or stdout.
protocol ReportOutput {
    /// Renders the report piece by piece.
    ///
    /// - Parameter width: the columns that a text is wrapped to; nil: not wrapped.
    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws
}

extension ReportOutput {
    /// Writes the report to the place wanted, and prints the file's path.
    ///
    /// - Parameters:
    ///   - output: a file, a pipe or a device; nil and `-`: stdout.
    ///   - makesFolder: whether a missing folder is made.
    func write(
        _ format: ReportFormat, to output: String?, _ settings: EffectiveSettings, isQuiet: Bool,
        makesFolder: Bool = false
    ) async throws {
        guard let output, output != "-" else {
            return try await print(format, style: settings.invocation.outputStyle)
        }
        let target = try ReportTarget(output, settings: settings)
        if target.isStream { return try await write(format, into: target.stream()) }
        try await write(format, to: target.path, makesFolder: makesFolder)
        if !isQuiet { try Console.output(VisibleText.path(target.path) + "\n") }
    }

    /// Writes the report to a file, whole or not at all.
    func write(_ format: ReportFormat, to path: String, makesFolder: Bool = false) async throws {
        let file = try AtomicFile(path: path, makesFolder: makesFolder)
        try await render(format, style: .plain, width: nil) { try file.write($0) }
        try file.commit()
    }

    /// Writes the report into something other than a file, such as a pipe.
    private func write(_ format: ReportFormat, into stream: OpenFile) async throws {
        try await render(format, style: .plain, width: nil) { bytes in
            do throws(SystemFault) {
                try stream.write(bytes)
            } catch {
                throw error.kind == .diskFull
                    ? OperationFault.noRoom(for: "report", why: "\(error)")
                    : .unwritableReport(why: "\(error)")
            }
        }
    }

    private func print(_ format: ReportFormat, style: TextStyle) async throws {
        try await render(format, style: style, width: Console.outputColumns) { bytes in
            do {
                try Console.output(bytes)
            } catch TerminalFault.full(let why) {
                throw OperationFault.noRoom(for: "report", why: why)
            }
        }
    }
}

/// A run's report, written page by page.
struct ReportFile: ReportOutput {
    private static let page = 5_000

    private let store: any Store
    let record: RunRecord
    private let command: CommandForm
    private let made: Date

    /// - Parameter command: how a suggested command is written.
    init(
        store: any Store, record: RunRecord, command: CommandForm = CommandForm(),
        made: Date = Date()
    ) {
        self.store = store
        self.record = record
        self.command = command
        self.made = made
    }

    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws {
        if record.state == .staging, format != .text {
            throw OperationFault.beingStaged(record.id, campaign: record.campaign)
        }
        try await store.verify(record.id)
        guard let renderer = try await renderer(format) else {
            let run = await record.standing(in: store)
            let outcomes = try await store.outcomes(record.id)
            let overview = RunOverview(
                run: run, outcomes: outcomes,
                reach: try await store.reach(record.id),
                reasons: outcomes.hasReasons
                    ? try await store.reasons(record.id, limit: RunOverview.mostReasons) : [],
                fallbacks: try await store.fallbacks(of: record),
                zone: CampaignFile.zone(of: record.campaignPath),
                later: try await store.successor(of: record))
            let text = RunSummaryText(overview, style: style, command: command, width: width)
            return try sink(Array(text.text().utf8))
        }
        try sink(renderer.header())
        var last = 0
        while true {
            let page = try await store.reportPage(record.id, after: last, recipients: Self.page)
            if page.rows.isEmpty { return try sink(renderer.footer()) }
            var bytes: [UInt8] = []
            renderer.append(page.rows, to: &bytes)
            try sink(bytes)
            last = page.last
        }
    }

    /// The renderer for rows and what surrounds them; nil for a text.
    private func renderer(_ format: ReportFormat) async throws -> (any ReportRenderer)? {
        guard format == .html else {
            return format.renderer(run: record.id, campaign: record.campaign)
        }
        return RunPage(
            try await RunDetails(of: record, in: store), command: command, made: made,
            digest: PageDigest.base64)
    }
}

/// What one person was sent and fetched, over all runs of a store, newest first.
struct PersonReport: ReportOutput {
    /// More runs than any store has.
    private static let mostRuns = 1_000_000

    private let store: any Store
    private let user: Username

    init(store: any Store, user: Username) {
        self.store = store
        self.user = user
    }

    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws {
        var text = PersonText(user, style: style, width: width)
        var isFirst = true
        for run in try await store.runs(campaign: nil, limit: Self.mostRuns) {
            guard run.deliveriesDeleted == nil else {
                text.leaveRunOut()
                continue
            }
            let rows = try await store.reportRows(run.id, of: user)
            guard let renderer = format.renderer(run: run.id, campaign: run.campaign) else {
                text.append(rows, of: run)
                continue
            }
            if isFirst { try sink(renderer.header()) }
            isFirst = false
            var bytes: [UInt8] = []
            renderer.append(rows, to: &bytes)
            if !bytes.isEmpty { try sink(bytes) }
        }
        if format == .text { try sink(Array(text.text().utf8)) }
    }
}

/// Digests that allow a page's own style and script (CSP Level 3, section 2.3.1).
enum PageDigest {
    static func base64(_ text: String) -> String {
        Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
    }
}
