/// One person as a campaign file or an audience file names them.
package struct AudienceMember: Hashable, Sendable {
    package let username: Username
    /// The values of ``Campaign/variables``, in that order; nil or empty where the person has none.
    package let values: [String?]
    package let origin: AudienceOrigin

    package init(username: Username, values: [String?] = [], origin: AudienceOrigin) {
        self.username = username
        self.values = values
        self.origin = origin
    }
}
