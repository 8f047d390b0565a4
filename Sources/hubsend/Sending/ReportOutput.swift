import Files
import Reports

/// Something that can be written as a report: to a file, into a pipe, to stdout.
protocol ReportOutput {
    /// Writes it, piece by piece.
    ///
    /// - Parameters:
    ///   - format: how.
    ///   - style: whether a text may have colours.
    ///   - sink: takes the pieces.
    /// - Throws: `StoreError` when the store cannot be read, and what the sink throws.
    func render(
        _ format: ReportFormat, style: TextStyle, to sink: ([UInt8]) throws -> Void
    ) async throws
}

extension ReportOutput {
    /// Writes it to a file, whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written, `StoreError` when the store cannot be read.
    func write(_ format: ReportFormat, to path: String) async throws {
        let file = try AtomicFile(path: path)
        try await render(format, style: .plain) { try file.write($0) }
        try file.commit()
    }

    /// Writes it into something that is no file, such as a pipe.
    ///
    /// - Throws: as ``write(_:to:)``.
    func write(_ format: ReportFormat, into stream: OpenFile) async throws {
        try await render(format, style: .plain) { bytes in
            do {
                try stream.write(bytes)
            } catch {
                throw CommandFailure(
                    .configuration, "The report cannot be written: \(error).")
            }
        }
    }

    /// Writes it to stdout.
    ///
    /// - Throws: as ``write(_:to:)``.
    func print(_ format: ReportFormat, style: TextStyle) async throws {
        try await render(format, style: style) { try Console.output($0) }
    }
}
