import DeviceClient
import Foundation

@testable import DeviceSimulation

enum DeviceParsers {
    /// The result must not depend on how the bytes were split.
    static func events(_ bytes: [UInt8]) {
        var (whole, pieces) = (ServerSentEvents(), ServerSentEvents())
        let atOnce = unlessRefused { try whole.feed(bytes) }
        let oneByOne = unlessRefused { try bytes.flatMap { try pieces.feed([$0]) } }
        precondition(atOnce == oneByOne, "The events depend on the pieces.")
    }

    static func push(_ bytes: [UInt8]) {
        for platform in [DevicePlatform.apns, .fcm, .wns] {
            _ = DevicePush(body: Data(bytes), platform: platform)
        }
    }
}
