import Glibc
import SystemPackage

/// An error of the operating system, with its number and text.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors that callers distinguish; the text describes the others.
    package enum Kind: Hashable, Sendable {
        /// Nothing exists at the path (`ENOENT`).
        case missing
        /// A part of the path is not a folder (`ENOTDIR`).
        case noFolder
        /// Something already exists at the path (`EEXIST`).
        case exists
        /// The permissions of the file or of a folder above it do not allow it (`EACCES`).
        case denied
        /// A link must not be followed, or links form a loop (`ELOOP`).
        case link
        /// A pipe, socket or device cannot be opened this way (`ENXIO`, `ENODEV`).
        case special
        /// The file system is read-only (`EROFS`).
        case readOnly
        /// The disk or the user's quota is full, or the file would be too large (`ENOSPC`,
        /// `EDQUOT`, `EFBIG`).
        case diskFull
        /// The disk does not work (`EIO`).
        case inputOutput
        case other
    }

    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The error of the last failed system call on this thread.
    package static var last: SystemError { SystemError(number: errno) }

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

    /// The system's text, in lower case for use within a sentence.
    package var description: String { Errno(rawValue: number).description.lowercased() }

    /// Runs calls of swift-system, which are declared to throw any error but throw only error
    /// numbers.
    static func of<Value>(_ calls: () throws -> Value) throws(SystemError) -> Value {
        do {
            return try calls()
        } catch let error as Errno {
            throw SystemError(number: error.rawValue)
        } catch {
            throw SystemError(number: Errno.ioError.rawValue)
        }
    }
}
