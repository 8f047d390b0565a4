/// The parts of a connection string that mean something here.
public enum ConnectionStringPart: String, Sendable, Hashable, CaseIterable {
    /// The namespace's address.
    case endpoint = "Endpoint"
    /// The shared access rule's name.
    case keyName = "SharedAccessKeyName"
    /// The shared access rule's key.
    case key = "SharedAccessKey"
    /// The hub's name.
    case hubName = "EntityPath"

    /// Finds the part that a name means, in any case.
    init?(name: Substring) {
        let wanted = name.lowercased()
        guard let part = Self.allCases.first(where: { $0.rawValue.lowercased() == wanted }) else {
            return nil
        }
        self = part
    }
}
