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
    /// A secure or rich notification replaces it.
    ///
    /// `isRepeat` says whether one with the same id was shown before; nil if the store failed.
    case notification(DeviceNotification, isRepeat: Bool?)
    /// It stays as it is.
    case placeholder(PlaceholderReason)
}

/// Why a placeholder stays.
public enum PlaceholderReason: Hashable, Sendable {
    /// There is no placeholder, there is nothing to fetch, or the system shows it before the app
    /// runs.
    case nothingToReplace
    /// Time ran out, or the task was cancelled.
    case late
    /// Nobody is signed in, or the backend refused the sign-in.
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
