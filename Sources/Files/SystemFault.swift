import Glibc
import SystemPackage

/// Why the operating system refused something: its error number, and its words for it.
package struct SystemFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What callers tell apart; the words say the rest.
    package enum Kind: Hashable, Sendable {
        /// Nothing is there (`ENOENT`).
        case missing
        /// A part of the path is not a folder (`ENOTDIR`).
        case noFolder
        /// Something is there already (`EEXIST`).
        case exists
        /// The rights of a file or of a folder above it do not allow it (`EACCES`).
        case denied
        /// A link that was not to be followed, or links that go round in a circle (`ELOOP`).
        case link
        /// A pipe, socket or device that cannot be opened in this way (`ENXIO`, `ENODEV`).
        case special
        /// Nothing can be written there (`EROFS`).
        case readOnly
        /// The disk or the user's share of it is full, or the file would be too large (`ENOSPC`, `EDQUOT`, `EFBIG`).
        case diskFull
        /// The disk does not work (`EIO`).
        case inputOutput
        case other
    }

    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The fault of the system call that failed last on this thread.
    package static var last: SystemFault { SystemFault(number: errno) }

    package var kind: Kind {
        switch Errno(rawValue: number) {
        case .noSuchFileOrDirectory: .missing
        case .notDirectory: .noFolder
        case .fileExists: .exists
        case .permissionDenied: .denied
        case .tooManySymbolicLinkLevels: .link
        case .noSuchAddressOrDevice, .operationNotSupportedByDevice: .special
        case .readOnlyFileSystem: .readOnly
        case .noSpace, .diskQuotaExceeded, .fileTooLarge: .diskFull
        case .ioError: .inputOutput
        default: .other
        }
    }

    /// The system's words, as they stand within a sentence.
    package var description: String { Errno(rawValue: number).description.lowercased() }

    /// Runs calls of swift-system, which throw error numbers only, though they are declared to throw any error.
    static func of<Value>(_ calls: () throws -> Value) throws(SystemFault) -> Value {
        do {
            return try calls()
        } catch let error as Errno {
            throw SystemFault(number: error.rawValue)
        } catch {
            throw SystemFault(number: Errno.ioError.rawValue)
        }
    }
}
