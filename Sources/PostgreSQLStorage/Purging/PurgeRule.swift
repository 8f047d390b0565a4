import CampaignCore
import Storage

/// Which payloads nobody can fetch any more, as SQL conditions on `runs` and `notifications n`;
/// `$1` is the current time.
enum PurgeRule {
    /// Every notification of the run: it has expired, or was revoked.
    static let isRunOver =
        "(runs.expires <= $1 OR (runs.revoked IS NOT NULL AND \(isUnneeded)))"
    /// A visible push contains the message, which a run in progress still needs.
    static let isUnneeded = """
        (runs.kind <> '\(CampaignKind.alert.rawValue)'
            OR runs.state = '\(RunState.finished.rawValue)')
        """
    /// Whether there is anything to delete.
    static let hasContent = """
        (n.message IS NOT NULL OR n.texts IS NOT NULL OR n.content IS NOT NULL
            OR n.sealed IS NOT NULL)
        """
    /// Their number, and the bytes in their own rows, without those that encryption adds.
    static let counts = """
        count(*), coalesce(sum(coalesce(length(n.sealed) - \(PayloadCipher.addedBytes), 0)
            + coalesce(octet_length(n.message), 0) + coalesce(length(n.texts), 0)), 0)::bigint
        """
    static let emptying =
        "UPDATE notifications n SET message = NULL, texts = NULL, content = NULL, sealed = NULL"
}
