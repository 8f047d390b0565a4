/// Two names that differ only in case: one of them is a mistake, and a hub may take them for one.
package struct CaseConflict: Hashable, Sendable {
    package let first: AudienceMember
    package let second: AudienceMember

    package init(first: AudienceMember, second: AudienceMember) {
        self.first = first
        self.second = second
    }
}
