import CampaignCore

/// What nobody can fetch any more, as SQL over `runs` and `notifications n`; `?1` is the present.
enum PurgeRule {
    /// Every notification of the run: it has expired, or was taken back.
    static let isRunOver =
        "(runs.expires <= ?1 OR (runs.revoked IS NOT NULL AND \(isUnneeded)))"
    /// One notification alone, which was taken back.
    static let isTakenBack = "(n.revoked IS NOT NULL AND \(isUnneeded))"
    /// Whether there is anything to delete.
    static let hasContent = """
        (n.message IS NOT NULL OR n.content IS NOT NULL OR n.sealed IS NOT NULL)
        """
    /// What a notification holds in its own row, in bytes, without what its encryption adds.
    static let ownBytes = """
        coalesce(length(n.sealed) - \(PayloadCipher.overhead), 0) + coalesce(length(CAST(n.message AS BLOB)), 0)
        """

    /// A visible push holds the message itself: a run that goes on still needs it.
    private static let isUnneeded = """
        (runs.kind <> '\(CampaignKind.alert.rawValue)'
            OR runs.state = '\(RunState.finished.rawValue)')
        """
}
