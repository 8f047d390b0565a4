/// A simulated device that the hub knows from its start.
package struct LocalHubDevice: Sendable, Hashable {
    /// The push service behind it.
    package var platform: LocalHubPlatform
    /// Its handle at the push service (token, channel, endpoint); nil: the hub makes one.
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
    /// - Parameter random: a source of 64 random bits, for its id and a handle that nobody gave.
    /// - Returns: the installation.
    func installation(random: () -> UInt64) -> Installation {
        let madeUp = (0..<4).map { _ in Hexadecimal.text(random(), digits: 16) }.joined()
        return Installation(
            id: GUID.make(random), platform: platform, handle: handle ?? madeUp.uppercased(),
            tags: tags.sorted())
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
