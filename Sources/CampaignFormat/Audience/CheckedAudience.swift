package import CampaignCore
import Synchronization

/// The people of one campaign, whose files are checked while they are read, so that this is done once.
///
/// Faulty lines are passed over. If there were any that are not simply skipped, reading the last part ends with an
/// ``AudienceFileFaults``.
package final class CheckedAudience: AudienceSource {
    private struct State: Sendable {
        /// By the files' numbers.
        var checks: [Int: AudienceFileCheck] = [:]
        var unread: Set<AudiencePart> = [.named, .excluded]
        var personalNames: [AudiencePart: PersonalNames] = [:]
        var unusualRows: UnusualRowCount
    }

    private let files: AudienceFiles
    /// Whether names are looked at that nobody should read.
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

    /// The rows that were skipped, each as a warning; known once both parts are read.
    package var skippedRows: [Diagnostic] {
        state.withLock { $0.checks.values.flatMap(\.diagnostics) }
            .filter { $0.severity != .error }.sorted()
    }

    package var unusualRows: [UnusualRows] { state.withLock { $0.unusualRows.rows } }

    /// The names of its files that nobody should read, a file each; known once both parts are read.
    var personalNames: [PersonalNames.Finding] {
        state.withLock { $0.personalNames.values.flatMap(\.findings) }
            .sorted { $0.first.origin.file < $1.first.origin.file }
    }

    /// Looks at people who were just read.
    fileprivate func look(at members: [AudienceMember]) {
        state.withLock { $0.unusualRows.look(at: members) }
    }

    /// Ends a part.
    ///
    /// - Throws: all that was found, when this is the last part and any of it is a fault.
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

/// What is wrong in the files of an audience; at most 20 faults a file and how many more there are.
package struct AudienceFileFaults: Error, Sendable {
    /// In order.
    package let diagnostics: [Diagnostic]
}

private struct CheckedReader: AudienceReader {
    private let part: AudiencePart
    private let audience: CheckedAudience
    /// nil: nobody asks for them.
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
