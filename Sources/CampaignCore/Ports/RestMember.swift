/// One person of a run with the platforms on which their deliveries ended in a way that was asked for.
package struct RestMember: Hashable, Sendable {
    package let username: Username
    /// Never empty.
    package let platforms: Set<Platform>

    package init(username: Username, platforms: Set<Platform>) {
        self.username = username
        self.platforms = platforms
    }
}
