import CampaignCore

extension Rule {
    static let secretInFile = Rule(
        "secret-in-file", .warning, "A key, a token or a password in a campaign file",
        """
        Campaigns are kept in a repository: whoever has it, or an old copy of it, has the secret, and what stands \
        in a payload goes to phones. Secrets come from the environment; hubsend(1) says how.
        """,
        wrong: """
            description: "SharedAccessKeyName=send;SharedAccessKey=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEga2V5"
            """,
        right: "description: Sent through the hub of the shop",
        check: secrets)

    /// In characters; people do not write longer texts.
    private static let longestText = 64 << 10

    private static func secrets(in document: LintDocument) -> [Remark] {
        var remarks: [Remark] = []
        // Lists of people are long, and names such as random ids are not secrets.
        document.root.eachScalar(leavingOut: { $0.last == "usernames" }) { node, _ in
            guard let text = node.scalarText,
                SecretMask.holdsSecret(String(text.unicodeScalars.prefix(longestText)))
            else { return }
            remarks.append(
                Remark(
                    at: node.range,
                    "This text holds what looks like a key, a token or a password.",
                    help:
                        "Take it out, and change it where it is valid: everybody with the repository, or an old copy of it, has it."
                ))
        }
        return remarks
    }
}
