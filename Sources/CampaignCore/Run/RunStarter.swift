package struct RunStarter: Hashable, Sendable, Codable, CustomStringConvertible {
    package var user: String
    /// The user who ran sudo.
    package var sudoUser: String?
    package var host: String

    private enum CodingKeys: String, CodingKey {
        case user, host
        case sudoUser = "sudo_user"
    }

    package init(user: String, sudoUser: String? = nil, host: String) {
        self.user = user
        self.sudoUser = sudoUser
        self.host = host
    }

    package var description: String { "\(sudoUser.map { "\($0) as " } ?? "")\(user) on \(host)" }
}
