/// A secondary tile of a Windows app, with a channel of its own.
public struct SecondaryTile: Sendable, Hashable, Codable {
    /// The tile's channel URI; no description shows it.
    public var pushChannel: String
    /// The tile's tags.
    public var tags: [String]?
    /// The tile's templates by name.
    public var templates: [String: InstallationTemplate]?

    /// Makes a tile.
    ///
    /// - Parameters:
    ///   - pushChannel: the tile's channel URI.
    ///   - tags: the tile's tags.
    ///   - templates: the tile's templates by name.
    public init(
        pushChannel: String, tags: [String]? = nil,
        templates: [String: InstallationTemplate]? = nil
    ) {
        self.pushChannel = pushChannel
        self.tags = tags
        self.templates = templates
    }
}

extension SecondaryTile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No channel.
    public var description: String { "SecondaryTile(channel hidden)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
