package import CampaignCore
package import Files
import Glibc

package enum AuditRemoval {
    /// Removes a person's name from an audit file while other writers wait.
    ///
    /// - Returns: false if the file contains no audit lines and was left unchanged.
    /// - Throws: `SystemError` if the file cannot be written; the old content is kept.
    package static func forget(_ person: Username, in path: String) throws(SystemError) -> Bool {
        let file = try OpenFile(path, for: .updating, followingLinks: false)
        let lock = try FileLock.wait(for: AuditFile.lockedByte, of: file)
        defer { lock.release() }
        // Another process may have rewritten the file in the meantime.
        guard try FileStatus.find(path, followingLinks: false)?.identity == file.status().identity
        else { throw SystemError(number: EAGAIN) }
        let beginning = AuditEntry.beginning
        guard try file.beginning(beginning.count) == beginning else { return false }
        try FileReplacement.rewrite(path) { AuditEntry.forgetting(person, in: $0) }
        return true
    }
}
