import HTTPTypes
import NIOCore

/// Applies the rows of an imported file, and records the result of each row.
///
/// A result consists of the line number and the registration, separated by a comma. For a failed
/// row, the status and the reason replace the registration.
struct RegistrationImport {
    /// The maximum length of a row in bytes, which is also the limit for a request body.
    private static let longestRow = 65_536
    /// The number of rows processed before a pause.
    private static let slice = 500

    let kind: HubJob.Kind
    let hub: HubStore
    let environment: HubEnvironment
    private(set) var done = ByteBuffer()
    private(set) var failed = ByteBuffer()

    /// Processes all rows of a file except empty ones; returns whether it reached the end.
    ///
    /// It stops when the list of failed rows exceeds the limit for a blob, because the reason for a
    /// failure can be much longer than the row.
    mutating func take(_ file: ByteBuffer, _ report: (Int) -> Void) async throws -> Bool {
        let bytes = file.readableBytesView
        var start = bytes.startIndex
        var number = 0
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            number += 1
            take(bytes[start..<end].trimmed(), number)
            guard failed.readableBytes <= environment.limits.blobBytes else { return false }
            start = end == bytes.endIndex ? end : bytes.index(after: end)
            guard number.isMultiple(of: Self.slice) else { continue }
            try Task.checkCancellation()
            report(100 * (start - bytes.startIndex) / bytes.count)
            // Without a pause, other requests would have to wait for all rows if there is only one
            // core.
            await Task.yield()
        }
        return true
    }

    private mutating func take(_ row: ByteBufferView, _ number: Int) {
        guard !row.isEmpty else { return }
        do throws(HubFailure) {
            guard row.count <= Self.longestRow else {
                throw .badRequest("The row is longer than \(Self.longestRow) bytes.")
            }
            let registration = try perform(RegistrationDocument(row: Array(row)))
            let xml = RegistrationDescription(registration: registration, form: .row).xml
            done.writeString("\(number),\(xml)\n")
        } catch {
            let status = error.status.reasonPhrase.replacing(" ", with: "")
            failed.writeString("\(number),\(status),\(error.detail ?? "")\n")
        }
    }

    private func perform(_ document: RegistrationDocument) throws(HubFailure) -> Registration {
        let now = environment.now()
        let given = try document.id()
        guard let id = given ?? (kind == .create ? RegistrationID.make(environment.random) : nil)
        else { throw .badRequest("The row has no RegistrationId.") }
        return try hub.update { state throws(HubFailure) in
            let known = state.registration(id: id, at: now)
            switch kind {
            case .create where known != nil: throw .registrationExists
            case .update where known == nil: throw .noRegistration
            case .delete:
                guard let known else { throw .noRegistration }
                state.removeRegistration(id: id)
                return known
            case .create, .update, .upsert, .export:
                return try state.put(document, id: id, at: now)
            }
        }
    }
}

extension HubFailure {
    fileprivate static let registrationExists = HubFailure(
        status: .conflict, detail: "A registration with this id already exists.")

    fileprivate static let noRegistration = HubFailure(
        status: .notFound, detail: "No registration has this id.")
}
