import Files
import Foundation

/// Reads what is piped in.
enum StandardInput {
    /// A campaign is 16 MiB at the most; one byte more tells that it is too large.
    private static let longest = 16 << 20

    /// All of it, up to one byte over the limit.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    static func read() throws -> [UInt8] {
        do {
            return try Array(FileHandle.standardInput.read(upToCount: longest + 1) ?? Data())
        } catch {
            throw CommandFailure(
                .configuration, "Standard input cannot be read: \(SystemFault.last).")
        }
    }
}
