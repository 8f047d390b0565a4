/// What became of the check of a password.
enum PasswordVerdict: Equatable, Sendable {
    case right
    case wrong
    /// It was not looked at.
    case refused(SignInRefusal)
}
