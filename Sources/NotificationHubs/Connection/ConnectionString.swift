/// A connection string from the Azure portal: the hub's address and a key, which is never printed.
public struct ConnectionString: Sendable {
    /// The address of the namespace.
    public let endpoint: HubEndpoint

    /// The name of the shared access rule.
    public let keyName: String

    /// The hub in `EntityPath`; nil if the string has none.
    public let hubName: HubName?

    let key: SharedAccessKey

    /// The maximum length of a rule name or key, in characters, as in the service's own client.
    static let partLimit = 256

    /// The maximum length in bytes.
    static let lengthLimit = 4_096

    /// Reads `Endpoint=sb://…/;SharedAccessKeyName=…;SharedAccessKey=…[;EntityPath=…]`, up to 4,096
    /// bytes.
    ///
    /// The parts can be in any order, and their names are case-insensitive; parts with other names
    /// are ignored. White space and invisible characters around the text and its parts, such as the
    /// line feed at the end of a file, are ignored, and so are empty parts.
    ///
    /// - Parameter text: up to 4,096 bytes.
    /// - Throws: ``ConnectionStringError``, which never contains any of the text.
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

extension ConnectionString {
    /// Whether the string gives access to a hub; without a hub name, it gives access to every hub
    /// in its namespace.
    package func isOfHub(_ name: HubName, at endpoint: HubEndpoint) -> Bool {
        self.endpoint.origin.lowercased() == endpoint.origin.lowercased()
            && (hubName ?? name) == name
    }
}

extension ConnectionString: SecretHolder {
    /// The endpoint and rule name, with the key hidden.
    public var description: String { "ConnectionString(\(endpoint), rule \(keyName), key hidden)" }

    /// All parts except the key.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["endpoint": endpoint, "keyName": keyName, "hubName": hubName as Any])
    }
}

private struct ConnectionStringParts {
    private var values: [ConnectionStringPart: String] = [:]

    /// Splits a connection string into its known parts.
    init(_ text: String) throws(ConnectionStringError) {
        let rest = Self.trimmed(text[...])
        guard !rest.isEmpty else { throw .empty }
        let pairs = rest.split(separator: ";").map(Self.trimmed).filter { !$0.isEmpty }
        if let first = pairs.first, Self.hasPrecedingText(first) { throw .assignment }
        guard !rest.contains(where: Self.quotationMarks.contains) else { throw .quoted }
        guard
            rest.unicodeScalars.allSatisfy({ $0 == " " || !Self.isBlank($0) && $0.value >= 0x20 })
        else { throw .controlCharacters }

        for pair in pairs {
            // Keys end in "=", so only the first equals sign is a separator.
            guard let equals = pair.firstIndex(of: "=") else { throw .malformedPart }
            let name = Self.trimmed(pair[..<equals])
            let value = Self.trimmed(pair[pair.index(after: equals)...])
            guard let part = ConnectionStringPart(name: name) else { continue }
            guard !value.isEmpty else { throw .emptyPart(part) }
            guard values.updateValue(String(value), forKey: part) == nil else {
                throw .duplicatePart(part)
            }
        }
    }

    subscript(_ part: ConnectionStringPart) -> String? { values[part] }

    func required(_ part: ConnectionStringPart) throws(ConnectionStringError) -> String {
        guard let value = values[part] else { throw .missingPart(part) }
        return value
    }

    private static let quotationMarks: Set<Character> = [
        "\"", "'", "`", "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}",
        "\u{BB}",
    ]

    /// Whether there is other text before the name of the first part, as in `NAME=Endpoint=…`.
    private static func hasPrecedingText(_ pair: Substring) -> Bool {
        let lower = pair.lowercased()
        let names = ConnectionStringPart.allCases.map { $0.rawValue.lowercased() + "=" }
        guard !names.contains(where: lower.hasPrefix) else { return false }
        return names.contains { name in
            guard let place = lower.firstRange(of: name) else { return false }
            return !lower[..<place.lowerBound].allSatisfy(quotationMarks.contains)
        }
    }

    /// Whether the character is white space, a control character, or a format character such as a
    /// byte order mark.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace
            || [.control, .format].contains(scalar.properties.generalCategory)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let scalars = text.unicodeScalars
        let start = scalars.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(start[...end])
    }
}

/// The key of a shared access rule, which is hidden in descriptions and dumps.
///
/// The text looks like Base64 but is not decoded: its UTF-8 bytes are the key.
struct SharedAccessKey: Sendable {
    let bytes: [UInt8]

    /// The key as it is in the connection string, so that it can be hidden in text from a hub.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }
}

extension SharedAccessKey: SecretHolder {
    var description: String { "(hidden)" }
}
