/// Campaign files that tests start from.
enum Campaigns {
    /// A secure campaign without variables.
    ///
    /// - Parameters:
    ///   - name: the campaign's name.
    ///   - usernames: the people.
    ///   - delivery: the lines below `delivery:`.
    ///   - platforms: as written between the brackets.
    /// - Returns: the file's text.
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

    /// As many names as wanted, from `user0001` on.
    static func people(_ count: Int) -> [String] {
        (1...count).map { number in
            let digits = String(number)
            return "user" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
