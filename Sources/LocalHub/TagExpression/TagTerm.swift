/// One operand of a tag expression: what a device must carry.
enum TagTerm: Hashable, Sendable {
    /// A plain tag, compared exactly.
    case tag(String)
    /// `$InstallationId:{…}`: the installation of this id.
    case installation(String)
    /// `$UserId:{…}`: every installation whose `userId` is this.
    case user(String)
}
