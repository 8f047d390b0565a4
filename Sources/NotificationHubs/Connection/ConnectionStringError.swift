/// The reason why a connection string cannot be used; no description contains any part of the
/// string.
public enum ConnectionStringError: Error, Hashable {
    /// The text is empty.
    case empty
    /// The text has more than 4,096 bytes.
    case tooLong
    /// The text contains a line break or another invisible character.
    case controlCharacters
    /// The text contains quotation marks.
    case quoted
    /// There is other text before the first part, such as a variable's name.
    case assignment
    /// A part between two semicolons has no equals sign.
    case malformedPart
    /// A part is missing.
    case missingPart(ConnectionStringPart)
    /// A part occurs twice.
    case duplicatePart(ConnectionStringPart)
    /// A part has no value.
    case emptyPart(ConnectionStringPart)
    /// The rule name or the key has more than 256 characters.
    case partTooLong(ConnectionStringPart)
    /// The endpoint has no `://`.
    case endpointWithoutScheme
    /// The endpoint's scheme is not `sb`, `https` or `http`.
    case unknownScheme
    /// The endpoint uses plain `http`, but its host is not this machine.
    case plainHTTP
    /// The endpoint has a user name or a password.
    case userInformation
    /// The endpoint has a path.
    case path
    /// The endpoint has a query or a fragment.
    case query
    /// The endpoint's host is not valid.
    case invalidHost
    /// The endpoint's port is not a number from 1 to 65,535.
    case invalidPort
    /// `EntityPath` is not a valid hub name.
    case invalidHubName
}

extension ConnectionStringError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        "The hub's connection string \(problem). Copy it again from the namespace's access "
            + "policies; it has the form Endpoint=sb://…/;SharedAccessKeyName=…;SharedAccessKey=…"
    }

    private var problem: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "has more than \(ConnectionString.lengthLimit) bytes"
        case .controlCharacters: "contains a line break or another invisible character"
        case .quoted: "contains quotation marks; remove them"
        case .assignment:
            "has other text before its first part, such as a variable's name; remove it"
        case .malformedPart: "has a part that is not NAME=VALUE"
        case .missingPart(let part): "has no \(part.rawValue)"
        case .duplicatePart(let part): "contains \(part.rawValue) twice"
        case .emptyPart(let part): "has \(part.rawValue) without a value"
        case .partTooLong(let part):
            "has more than \(ConnectionString.partLimit) characters in \(part.rawValue)"
        case .endpointWithoutScheme: "has an Endpoint that does not start with sb://"
        case .unknownScheme:
            "has an Endpoint that starts with neither sb:// nor https:// nor http://"
        case .plainHTTP:
            "has an Endpoint with http:// for a host that is not this machine; use sb:// there"
        case .userInformation: "has an Endpoint with a user name, which is not allowed"
        case .path: "has an Endpoint with a path; specify the hub's name separately"
        case .query: "has an Endpoint with a query or a fragment, which is not allowed"
        case .invalidHost: "has an Endpoint whose host is not a host name or address"
        case .invalidPort: "has an Endpoint whose port is not a number from 1 to 65535"
        case .invalidHubName: "has an EntityPath that is not a valid hub name"
        }
    }
}

/// The parts of a connection string that this library reads.
public enum ConnectionStringPart: String, Sendable, Hashable, CaseIterable {
    /// The namespace's address.
    case endpoint = "Endpoint"
    /// The shared access rule's name.
    case keyName = "SharedAccessKeyName"
    /// The shared access rule's key.
    case key = "SharedAccessKey"
    /// The hub's name.
    case hubName = "EntityPath"

    init?(name: Substring) {
        let wanted = name.lowercased()
        guard let part = Self.allCases.first(where: { $0.rawValue.lowercased() == wanted }) else {
            return nil
        }
        self = part
    }
}
