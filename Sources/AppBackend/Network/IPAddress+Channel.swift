import CampaignCore
import NIOCore

extension IPAddress {
    /// The address of the peer; nil without a socket.
    init?(of channel: any Channel) {
        self.init(channel.remoteAddress)
    }

    /// Nil if it is not an internet address.
    init?(_ address: SocketAddress?) {
        // `sin_addr` and `sin6_addr` have the same offset on all systems.
        switch address {
        case .v4(let address):
            let bytes = unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[4..<8]) }
            self.init(bytes: bytes)
        case .v6(let address):
            let bytes = unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[8..<24]) }
            self.init(bytes: bytes)
        default: return nil
        }
    }
}
