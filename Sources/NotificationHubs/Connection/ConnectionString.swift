/// The address of a hub and the right to use it, as the Azure portal hands them out.
///
/// ```swift
/// let connectionString = try ConnectionString(parsing: secret)
/// ```
///
/// Neither its descriptions nor a dump of it show the key.
public struct ConnectionString: Sendable {
    /// Where the namespace is.
    public let endpoint: HubEndpoint

    /// The name of the shared access rule.
    public let keyName: String

    /// The hub that `EntityPath` names; nil when the string has none.
    public let hubName: HubName?

    let key: SharedAccessKey

    /// The longest rule name and key that the service's own client takes, in characters (reference:
    /// section 2).
    static let partLimit = 256

    /// The longest text that is looked at, in bytes.
    static let lengthLimit = 4_096

    /// Reads a connection string:
    /// `Endpoint=sb://…/;SharedAccessKeyName=…;SharedAccessKey=…[;EntityPath=…]`.
    ///
    /// The parts may stand in any order, their names in any case; parts with other names are left
    /// alone. White space around the whole text is dropped, since files end in a line feed.
    ///
    /// - Parameter text: up to 4,096 bytes.
    /// - Throws: ``ConnectionStringError``, which never repeats any of the text.
    public init(parsing text: String) throws(ConnectionStringError) {
        guard text.utf8.count <= Self.lengthLimit else { throw .tooLong }
        let parts = try ConnectionStringParts(text)
        let endpoint = try parts.required(.endpoint)
        keyName = try parts.required(.keyName)
        guard keyName.count <= Self.partLimit else { throw .partTooLong(.keyName) }
        let key = try parts.required(.key)
        guard key.count <= Self.partLimit else { throw .partTooLong(.key) }
        self.key = SharedAccessKey(key)
        self.endpoint = try HubEndpoint(parsing: endpoint)
        guard let entityPath = parts[.hubName] else {
            hubName = nil
            return
        }
        do {
            hubName = try HubName(entityPath)
        } catch {
            throw .invalidHubName
        }
    }
}

extension ConnectionString: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Endpoint and rule name, with the key hidden.
    public var description: String {
        "ConnectionString(\(endpoint), rule \(keyName), key hidden)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Everything but the key.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["endpoint": endpoint, "keyName": keyName, "hubName": hubName as Any])
    }
}
