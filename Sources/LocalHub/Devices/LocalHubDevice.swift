import Crypto
import Foundation

/// A simulated device that the hub knows from its start.
package struct LocalHubDevice: Sendable, Hashable {
    /// The push service behind it.
    package var platform: LocalHubPlatform
    /// Its handle at the push service (token, channel, endpoint or subscription); nil: the hub makes one.
    package var handle: String?
    /// Its tags.
    package var tags: Set<String>

    /// Makes a device.
    ///
    /// - Parameters:
    ///   - platform: the push service behind it.
    ///   - handle: its handle at the push service; nil: the hub makes one.
    ///   - tags: its tags, each 1 to 120 characters of `A-Z a-z 0-9 _ @ # . : -`.
    package init(platform: LocalHubPlatform, handle: String? = nil, tags: Set<String>) {
        self.platform = platform
        self.handle = handle
        self.tags = tags
    }

    /// Makes a user's device, with the tag `username:<user>`.
    ///
    /// - Parameters:
    ///   - user: the user's name, 1 to 111 characters of `A-Z a-z 0-9 _ @ # . : -`.
    ///   - platform: the push service behind it.
    ///   - handle: its handle at the push service; nil: the hub makes one.
    package init(user: String, platform: LocalHubPlatform, handle: String? = nil) {
        self.init(platform: platform, handle: handle, tags: [Self.tag(ofUser: user)])
    }

    /// The installation that stands for the device in the hub.
    ///
    /// Its id, and its handle where none is given, are computed from the device: so they are the same at each start,
    /// and a hub with a state file finds the device again.
    ///
    /// - Parameter number: how many devices of this platform and these tags came before it.
    func installation(number: Int) -> Installation {
        let text = ([platform.rawValue, "\(number)"] + tags.sorted()).joined(separator: "\n")
        var rest = Array(SHA512.hash(data: Data(text.utf8)))[...]
        func next() -> UInt64 {
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let id = GUID.make(next)
        let madeUp = (0..<4).map { _ in Hexadecimal.text(next(), digits: 16) }.joined()
        guard platform == .browser else {
            return Installation(
                id: id, platform: platform, handle: handle ?? madeUp.uppercased(),
                tags: tags.sorted())
        }
        let subscription = BrowserSubscription(handle: handle, seed: text)
        var installation = Installation(
            id: id, platform: platform, platformName: platform.rawValue,
            pushChannel: subscription.pushChannel, channel: subscription.channel)
        installation.tags = tags.sorted()
        return installation
    }

    /// The tag by which a user's devices are found.
    static func tag(ofUser user: String) -> String {
        "username:\(user)"
    }
}

extension LocalHubDevice: CustomStringConvertible, CustomReflectable {
    /// The device without its handle.
    package var description: String {
        "\(platform.rawValue) device (\(tags.sorted().joined(separator: ", ")))"
    }

    /// The device for dumps, without its handle.
    package var customMirror: Mirror {
        Mirror(self, children: ["platform": platform, "tags": tags])
    }
}

/// The address of a device: its push service and its handle there.
struct DeviceAddress: Sendable, Hashable, Codable {
    /// The push service.
    let platform: LocalHubPlatform
    /// The handle; that of an Apple device in upper case, since it is hexadecimal.
    let handle: String

    /// Names a device.
    ///
    /// - Parameters:
    ///   - platform: the push service.
    ///   - handle: the handle, in any case for Apple.
    init(platform: LocalHubPlatform, handle: String) {
        self.platform = platform
        self.handle = platform == .apns ? handle.uppercased() : handle
    }
}
