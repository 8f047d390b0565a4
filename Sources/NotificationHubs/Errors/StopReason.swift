/// Why nothing that is sent to this hub can succeed until somebody corrects something.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
    /// The hub refused the key, or the rule lacks the right to send.
    case credentials
    /// There is no hub of that name.
    case hubNotFound
    /// What answers there is no notification hub: it redirects, or its certificate is not trusted.
    case notAHub
}
