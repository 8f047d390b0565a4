/// Why a campaign cannot be sent to its audience, found while the audience was sorted and the bodies were measured.
package enum AudienceFault: Hashable, Sendable {
    /// Nobody is left to send to. `excluded` people were taken out.
    case empty(excluded: Int)
    case tooFew(final: Int, minimum: Int)
    case tooMany(final: Int, maximum: Int)
    case caseConflict(CaseConflict)
    /// A recipient has no value for a variable that has no default.
    case missingVariable(name: String, member: AudienceMember)
    /// A body is over the platform's limit; `member` is the recipient with the largest, where it differs.
    case bodyTooLarge(platform: Platform, bytes: Int, limit: Int, member: AudienceMember?)
    /// A value has a character that the platform's XML cannot hold.
    case unwritable(Unicode.Scalar, platform: Platform, member: AudienceMember?)
}
