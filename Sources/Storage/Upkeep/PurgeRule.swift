import CampaignCore

/// SQL conditions on `runs` and `notifications n` for payloads that can no longer be fetched; `?1`
/// is the current time.
package enum PurgeRule {
    /// All notifications of a run that has expired or was revoked.
    static let isRunOver = "(runs.expires <= ?1 OR (runs.revoked IS NOT NULL AND \(isUnneeded)))"
    /// Single notifications that were revoked.
    static func isPartlyRevoked(_ dialect: SQLDialect) -> String {
        """
        (\(isUnneeded) AND NOT \(isRunOver) AND EXISTS
            (SELECT 1 FROM \(dialect.revokedNotifications) v WHERE v.run = runs.key))
        """
    }
    package static let hasContent = """
        (n.message IS NOT NULL OR n.texts IS NOT NULL OR n.content IS NOT NULL
            OR n.sealed IS NOT NULL)
        """

    /// A visible push contains the message, which a run in progress still needs.
    private static let isUnneeded = """
        (runs.kind <> '\(CampaignKind.alert.rawValue)'
            OR runs.state = '\(RunState.finished.rawValue)')
        """
}
