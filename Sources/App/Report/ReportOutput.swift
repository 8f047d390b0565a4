import CampaignCore
import CampaignFormat
import Files
import FoundationEssentials
import ProcessControl
import Storage

/// A report for a file, a pipe or stdout.
protocol ReportOutput {
    /// Renders the report piece by piece.
    ///
    /// - Parameter width: the number of columns to wrap text to; nil for no wrapping.
    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws
}

extension ReportOutput {
    /// Writes the report to a file, pipe or device and prints its path; nil or `-` means stdout.
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

    /// Writes the report to a file, completely or not at all.
    func write(_ format: ReportFormat, to path: String, makesFolder: Bool = false) async throws {
        let file = try AtomicFile(path: path, makesFolder: makesFolder)
        try await render(format, style: .plain, width: nil) { try file.write($0) }
        try file.commit()
    }

    /// Writes the report to something other than a file, such as a pipe.
    private func write(_ format: ReportFormat, into stream: OpenFile) async throws {
        try await render(format, style: .plain, width: nil) { bytes in
            do throws(SystemError) {
                try stream.write(bytes)
            } catch {
                throw error.kind == .diskFull
                    ? Refused.noRoom(for: "report", why: "\(error)")
                    : Refused("The report cannot be written: \(error).")
            }
        }
    }

    private func print(_ format: ReportFormat, style: TextStyle) async throws {
        try await render(format, style: style, width: Console.outputColumns) { bytes in
            do {
                try Console.output(bytes)
            } catch TerminalError.full(let why) {
                throw Refused.noRoom(for: "report", why: why)
            }
        }
    }
}

/// The error if a run has ended and is recorded, but its report could not be written.
struct ReportNotWritten: Refusal {
    let cause: any Error
    /// Says how to write the report.
    let remedy: String
    /// Whether running the same command again would write the report without sending anything.
    let isFixedByRerun: Bool

    /// Exit code 75 means that the same command can be run again.
    var status: ExitStatus {
        let status = Refused(for: cause).status
        return status == .tryAgain && !isFixedByRerun ? .configuration : status
    }

    var sentence: String { "\(Refused(for: cause).sentence) \(remedy)" }
}

/// A report of one run, which is written page by page.
struct ReportFile: ReportOutput {
    private static let page = 5_000

    let store: any Store
    let record: RunRecord
    /// How suggested commands are written.
    var command = CommandForm()
    var made = Date()

    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws {
        if record.state == .staging, format != .text {
            throw Refused(
                """
                Run \(record.id) of campaign \(record.campaign) is still being staged and nothing was sent, so it has no \
                report yet. If its `hubsend run` was interrupted, run the same command again.
                """, status: .tryAgain)
        }
        try await store.verify(record.id)
        guard let renderer = try await renderer(format) else {
            let overview = try await RunOverview(
                of: record, in: store, mostReasons: RunOverview.mostReasons)
            let text = RunDocument(overview: overview, command: command).summary()
                .text(style, width: width)
            return try sink(Array(text.utf8))
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

    /// The renderer for rows and the parts around them; nil for text.
    private func renderer(_ format: ReportFormat) async throws -> (any ReportRenderer)? {
        guard format == .html else {
            return format.renderer(run: record.id, campaign: record.campaign)
        }
        return RunPage(
            try await RunDetails(of: record, in: store), command: command, made: made)
    }
}

/// A report of what one person was sent and fetched in all runs of a store, newest first.
struct PersonReport: ReportOutput {
    /// A limit above the number of runs in any store.
    private static let mostRuns = 1_000_000

    let store: any Store
    let user: Username

    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws {
        var text = PersonText(user)
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
        if format == .text { try sink(Array(text.document().text(style, width: width).utf8)) }
    }
}
