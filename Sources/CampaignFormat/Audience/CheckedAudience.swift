package import CampaignCore
import Synchronization

/// The people of one campaign; their files are read and checked in one pass.
///
/// Unusable lines are skipped. If any of these lines must not be skipped, reading the last part
/// throws ``AudienceFileErrors``.
package final class CheckedAudience: AudienceSource {
    private struct State: Sendable {
        var checks: [Int: AudienceFileCheck] = [:]
        var unread: Set<AudiencePart> = [.named, .excluded]
        var personalNames: [AudiencePart: PersonalNames] = [:]
        var unusualRows: UnusualRowCount
    }

    private let files: AudienceFiles
    /// Whether to check names for personal data.
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
            reader: files.reader(of: part) { [self] problem, file in
                state.withLock {
                    guard !problem.isHeading else {
                        return $0.unusualRows.addHeading(in: file, line: problem.range.line)
                    }
                    $0.checks[file.number, default: AudienceFileCheck(of: file)].add(problem)
                }
            })
    }

    /// Complete once the recipients and the exclusions have been read.
    package var skippedRowCount: Int {
        state.withLock { $0.checks.values.reduce(0) { $0 + $1.skipped } }
    }

    /// A warning for each skipped row; complete once both parts have been read.
    package var skippedRows: [Diagnostic] {
        state.withLock { $0.checks.values.flatMap(\.diagnostics) }
            .filter { $0.severity != .error }.sorted()
    }

    package var unusualRows: [UnusualRows] { state.withLock { $0.unusualRows.rows } }

    /// One finding per file; complete once both parts have been read.
    var personalNames: [PersonalNames.Finding] {
        state.withLock { $0.personalNames.values.flatMap(\.findings) }
            .sorted { $0.first.origin.file < $1.first.origin.file }
    }

    fileprivate func count(_ members: [AudienceMember]) {
        state.withLock { $0.unusualRows.count(members) }
    }

    /// After the last part, throws all findings if any of them is an error.
    fileprivate func end(
        _ part: AudiencePart, names: PersonalNames?
    ) throws(AudienceFileErrors) {
        let checks = state.withLock { state in
            state.unread.remove(part)
            state.personalNames[part] = names
            return state.unread.isEmpty ? state.checks : [:]
        }
        let found = checks.values.flatMap(\.diagnostics)
        guard found.hasErrors else { return }
        throw AudienceFileErrors(diagnostics: found.sorted())
    }
}

/// At most 20 findings per file, and a count of the others.
package struct AudienceFileErrors: Error, Sendable {
    package let diagnostics: [Diagnostic]
}

private struct CheckedReader: AudienceReader {
    private let part: AudiencePart
    private let audience: CheckedAudience
    /// nil if names are not checked.
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
        names?.count(members)
        audience.count(members)
        if members.isEmpty { try audience.end(part, names: names) }
        return members
    }
}
