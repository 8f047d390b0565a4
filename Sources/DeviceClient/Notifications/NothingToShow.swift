/// Why a push shows nothing.
public enum NothingToShow: Hashable, Sendable {
    /// A push with the same id came before, and was shown or is being fetched.
    case shownBefore
    /// It expired, was taken back, or is not this user's.
    case gone
    /// The push names nothing that this library knows; another part of the app may know it.
    case notOurs
}
