/// The tags that a file may give explicitly: those of the YAML 1.2 core schema.
package enum YAMLTag: String, CaseIterable, Sendable {
    case string = "!!str"
    case integer = "!!int"
    case float = "!!float"
    case boolean = "!!bool"
    case null = "!!null"
    case sequence = "!!seq"
    case mapping = "!!map"

    /// Finds the tag for a full tag address such as `tag:yaml.org,2002:str`; nil for any other.
    init?(address: String) {
        let prefix = "tag:yaml.org,2002:"
        guard address.hasPrefix(prefix) else { return nil }
        self.init(rawValue: "!!" + address.dropFirst(prefix.count))
    }
}
