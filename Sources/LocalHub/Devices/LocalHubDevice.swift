import Crypto
import Foundation

/// A simulated device that the hub registers when it starts.
package struct LocalHubDevice: Sendable, Hashable {
    package var platform: LocalHubPlatform
    /// The handle at the push service (token, channel, endpoint or subscription); if nil, the hub
    /// generates a handle.
    package var handle: String?
    /// The tags, each 1 to 120 characters of `A-Z a-z 0-9 _ @ # . : -`.
    package var tags: Set<String>

    package init(platform: LocalHubPlatform, handle: String? = nil, tags: Set<String>) {
        self.platform = platform
        self.handle = handle
        self.tags = tags
    }

    /// Creates a device with the tag `username:<user>`; the name can have up to 111 characters.
    package init(user: String, platform: LocalHubPlatform, handle: String? = nil) {
        self.init(platform: platform, handle: handle, tags: [Self.tag(ofUser: user)])
    }

    /// The installation of the device, which is the same each time the hub starts.
    ///
    /// `number` is the number of earlier devices with the same platform and tags.
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

    static func tag(ofUser user: String) -> String {
        "username:\(user)"
    }
}

extension LocalHubDevice: CustomStringConvertible, CustomReflectable {
    package var description: String {
        "\(platform.rawValue) device (\(tags.sorted().joined(separator: ", ")))"
    }

    package var customMirror: Mirror {
        Mirror(self, children: ["platform": platform, "tags": tags])
    }
}

/// The address of a device: its push service and its handle.
struct DeviceAddress: Sendable, Hashable, Codable {
    let platform: LocalHubPlatform
    /// The handle; on Apple platforms, hexadecimal digits in upper case.
    let handle: String

    init(platform: LocalHubPlatform, handle: String) {
        self.platform = platform
        self.handle = platform == .apns ? handle.uppercased() : handle
    }
}
