package import CampaignCore
import Synchronization

/// The people of one campaign, whose files are checked while they are read, in one pass.
///
/// Faulty lines are passed over. If any is not just skipped, the last part ends with
/// ``AudienceFileFaults``.
package final class CheckedAudience: AudienceSource {
    private struct State: Sendable {
        var checks: [Int: AudienceFileCheck] = [:]
        var unread: Set<AudiencePart> = [.named, .excluded]
        var personalNames: [AudiencePart: PersonalNames] = [:]
        var unusualRows: UnusualRowCount
    }

    private let files: AudienceFiles
    /// Whether to look for names that nobody should read.
    private let isLinting: Bool
    private let state: Mutex<State>

    init(_ files: AudienceFiles, isLinting: Bool) {
        self.files = files
        self.isLinting = isLinting
        state = Mutex(State(unusualRows: UnusualRowCount(files.variables)))
    }

    package func reader(of part: AudiencePart) -> any AudienceReader {
        CheckedReader(
            of: part, from: self, names: isLinting ? PersonalNames() : nil,
            reader: files.reader(of: part) { [self] fault, file in
                state.withLock {
                    guard !fault.isHeading else {
                        return $0.unusualRows.addHeading(in: file, line: fault.range.line)
                    }
                    $0.checks[file.number, default: AudienceFileCheck(of: file)].add(fault)
                }
            })
    }

    /// Known once both parts are read.
    package var skippedRowCount: Int {
        state.withLock { $0.checks.values.reduce(0) { $0 + $1.skipped } }
    }

    /// Each as a warning; known once both parts are read.
    package var skippedRows: [Diagnostic] {
        state.withLock { $0.checks.values.flatMap(\.diagnostics) }
            .filter { $0.severity != .error }.sorted()
    }

    package var unusualRows: [UnusualRows] { state.withLock { $0.unusualRows.rows } }

    /// One per file; known once both parts are read.
    var personalNames: [PersonalNames.Finding] {
        state.withLock { $0.personalNames.values.flatMap(\.findings) }
            .sorted { $0.first.origin.file < $1.first.origin.file }
    }

    fileprivate func look(at members: [AudienceMember]) {
        state.withLock { $0.unusualRows.look(at: members) }
    }

    /// After the last part, throws all that was found if any of it is an error.
    fileprivate func end(
        _ part: AudiencePart, names: PersonalNames?
    ) throws(AudienceFileFaults) {
        let checks = state.withLock { state in
            state.unread.remove(part)
            state.personalNames[part] = names
            return state.unread.isEmpty ? state.checks : [:]
        }
        let found = checks.values.flatMap(\.diagnostics)
        guard found.hasErrors else { return }
        throw AudienceFileFaults(diagnostics: found.sorted())
    }
}

/// At most 20 a file, and how many more there are.
package struct AudienceFileFaults: Error, Sendable {
    package let diagnostics: [Diagnostic]
}

private struct CheckedReader: AudienceReader {
    private let part: AudiencePart
    private let audience: CheckedAudience
    /// nil if nobody asks for them.
    private var names: PersonalNames?
    private var reader: any AudienceReader

    init(
        of part: AudiencePart, from audience: CheckedAudience, names: PersonalNames?,
        reader: any AudienceReader
    ) {
        self.part = part
        self.audience = audience
        self.names = names
        self.reader = reader
    }

    mutating func next(_ limit: Int) throws -> [AudienceMember] {
        let members = try reader.next(limit)
        names?.look(at: members)
        audience.look(at: members)
        if members.isEmpty { try audience.end(part, names: names) }
        return members
    }
}
