import Glibc
import NIOCore

/// Why a server cannot listen on its host and port.
package enum ListenFault: Hashable, Sendable {
    /// Something else listens there.
    case portInUse
    /// The system refuses.
    ///
    /// - Parameter errorNumber: its `errno`.
    case refused(errorNumber: Int32)
    /// No address is known for the host.
    case unknownHost

    /// Reads the error of a server that was to listen; nil when it is about something else.
    package init?(_ error: any Error) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .portInUse
        case let error as IOError: self = .refused(errorNumber: error.errnoCode)
        case is SocketAddressError.UnknownHost: self = .unknownHost
        default: return nil
        }
    }

    /// What to do, for the end of a sentence.
    package var advice: String {
        switch self {
        case .unknownHost, .refused(EADDRNOTAVAIL): "use an address of this machine"
        case .refused(EACCES): "use a port from 1024, or 0 for a free one"
        case .portInUse, .refused: "use another address or port"
        }
    }
}
