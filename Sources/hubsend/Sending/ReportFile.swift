import CampaignCore
import Foundation
import Reports
import Storage

/// Writes a run's report, page by page, to a file or to stdout.
struct ReportFile {
    /// How many people's rows are read at once.
    private static let page = 5_000

    let store: SQLiteStore
    let record: RunRecord
    /// The flags that a suggested command needs.
    var options: [String] = []

    /// Writes it to a file, whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written, `StoreError` when the store cannot be read.
    func write(_ format: ReportFormat, to path: String) async throws {
        let file = try AtomicFile(path: path)
        try await render(format) { try file.write($0) }
        try file.commit()
    }

    /// Writes it into something that is no file, such as a pipe.
    ///
    /// - Throws: as ``write(_:to:)``.
    func write(_ format: ReportFormat, into stream: FileHandle) async throws {
        try await render(format) { bytes in
            do {
                try stream.write(contentsOf: Data(bytes))
            } catch {
                throw CommandFailure(
                    .configuration, "The report cannot be written: \(SystemError.last).")
            }
        }
    }

    /// Writes it to stdout.
    ///
    /// - Throws: as ``write(_:to:)``.
    func print(_ format: ReportFormat, style: TextStyle) async throws {
        try await render(format, style: style) { try Console.output($0) }
    }

    private func render(
        _ format: ReportFormat, style: TextStyle = .plain, to sink: ([UInt8]) throws -> Void
    ) async throws {
        guard let renderer = format.renderer(run: record.id, campaign: record.campaign) else {
            let overview = RunOverview(
                run: record.standing(inStoreAt: store.path),
                outcomes: try await store.outcomes(record.id))
            try sink(Array(RunSummaryText(overview, style: style, options: options).text().utf8))
            return
        }
        try sink(renderer.header())
        var last = 0
        while true {
            let page = try await store.reportPage(record.id, after: last, recipients: Self.page)
            if page.rows.isEmpty { return }
            var bytes: [UInt8] = []
            renderer.append(page.rows, to: &bytes)
            try sink(bytes)
            last = page.last
        }
    }
}
