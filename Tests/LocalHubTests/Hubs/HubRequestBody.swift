@testable import LocalHub

enum HubRequestBody {
    static func entry(_ elements: String) -> String {
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<NotificationHubDescription \(XMLText.serviceNamespaces)>\(elements)"
            + "</NotificationHubDescription></content></entry>"
    }

    static func entry(_ elements: String = "", rules: [String]) -> String {
        entry("\(elements)<AuthorizationRules>\(rules.joined())</AuthorizationRules>")
    }

    /// A rule; the hub generates missing keys.
    static func rule(
        _ name: String, _ rights: [String], primary: String? = nil, secondary: String? = nil
    ) -> String {
        "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue>"
            + "<Rights>\(rights.map { "<AccessRights>\($0)</AccessRights>" }.joined())</Rights>"
            + "<KeyName>\(name)</KeyName>"
            + (primary.map { "<PrimaryKey>\($0)</PrimaryKey>" } ?? "")
            + (secondary.map { "<SecondaryKey>\($0)</SecondaryKey>" } ?? "")
            + "</AuthorizationRule>"
    }
}
