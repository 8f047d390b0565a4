import Glibc
import NIOCore

/// Why a server cannot listen on its host and port.
package enum ListenError: Hashable, Sendable {
    case portInUse
    /// The system refused the address or port.
    case refused(errorNumber: Int32)
    case unknownHost

    package init?(_ error: any Error) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .portInUse
        case let error as IOError: self = .refused(errorNumber: error.errnoCode)
        case is SocketAddressError.UnknownHost: self = .unknownHost
        default: return nil
        }
    }

    package var advice: String {
        switch self {
        case .unknownHost, .refused(EADDRNOTAVAIL): "use an address of this machine"
        case .refused(EACCES): "use port 1024 or higher, or 0 for any free port"
        case .portInUse, .refused: "use another address or port"
        }
    }
}
