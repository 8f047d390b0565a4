enum Campaigns {
    /// A secure campaign without variables.
    ///
    /// - Parameters:
    ///   - delivery: the lines below `delivery:`.
    ///   - platforms: as written between the brackets.
    static func secure(
        _ name: String = "notice", to usernames: [String] = ["alice", "bob"],
        delivery: [String] = ["rate: unlimited"], platforms: String = "apns"
    ) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [\(platforms)]
        audience:
          usernames: [\(usernames.joined(separator: ", "))]
        payload:
          text: There is news.
        delivery:
        \(delivery.map { "  " + $0 }.joined(separator: "\n"))

        """
    }

    /// The names `user0001`, `user0002` and so on.
    static func people(_ count: Int) -> [String] {
        (1...count).map { number in
            let digits = String(number)
            return "user" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
