import CampaignCore

extension Rule {
    static let secretInFile = Rule(
        "secret-in-file", .warning, "A key, a token or a password in a campaign file",
        """
        Campaigns are kept in a repository: anyone who has a copy, even an old one, has the secret, and payloads are \
        sent to phones. Pass secrets in the environment; hubsend(1) explains how.
        """,
        wrong: """
            description: "SharedAccessKeyName=send;SharedAccessKey=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEga2V5"
            """,
        right: "description: Sent through the hub of the shop",
        check: secrets)

    /// The maximum number of characters that are checked; people do not write longer texts.
    private static let longestText = 64 << 10

    private static func secrets(in document: LintDocument) -> [Remark] {
        var remarks: [Remark] = []
        // Lists of people are not checked: they are long, and usernames such as random ids look
        // like secrets.
        document.root.eachScalar(leavingOut: { $0.last == "usernames" }) { node, _ in
            guard let text = node.scalarText,
                SecretMask.holdsSecret(String(text.unicodeScalars.prefix(longestText)))
            else { return }
            remarks.append(
                Remark(
                    at: node.range,
                    "This text contains what looks like a key, a token or a password.",
                    help:
                        "Remove it, and replace the secret itself: everybody with a copy of the repository, even an old one, has it."
                ))
        }
        return remarks
    }
}
