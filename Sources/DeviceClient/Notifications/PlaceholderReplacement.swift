/// The result of replacing the placeholder of a push.
///
/// ```swift
/// switch await client.replacement(for: DevicePush(userInfo: userInfo)) {
/// case .notification(.secure(_, let text, let extras), _): show(extras.title, text)
/// case .notification(.rich(let rich), _): show(rich.extras.title, rich.message)
/// case .notification, .placeholder: showPlaceholder()
/// }
/// ```
public enum PlaceholderReplacement: Hashable, Sendable {
    /// A secure or rich notification replaces the placeholder.
    ///
    /// `isRepeat` says whether a notification with the same id was shown before; it is nil if the
    /// store failed.
    case notification(DeviceNotification, isRepeat: Bool?)
    /// The placeholder is not replaced.
    case placeholder(PlaceholderReason)
}

/// The reason why a placeholder is not replaced.
public enum PlaceholderReason: Hashable, Sendable {
    /// There is no placeholder, there is nothing to fetch, or the system shows the placeholder
    /// before the app runs.
    case nothingToReplace
    /// The time limit was reached, or the task was cancelled.
    case late
    /// No user is signed in, or the backend refused the sign-in.
    case signedOut
    /// The notification expired, was revoked, or is for another user.
    case gone
    /// The credential source failed.
    case credentialUnavailable
    /// The backend failed.
    case backend(BackendClientError)

    init(_ error: BackendClientError) {
        self =
            switch error {
            case .gone: .gone
            case .noCredential, .credentialUnusable, .credentialRefused, .forbidden: .signedOut
            case .timedOut, .cancelled: .late
            case .credentialUnavailable: .credentialUnavailable
            default: .backend(error)
            }
    }
}
