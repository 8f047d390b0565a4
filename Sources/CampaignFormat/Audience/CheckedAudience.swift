package import CampaignCore
import Synchronization

/// The people of one campaign, whose files are checked while they are read, so that this is done once.
///
/// Faulty lines are passed over. If there were any, reading the last part ends with an ``AudienceFileFaults``.
package final class CheckedAudience: AudienceSource {
    private struct State: Sendable {
        /// By the files' numbers.
        var checks: [Int: AudienceFileCheck] = [:]
        var unread: Set<AudiencePart> = [.named, .excluded]
    }

    private let files: AudienceFiles
    private let state = Mutex(State())

    init(_ files: AudienceFiles) {
        self.files = files
    }

    package func reader(of part: AudiencePart) -> any AudienceReader {
        CheckedReader(
            of: part, from: self,
            reader: files.reader(of: part) { [self] fault, file in
                state.withLock {
                    $0.checks[file.number, default: AudienceFileCheck(of: file)].add(fault)
                }
            })
    }

    /// Ends a part.
    ///
    /// - Throws: all faults, when this is the last part.
    fileprivate func end(_ part: AudiencePart) throws(AudienceFileFaults) {
        let checks = state.withLock { state in
            state.unread.remove(part)
            return state.unread.isEmpty ? state.checks : [:]
        }
        guard !checks.isEmpty else { return }
        throw AudienceFileFaults(diagnostics: checks.values.flatMap(\.diagnostics).sorted())
    }
}

/// What is wrong in the files of an audience; at most 100 faults a file and how many more there are.
package struct AudienceFileFaults: Error, Sendable {
    /// In order.
    package let diagnostics: [Diagnostic]
}

private struct CheckedReader: AudienceReader {
    private let part: AudiencePart
    private let audience: CheckedAudience
    private var reader: any AudienceReader

    init(of part: AudiencePart, from audience: CheckedAudience, reader: any AudienceReader) {
        self.part = part
        self.audience = audience
        self.reader = reader
    }

    mutating func next(_ limit: Int) throws -> [AudienceMember] {
        let members = try reader.next(limit)
        if members.isEmpty { try audience.end(part) }
        return members
    }
}
