package import CampaignCore
package import Files
import Glibc

/// Takes people out of the audit who were forgotten.
package enum AuditRemoval {
    /// Writes a file of audit lines anew, without a person's name; a server that appends to it waits meanwhile, and goes on in
    /// the new one.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - path: the file; a link is not followed.
    /// - Returns: false, and nothing is done, when it has no audit lines.
    /// - Throws: `SystemFault` when it cannot be written; what it held before it holds still.
    package static func forget(_ person: Username, in path: String) throws(SystemFault) -> Bool {
        let file = try OpenFile(path, for: .updating, followingLinks: false)
        let lock = try FileLock.wait(for: AuditFile.lockedByte, of: file)
        defer { lock.release() }
        // Somebody else may have written it anew meanwhile.
        guard try FileStatus.find(path, followingLinks: false)?.identity == file.status().identity
        else { throw SystemFault(number: EAGAIN) }
        let beginning = AuditEntry.beginning
        guard try file.beginning(beginning.count) == beginning else { return false }
        try FileReplacement.rewrite(path) { AuditEntry.forgetting(person, in: $0) }
        return true
    }
}
